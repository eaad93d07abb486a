// The CPU variants: what is measured where there is no GPU.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/cases.hpp"
#include "bench/command_line.hpp"
#include "bench/context.hpp"
#include "bench/counters.hpp"
#include "kernels/cpu.hpp"
#include "tracker/measure/cpu_facts.hpp"

namespace bench {
namespace {

constexpr char kHelp[] = R"(cpu_bench: transpose and matrix product on the CPU

A repetition is a fixed number of iterations: --benchmark_min_time has no effect.
)";

// Of the largest shape, once per process: which other benchmarks run moves no benchmark's data.
struct Matrices {
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
};

Matrices random_matrices() {
  std::size_t elements_max = 0;
  const auto need = [&](std::int64_t elements) {
    elements_max = std::max(elements_max, static_cast<std::size_t>(elements));
  };
  for (const TransposeShape& shape : kCpuTransposeShapes) need(element_count(shape));
  for (const GemmShape& shape : kCpuGemmShapes)
    need(std::max({shape.m * shape.k, shape.k * shape.n, shape.m * shape.n}));
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto fill = [&](std::vector<float>& matrix) {
    matrix.resize(elements_max);
    std::generate(matrix.begin(), matrix.end(), [&] { return uniform(generator); });
  };
  Matrices matrices;
  fill(matrices.a);
  fill(matrices.b);
  fill(matrices.c);
  return matrices;
}

void measure(benchmark::State& state, const std::function<void()>& run, float* result, const Work& work) {
  run();  // warm-up: page faults and caches
  for (auto _ : state) {
    run();
    benchmark::DoNotOptimize(result);
    benchmark::ClobberMemory();
  }
  add_work(state, work);
}

void register_case(const std::string& name, std::int64_t iterations, float* result, const Work& work,
                   const std::function<void()>& run) {
  const auto body = [=](benchmark::State& state) { measure(state, run, result, work); };
  // By CPU time, Google Benchmark's default: on a shared machine real time counts the neighbours too.
  benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(iterations)->Unit(benchmark::kMicrosecond);
}

void register_transposes(Matrices& data) {
  for (const auto& variant : kernels::cpu::transpose_variants())
    for (const TransposeShape& shape : kCpuTransposeShapes) {
      const kernels::TransposeProblem problem{data.a.data(), data.c.data(), shape.rows, shape.columns};
      const double bytes = bytes_per_launch(shape);
      register_case(case_name("transpose_cpu", variant.name, shape),
                    launches_per_repetition(bytes, kCpuTransposeBudget), problem.out, {.bytes = bytes},
                    [run = variant.run, problem] { run(problem); });
    }
}

void register_gemms(Matrices& data) {
  for (const auto& variant : kernels::cpu::gemm_variants())
    for (const GemmShape& shape : kCpuGemmShapes) {
      const kernels::GemmProblem problem{.m = shape.m,
                                         .n = shape.n,
                                         .k = shape.k,
                                         .a = data.a.data(),
                                         .b = data.b.data(),
                                         .c = data.c.data()};
      const double flops = flops_per_launch(shape);
      register_case(case_name("gemm_cpu", variant.name, shape),
                    launches_per_repetition(flops, kCpuGemmBudget), problem.c, {.flops = flops},
                    [run = variant.run, problem] { run(problem); });
    }
}

int main(int argc, char** argv) {
  try {
    initialize_benchmark(argc, argv, kHelp);
    Matrices matrices = random_matrices();
    register_transposes(matrices);
    register_gemms(matrices);
    add_to_context(context_of(tracker::cpu_device(), built_software(false)));
    return run_benchmarks();
  } catch (...) {
    return report_error("cpu_bench");
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main(argc, argv);
}
