// The kit where there is no CUDA: the same functions, so that a suite compiles and its other benchmarks run.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/kit/command_line.hpp"
#include "bench/kit/context.hpp"
#include "bench/kit/counters.hpp"
#include "tracker/bench.hpp"
#include "tracker/devices/device_facts.hpp"

namespace tracker {
namespace {

std::vector<BufferSpec>& buffer_specs() {
  static std::vector<BufferSpec> specs;
  return specs;
}

std::vector<std::string>& left_out() {
  static std::vector<std::string> names;
  return names;
}

// Times the call on the host.
void time_call(benchmark::State& state, GpuStream stream, const Launch& launch, const TimeOptions& options) {
  const auto prepare = [&] {
    if (options.prepare) options.prepare(stream);
  };
  prepare();
  launch(stream);
  if (options.check) {
    const ResultError error = options.check(stream);
    if (const auto wrong = kit::wrong_result(error)) return state.SkipWithError(wrong->c_str());
    kit::add_result_check(state, error);
  }
  for (auto _ : state) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    launch(stream);
    benchmark::ClobberMemory();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  kit::add_work(state, options.work);
}

}  // namespace

int bench_detail::last_cuda_error() {
  return 0;
}

std::size_t bytes_of(Element element) {
  return element == Element::kE4m3 ? 1 : element == Element::kBf16 ? 2 : sizeof(float);
}

std::size_t bytes_of(const BufferSpec& spec) {
  return spec.elements * bytes_of(spec.element);
}

Buffer::Buffer(BufferSpec spec) : index_(buffer_specs().size()) {
  buffer_specs().push_back(std::move(spec));
}

void* Buffer::place_bytes(std::size_t) const {
  return nullptr;  // no benchmark that would use it is run
}

bool add_gpu_benchmark(GpuBenchmark benchmark) {
  left_out().push_back(std::move(benchmark.name));
  return false;
}

int benchmark_main(int argc, char** argv, const MainOptions& options) {
  std::string program = options.program.empty() && argc > 0 ? argv[0] : options.program;
  program.erase(0, program.find_last_of('/') + 1);
  try {
    static_cast<void>(kit::take_timing(argc, argv));
    static_cast<void>(kit::take_contexts(argc, argv));
    kit::initialize_benchmark(argc, argv, options.summary + "\n\nBuilt without CUDA.\n");
    state_environment();
    if (!left_out().empty())
      std::fprintf(stderr, "%s: warning: built without CUDA: %zu GPU benchmarks are left out\n",
                   program.c_str(), left_out().size());
    return kit::run_benchmarks();
  } catch (...) {
    return kit::report_error(program);
  }
}

void time_launch(benchmark::State& state, GpuStream stream, const Launch& launch,
                 const TimeOptions& options) {
  time_call(state, stream, launch, options);
}

void time_launch(benchmark::State& state, const Launch& launch, const TimeOptions& options) {
  time_call(state, nullptr, launch, options);
}

bool state_environment() noexcept {
  static const bool is_stated = [] {
    try {
      kit::add_to_context(kit::context_of(devices::cpu_device(), kit::built_software(false)));
    } catch (const std::exception&) {
      // What is not known is left out.
    }
    return true;
  }();
  return is_stated;
}

}  // namespace tracker
