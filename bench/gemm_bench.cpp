// The variants of the matrix product on the GPU: C = AB, and some of them with C = αAB + βC.
#include <algorithm>

#include <cuda_runtime.h>

#include "bench/cases.hpp"
#include "bench/cublas.hpp"
#include "bench/device_check.hpp"
#include "bench/kit/cuda_error.hpp"
#include "kernels/gemm.hpp"
#include "tracker/bench.hpp"

namespace bench {
namespace {

// How A · B and C are scaled, and what its benchmarks are called.
struct Scaling {
  const char* family;
  float alpha;
  float beta;
};
constexpr Scaling kPlain{"gemm", 1, 0};
// From C = 0, two launches give AB: α + βα = 1.
constexpr Scaling kScaled{"gemm_scaled", 2.0F / 3, 0.5F};

struct Matrices {
  tracker::Buffer a;
  tracker::Buffer b;
  tracker::Buffer c;
};

// `variant` must outlive the benchmark.
void add_case(const Matrices& matrices, const kernels::GemmVariant& variant, const GemmShape& shape,
              const Scaling& scaling) {
  const double flops = flops_per_launch(shape);
  const auto problem = [matrices, shape, scaling] {
    const auto place = [&](const tracker::Buffer& buffer, std::int64_t elements) {
      return buffer.place(static_cast<std::size_t>(elements));
    };
    return kernels::GemmProblem{.m = shape.m,
                                .n = shape.n,
                                .k = shape.k,
                                .alpha = scaling.alpha,
                                .a = place(matrices.a, shape.m * shape.k),
                                .b = place(matrices.b, shape.k * shape.n),
                                .beta = scaling.beta,
                                .c = place(matrices.c, shape.m * shape.n)};
  };
  const auto check = [&variant, problem](cudaStream_t stream) {
    const kernels::GemmProblem product = problem();
    const auto [m, n, k, alpha, a, b, beta, c] = product;
    if (beta != 0) {
      const std::size_t bytes = static_cast<std::size_t>(m * n) * sizeof(float);
      tracker::kit::check(cudaMemsetAsync(c, 0, bytes, stream), "clearing the result");
      for (int i = 0; i < 2; ++i)
        tracker::kit::check(static_cast<cudaError_t>(variant.launch(product, stream)),
                            "launching the kernel");
    }
    return check_product({.m = m, .n = n, .k = k, .a = a, .b = b, .c = c}, stream);
  };
  tracker::add_gpu_benchmark(
      {.name = case_name(scaling.family, variant.name, shape),
       .work = {.flops = flops},
       .launch = [&variant, problem](cudaStream_t stream) { return variant.launch(problem(), stream); },
       .result = [matrices, shape] { return matrices.c.bytes(static_cast<std::size_t>(shape.m * shape.n)); },
       .check = check,
       .launches = launches_per_repetition(flops, kGemmBudget),
       .compute_capability_min = variant.requirements.compute_capability_min,
       .compute_capability_max = variant.requirements.compute_capability_max});
}

void add_cases() {
  GemmShape largest;
  for (const GemmShape& shape : kGemmShapes)
    largest = {std::max(largest.m, shape.m), std::max(largest.n, shape.n), std::max(largest.k, shape.k)};
  const tracker::Buffer a({"A", static_cast<std::size_t>(largest.m * largest.k)});
  const tracker::Buffer b({"B", static_cast<std::size_t>(largest.k * largest.n)});
  const tracker::Buffer c({"C", static_cast<std::size_t>(largest.m * largest.n)});
  const Matrices matrices{a, b, c};
  for (const auto& variant : kernels::gemm_variants())
    for (const GemmShape& shape : kGemmShapes)
      if (std::max({shape.m, shape.n, shape.k}) <= variant.measured_side_max)
        add_case(matrices, variant, shape, kPlain);
  for (const auto& variant : kernels::gemm_variants())
    if (variant.name == "best" || variant.name == "cublas")
      for (const GemmShape& shape : kGemmShapes) add_case(matrices, variant, shape, kScaled);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::add_cases();
  return tracker::benchmark_main(
      argc, argv,
      {.program = "gemm_bench",
       .summary = "gemm_bench: every variant of the matrix product, float32, on the GPU",
       .release = bench::release_libraries,
       .cublas_version = bench::cublas_version});
}
