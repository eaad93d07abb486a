// The variants of the matrix product on the GPU: C = AB, and some of them with C = αAB + βC.
#include <algorithm>

#include <cuda_runtime.h>

#include "bench/cases.hpp"
#include "bench/cublas_version.hpp"
#include "bench/cuda_error.hpp"
#include "bench/device_check.hpp"
#include "bench/gpu_main.hpp"
#include "kernels/cublas_handle.hpp"
#include "kernels/gemm.hpp"
#include "kernels/workspace.hpp"

namespace bench {
namespace {

enum Buffer : std::size_t { kA, kB, kC };

// How A · B and C are scaled, and what its benchmarks are called.
struct Scaling {
  const char* family;
  float alpha;
  float beta;
};
constexpr Scaling kPlain{"gemm", 1, 0};
// From C = 0, two launches give AB: α + βα = 1.
constexpr Scaling kScaled{"gemm_scaled", 2.0F / 3, 0.5F};

GpuCase gemm_case(const kernels::GemmVariant& variant, const GemmShape& shape, const Scaling& scaling) {
  const double flops = flops_per_launch(shape);
  const auto problem = [shape, scaling](const GpuSession& session, std::uint64_t turn) {
    const auto place = [&](Buffer which, std::int64_t elements) {
      return session.place(which, static_cast<std::size_t>(elements), turn);
    };
    return kernels::GemmProblem{.m = shape.m,
                                .n = shape.n,
                                .k = shape.k,
                                .alpha = scaling.alpha,
                                .a = place(kA, shape.m * shape.k),
                                .b = place(kB, shape.k * shape.n),
                                .beta = scaling.beta,
                                .c = place(kC, shape.m * shape.n)};
  };
  return {.name = case_name(scaling.family, variant.name, shape),
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
              [&variant, problem](const GpuSession& session, std::uint64_t turn, kernels::Stream stream) {
                const kernels::GemmProblem product = problem(session, turn);
                const auto [m, n, k, alpha, a, b, beta, c] = product;
                if (beta != 0) {
                  const std::size_t bytes = static_cast<std::size_t>(m * n) * sizeof(float);
                  bench::check(cudaMemsetAsync(c, 0, bytes, stream), "clearing the result");
                  for (int i = 0; i < 2; ++i)
                    bench::check(static_cast<cudaError_t>(variant.launch(product, stream)),
                                 "launching the kernel");
                }
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
        family.cases.push_back(gemm_case(variant, shape, kPlain));
  for (const auto& variant : kernels::gemm_variants())
    if (variant.name == "best" || variant.name == "cublas")
      for (const GemmShape& shape : kGemmShapes) family.cases.push_back(gemm_case(variant, shape, kScaled));
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::gemm_family());
}
