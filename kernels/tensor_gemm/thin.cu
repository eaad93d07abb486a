// Products with few rows or few columns, without tensor cores: both operands have k side by side, so that it
// is the same which of them is the small one. A warp has four rows of the large one and walks along k with
// the lanes side by side; where that leaves multiprocessors idle, the eight warps of a block share four
// rows.
// Shows: what such a product is bound by: the bytes of its large matrix. wgmma multiplies 64 rows whatever
// there are, and rows that the copy engine cannot take are copied first, which moves the large matrix three
// times.
// Predicted: 1 × 2021 × 3492 in bf16 reads 14 MB, half of what padding alone moves.
#include "kernels/block_order.cuh"
#include "kernels/tensor_gemm/operand.cuh"

namespace kernels::tensor_gemm {

namespace {

constexpr int kLanes = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kLanes * kWarps;
constexpr int kRows = 4;  // of the large operand, for the warps that share them

template <typename Element>
struct ThinProduct {
  Operand<Element> large;
  Operand<Element> small;
  ResultOf<Element>* c;
  std::uint64_t large_stride;  // in C
  std::uint64_t small_stride;
};

// So many elements, side by side.
template <typename Element, int kCount>
struct Piece {
  float values[kCount];

  __device__ __forceinline__ void load(const Element* from) {
    struct alignas(kCount * sizeof(Element)) Stored {
      Element elements[kCount];
    };
    const Stored stored = *reinterpret_cast<const Stored*>(from);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values[i] = static_cast<float>(stored.elements[i]);
    }
  }
};

// kSmall: rows of the small operand, at most. kSharing: warps with the same rows. kCount divides k.
template <typename Element, int kSmall, int kSharing, int kCount>
__global__ void __launch_bounds__(kThreads) thin_kernel(ThinProduct<Element> p) {
  constexpr int kUnroll = kCount == 1 ? 4 : 2;
  __shared__ float shares[kWarps][kRows][kSmall];
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t sharer = warp % kSharing;
  const std::uint32_t row0 = (folded_block_y() * (kWarps / kSharing) + warp / kSharing) * kRows;
  let_next_begin();
  float sums[kRows][kSmall] = {};
  const Element* rows[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    rows[i] = p.large.at(min(row0 + i, p.large.rows - 1), 0);
  }
#pragma unroll kUnroll
  for (std::uint32_t k = (sharer * kLanes + lane) * kCount; k < p.large.k; k += kSharing * kLanes * kCount) {
    Piece<Element, kCount> pieces[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      pieces[i].load(rows[i] + k);
    }
#pragma unroll
    for (int j = 0; j < kSmall; ++j) {
      Piece<Element, kCount> factor;
      factor.load(p.small.at(min(static_cast<std::uint32_t>(j), p.small.rows - 1), k));
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int e = 0; e < kCount; ++e) {
          sums[i][j] = fmaf(pieces[i].values[e], factor.values[e], sums[i][j]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kSmall; ++j) {
#pragma unroll
      for (int step = kLanes / 2; step > 0; step /= 2) {
        sums[i][j] += __shfl_xor_sync(~0U, sums[i][j], step);
      }
      if (lane == 0) {
        shares[warp][i][j] = sums[i][j];
      }
    }
  }
  __syncthreads();
  constexpr int kResults = kWarps / kSharing * kRows * kSmall;
  for (int place = static_cast<int>(threadIdx.x); place < kResults; place += kThreads) {
    const std::uint32_t small = place % kSmall;
    const std::uint32_t in_block = place / kSmall;
    const std::uint32_t row = folded_block_y() * (kWarps / kSharing) * kRows + in_block;
    if (row < p.large.rows && small < p.small.rows) {
      float sum = 0;
#pragma unroll
      for (int other = 0; other < kSharing; ++other) {
        sum += shares[in_block / kRows * kSharing + other][in_block % kRows][small];
      }
      p.c[row * p.large_stride + small * p.small_stride] = static_cast<ResultOf<Element>>(sum);
    }
  }
}

template <typename Element, int kSmall, int kCount>
cudaError_t launch_shared(const ThinProduct<Element>& p, int multiprocessors, Stream stream) {
  constexpr std::int64_t kBlocksPerMultiprocessor = 2;
  constexpr std::uint32_t kDepthMin = 512;
  const std::int64_t blocks = divide_up(p.large.rows, kWarps * kRows);
  const bool shares = blocks < multiprocessors * kBlocksPerMultiprocessor && p.large.k >= kDepthMin;
  return shares ? launch_kernel(thin_kernel<Element, kSmall, kWarps, kCount>,
                                folded_grid(1, divide_up(p.large.rows, kRows)), dim3(kThreads), 0, stream, p)
                : launch_kernel(thin_kernel<Element, kSmall, 1, kCount>, folded_grid(1, blocks),
                                dim3(kThreads), 0, stream, p);
}

template <typename Element, int kSmall>
cudaError_t launch_counted(const ThinProduct<Element>& p, int multiprocessors, Stream stream) {
  constexpr int kCount = 4;
  return p.large.k % kCount == 0 ? launch_shared<Element, kSmall, kCount>(p, multiprocessors, stream)
                                 : launch_shared<Element, kSmall, 1>(p, multiprocessors, stream);
}

}  // namespace

template <typename Element>
int launch_thin(const TensorGemmProblem& problem, int multiprocessors, Stream stream) {
  const auto k = static_cast<std::uint32_t>(problem.k);
  const Operand<Element> a{static_cast<const Element*>(problem.a), static_cast<std::uint32_t>(problem.m), k};
  const Operand<Element> b{static_cast<const Element*>(problem.b), static_cast<std::uint32_t>(problem.n), k};
  const bool is_a_small = problem.m < problem.n;
  const auto n = static_cast<std::uint64_t>(problem.n);
  const ThinProduct<Element> product{.large = is_a_small ? b : a,
                                     .small = is_a_small ? a : b,
                                     .c = static_cast<ResultOf<Element>*>(problem.c),
                                     .large_stride = is_a_small ? 1 : n,
                                     .small_stride = is_a_small ? n : 1};
  const std::uint32_t rows = product.small.rows;
  return rows <= 1   ? launch_counted<Element, 1>(product, multiprocessors, stream)
         : rows <= 2 ? launch_counted<Element, 2>(product, multiprocessors, stream)
         : rows <= 4 ? launch_counted<Element, 4>(product, multiprocessors, stream)
         : rows <= 8 ? launch_counted<Element, 8>(product, multiprocessors, stream)
                     : launch_counted<Element, 16>(product, multiprocessors, stream);
}

template int launch_thin<__nv_bfloat16>(const TensorGemmProblem&, int, Stream);
template int launch_thin<float>(const TensorGemmProblem&, int, Stream);
template int launch_thin<__nv_fp8_e4m3>(const TensorGemmProblem&, int, Stream);

}  // namespace kernels::tensor_gemm
