// A tile for rows that begin anywhere: it is a window, moved so that accesses begin at aligned addresses.
// A row of the input is read from the last 16-byte boundary before the tile's first column on, 128 floats of
// which the tile uses 124: a warp loads 512 bytes, 16 a thread. A row of the output is written from the last
// 32-byte boundary before the tile's first row on, for which the block loads eight rows more than the 64 it
// stores: no sector is written in part, and the rows that are read twice come from L2 the second time.
// In shared memory a row of the tile lies as it was loaded, up to three floats off. Its vectors are exchanged
// as in vec4_tile, so that a warp reads a column without conflicts where the pitch is odd, with up to four
// turns where it is a multiple of four, and stores it 128 bytes at a time.
// Shows: what misalignment costs, and which side of it: a sector that is written in part has to be read
// first. Plain 64 × 64 tiles took 98.6 µs at 8191 × 4097, with aligned stores 76.8, with aligned loads 73.3
// (H200, 2026-11-20).
// Predicted: 8 bytes per element in device memory; 72 rows read for 64 and 17 sectors for 15.5, the rest from
// L2, which is why it cannot quite reach vec4_tile.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats
constexpr int kSector = 8;

// Rows that a block stores, floats of a row that it loads, and its threads.
template <int Rows, int Floats, int Threads>
struct Shape {
  static constexpr int kRows = Rows;
  static constexpr int kWindow = Floats;
  static constexpr int kThreads = Threads;
  static constexpr int kColumns = Floats - kVector;
  static constexpr int kRowsLoaded = Rows + kSector;
  static constexpr int kVectorsPerRow = Floats / kVector;
  static constexpr int kLoads = kRowsLoaded * kVectorsPerRow / Threads;
  static_assert(kRowsLoaded * kVectorsPerRow % Threads == 0 && Rows % kWarp == 0);
};

// Where float `place` of row y's window lies in shared memory.
template <typename Shape>
__device__ __forceinline__ int place_in_tile(int y, int place) {
  return y * Shape::kWindow + ((place / kVector) ^ (y / kVector % 8)) * kVector + place % kVector;
}

template <typename Shape>
struct Window {
  const Panel& p;
  std::int64_t row;  // of the panel, of the first row that is loaded; it may lie before the panel
  std::uint32_t column;
  int width;            // columns of the tile that exist
  std::uint32_t shift;  // row 0's misalignment in floats

  __device__ __forceinline__ Window(const Panel& panel, std::uint32_t line)
      : p(panel),
        row(static_cast<std::int64_t>(blockIdx.x) * Shape::kRows - kSector),
        column(line * Shape::kColumns),
        width(static_cast<int>(min(p.columns - column, std::uint32_t{Shape::kColumns}))),
        shift(floats_of(p.in) + static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(p.in_pitch) +
              column) {}

  static __device__ __forceinline__ std::uint32_t floats_of(const float* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer) / sizeof(float));
  }

  // How many floats before the tile's first column row y's window begins.
  __device__ __forceinline__ int before(int y) const {
    return static_cast<int>((shift + static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(p.in_pitch)) %
                            kVector);
  }

  // The same for the output and column x of the tile.
  __device__ __forceinline__ int rows_before(std::uint32_t x) const {
    const std::uint32_t first = floats_of(p.out) + (column + x) * static_cast<std::uint32_t>(p.out_pitch) +
                                static_cast<std::uint32_t>(row) + kSector;
    return static_cast<int>(first % kSector);
  }

  // Of all rows of the tile that exist: neither before the panel's first element nor after its last. Between
  // them, windows only reach into neighbours' elements.
  __device__ __forceinline__ bool is_inside() const {
    const std::int64_t last_row = min(row + Shape::kRowsLoaded, static_cast<std::int64_t>(p.rows)) - 1;
    const std::int64_t pitch = static_cast<std::int64_t>(p.in_pitch);
    return (row > 0 || column > 0) &&
           last_row * pitch + column + width + kVector - 1 <= (p.rows - 1) * pitch + p.columns;
  }

  template <bool kIsInside>
  __device__ __forceinline__ float4 load(std::int64_t first) const {
    if (kIsInside) {
      return *reinterpret_cast<const float4*>(p.in + first);
    }
    const std::int64_t end = static_cast<std::int64_t>((p.rows - 1) * p.in_pitch + p.columns);
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
    float4 values[Shape::kLoads] = {};
#pragma unroll
    for (int i = 0; i < Shape::kLoads; ++i) {
      const int vector = static_cast<int>(threadIdx.x) + i * Shape::kThreads;
      const int y = vector / Shape::kVectorsPerRow;
      const int x = vector % Shape::kVectorsPerRow * kVector - before(y);  // of its first float, in the tile
      if (row + y >= 0 && row + y < p.rows && x < width) {
        values[i] = load<kIsInside>((row + y) * static_cast<std::int64_t>(p.in_pitch) + column + x);
      }
    }
#pragma unroll
    for (int i = 0; i < Shape::kLoads; ++i) {
      const int vector = static_cast<int>(threadIdx.x) + i * Shape::kThreads;
      const int place =
          place_in_tile<Shape>(vector / Shape::kVectorsPerRow, vector % Shape::kVectorsPerRow * kVector);
      *reinterpret_cast<float4*>(tile + place) = values[i];
    }
  }

  // A warp stores a column of the tile, 32 floats at a time.
  __device__ __forceinline__ void store_from(const float* tile) const {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll 4
    for (int x = static_cast<int>(threadIdx.x) / kWarp; x < width; x += Shape::kThreads / kWarp) {
      const int y = kSector - rows_before(x) + lane;
      const float* values = tile + place_in_tile<Shape>(y, x + before(y));
      const std::int64_t first = static_cast<std::int64_t>((column + x) * p.out_pitch) + row + y;
#pragma unroll
      for (int i = 0; i < Shape::kRows; i += kWarp) {
        if (row + y + i >= 0 && row + y + i < p.rows) {
          p.out[first + i] = values[i * Shape::kWindow];
        }
      }
    }
  }
};

template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads) shifted_tile_kernel(Panel p) {
  __shared__ alignas(16) float tile[Shape::kRowsLoaded * Shape::kWindow];
  const std::uint32_t line = folded_block_y();
  if (line >= p.lines) {
    return;
  }
  const Window<Shape> window(p, line);
  if (window.is_inside()) {
    window.template load_into<true>(tile);
  } else {
    window.template load_into<false>(tile);
  }
  __syncthreads();
  window.store_from(tile);
}

// Blocks start down the rows, as in vec4_tile. The windows of the last tile may end up to seven rows early.
template <typename Shape>
static int launch_shifted(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != BlockShape{Shape::kThreads, 1}) {
    return cudaErrorInvalidValue;
  }
  return for_each_panel(problem, false, [&](Panel panel) {
    const std::int64_t lines = divide_up(panel.columns, Shape::kColumns);
    panel.lines = static_cast<std::uint32_t>(lines);
    const dim3 grid = folded_grid(divide_up(panel.rows + std::int64_t{kSector} - 1, Shape::kRows), lines);
    return launch_kernel(shifted_tile_kernel<Shape>, grid, dim3(Shape::kThreads), 0, stream, panel);
  });
}

int launch_shifted_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<64, 128, 256>>(problem, block, stream);
}

// 128 rows by 60 columns: for matrices that 64 × 124 would cover badly.
int launch_shifted_tall_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_shifted<Shape<128, 64, 128>>(problem, block, stream);
}

}  // namespace kernels::transpose
