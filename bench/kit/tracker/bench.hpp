// Measures GPU work with little noise, in Google Benchmark: benchmarks of the kit's own, and time_launch()
// for a suite that exists. docs/kit.md is the guide.
//
// Needs no CUDA header. Where the kit is built without CUDA (TRACKER_BENCH_CPU_ONLY), benchmarks of a launch
// are left out, and time_launch() times the call on the host.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "tracker/devices/device_facts.hpp"

struct CUstream_st;
#ifdef TRACKER_BENCH_CPU_ONLY
// CUDA's name, where there is no CUDA: code of launches compiles all the same.
using cudaStream_t = CUstream_st*;
#endif

namespace tracker {

// The kinds of arithmetic whose peak a benchmark is bounded by: tracker::Arithmetic::kFp32, ….
using devices::Arithmetic;

// cudaStream_t, without CUDA's header.
using GpuStream = CUstream_st*;

// What one launch does: bytes moved, floating-point operations, or both.
struct Work {
  std::optional<double> bytes = {};
  std::optional<double> flops = {};
};
inline Work bytes_of_work(double bytes) {
  return {.bytes = bytes};
}
inline Work flops_of_work(double flops) {
  return {.flops = flops};
}

// How far a result is from what it should be, and how far it may be, both in the unit of the function that
// made it. A result that was not written, or is not a number, is infinitely far.
struct ResultError {
  double error = 0;
  double bound = 0;
};
// For what is computed exactly: the share of elements that are wrong. None may be.
ResultError exact_error(double wrong, double all);
// For sums and products: the largest error, in units of the result's root mean square. The bound follows from
// what the arithmetic rounds: float32 sums; bf16 results; operands cut to TF32.
ResultError product_error(double largest, double root_mean_square, Arithmetic arithmetic);

// Cold: the L2 cache is flushed before every launch, and each is timed alone. Hot: a batch of launches is
// timed together. Sustained: hot, for a second, after half a second of the same load, with the board's
// energy.
enum class Timing { kCold, kHot, kSustained };

namespace bench_detail {
int last_cuda_error();  // a cudaError_t, which is cleared
template <typename Function>
inline bool waits_for_device = false;
}  // namespace bench_detail

// What enqueues the work of one launch: a function of a stream, or of nothing where its stream is known
// otherwise. It may launch several kernels, graphs and calls of libraries, use streams of its own (forked
// from the stream by events, and joined), and give a cudaError_t. What it enqueues elsewhere is not timed.
class Launch {
 public:
  Launch() = default;
  template <typename Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, Launch> &&
           (std::invocable<Function&, GpuStream> || std::invocable<Function&>)) Launch(Function function)
      : takes_stream_(std::invocable<Function&, GpuStream>),
        waits_(&bench_detail::waits_for_device<Function>),
        function_([function = std::move(function)](GpuStream stream) mutable {
          const auto call = [&] {
            if constexpr (std::invocable<Function&, GpuStream>)
              return function(stream);
            else
              return function();
          };
          if constexpr (std::convertible_to<decltype(call()), int> || std::is_enum_v<decltype(call())>) {
            return static_cast<int>(call());
          } else {
            call();
            return bench_detail::last_cuda_error();
          }
        }) {}

  int operator()(GpuStream stream) const { return function_(stream); }
  // Called before each timed launch, and not timed; it may wait for the device.
  void set_preparation(std::function<void(GpuStream)> prepare) { prepare_ = std::move(prepare); }
  void prepare(GpuStream stream) const {
    if (prepare_) prepare_(stream);
  }
  explicit operator bool() const { return static_cast<bool>(function_); }
  bool takes_stream() const { return takes_stream_; }
  // Whether launches of this kind were seen to wait for the device: no stream can be held back then.
  bool waits() const { return waits_ != nullptr && *waits_; }
  void set_waits() const {
    if (waits_ != nullptr) *waits_ = true;
  }
  // The same for all launches that one piece of code makes.
  const void* origin() const { return waits_; }

 private:
  bool takes_stream_ = true;
  bool* waits_ = nullptr;
  std::function<int(GpuStream)> function_;
  std::function<void(GpuStream)> prepare_;
};

// The type of a buffer's elements: 4 bytes, 2 bytes (bfloat16) or 1 byte (FP8, e4m3) each.
enum class Element { kFloat32, kBf16, kE4m3 };
std::size_t bytes_of(Element element);

// The largest use of one input or output.
struct BufferSpec {
  std::string name = {};
  std::size_t elements = 0;
  Element element = Element::kFloat32;
};
std::size_t bytes_of(const BufferSpec& spec);

// Device memory of the kit, shared by all benchmarks that use it: allocated in every CUDA context, and filled
// with random values in [-1, 1) by a seed that follows from the order in which buffers are made. To be made
// before benchmark_main().
class Buffer {
 public:
  explicit Buffer(BufferSpec spec);

  // So many bytes of it. Where the buffer is larger, every launch gets another place, so that no result rests
  // on where in memory one of them lies. To be asked for in each launch, setup and check.
  void* place_bytes(std::size_t bytes) const;
  template <typename Value = float>
  Value* place(std::size_t elements) const {
    return static_cast<Value*>(place_bytes(elements * sizeof(Value)));
  }
  template <typename Value = float>
  std::span<std::byte> bytes(std::size_t elements) const {
    return {static_cast<std::byte*>(place_bytes(elements * sizeof(Value))), elements * sizeof(Value)};
  }

 private:
  std::size_t index_ = 0;
};

// A GPU benchmark of the kit.
struct GpuBenchmark {
  std::string name = {};
  Work work = {};  // of a launch
  Launch launch = {};
  // In every CUDA context, before the benchmark's first launch and after its last one: memory, handles and
  // streams of one's own. What setup() made in another context is gone.
  std::function<void()> setup = {};
  std::function<void()> teardown = {};
  // Before each launch, and not timed: puts back what the launch changes. Cold timing only.
  std::function<void(GpuStream)> prepare = {};
  // Right before it is fast: once in a process, after a launch and before anything is timed. `result` is
  // where the launch writes; it is overwritten with NaN before.
  std::function<std::span<std::byte>()> result = {};
  std::function<ResultError(GpuStream)> check = {};
  Arithmetic arithmetic = Arithmetic::kFp32;  // what its FLOP/s are bounded by; tensor cores are paced
  std::int64_t launches = 0;                  // of a repetition; 0: so many as take about 20 ms
  int compute_capability_min = 0;             // major * 10 + minor: left out on other devices
  int compute_capability_max = 9999;
};
// False, so that it can stand in a declaration.
bool add_gpu_benchmark(GpuBenchmark benchmark);

struct MainOptions {
  std::string program = {};            // "" is the name that it was started by
  std::string summary = {};            // the first line of the help
  int contexts = 3;                    // that a repetition is measured in
  std::function<void()> release = {};  // gives back what libraries keep in a CUDA context
  std::function<std::optional<std::string>()> cublas_version = {};
};
// Runs them, and whatever else is registered. Exit code: 0, 2 for a wrong option, 4 where there is no GPU.
int benchmark_main(int argc, char** argv, const MainOptions& options = {});

struct TimeOptions {
  Work work = {};
  std::function<void(GpuStream)> prepare = {};
  std::function<ResultError(GpuStream)> check = {};
  Timing timing = Timing::kCold;
  Arithmetic arithmetic = Arithmetic::kFp32;
  std::int64_t launches = 0;  // 0: so many as take about 20 ms
};
// Instead of the timing loop of a benchmark with UseManualTime(): times launches on that stream, and states
// time, counters and label. Where `launch` takes a stream, it is given this one. What goes wrong is the
// benchmark's error. For one thread, and CUDA device 0.
void time_launch(benchmark::State& state, GpuStream stream, const Launch& launch,
                 const TimeOptions& options = {});
// The same on streams of the kit, which launches take in turns: quieter for kernels of a few µs.
void time_launch(benchmark::State& state, const Launch& launch, const TimeOptions& options = {});

// Adds the device and the software to the file's context; true. Never throws: what is not known is left out.
bool state_environment() noexcept;

#ifdef TRACKER_BENCH_AT_START
namespace bench_detail {
// Before main(), as Google Benchmark writes the context before the first benchmark.
inline const bool environment_is_stated = state_environment();
}  // namespace bench_detail
#endif

}  // namespace tracker

#define TRACKER_BENCH_JOIN_(one, other) one##other
#define TRACKER_BENCH_NAME_(number) TRACKER_BENCH_JOIN_(tracker_bench_, number)
// TRACKER_GPU_BENCHMARK("scan/f32/1024", work, [=](cudaStream_t s) { scan<<<4, 256, 0, s>>>(…); });
// Further members of GpuBenchmark may follow: , .setup = …, .check = … At namespace scope or in a function.
#define TRACKER_GPU_BENCHMARK(benchmark_name, benchmark_work, ...)                             \
  [[maybe_unused]] const bool TRACKER_BENCH_NAME_(__COUNTER__) = ::tracker::add_gpu_benchmark( \
      ::tracker::GpuBenchmark{.name = (benchmark_name), .work = (benchmark_work), .launch = __VA_ARGS__})
#define TRACKER_BENCHMARK_MAIN()                  \
  int main(int argc, char** argv) {               \
    return ::tracker::benchmark_main(argc, argv); \
  }
