// Tiles of A and B on their way by cp.async while mma.sync multiplies the ones before: the classic
// tensor-core product of Ampere, for bfloat16 (m16n8k16) and TF32 (m16n8k8). Two blocks of 4 warps to a
// multiprocessor, each with a 128 × 128 tile of C, 64 × 64 to a warp, and three stages of 128 bytes of k;
// where that leaves multiprocessors without a block, 128 × 64 tiles.
// Shows: what overlap, ldmatrix on swizzled shared memory and tiles in registers give over wmma.cu; and how
// far the warp-wide instructions of Ampere go on a chip whose full rate needs those of warp groups (wgmma).
// Predicted: 60 % of cuBLAS on an H200, which gives mma.sync about 60 % of the rate of wgmma.
#include <cstdint>
#include <limits>

#include <cuda_bf16.h>

#include "kernels/ptx.cuh"
#include "kernels/tensor_gemm/operand.cuh"

namespace kernels::tensor_gemm {

// For bfloat16 and TF32 alike the kernel moves bytes: rows of 128 of them, eight chunks of 16. All that
// differs is one instruction.

// How far the tiles may reach.
enum class Edges {
  kNone,       // all tiles lie inside, and rows begin at multiples of 16 bytes
  kGuarded,    // rows begin at multiples of 16 bytes: a chunk is inside or outside
  kUnaligned,  // anything
};

// A block computes kRows × kColumns of C, a warp kWarpRows × kWarpColumns, with kStages tiles of A and B in
// shared memory, one of which is read and the others are on their way.
template <typename StoredType, int kRowsOf, int kColumnsOf, int kWarpRowsOf, int kWarpColumnsOf,
          int kStagesOf, Edges kEdgesOf>
struct MmaShape {
  using Stored = StoredType;
  static constexpr int kRows = kRowsOf;
  static constexpr int kColumns = kColumnsOf;
  static constexpr int kWarpRows = kWarpRowsOf;
  static constexpr int kWarpColumns = kWarpColumnsOf;
  static constexpr int kStages = kStagesOf;
  static constexpr Edges kEdges = kEdgesOf;

  static constexpr int kRowBytes = 128;  // of A and B in a tile
  static constexpr int kStep = 32;       // bytes of k that one instruction multiplies
  static constexpr int kSteps = kRowBytes / kStep;
  static constexpr int kDepth = kRowBytes / int{sizeof(Stored)};  // elements of k in a tile
  static constexpr int kWarpsDown = kRows / kWarpRows;
  static constexpr int kThreads = kWarpsDown * (kColumns / kWarpColumns) * 32;
  static constexpr int kStageBytes = (kRows + kColumns) * kRowBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes;
  static constexpr int kPartRows = kWarpRows / 16;       // products of a warp above each other
  static constexpr int kPartColumns = kWarpColumns / 8;  // and side by side
  static constexpr int kBlocks = 2;                      // to a multiprocessor: one computes while one waits
};

template <typename Stored>
struct MmaProduct {
  Operand<Stored> a;
  Operand<Stored> b;
  Stored* c;
  std::uint32_t tile_rows;     // tiles of C above each other
  std::uint32_t tile_columns;  // and side by side
};

// Chunk c of a row lies at c ^ (row % 8): eight rows' chunks of one column are in different banks, both when
// they are copied and when they are read.
__device__ __forceinline__ std::uint32_t swizzled(std::uint32_t chunk, std::uint32_t row) {
  return (chunk ^ row % 8) * 16;
}

// Copies one operand's tiles, one after the other along k: a thread has one chunk of every kRowStep-th row.
template <typename Stored, int kRows, int kThreads, Edges kEdges>
class TileCopy {
 public:
  // `shared` is where the operand's rows of the first stage begin.
  __device__ TileCopy(const Operand<Stored>& operand, std::uint32_t first_row, std::uint32_t shared)
      : operand_(operand),
        row_(first_row + threadIdx.x / 8),
        column_(threadIdx.x % 8 * kChunk),
        from_(operand.at(row_, column_)),
        to_(shared + threadIdx.x / 8 * 128 + swizzled(threadIdx.x % 8, threadIdx.x / 8)) {
#pragma unroll
    for (std::uint32_t i = 0; i < kCopies; ++i) {
      inside_ |= row_ + i * kRowStep < operand.rows ? 1U << i : 0U;
    }
  }

  // This tile.
  __device__ __forceinline__ void start(std::uint32_t stage) const {
    if constexpr (kEdges == Edges::kUnaligned) {
#pragma unroll 1
      for (std::uint32_t i = 0; i < kCopies; ++i) {
        store_shared(to_ + stage + i * kRowStep * 128, operand_.chunk(row_ + i * kRowStep, column_));
      }
      return;
    }
    const std::uint32_t inside = column_ < operand_.k ? inside_ : 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kCopies; ++i) {
      const Stored* from = from_ + static_cast<std::uint64_t>(i * kRowStep) * operand_.k;
      if constexpr (kEdges == Edges::kNone) {
        copy_chunk_async(to_ + stage + i * kRowStep * 128, from);
      } else {
        copy_chunk_async_or_zero(to_ + stage + i * kRowStep * 128, from, (inside >> i & 1U) != 0);
      }
    }
  }
  __device__ __forceinline__ void advance() {
    column_ += 8 * kChunk;
    from_ += 8 * kChunk;
  }

 private:
  static constexpr std::uint32_t kChunk = Operand<Stored>::kChunk;
  static constexpr std::uint32_t kRowStep = kThreads / 8;
  static constexpr std::uint32_t kCopies = kRows / kRowStep;
  static_assert(kRows % kRowStep == 0 && kRowStep % 8 == 0);

  const Operand<Stored>& operand_;
  std::uint32_t row_;
  std::uint32_t column_;
  const Stored* from_;
  std::uint32_t to_;
  std::uint32_t inside_ = 0;  // a bit a copy: whether there is such a row
};

__device__ __forceinline__ void store_pair(__nv_bfloat16* to, float first, float second) {
  *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(first, second);
}
__device__ __forceinline__ void store_pair(float* to, float first, float second) {
  *reinterpret_cast<float2*>(to) = make_float2(first, second);
}
__device__ __forceinline__ void store_one(__nv_bfloat16* to, float value) {
  *to = __float2bfloat16_rn(value);
}
__device__ __forceinline__ void store_one(float* to, float value) {
  *to = value;
}

// What a warp multiplies: parts of the tile in shared memory, read one step ahead, and its results.
template <typename Shape>
class WarpProduct {
 public:
  using Stored = typename Shape::Stored;

  // Lanes name the rows as load_matrices() wants them: for A two chunks of 16 rows, for B two of 8 twice.
  __device__ WarpProduct(std::uint32_t shared, std::uint32_t lane, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t from_a = shared + (row + lane % 16) * Shape::kRowBytes;
    const std::uint32_t from_b =
        shared + (Shape::kRows + column + lane / 16 * 8 + lane % 8) * Shape::kRowBytes;
#pragma unroll
    for (std::uint32_t step = 0; step < Shape::kSteps; ++step) {
      from_a_[step] = from_a + (swizzled(lane / 16, lane) ^ step * Shape::kStep);
      from_b_[step] = from_b + (swizzled(lane / 8 % 2, lane) ^ step * Shape::kStep);
      // Each in a register of its own: the compiler would rather add the stage first and these in every step.
      asm("" : "+r"(from_a_[step]), "+r"(from_b_[step]));
    }
  }

  __device__ __forceinline__ void load(std::uint32_t stage, int step) {
    const std::uint32_t from_a = from_a_[step] + stage;
    const std::uint32_t from_b = from_b_[step] + stage;
#pragma unroll
    for (int i = 0; i < Shape::kPartRows; ++i) {
      load_matrices(a_[step % 2][i], from_a + static_cast<std::uint32_t>(i) * 16 * Shape::kRowBytes);
    }
#pragma unroll
    for (int j = 0; j < Shape::kPartColumns / 2; ++j) {
      load_matrices(b_[step % 2][j], from_b + static_cast<std::uint32_t>(j) * 16 * Shape::kRowBytes);
    }
  }

  // To and fro, so that each product has an operand in common with the one before.
  __device__ __forceinline__ void multiply(int step) {
#pragma unroll
    for (int j = 0; j < Shape::kPartColumns; ++j) {
      const auto& b = b_[step % 2][j / 2];
#pragma unroll
      for (int place = 0; place < Shape::kPartRows; ++place) {
        const int i = j % 2 == 0 ? place : Shape::kPartRows - 1 - place;
        multiply_add(sums_[i][j], a_[step % 2][i], b[j % 2 * 2], b[j % 2 * 2 + 1], Stored());
      }
    }
  }

  // A lane has two neighbours each of two rows of every part. Without bounds to check, where all lies inside,
  // the compiler orders this so that it takes registers from the loop before it.
  __device__ __forceinline__ void store(const MmaProduct<Stored>& product, std::uint32_t first_row,
                                        std::uint32_t first_column) const {
    const std::uint32_t n = product.b.rows;
    const bool pairs = n % 2 == 0;
#pragma unroll
    for (int i = 0; i < Shape::kPartRows * 2; ++i) {
      const std::uint32_t row = first_row + static_cast<std::uint32_t>(i) * 8;
      if (row >= product.a.rows) {
        return;
      }
      Stored* to = product.c + static_cast<std::uint64_t>(row) * n;
#pragma unroll
      for (int j = 0; j < Shape::kPartColumns; ++j) {
        const std::uint32_t column = first_column + static_cast<std::uint32_t>(j) * 8;
        const float first = sums_[i / 2][j][i % 2 * 2];
        const float second = sums_[i / 2][j][i % 2 * 2 + 1];
        if (pairs && column < n) {
          store_pair(to + column, first, second);
          continue;
        }
        if (column < n) {
          store_one(to + column, first);
        }
        if (column + 1 < n) {
          store_one(to + column + 1, second);
        }
      }
    }
  }

 private:
  std::uint32_t from_a_[Shape::kSteps];  // in the first stage
  std::uint32_t from_b_[Shape::kSteps];
  std::uint32_t a_[2][Shape::kPartRows][4];
  std::uint32_t b_[2][Shape::kPartColumns / 2][4];
  float sums_[Shape::kPartRows][Shape::kPartColumns][4] = {};
};

template <typename Shape>
__device__ __forceinline__ std::uint32_t stage_after(std::uint32_t stage) {
  return stage == (Shape::kStages - 1) * Shape::kStageBytes ? 0 : stage + Shape::kStageBytes;
}

template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    mma_sync_kernel(const __grid_constant__ MmaProduct<typename Shape::Stored> product) {
#if __CUDA_ARCH__ >= 800
  using Stored = typename Shape::Stored;
  extern __shared__ __align__(128) unsigned char memory[];
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  const GroupedTile tile = grouped_tile(blockIdx.x, product.tile_rows, product.tile_columns);
  const std::uint32_t first_row = tile.row * Shape::kRows;
  const std::uint32_t first_column = tile.column * Shape::kColumns;
  TileCopy<Stored, Shape::kRows, Shape::kThreads, Shape::kEdges> copy_a(product.a, first_row, shared);
  TileCopy<Stored, Shape::kColumns, Shape::kThreads, Shape::kEdges> copy_b(
      product.b, first_column, shared + Shape::kRows * Shape::kRowBytes);
  const std::uint32_t tiles = (product.a.k + Shape::kDepth - 1) / Shape::kDepth;
  constexpr std::uint32_t kAhead = Shape::kStages - 1;
  for (std::uint32_t i = 0; i < kAhead; ++i) {
    if (i < tiles) {
      copy_a.start(i * Shape::kStageBytes);
      copy_b.start(i * Shape::kStageBytes);
      copy_a.advance();
      copy_b.advance();
    }
    commit_copies();
  }

  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t warp_row = warp % Shape::kWarpsDown * Shape::kWarpRows;
  const std::uint32_t warp_column = warp / Shape::kWarpsDown * Shape::kWarpColumns;
  WarpProduct<Shape> warp_product(shared, lane, warp_row, warp_column);
  std::uint32_t read = 0;
  std::uint32_t write = kAhead * Shape::kStageBytes;
  wait_for_copies<Shape::kStages - 2>();
  __syncthreads();
  warp_product.load(read, 0);
#pragma unroll 1
  for (std::uint32_t i = 0; i < tiles; ++i) {
#pragma unroll
    for (int step = 0; step < Shape::kSteps; ++step) {
      if (step == Shape::kSteps - 1) {  // this tile is in registers: the next one's first step is read now
        wait_for_copies<Shape::kStages - 2>();
        __syncthreads();
        read = stage_after<Shape>(read);
      }
      warp_product.load(read, (step + 1) % Shape::kSteps);
      if (step == 0) {
        if (i + kAhead < tiles) {  // over the tile before this one, which all have read
          copy_a.start(write);
          copy_b.start(write);
        }
        copy_a.advance();
        copy_b.advance();
        commit_copies();
        write = stage_after<Shape>(write);
      }
      warp_product.multiply(step);
    }
  }
  warp_product.store(product, first_row + warp_row + lane / 4, first_column + warp_column + lane % 4 * 2);
#endif
}

namespace {

template <typename Stored, Edges kEdges>
using Large = MmaShape<Stored, 128, 128, 64, 64, 3, kEdges>;
template <typename Stored, Edges kEdges>
using Small = MmaShape<Stored, 128, 64, 64, 32, 4, kEdges>;

template <typename Shape>
std::int64_t tiles_of(const TensorGemmProblem& problem) {
  return divide_up(problem.m, Shape::kRows) * divide_up(problem.n, Shape::kColumns);
}

template <typename Shape>
int launch_shape(const TensorGemmProblem& problem, Stream stream) {
  using Stored = typename Shape::Stored;
  const std::int64_t tiles = tiles_of<Shape>(problem);
  if (tiles > std::numeric_limits<std::int32_t>::max()) {
    return cudaErrorInvalidValue;  // no memory is that large
  }
  const auto k = static_cast<std::uint32_t>(problem.k);
  const MmaProduct<Stored> product{
      .a = {static_cast<const Stored*>(problem.a), static_cast<std::uint32_t>(problem.m), k},
      .b = {static_cast<const Stored*>(problem.b), static_cast<std::uint32_t>(problem.n), k},
      .c = static_cast<Stored*>(problem.c),
      .tile_rows = static_cast<std::uint32_t>(divide_up(problem.m, Shape::kRows)),
      .tile_columns = static_cast<std::uint32_t>(divide_up(problem.n, Shape::kColumns))};
  if (const int error =
          allow_shared_bytes(reinterpret_cast<const void*>(mma_sync_kernel<Shape>), Shape::kSharedBytes);
      error != cudaSuccess) {
    return error;
  }
  return launch_kernel(mma_sync_kernel<Shape>, static_cast<unsigned>(tiles), Shape::kThreads,
                       Shape::kSharedBytes, stream, product);
}

template <template <typename, Edges> typename Shape, typename Stored>
int launch_aligned(const TensorGemmProblem& problem, Stream stream) {
  using Inside = Shape<Stored, Edges::kNone>;
  const bool inside =
      problem.m % Inside::kRows == 0 && problem.n % Inside::kColumns == 0 && problem.k % Inside::kDepth == 0;
  return inside ? launch_shape<Inside>(problem, stream)
                : launch_shape<Shape<Stored, Edges::kGuarded>>(problem, stream);
}

template <typename Stored>
int launch(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  if (problem.k % Operand<Stored>::kChunk != 0) {
    return launch_shape<Small<Stored, Edges::kUnaligned>>(problem, stream);
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  return tiles_of<Large<Stored, Edges::kNone>>(problem) >= limits.multiprocessors
             ? launch_aligned<Large, Stored>(problem, stream)
             : launch_aligned<Small, Stored>(problem, stream);
}

}  // namespace

int launch_mma_sync_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch<__nv_bfloat16>(problem, stream);
}

int launch_mma_sync_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch<float>(problem, stream);
}

}  // namespace kernels::tensor_gemm
