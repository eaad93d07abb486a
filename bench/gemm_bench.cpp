// The variants of the matrix product on the GPU, C = AB.
#include <algorithm>

#include "bench/cases.hpp"
#include "bench/cublas_version.hpp"
#include "bench/device_check.hpp"
#include "bench/gpu_main.hpp"
#include "kernels/cublas_handle.hpp"
#include "kernels/gemm.hpp"
#include "kernels/workspace.hpp"

namespace bench {
namespace {

enum Buffer : std::size_t { kA, kB, kC };

GpuCase gemm_case(const kernels::GemmVariant& variant, const GemmShape& shape) {
  const double flops = flops_per_launch(shape);
  const auto problem = [shape](const GpuSession& session, std::uint64_t turn) {
    const auto place = [&](Buffer which, std::int64_t elements) {
      return session.place(which, static_cast<std::size_t>(elements), turn);
    };
    return kernels::GemmProblem{.m = shape.m,
                                .n = shape.n,
                                .k = shape.k,
                                .a = place(kA, shape.m * shape.k),
                                .b = place(kB, shape.k * shape.n),
                                .c = place(kC, shape.m * shape.n)};
  };
  return {.name = case_name("gemm", variant.name, shape),
          .requirements = variant.requirements,
          .work = {.flops = flops},
          .launches = launches_per_repetition(flops, kGemmBudget),
          .launch = [&variant, problem](
                        const GpuSession& session, std::uint64_t turn,
                        kernels::Stream stream) { return variant.launch(problem(session, turn), stream); },
          .result =
              [problem, shape](const GpuSession& session, std::uint64_t turn) {
                const auto elements = static_cast<std::size_t>(shape.m * shape.n);
                return std::as_writable_bytes(std::span(problem(session, turn).c, elements));
              },
          .check =
              [problem](const GpuSession& session, std::uint64_t turn, kernels::Stream stream) {
                const auto [m, n, k, alpha, a, b, beta, c] = problem(session, turn);
                return check_product({.m = m, .n = n, .k = k, .a = a, .b = b, .c = c}, stream);
              }};
}

GpuFamily gemm_family() {
  GpuFamily family;
  family.program = "gemm_bench";
  family.summary = "gemm_bench: every variant of the matrix product, float32, on the GPU";
  family.cublas_version = cublas_version;
  family.release = [] {
    kernels::release_cublas_handles();
    kernels::release_workspaces();
  };
  GemmShape largest;
  for (const GemmShape& shape : kGemmShapes)
    largest = {std::max(largest.m, shape.m), std::max(largest.n, shape.n), std::max(largest.k, shape.k)};
  family.buffers = {{"A", static_cast<std::size_t>(largest.m * largest.k)},
                    {"B", static_cast<std::size_t>(largest.k * largest.n)},
                    {"C", static_cast<std::size_t>(largest.m * largest.n)}};
  for (const auto& variant : kernels::gemm_variants())
    for (const GemmShape& shape : kGemmShapes)
      if (std::max({shape.m, shape.n, shape.k}) <= variant.measured_side_max)
        family.cases.push_back(gemm_case(variant, shape));
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::gemm_family());
}
