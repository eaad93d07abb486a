// Products with few rows or few columns, without tensor cores, and those with a k of a few (short_k, below).
// Both operands have k side by side, so that it is the same which of them is the small one. A warp has four
// rows of the large one and walks along k with the lanes side by side; where that leaves multiprocessors
// idle, the eight warps of a block share four rows.
// Shows: what such a product is bound by: the bytes of its large matrix. wgmma multiplies 64 rows whatever
// there are, and rows that the copy engine cannot take are copied first, which moves the large matrix three
// times.
// Predicted: 1 × 2021 × 3492 in bf16 reads 14 MB, half of what padding alone moves. 2317 × 1377 × 5 stores
// 6.4 MB: 1.5 µs, and a launch.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/block_order.cuh"
#include "kernels/ptx.cuh"
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
  constexpr int kUnroll = kCount == 4 ? 2 : 4;
  __shared__ float shares[kWarps][kRows][kSmall];
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t sharer = warp % kSharing;
  const std::uint32_t row0 = (folded_block_y() * (kWarps / kSharing) + warp / kSharing) * kRows;
  let_next_begin();
  wait_for_kernel_before();
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
                                folded_grid(1, divide_up(p.large.rows, kRows)), dim3(kThreads), 0, stream, p,
                                Begin::kEarly)
                : launch_kernel(thin_kernel<Element, kSmall, 1, kCount>, folded_grid(1, blocks),
                                dim3(kThreads), 0, stream, p, Begin::kEarly);
}

template <typename Element, int kSmall>
cudaError_t launch_counted(const ThinProduct<Element>& p, int multiprocessors, Stream stream) {
  return p.large.k % 4 == 0   ? launch_shared<Element, kSmall, 4>(p, multiprocessors, stream)
         : p.large.k % 2 == 0 ? launch_shared<Element, kSmall, 2>(p, multiprocessors, stream)
                              : launch_shared<Element, kSmall, 1>(p, multiprocessors, stream);
}

// A product with a k of a few: bound by the stores of C. A block of eight warps copies all of k of its rows
// of A and B to shared memory, with zeros up to the next step, multiplies them by mma.sync, 32 × 32 results a
// warp, and stores rows of C as words wherever they begin. One launch: nothing is padded before.
constexpr int kShortRows = 64;
constexpr int kShortColumns = 128;
constexpr std::uint32_t kShortStep = 32;         // bytes of k that one instruction multiplies
constexpr int kShortStride = kShortColumns + 8;  // of rows of C in shared memory: no bank conflicts

// What is multiplied: FP8 becomes bfloat16, which has all of its values.
template <typename Element>
using ShortStored = std::conditional_t<sizeof(Element) == 1, __nv_bfloat16, Element>;

template <typename Element>
struct ShortProduct {
  Operand<Element> a;
  Operand<Element> b;
  ResultOf<Element>* c;
  std::uint32_t inverse;  // of k, times 2³², rounded up; not for k = 1
  std::uint32_t pitch;    // bytes of a row in shared memory: an odd number of 16, so that no banks conflict
};

__device__ __forceinline__ float stored_as(float value, float /*type*/) {
  std::uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return __uint_as_float(rounded);
}
template <typename Element>
__device__ __forceinline__ __nv_bfloat16 stored_as(Element value, __nv_bfloat16 /*type*/) {
  return static_cast<__nv_bfloat16>(static_cast<float>(value));
}

// Rows from row0 on, a multiple of 64: in memory, all their elements follow each other, aligned to 16 bytes.
template <int kRowsOf, typename Element>
__device__ __forceinline__ void put_rows(unsigned char* to, const Operand<Element>& from, std::uint32_t row0,
                                         std::uint32_t inverse, std::uint32_t pitch) {
  using Stored = ShortStored<Element>;
  constexpr std::uint32_t kPiece = 4;
  constexpr std::uint32_t kBatch = 4;  // pieces on their way at a time
  struct alignas(kPiece * sizeof(Element)) Stretch {
    Element elements[kPiece];
  };
  const std::uint32_t count = min(static_cast<std::uint32_t>(kRowsOf), from.rows - row0) * from.k;
  const Element* const source = from.at(row0, 0);
  for (std::uint32_t begin = threadIdx.x * kPiece; begin < count; begin += kBatch * kThreads * kPiece) {
    Stretch batch[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      const std::uint32_t first = begin + i * kThreads * kPiece;
      if (first + kPiece <= count) {
        batch[i] = *reinterpret_cast<const Stretch*>(source + first);
        continue;
      }
#pragma unroll
      for (std::uint32_t j = 0; j < kPiece; ++j) {
        batch[i].elements[j] = source[min(first + j, count - 1)];
      }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch * kPiece; ++i) {
      const std::uint32_t place = begin + i / kPiece * kThreads * kPiece + i % kPiece;
      const std::uint32_t row = from.k == 1 ? place : __umulhi(place, inverse);
      if (place < count) {
        *reinterpret_cast<Stored*>(to + row * pitch + (place - row * from.k) * sizeof(Stored)) =
            stored_as(batch[i / kPiece].elements[i % kPiece], Stored());
      }
    }
  }
}

// A row of C from shared memory, `left` elements and not more than kShortColumns of it. Where it begins
// between two words, words hold a pair's first element and the one before.
__device__ __forceinline__ void store_row(__nv_bfloat16* to, const __nv_bfloat16* from, std::uint32_t left,
                                          std::uint32_t lane) {
  const std::uint32_t shift = reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint32_t) / sizeof(*to);
  const auto* const words = reinterpret_cast<const std::uint16_t*>(from);
  auto* const places = reinterpret_cast<std::uint16_t*>(to);
#pragma unroll
  for (std::uint32_t column = lane * 2; column < kShortColumns; column += 2 * kLanes) {
    const std::uint32_t first = column + shift;
    const std::uint32_t pair = words[first] | std::uint32_t{words[first + 1]} << 16;
    if (first + 1 < min(left, kShortColumns + 0U)) {
      *reinterpret_cast<std::uint32_t*>(places + first) = pair;
    } else if (first < left && first < kShortColumns) {
      places[first] = static_cast<std::uint16_t>(pair);
    }
  }
  if (shift != 0 && lane == 0) {
    places[0] = words[0];
  }
}
__device__ __forceinline__ void store_row(float* to, const float* from, std::uint32_t left,
                                          std::uint32_t lane) {
#pragma unroll
  for (std::uint32_t column = lane; column < kShortColumns; column += kLanes) {
    if (column < left) {
      to[column] = from[column];
    }
  }
}

template <typename Element>
__global__ void __launch_bounds__(kThreads) short_k_kernel(ShortProduct<Element> p) {
#if __CUDA_ARCH__ >= 800
  using Stored = ShortStored<Element>;
  using Result = ResultOf<Element>;
  extern __shared__ __align__(16) unsigned char memory[];
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t row0 = folded_block_y() * kShortRows;
  const std::uint32_t column0 = blockIdx.x * kShortColumns;
  if (row0 >= p.a.rows) {
    return;
  }
  for (std::uint32_t i = threadIdx.x; i < (kShortRows + kShortColumns) * p.pitch / 16; i += kThreads) {
    reinterpret_cast<uint4*>(memory)[i] = make_uint4(0, 0, 0, 0);
  }
  wait_for_kernel_before();
  __syncthreads();
  put_rows<kShortRows>(memory, p.a, row0, p.inverse, p.pitch);
  put_rows<kShortColumns>(memory + kShortRows * p.pitch, p.b, column0, p.inverse, p.pitch);
  __syncthreads();
  const std::uint32_t warp_row = warp % 2 * 32;
  const std::uint32_t warp_column = warp / 2 * 32;
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  const std::uint32_t from_a = shared + (warp_row + lane % 16) * p.pitch + lane / 16 * 16;
  const std::uint32_t from_b =
      shared + (kShortRows + warp_column + lane / 16 * 8 + lane % 8) * p.pitch + lane / 8 % 2 * 16;
  float sums[2][4][4] = {};
  for (std::uint32_t step = 0; step + kShortStep <= p.pitch; step += kShortStep) {
    std::uint32_t a[2][4];
    std::uint32_t b[2][4];
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i) {
      load_matrices(a[i], from_a + i * 16 * p.pitch + step);
      load_matrices(b[i], from_b + i * 16 * p.pitch + step);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      multiply_add(sums[i / 4][i % 4], a[i / 4], b[i % 4 / 2][i % 2 * 2], b[i % 4 / 2][i % 2 * 2 + 1],
                   Stored());
    }
  }
  __syncthreads();  // all have read A and B, where C goes now
  auto* const results = reinterpret_cast<Result*>(memory);
#pragma unroll
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t row = warp_row + i / 16 * 16 + i % 4 / 2 * 8 + lane / 4;
    const std::uint32_t column = warp_column + i % 16 / 4 * 8 + lane % 4 * 2 + i % 2;
    results[row * kShortStride + column] = static_cast<Result>(sums[i / 16][i % 16 / 4][i % 4]);
  }
  __syncthreads();
  for (std::uint32_t row = warp; row < kShortRows && row0 + row < p.a.rows; row += kWarps) {
    store_row(p.c + static_cast<std::uint64_t>(row0 + row) * p.b.rows + column0, results + row * kShortStride,
              p.b.rows - column0, lane);
  }
#endif
}

}  // namespace

template <typename Element>
int launch_short_k(const TensorGemmProblem& problem, Stream stream) {
  constexpr std::uint32_t kSize = sizeof(ShortStored<Element>);
  const auto k = static_cast<std::uint32_t>(problem.k);
  const ShortProduct<Element> product{
      .a = {static_cast<const Element*>(problem.a), static_cast<std::uint32_t>(problem.m), k},
      .b = {static_cast<const Element*>(problem.b), static_cast<std::uint32_t>(problem.n), k},
      .c = static_cast<ResultOf<Element>*>(problem.c),
      .inverse = ~0U / k + 1,
      .pitch = (k * kSize + kShortStep - 1) / kShortStep * kShortStep + 16};
  const std::size_t shared_bytes = std::max((kShortRows + kShortColumns) * std::size_t{product.pitch},
                                            kShortRows * kShortStride * sizeof(ResultOf<Element>));
  return launch_kernel(short_k_kernel<Element>,
                       folded_grid(divide_up(problem.n, kShortColumns), divide_up(problem.m, kShortRows)),
                       dim3(kThreads), shared_bytes, stream, product, Begin::kEarly);
}

template int launch_short_k<__nv_bfloat16>(const TensorGemmProblem&, Stream);
template int launch_short_k<float>(const TensorGemmProblem&, Stream);
template int launch_short_k<__nv_fp8_e4m3>(const TensorGemmProblem&, Stream);

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
