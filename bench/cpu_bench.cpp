// The CPU variants: what is measured where there is no GPU.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/cases.hpp"
#include "bench/kit/command_line.hpp"
#include "bench/kit/context.hpp"
#include "bench/kit/counters.hpp"
#include "kernels/check.hpp"
#include "kernels/cpu.hpp"
#include "tracker/devices/device_facts.hpp"

namespace bench {
namespace {

using namespace tracker::kit;  // what there is of it without a GPU
using tracker::exact_error;
using tracker::product_error;
using tracker::ResultError;
using tracker::Work;

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

// What is measured, and what its result is checked against.
struct CpuCase {
  std::string name;
  std::int64_t iterations = 0;
  Work work;
  std::function<void()> run;
  std::span<float> result;
  std::function<ResultError(std::span<const float>)> check;
};

// Right before it is fast: once in a process, before anything is timed.
ResultError check_result(const CpuCase& cpu_case) {
  kernels::fill_poison(cpu_case.result);
  cpu_case.run();
  return cpu_case.check(cpu_case.result);
}

void measure(benchmark::State& state, const CpuCase& cpu_case, std::optional<ResultError>& error) {
  if (!error) error = check_result(cpu_case);
  if (const auto wrong = wrong_result(*error)) return state.SkipWithError(wrong->c_str());
  cpu_case.run();  // warm-up: page faults and caches
  for (auto _ : state) {
    cpu_case.run();
    benchmark::DoNotOptimize(cpu_case.result.data());
    benchmark::ClobberMemory();
  }
  add_work(state, cpu_case.work);
  add_result_check(state, *error);
}

void register_case(const CpuCase& cpu_case) {
  const auto error = std::make_shared<std::optional<ResultError>>();
  const auto body = [cpu_case, error](benchmark::State& state) { measure(state, cpu_case, *error); };
  // By CPU time, Google Benchmark's default: on a shared machine real time counts the neighbours too.
  benchmark::RegisterBenchmark(cpu_case.name.c_str(), body)
      ->Iterations(cpu_case.iterations)
      ->Unit(benchmark::kMicrosecond);
}

ResultError check_transpose(const kernels::TransposeProblem& problem, bool is_copy,
                            std::span<const float> found) {
  std::vector<float> expected(problem.in, problem.in + found.size());
  auto reference = problem;
  reference.out = expected.data();
  if (!is_copy) kernels::cpu::transpose_oracle(reference);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] == expected[i] ? 0 : 1;
  return exact_error(static_cast<double>(wrong), static_cast<double>(found.size()));
}

ResultError check_product(const kernels::GemmProblem& problem, std::span<const float> found) {
  std::vector<float> expected(found.size());
  auto reference = problem;
  reference.c = expected.data();
  kernels::cpu::gemm_oracle(reference);
  double largest = 0;
  double square_sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = std::abs(double{found[i]} - double{expected[i]});
    largest = std::isfinite(off) ? std::max(largest, off) : std::numeric_limits<double>::infinity();
    square_sum += double{expected[i]} * double{expected[i]};
  }
  return product_error(largest, std::sqrt(square_sum / static_cast<double>(found.size())),
                       tracker::devices::Arithmetic::kFp32);
}

void register_transposes(Matrices& data) {
  for (const auto& variant : kernels::cpu::transpose_variants())
    for (const TransposeShape& shape : kCpuTransposeShapes) {
      const kernels::TransposeProblem problem{data.a.data(), data.c.data(), shape.rows, shape.columns};
      const double bytes = bytes_per_launch(shape);
      register_case(
          {.name = case_name("transpose_cpu", variant.name, shape),
           .iterations = launches_per_repetition(bytes, kCpuTransposeBudget),
           .work = {.bytes = bytes},
           .run = [run = variant.run, problem] { run(problem); },
           .result = std::span(data.c).first(static_cast<std::size_t>(element_count(shape))),
           .check = [problem, is_copy = variant.is_copy](
                        std::span<const float> found) { return check_transpose(problem, is_copy, found); }});
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
      register_case(
          {.name = case_name("gemm_cpu", variant.name, shape),
           .iterations = launches_per_repetition(flops, kCpuGemmBudget),
           .work = {.flops = flops},
           .run = [run = variant.run, problem] { run(problem); },
           .result = std::span(data.c).first(static_cast<std::size_t>(shape.m * shape.n)),
           .check = [problem](std::span<const float> found) { return check_product(problem, found); }});
    }
}

int main(int argc, char** argv) {
  try {
    initialize_benchmark(argc, argv, kHelp);
    Matrices matrices = random_matrices();
    register_transposes(matrices);
    register_gemms(matrices);
    add_to_context(context_of(tracker::devices::cpu_device(), built_software(false)));
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
