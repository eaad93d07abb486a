// Transposes by quads of 4 × 4 floats that one thread turns in its registers, with accesses of 16 bytes: as
// they are, through shared memory, and with a tile that TMA brings and takes.
#include "kernels/ptx.cuh"
#include "kernels/tensor_map.hpp"
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

constexpr int kQuad = 4;  // floats on a side: 16 bytes

// Its rows; after transpose() its columns. Costs no instruction: only registers are renamed.
struct Quad {
  float4 rows[kQuad];

  __device__ __forceinline__ void transpose() {
    const float4 a = rows[0];
    const float4 b = rows[1];
    const float4 c = rows[2];
    const float4 d = rows[3];
    rows[0] = {a.x, b.x, c.x, d.x};
    rows[1] = {a.y, b.y, c.y, d.y};
    rows[2] = {a.z, b.z, c.z, d.z};
    rows[3] = {a.w, b.w, c.w, d.w};
  }
};

// cudaErrorNotSupported for a problem whose rows do not all begin at 16 bytes.
static int launch_vector_rows(void (*kernel)(Panel), const TransposeProblem& problem, const Plan& plan,
                              Stream stream) {
  return has_vector_rows(problem) ? launch(kernel, problem, plan, stream) : cudaErrorNotSupported;
}

// quad_tile: quads of 4 × 4 floats turned in the registers of one thread, and nothing else: no shared
// memory, no barrier. A warp loads 128 bytes of 16 rows and stores 64 bytes of 32 rows: whole sectors on
// both sides.
// Shows: what a small matrix that lies in L2 waits for: the way there and back. A tile in shared memory adds
// a barrier and a second way.
// Predicted: at 512² and 1024², hot, as fast as a copy; slower than vec4_tile where memory is the limit, as
// 64 bytes in one place are too few (146 µs against 133 at 8192², H200).
constexpr BlockShape kQuadTileBlock{128, 1};
constexpr int kQuadsAcross = 8;
constexpr int kQuadsDown = kQuadTileBlock.x / kQuadsAcross;

__global__ void __launch_bounds__(kQuadTileBlock.x) quad_tile_kernel(Panel p) {
  const std::uint32_t column = (blockIdx.x * kQuadsAcross + threadIdx.x % kQuadsAcross) * kQuad;
  const std::uint32_t row = (folded_block_y() * kQuadsDown + threadIdx.x / kQuadsAcross) * kQuad;
  wait_for_kernel_before();
  if (column >= p.columns || row >= p.rows) {
    return;
  }
  Quad quad;
#pragma unroll
  for (int k = 0; k < kQuad; ++k) {
    quad.rows[k] = *reinterpret_cast<const float4*>(p.in + ((row + k) * p.in_pitch + column));
  }
  quad.transpose();
#pragma unroll
  for (int k = 0; k < kQuad; ++k) {
    *reinterpret_cast<float4*>(p.out + ((column + k) * p.out_pitch + row)) = quad.rows[k];
  }
}

int launch_quad_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kQuadTileBlock) {
    return cudaErrorInvalidValue;
  }
  return launch_vector_rows(
      quad_tile_kernel, problem,
      {.block = kQuadTileBlock, .tile_rows = kQuadsDown * kQuad, .tile_columns = kQuadsAcross * kQuad},
      stream);
}

// vec4_tile and its like: a block takes a tile of kTileRows × 64 of the input. A thread loads quads of 4 × 4
// floats, 16 bytes a row, turns them in its registers, and puts them as rows of the output into shared
// memory; then the block stores rows of the output, 16 bytes a thread.
constexpr int kVecTileColumns = 64;

// Where a vector of the tile's output lies in shared memory. Rows are 8 vectors or more, without padding: 16
// threads with quads side by side write vectors a few rows apart, and would meet in the same banks, were not
// the vectors of every fourth row exchanged.
template <int kTileRows>
__device__ __forceinline__ int place_in_tile(int column, int vector) {
  return column * (kTileRows / kQuad) + (vector ^ (column / kQuad % 8));
}

// Blocks that start one after the other read downwards (kGridX is kRows) and store side by side, which device
// memory takes better (H200, 8192²: 133.0 µs against 135.4 the other way round).
template <int kTileRows, int kThreads, Axis kGridX>
__device__ __forceinline__ void transpose_vec_tile(const Panel& p) {
  constexpr int kQuadsAcross = kVecTileColumns / kQuad;
  constexpr int kQuads = kTileRows / kQuad * kQuadsAcross / kThreads;
  constexpr int kVectorsAcross = kTileRows / kQuad;
  __shared__ float4 tile[kVecTileColumns * kVectorsAcross];

  const std::uint32_t line = folded_block_y();
  const std::uint32_t row = (kGridX == Axis::kRows ? blockIdx.x : line) * kTileRows;
  const std::uint32_t column = (kGridX == Axis::kRows ? line : blockIdx.x) * kVecTileColumns;
  const int thread = static_cast<int>(threadIdx.x);
  wait_for_kernel_before();
  if (line >= p.lines) {
    return;
  }
  Quad quads[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const int place = thread + i * kThreads;
    const std::uint32_t x = column + place % kQuadsAcross * kQuad;
    const std::uint32_t y = row + place / kQuadsAcross * kQuad;
    if (x < p.columns && y < p.rows) {
#pragma unroll
      for (int k = 0; k < kQuad; ++k) {
        quads[i].rows[k] = *reinterpret_cast<const float4*>(p.in + ((y + k) * p.in_pitch + x));
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const int place = thread + i * kThreads;
    quads[i].transpose();
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      tile[place_in_tile<kTileRows>(place % kQuadsAcross * kQuad + k, place / kQuadsAcross)] =
          quads[i].rows[k];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kQuads * kQuad; ++i) {
    const int place = thread + i * kThreads;
    const std::uint32_t x = column + place / kVectorsAcross;
    const std::uint32_t y = row + place % kVectorsAcross * kQuad;
    if (x < p.columns && y < p.rows) {
      *reinterpret_cast<float4*>(p.out + (x * p.out_pitch + y)) =
          tile[place_in_tile<kTileRows>(place / kVectorsAcross, place % kVectorsAcross)];
    }
  }
}

static int launch_vec_tile(void (*kernel)(Panel), const Plan& plan, const TransposeProblem& problem,
                           BlockShape block, Stream stream) {
  return block == plan.block ? launch_vector_rows(kernel, problem, plan, stream) : cudaErrorInvalidValue;
}

static Plan vec_plan(int tile_rows, int threads, Axis grid_x = Axis::kRows) {
  return {.block = {threads, 1}, .tile_rows = tile_rows, .tile_columns = kVecTileColumns, .grid_x = grid_x};
}

// vec4_tile: a 64 × 64 tile with 16-byte accesses all the way: four loads of 16 bytes in flight a thread.
// A warp loads two rows of 256 bytes and stores two rows of 256 bytes; shared memory is written and read 16
// bytes a thread without conflicts; of the transposition itself, nothing is left but the naming of registers.
// Shows: what smem_padded leaves: a sixteenth of its loads and stores for the same bytes, so that what
// remains is what the memory system does with the order of the accesses.
// Predicted: bytes as copy_vec4, 16 instructions that access memory for 16 floats instead of 64. A row of a
// tile is two lines in one place of device memory, copy_vec4's order has no such breaks: a little slower.
// Matrices up to 68 MB are covered along the rows of the input: at 5000 × 3000, hot, .963 of the copy's speed
// on an H100 where down the columns has .946, and .970 against .979 on an H200; beyond, .975 against .997
// (8192², H200).
constexpr std::int64_t kAcrossElementsMax = 17000000;

__global__ void __launch_bounds__(256) vec4_tile_kernel(Panel p) {
  transpose_vec_tile<64, 256, Axis::kRows>(p);
}

__global__ void __launch_bounds__(256) vec4_tile_across_kernel(Panel p) {
  transpose_vec_tile<64, 256, Axis::kColumns>(p);
}

int launch_vec4_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  const bool is_across = problem.rows * problem.columns <= kAcrossElementsMax;
  return launch_vec_tile(is_across ? vec4_tile_across_kernel : vec4_tile_kernel,
                         vec_plan(64, 256, is_across ? Axis::kColumns : Axis::kRows), problem, block, stream);
}

// vec4_short_tile: vec4_tile with 32 rows and 128 threads.
// Shows: what a small matrix wants, or one with few rows: blocks for every multiprocessor.
// Predicted: faster than vec4_tile below two of its tiles for each multiprocessor; rows of 128 bytes to store
// cost a few percent in device memory.
__global__ void __launch_bounds__(128) vec4_short_tile_kernel(Panel p) {
  transpose_vec_tile<32, 128, Axis::kRows>(p);
}

int launch_vec4_short_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_vec_tile(vec4_short_tile_kernel, vec_plan(32, 128), problem, block, stream);
}

// vec4_tall_tile: vec4_tile with two tiles, one below the other, in a block: eight loads of 16 bytes in
// flight a thread. A warp loads two rows of 256 bytes and stores one row of 512 bytes.
// Shows: half the blocks and barriers for the same bytes, and longer rows to store. It wants enough tiles to
// fill all multiprocessors: with less than six of 64 × 64 for each, vec4_tile is faster.
// Predicted: as vec4_tile for large matrices, faster around the size of L2, slower for small ones.
__global__ void __launch_bounds__(256) vec4_tall_tile_kernel(Panel p) {
  transpose_vec_tile<128, 256, Axis::kRows>(p);
}

int launch_vec4_tall_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_vec_tile(vec4_tall_tile_kernel, vec_plan(128, 256), problem, block, stream);
}

// tma_tile: a 64 × 64 tile that TMA brings into shared memory and takes out of it again. One thread asks for
// the tile and waits for no row of it; the block turns it in place, in quads of 4 × 4 floats through
// registers, and one thread sends it off. No thread computes an address in device memory, and edges are
// TMA's matter. A block of 128 threads with 16 KB: ten of them overlap on a multiprocessor. The tile has no
// padding and no swizzle of its own (a swizzled one has rows of 128 bytes and was 2 % slower): a warp's
// threads take their quads along diagonals instead, so that eight threads that are served at once meet eight
// different groups of banks both when they read rows and when they write columns.
// Shows: what is won where no thread loads or stores: registers and instructions, not bytes.
// Predicted: bytes as vec4_tile, fewer instructions, the same time: neither waits for instructions.
constexpr int kTmaTile = 64;
[[maybe_unused]] constexpr int kTmaAlignment = 128;  // of tiles in shared memory
constexpr BlockShape kTmaBlock{128, 1};
constexpr int kTmaQuadsAcross = kTmaTile / kQuad;
constexpr int kGroup = 8;  // threads whose 16 bytes are served at once

struct TmaPanel {
  CUtensorMap in;
  CUtensorMap out;
  std::uint32_t lines;
};

struct QuadPlace {
  int column;
  int row;
};

// Which quad of the tile a thread takes in its i-th turn: one of eight diagonals of 8 × 8 quads.
__device__ __forceinline__ QuadPlace place_of_quad(int i) {
  const int place = static_cast<int>(threadIdx.x) + i * kTmaBlock.x;
  const int in_group = place % kGroup;
  const int diagonal = place / kGroup % kGroup;
  const int square = place / (kGroup * kGroup);
  constexpr int kSquaresAcross = kTmaQuadsAcross / kGroup;
  return {.column = square % kSquaresAcross * kGroup + in_group,
          .row = square / kSquaresAcross * kGroup + (in_group ^ diagonal)};
}

__global__ void __launch_bounds__(kTmaBlock.x) tma_tile_kernel(const __grid_constant__ TmaPanel p) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(kTmaAlignment) float4 tile[kTmaTile * kTmaQuadsAcross];
  __shared__ std::uint64_t loaded;
  const std::uint32_t barrier = shared_address(&loaded);
  const std::uint32_t line = folded_block_y();
  wait_for_kernel_before();
  if (line >= p.lines) {
    return;
  }
  const std::uint32_t row = blockIdx.x * kTmaTile;
  const std::uint32_t column = line * kTmaTile;
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    publish_barriers();
    arrive_expecting(barrier, sizeof(tile));
    load_tile(shared_address(tile), p.in, barrier, column, row);
  }
  __syncthreads();
  wait_for_first_phase(barrier);
  constexpr int kQuads = kTmaQuadsAcross * kTmaQuadsAcross / kTmaBlock.x;
  Quad quads[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const QuadPlace place = place_of_quad(i);
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      quads[i].rows[k] = tile[(place.row * kQuad + k) * kTmaQuadsAcross + place.column];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    const QuadPlace place = place_of_quad(i);
    quads[i].transpose();
#pragma unroll
    for (int k = 0; k < kQuad; ++k) {
      tile[(place.column * kQuad + k) * kTmaQuadsAcross + place.row] = quads[i].rows[k];
    }
  }
  publish_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(p.out, shared_address(tile), row, column);
    wait_for_stores<0>();  // shared memory must outlive that
  }
#endif
}

static TiledMatrix tiled(const float* matrix, std::int64_t rows, std::int64_t columns, std::uint64_t pitch) {
  return {.element = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
          .element_bytes = sizeof(float),
          .data = matrix,
          .rows = rows,
          .columns = columns,
          .pitch = static_cast<std::int64_t>(pitch),
          .tile_rows = kTmaTile,
          .tile_columns = kTmaTile,
          .is_swizzled = false};
}

int launch_tma_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kTmaBlock) {
    return cudaErrorInvalidValue;
  }
  if (!has_vector_rows(problem)) {
    return cudaErrorNotSupported;
  }
  return for_each_panel(problem, false, [&](const Panel& panel) {
    const std::int64_t lines = divide_up(panel.columns, kTmaTile);
    TmaPanel p{.in = {}, .out = {}, .lines = static_cast<std::uint32_t>(lines)};
    if (!encode(tiled(panel.in, panel.rows, panel.columns, panel.in_pitch), p.in) ||
        !encode(tiled(panel.out, panel.columns, panel.rows, panel.out_pitch), p.out)) {
      return cudaErrorNotSupported;
    }
    const dim3 grid = folded_grid(divide_up(panel.rows, kTmaTile), lines);
    const dim3 threads(kTmaBlock.x);
    return launch_kernel(tma_tile_kernel, grid, threads, 0, stream, p, Begin::kEarly);
  });
}

}  // namespace kernels::transpose
