// Tiles of A and B on their way by cp.async while mma.sync multiplies the ones before: the classic
// tensor-core product of Ampere, for bfloat16 (m16n8k16) and TF32 (m16n8k8). Two blocks of 4 warps to a
// multiprocessor, each with a 128 × 128 tile of C, 64 × 64 to a warp, and three stages of 128 bytes of k;
// where that leaves multiprocessors without a block, 128 × 64 tiles.
// Shows: what overlap, ldmatrix on swizzled shared memory and tiles in registers give over wmma.cu; and how
// far the warp-wide instructions of Ampere go on a chip whose full rate needs those of warp groups (wgmma).
// Predicted: 60 % of cuBLAS on an H200, which gives mma.sync about 60 % of the rate of wgmma.
#include <limits>

#include "kernels/device_limits.hpp"
#include "kernels/tensor_gemm/mma_sync.cuh"
#include "kernels/workspace.hpp"

namespace kernels::tensor_gemm {
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
