// The variants of the matrix product on tensor cores, C = ABᵀ.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "bench/cases.hpp"
#include "bench/cublas.hpp"
#include "bench/device_check.hpp"
#include "kernels/tensor_gemm.hpp"
#include "tracker/bench.hpp"

namespace bench {
namespace {

using kernels::TensorType;

// What belongs to a type: its three matrices follow each other.
struct TypeRow {
  TensorType type;
  Element element;  // of A and B
  Element result;   // of C
  tracker::devices::Arithmetic arithmetic;
  std::size_t first_buffer;
};
constexpr std::array<TypeRow, 3> kTypes{
    {{TensorType::kBf16, Element::kBf16, Element::kBf16, tracker::devices::Arithmetic::kTensorBf16, 0},
     {TensorType::kTf32, Element::kFloat32, Element::kFloat32, tracker::devices::Arithmetic::kTensorTf32, 3},
     {TensorType::kFp8, Element::kE4m3, Element::kBf16, tracker::devices::Arithmetic::kTensorFp8, 6}}};
constexpr std::size_t kResult = 2;  // of a type's three matrices

Element element_of(const TypeRow& row, std::size_t which) {
  return which == kResult ? row.result : row.element;
}

const TypeRow& row_of(TensorType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.type == type; });
}

// `variant` and `buffers` must outlive the benchmark.
void add_case(const std::vector<tracker::Buffer>& buffers, const kernels::TensorGemmVariant& variant,
              const GemmShape& shape) {
  const double flops = flops_per_launch(shape);
  const TypeRow& row = row_of(variant.type);
  const auto place = [&row, &buffers](std::size_t which, std::int64_t elements) {
    const std::size_t bytes = tracker::bytes_of(
        {.name = {}, .elements = static_cast<std::size_t>(elements), .element = element_of(row, which)});
    return buffers[row.first_buffer + which].bytes<std::byte>(bytes);
  };
  const auto problem = [place, shape] {
    return kernels::TensorGemmProblem{.m = shape.m,
                                      .n = shape.n,
                                      .k = shape.k,
                                      .a = place(0, shape.m * shape.k).data(),
                                      .b = place(1, shape.n * shape.k).data(),
                                      .c = place(kResult, shape.m * shape.n).data()};
  };
  const auto check = [problem, &row](cudaStream_t stream) {
    const auto [m, n, k, a, b, c] = problem();
    return check_product({.m = m,
                          .n = n,
                          .k = k,
                          .a = a,
                          .b = b,
                          .c = c,
                          .b_is_k_major = true,
                          .element = row.element,
                          .result = row.result,
                          .arithmetic = row.arithmetic},
                         stream);
  };
  tracker::add_gpu_benchmark(
      {.name = case_name("gemm", variant.name, shape, kernels::name_of(variant.type)),
       .work = {.flops = flops},
       .launch = [&variant, problem](cudaStream_t stream) { return variant.launch(problem(), stream); },
       .result = [place, shape] { return place(kResult, shape.m * shape.n); },
       .check = check,
       .arithmetic = row.arithmetic,
       .launches = launches_per_repetition(flops, kTensorGemmBudget),
       .compute_capability_min = variant.requirements.compute_capability_min,
       .compute_capability_max = variant.requirements.compute_capability_max});
}

void add_cases() {
  std::array<std::size_t, 3> largest{};
  for (const auto& [m, n, k] : kGemmShapes) {
    const std::array<std::int64_t, 3> counts{m * k, n * k, m * n};
    for (std::size_t i = 0; i < counts.size(); ++i)
      largest[i] = std::max(largest[i], static_cast<std::size_t>(counts[i]));
  }
  constexpr std::array<const char*, 3> kNames{"A", "B", "C"};
  static std::vector<tracker::Buffer> buffers;
  for (const TypeRow& row : kTypes)
    for (std::size_t i = 0; i < largest.size(); ++i)
      buffers.push_back(tracker::Buffer(
          {kNames[i] + (" " + std::string(kernels::name_of(row.type))), largest[i], element_of(row, i)}));
  for (const auto& variant : kernels::tensor_gemm_variants())
    for (const GemmShape& shape : kGemmShapes) add_case(buffers, variant, shape);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::add_cases();
  return tracker::benchmark_main(
      argc, argv,
      {.program = "tensor_gemm_bench",
       .summary = "tensor_gemm_bench: every variant of the matrix product on the GPU's tensor cores",
       .release = bench::release_libraries,
       .cublas_version = bench::cublas_version});
}
