#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <cuda_fp8.h>

#include "bench/device_check.hpp"
#include "bench/kit/cuda_error.hpp"

namespace bench {
namespace {

using tracker::exact_error;
using tracker::product_error;
using tracker::kit::check;

constexpr int kGroup = 64;  // columns that are added up
constexpr int kTile = 16;
constexpr unsigned kThreads = 256;

// Device memory, while a check runs.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) { check(cudaMalloc(&memory_, bytes), "allocating memory to check"); }
  ~Scratch() { cudaFree(memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <typename Value>
  Value* as() const {
    return static_cast<Value*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

unsigned blocks_for(std::int64_t count, std::int64_t per_block) {
  constexpr std::int64_t kBlocksMax = 65535;
  return static_cast<unsigned>(std::clamp((count + per_block - 1) / per_block, std::int64_t{1}, kBlocksMax));
}

__device__ double value_at(const float* data, std::int64_t place) {
  return data[place];
}
__device__ double value_at(const std::uint16_t* data, std::int64_t place) {
  return __uint_as_float(static_cast<unsigned>(data[place]) << 16);
}
__device__ double value_at(const std::uint8_t* data, std::int64_t place) {
  __nv_fp8_e4m3 value;
  value.__x = data[place];
  return static_cast<float>(value);
}

// Between 0.5 and 1.5, with either sign, another one for each column: exchanged columns show.
__device__ double weight_of(std::int64_t column) {
  auto bits = static_cast<unsigned>(column) * 0x9e3779b1u + 0x7f4a7c15u;
  bits ^= bits >> 15;
  bits *= 0x2c1b3c6du;
  bits ^= bits >> 12;
  const double size = 0.5 + static_cast<double>(bits >> 9) * 0x1p-23;
  return (bits & 1u) != 0 ? size : -size;
}

// Bits, not values: NaN is not equal to itself.
__global__ void check_transpose_kernel(const unsigned* in, const unsigned* out, std::int64_t rows,
                                       std::int64_t columns, bool is_copy, unsigned long long* wrong) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  unsigned long long mine = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns;
       i += stride) {
    const std::int64_t row = i / columns;
    const std::int64_t place = is_copy ? i : (i - row * columns) * rows + row;
    mine += out[place] != in[i] ? 1u : 0u;
  }
  if (mine != 0) atomicAdd(wrong, mine);
}

// sums[g * k + l]: row l of B over the columns of group g.
template <typename Stored>
__global__ void check_sum_columns(const Stored* b, std::int64_t row_stride, std::int64_t column_stride,
                                  std::int64_t k, std::int64_t n, double* sums) {
  const std::int64_t groups = (n + kGroup - 1) / kGroup;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < groups * k;
       i += stride) {
    const std::int64_t group = i / k;
    const std::int64_t l = i - group * k;
    const std::int64_t end = min(n, (group + 1) * kGroup);
    double sum = 0;
    for (std::int64_t j = group * kGroup; j < end; ++j)
      sum += weight_of(j) * value_at(b, l * row_stride + j * column_stride);
    sums[i] = sum;
  }
}

struct ProductFacts {
  unsigned long long largest_bits;  // of a double that is not negative: their bits have the same order
  double square_sum;
};

// A tile of kTile × kTile sums a block: A times B's sums beside C's own.
template <typename Stored, typename Result>
__global__ void check_product_sums(const Stored* a, const Result* c, const double* sums, std::int64_t m,
                                   std::int64_t n, std::int64_t k, ProductFacts* facts) {
  __shared__ double a_tile[kTile][kTile + 1];
  __shared__ double b_tile[kTile][kTile + 1];
  const std::int64_t groups = (n + kGroup - 1) / kGroup;
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * kTile + x;
  const std::int64_t staged_group = static_cast<std::int64_t>(blockIdx.x) * kTile + y;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * kTile; first < m;
       first += static_cast<std::int64_t>(gridDim.y) * kTile) {
    const std::int64_t row = first + y;
    double expected = 0;
    for (std::int64_t l = 0; l < k; l += kTile) {
      const bool inside = l + x < k;
      a_tile[y][x] = inside && row < m ? value_at(a, row * k + l + x) : 0;
      b_tile[y][x] = inside && staged_group < groups ? sums[staged_group * k + l + x] : 0;
      __syncthreads();
      for (int i = 0; i < kTile; ++i) expected += a_tile[y][i] * b_tile[x][i];
      __syncthreads();
    }
    if (row >= m || group >= groups) continue;
    double found = 0;
    const std::int64_t end = min(n, (group + 1) * kGroup);
    for (std::int64_t j = group * kGroup; j < end; ++j) found += weight_of(j) * value_at(c, row * n + j);
    const double off = fabs(found - expected);
    const double error = isfinite(off) ? off : INFINITY;
    atomicMax(&facts->largest_bits, static_cast<unsigned long long>(__double_as_longlong(error)));
    atomicAdd(&facts->square_sum, expected * expected);
  }
}

template <typename Stored, typename Result>
ProductFacts product_facts(const CheckedProduct& product, kernels::Stream stream) {
  const auto [m, n, k] = std::array{product.m, product.n, product.k};
  const std::int64_t groups = (n + kGroup - 1) / kGroup;
  const Scratch sums(static_cast<std::size_t>(std::max<std::int64_t>(groups * k, 1)) * sizeof(double));
  const Scratch found(sizeof(ProductFacts));
  check(cudaMemsetAsync(found.as<void>(), 0, sizeof(ProductFacts), stream), "clearing memory to check");
  check_sum_columns<<<blocks_for(groups * k, kThreads), kThreads, 0, stream>>>(
      static_cast<const Stored*>(product.b), product.b_is_k_major ? 1 : n, product.b_is_k_major ? k : 1, k, n,
      sums.as<double>());
  const dim3 grid(static_cast<unsigned>((groups + kTile - 1) / kTile), blocks_for(m, kTile));
  check_product_sums<<<grid, dim3(kTile, kTile), 0, stream>>>(
      static_cast<const Stored*>(product.a), static_cast<const Result*>(product.c), sums.as<double>(), m, n,
      k, found.as<ProductFacts>());
  check(cudaGetLastError(), "checking the result");
  ProductFacts facts{};
  check(cudaMemcpyAsync(&facts, found.as<void>(), sizeof(facts), cudaMemcpyDeviceToHost, stream),
        "checking the result");
  check(cudaStreamSynchronize(stream), "checking the result");
  return facts;
}

}  // namespace

ResultError check_transpose(const kernels::TransposeProblem& problem, bool is_copy, kernels::Stream stream) {
  const std::int64_t elements = problem.rows * problem.columns;
  const Scratch found(sizeof(unsigned long long));
  unsigned long long wrong = 0;
  check(cudaMemsetAsync(found.as<void>(), 0, sizeof(wrong), stream), "clearing memory to check");
  check_transpose_kernel<<<blocks_for(elements, kThreads), kThreads, 0, stream>>>(
      reinterpret_cast<const unsigned*>(problem.in), reinterpret_cast<const unsigned*>(problem.out),
      problem.rows, problem.columns, is_copy, found.as<unsigned long long>());
  check(cudaGetLastError(), "checking the result");
  check(cudaMemcpyAsync(&wrong, found.as<void>(), sizeof(wrong), cudaMemcpyDeviceToHost, stream),
        "checking the result");
  check(cudaStreamSynchronize(stream), "checking the result");
  return exact_error(static_cast<double>(wrong), static_cast<double>(elements));
}

ResultError check_product(const CheckedProduct& product, kernels::Stream stream) {
  const auto facts_of = [&]<typename Stored>(Stored /*a and b*/) {
    return product.result == Element::kBf16 ? product_facts<Stored, std::uint16_t>(product, stream)
                                            : product_facts<Stored, float>(product, stream);
  };
  const ProductFacts facts = product.element == Element::kE4m3   ? facts_of(std::uint8_t{})
                             : product.element == Element::kBf16 ? facts_of(std::uint16_t{})
                                                                 : facts_of(float{});
  const std::int64_t sums = product.m * ((product.n + kGroup - 1) / kGroup);
  const double mean_square = sums > 0 ? facts.square_sum / static_cast<double>(sums) : 0;
  const double largest = std::bit_cast<double>(facts.largest_bits);
  return product_error(largest, std::sqrt(mean_square), product.arithmetic);
}

}  // namespace bench
