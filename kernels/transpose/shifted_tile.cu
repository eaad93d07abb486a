// A tile for rows that begin anywhere: it is a window, moved so that accesses begin at aligned addresses.
// A row of the input is read from the last 16-byte boundary before the tile's first column on, 16 bytes a
// thread. A row of the output is written from the last 32-byte boundary before the tile's first row on, 128
// bytes a warp: no sector is written in part. Where rows of the output begin at different places in a sector,
// the block loads up to seven rows more than it stores, and those come from L2 the second time.
// A warp stores every eighth row of the output: these all begin at the same place in a sector, so that its
// loop has nothing to compute but the next address. In shared memory a row of the tile lies as it was loaded,
// up to three floats off, four floats further for every four rows: a warp reads a column without conflicts
// where the input's pitch is odd, in two turns where it is even, and in four where it is a multiple of four.
// Shows: what misalignment costs, and which side of it: a sector that is written in part has to be read
// first. Plain 64 × 64 tiles took 98.6 µs at 8191 × 4097, with aligned stores 76.8, with aligned loads 73.3
// (H200, 2026-11-20). Within L2, instructions cost as much: see docs/lab/kernels.md.
// Predicted: 8 bytes per element in device memory; 71 rows read for 64 and 17 sectors for 15.5, the rest from
// L2, which is why it cannot quite reach vec4_tile.
#include <numeric>

#include "kernels/runtime.hpp"
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats
constexpr int kSector = 8;

// Rows that a block stores, floats of a row that it loads, its threads, blocks that share a multiprocessor,
// and whether blocks follow each other along the rows of the input, not down its columns.
template <int Rows, int Floats, int Threads, int Blocks, bool IsAcross = false>
struct Shape {
  static constexpr bool kIsAcross = IsAcross;
  static constexpr int kRows = Rows;
  static constexpr int kThreads = Threads;
  static constexpr int kBlocks = Blocks;
  static constexpr int kColumnsMax = Floats;
  static constexpr int kRowsLoadedMax = Rows + kSector - 1;
  static constexpr int kVectorsPerRow = Floats / kVector;
  static constexpr int kRowStep = Threads / kVectorsPerRow;  // from a thread's row to its next one
  static constexpr int kLoads = (kRowsLoadedMax + kRowStep - 1) / kRowStep;
  static constexpr int kPitch = Floats + 1;
  static constexpr int kSharedBytes = kRowsLoadedMax * kPitch * static_cast<int>(sizeof(float));
  static constexpr int kWarps = Threads / kWarp;
  static constexpr int kColumnStep =
      kWarps < kSector ? kSector : kWarps;  // from a column to the next one alike
  static_assert(Threads % kVectorsPerRow == 0 && kRowStep % kVector == 0 && Rows % kWarp == 0);
  static_assert(kColumnStep % kSector == 0 && Floats % kColumnStep == 0 && Floats % kWarp == 0);
};

// Longer rows than this are always covered downwards: what neighbours in the other direction have in common
// would have left L2 before it is used again.
constexpr std::int64_t kAcrossColumnsMax = 16384;

struct Shifted {
  Panel panel;
  int rows_loaded;
  int rows_before;        // so many of them lie before the tile's first row
  std::uint32_t columns;  // of a tile
  bool is_across;
};

__host__ __device__ __forceinline__ std::uint32_t floats_of(const float* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer) / sizeof(float));
}

template <typename Shape>
struct Window {
  const Shifted& s;
  const Panel& p;
  std::int64_t top;  // row of the panel that is loaded first; it may lie before the panel
  std::uint32_t column;
  int width;            // columns of the tile that exist
  std::uint32_t shift;  // the first row's misalignment in floats

  __device__ __forceinline__ Window(const Shifted& shifted, std::uint32_t down, std::uint32_t across)
      : s(shifted),
        p(shifted.panel),
        top(std::int64_t{down} * Shape::kRows - s.rows_before),
        column(across * s.columns),
        width(static_cast<int>(min(p.columns - column, s.columns))),
        shift(floats_of(p.in) + static_cast<std::uint32_t>(top) * static_cast<std::uint32_t>(p.in_pitch) +
              column) {}

  // How many floats before the tile's first column row y's window begins.
  __device__ __forceinline__ int before(int y) const {
    return static_cast<int>((shift + static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(p.in_pitch)) %
                            kVector);
  }

  // How many rows of the window come before the first one that column x stores.
  __device__ __forceinline__ int skipped(int x) const {
    const std::uint32_t first = floats_of(p.out) + (column + x) * static_cast<std::uint32_t>(p.out_pitch) +
                                static_cast<std::uint32_t>(top + s.rows_before);
    return s.rows_before - static_cast<int>(first % kSector);
  }

  // Where row y lies in shared memory.
  static __device__ __forceinline__ int place(int y) { return y * Shape::kPitch - y % kVector; }

  // Of all rows of the window: neither before the panel's first element nor after its last. Between them,
  // windows only reach into neighbours' elements.
  __device__ __forceinline__ bool is_inside() const {
    const std::int64_t pitch = static_cast<std::int64_t>(p.in_pitch);
    const std::int64_t end_row = top + s.rows_loaded;
    return top >= 0 && end_row <= p.rows && (top > 0 || column > 0) &&
           (end_row - 1) * pitch + column + width + kVector - 1 <= (p.rows - 1) * pitch + p.columns;
  }

  template <bool kIsInside>
  __device__ __forceinline__ float4 load(std::int64_t first) const {
    const std::int64_t end = static_cast<std::int64_t>((p.rows - 1) * p.in_pitch + p.columns);
    if (kIsInside || (first >= 0 && first + kVector <= end)) {
      return *reinterpret_cast<const float4*>(p.in + first);
    }
    float values[kVector] = {};
    for (int i = 0; i < kVector; ++i) {
      if (first + i >= 0 && first + i < end) {
        values[i] = p.in[first + i];
      }
    }
    return {values[0], values[1], values[2], values[3]};
  }

  template <bool kIsInside>
  __device__ __forceinline__ void load_into(float* tile) const {
    const int y0 = static_cast<int>(threadIdx.x) / Shape::kVectorsPerRow;
    const int x0 = static_cast<int>(threadIdx.x) % Shape::kVectorsPerRow * kVector;
    const int x = x0 - before(y0);  // the same for all rows of this thread: their distance is a multiple of 4
    if (x >= width) {
      return;
    }
    float4 values[Shape::kLoads] = {};
    const std::int64_t pitch = static_cast<std::int64_t>(p.in_pitch);
    std::int64_t first = (top + y0) * pitch + column + x;
#pragma unroll
    for (int i = 0; i < Shape::kLoads; ++i, first += Shape::kRowStep * pitch) {
      const int y = y0 + i * Shape::kRowStep;
      if (y < s.rows_loaded && (kIsInside || (top + y >= 0 && top + y < p.rows))) {
        values[i] = load<kIsInside>(first);
      }
    }
    float* const to = tile + place(y0) + x0;
#pragma unroll
    for (int i = 0; i < Shape::kLoads; ++i) {
      if (y0 + i * Shape::kRowStep < Shape::kRowsLoadedMax) {
        *reinterpret_cast<float4*>(to + i * Shape::kRowStep * Shape::kPitch) = values[i];
      }
    }
  }

  // Every kColumnStep-th column from x0 on, of rows from `row` of the panel on; a lane's elements are `from`
  // and `to` in the first of them. So many columns are read before the first is stored that eight loads are
  // on their way.
  template <bool kIsWhole>
  __device__ __forceinline__ void store_columns(const float* from, float* to, int x0,
                                                std::int64_t row) const {
    constexpr int kParts = Shape::kRows / kWarp;
    constexpr int kBatch = kParts < 8 ? 8 / kParts : 1;
    constexpr int kTurns = Shape::kColumnsMax / Shape::kColumnStep;
    const std::int64_t step = Shape::kColumnStep * static_cast<std::int64_t>(p.out_pitch);
#pragma unroll
    for (int turn = 0; turn < kTurns; turn += kBatch) {
      float values[kBatch][kParts];
#pragma unroll
      for (int i = 0; i < kBatch * kParts; ++i) {
        const int x = (turn + i / kParts) * Shape::kColumnStep;
        if (turn + i / kParts < kTurns && x0 + x < width) {
          values[i / kParts][i % kParts] = from[x + i % kParts * kWarp * Shape::kPitch];
        }
      }
#pragma unroll
      for (int i = 0; i < kBatch * kParts; ++i) {
        const int x = (turn + i / kParts) * Shape::kColumnStep;
        const std::int64_t y = row + i % kParts * kWarp;
        if (turn + i / kParts < kTurns && x0 + x < width && (kIsWhole || (y >= 0 && y < p.rows))) {
          to[i % kParts * kWarp] = values[i / kParts][i % kParts];
        }
        to += i % kParts == kParts - 1 ? step : 0;
      }
    }
  }

  __device__ __forceinline__ void store_from(const float* tile) const {
#pragma unroll
    for (int x = static_cast<int>(threadIdx.x) / kWarp; x < Shape::kColumnStep; x += Shape::kWarps) {
      const int y0 = skipped(x);
      const int y = y0 + static_cast<int>(threadIdx.x) % kWarp;
      const float* const from = tile + place(y) + before(y) + x;
      float* const to = p.out + (static_cast<std::int64_t>((column + x) * p.out_pitch) + top + y);
      if (top + y0 >= 0 && top + y0 + Shape::kRows <= p.rows) {
        store_columns<true>(from, to, x, top + y);
      } else {
        store_columns<false>(from, to, x, top + y);
      }
    }
  }
};

template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks) shifted_tile_kernel(Shifted s) {
  extern __shared__ __align__(16) float tile[];
  const std::uint32_t line = folded_block_y();
  const Window<Shape> window(s, s.is_across ? line : blockIdx.x, s.is_across ? blockIdx.x : line);
  wait_for_kernel_before();
  if (line >= s.panel.lines) {
    return;
  }
  if (window.is_inside()) {
    window.template load_into<true>(tile);
  } else {
    window.template load_into<false>(tile);
  }
  __syncthreads();
  let_next_begin();  // not before: blocks of the next kernel would fill up the multiprocessors that end first
  window.store_from(tile);
}

// The windows of the last tile may end up to seven rows early.
template <typename Shape>
static int launch_shifted(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != BlockShape{Shape::kThreads, 1}) {
    return cudaErrorInvalidValue;
  }
  if (Shape::kSharedBytes > static_cast<int>(kSharedBytesMax)) {
    const void* const kernel = reinterpret_cast<const void*>(shifted_tile_kernel<Shape>);
    if (const int error = allow_shared_bytes(kernel, Shape::kSharedBytes); error != cudaSuccess) {
      return error;
    }
  }
  return for_each_panel(problem, false, [&](const Panel& panel) {
    // Columns of the input differ by multiples of this in where they begin in a sector of the output ...
    const int in_sector = static_cast<int>(std::gcd(panel.out_pitch, std::uint64_t{kSector}));
    // ... and rows in where they begin in 16 bytes of the input.
    const int in_vector = static_cast<int>(std::gcd(panel.in_pitch, std::uint64_t{kVector}));
    const bool is_aligned = floats_of(panel.in) % static_cast<std::uint32_t>(in_vector) == 0;
    Shifted s{
        .panel = panel,
        .rows_loaded = Shape::kRows + kSector - in_sector,
        .rows_before = kSector - in_sector +
                       static_cast<int>(floats_of(panel.out) % static_cast<std::uint32_t>(in_sector)),
        .columns = static_cast<std::uint32_t>(Shape::kColumnsMax - kVector + (is_aligned ? in_vector : 0)),
        .is_across = Shape::kIsAcross && panel.columns <= kAcrossColumnsMax};
    const std::int64_t down = divide_up(std::int64_t{panel.rows} + s.rows_before, Shape::kRows);
    const std::int64_t across = divide_up(panel.columns, s.columns);
    s.panel.lines = static_cast<std::uint32_t>(s.is_across ? down : across);
    const dim3 grid = folded_grid(s.is_across ? across : down, s.panel.lines);
    return launch_kernel(shifted_tile_kernel<Shape>, grid, dim3(Shape::kThreads), Shape::kSharedBytes, stream,
                         s, Begin::kEarly);
  });
}

// shifted_tile: 64 rows by 60 columns and more, across.
int launch_shifted_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<64, 64, 256, 5, true>>(problem, block, stream);
}

// shifted_short_tile: 32 rows and 128 threads.
// Shows: what a small matrix wants, or one with few rows: blocks for every multiprocessor.
int launch_shifted_short_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<32, 64, 128, 10>>(problem, block, stream);
}

// shifted_tall_tile: 96 rows: fewer of them are read twice.
int launch_shifted_tall_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<96, 64, 256, 4>>(problem, block, stream);
}

// shifted_wide_tile: 120 columns and more: longer rows to read where there are few of them.
int launch_shifted_wide_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<64, 128, 256, 4>>(problem, block, stream);
}

}  // namespace kernels::transpose
