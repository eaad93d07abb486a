// The variants of the matrix product on tensor cores, C = ABᵀ.
#include <algorithm>

#include "bench/cases.hpp"
#include "bench/cublas_version.hpp"
#include "bench/device_check.hpp"
#include "bench/gpu_main.hpp"
#include "kernels/cublas_handle.hpp"
#include "kernels/tensor_gemm.hpp"
#include "kernels/workspace.hpp"

namespace bench {
namespace {

using kernels::TensorType;

// What belongs to a type: its three matrices follow each other.
struct TypeRow {
  TensorType type;
  Element element;  // of A and B
  Element result;   // of C
  tracker::Arithmetic arithmetic;
  std::size_t first_buffer;
};
constexpr std::array<TypeRow, 3> kTypes{
    {{TensorType::kBf16, Element::kBf16, Element::kBf16, tracker::Arithmetic::kTensorBf16, 0},
     {TensorType::kTf32, Element::kFloat32, Element::kFloat32, tracker::Arithmetic::kTensorTf32, 3},
     {TensorType::kFp8, Element::kE4m3, Element::kBf16, tracker::Arithmetic::kTensorFp8, 6}}};
constexpr std::size_t kResult = 2;  // of a type's three matrices

Element element_of(const TypeRow& row, std::size_t which) {
  return which == kResult ? row.result : row.element;
}

const TypeRow& row_of(TensorType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.type == type; });
}

GpuCase tensor_case(const kernels::TensorGemmVariant& variant, const GemmShape& shape) {
  const double flops = flops_per_launch(shape);
  const TypeRow& row = row_of(variant.type);
  const auto place = [&row](const GpuSession& session, std::uint64_t turn, std::size_t which,
                            std::int64_t elements) {
    const std::size_t bytes =
        bytes_of({.elements = static_cast<std::size_t>(elements), .element = element_of(row, which)});
    return std::span(static_cast<std::byte*>(session.place_bytes(row.first_buffer + which, bytes, turn)),
                     bytes);
  };
  const auto problem = [place, shape](const GpuSession& session, std::uint64_t turn) {
    return kernels::TensorGemmProblem{.m = shape.m,
                                      .n = shape.n,
                                      .k = shape.k,
                                      .a = place(session, turn, 0, shape.m * shape.k).data(),
                                      .b = place(session, turn, 1, shape.n * shape.k).data(),
                                      .c = place(session, turn, kResult, shape.m * shape.n).data()};
  };
  return {.name = case_name("gemm", variant.name, shape, kernels::name_of(variant.type)),
          .requirements = variant.requirements,
          .work = {.flops = flops},
          .arithmetic = row.arithmetic,
          .launches = launches_per_repetition(flops, kTensorGemmBudget),
          .launch = [&variant, problem](
                        const GpuSession& session, std::uint64_t turn,
                        kernels::Stream stream) { return variant.launch(problem(session, turn), stream); },
          .result = [place, shape](
                        const GpuSession& session,
                        std::uint64_t turn) { return place(session, turn, kResult, shape.m * shape.n); },
          .check =
              [problem, &row](const GpuSession& session, std::uint64_t turn, kernels::Stream stream) {
                const auto [m, n, k, a, b, c] = problem(session, turn);
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
              }};
}

GpuFamily tensor_family() {
  GpuFamily family;
  family.program = "tensor_gemm_bench";
  family.summary = "tensor_gemm_bench: every variant of the matrix product on the GPU's tensor cores";
  family.cublas_version = cublas_version;
  family.release = [] {
    kernels::release_cublas_handles();
    kernels::release_workspaces();
  };
  std::array<std::size_t, 3> largest{};
  for (const auto& [m, n, k] : kGemmShapes) {
    const std::array<std::int64_t, 3> counts{m * k, n * k, m * n};
    for (std::size_t i = 0; i < counts.size(); ++i)
      largest[i] = std::max(largest[i], static_cast<std::size_t>(counts[i]));
  }
  constexpr std::array<const char*, 3> kNames{"A", "B", "C"};
  for (const TypeRow& row : kTypes)
    for (std::size_t i = 0; i < largest.size(); ++i)
      family.buffers.push_back(
          {kNames[i] + (" " + std::string(kernels::name_of(row.type))), largest[i], element_of(row, i)});
  for (const auto& variant : kernels::tensor_gemm_variants())
    for (const GemmShape& shape : kGemmShapes) family.cases.push_back(tensor_case(variant, shape));
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::tensor_family());
}
