#include "bench/kit/gpu_main.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include "bench/kit/command_line.hpp"
#include "bench/kit/context.hpp"
#include "bench/kit/contexts.hpp"
#include "bench/kit/cuda_error.hpp"
#include "bench/kit/gpu_process.hpp"
#include "bench/kit/launch_timer.hpp"
#include "bench/kit/pacing.hpp"
#include "tracker/base/error.hpp"
#include "tracker/protocol/code_label.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker {
namespace kit {
namespace {

// The first launches of a kernel in a context load its machine code and make what it keeps (cuBLAS'
// workspace): none of that may happen behind the gate.
constexpr std::int64_t kFirstLaunches = 3;

// Steady where pacing is left out.
const Pacing& pacing_for(devices::Arithmetic arithmetic) {
  return is_left_out(Trick::kPacing) ? kSteady : pacing_of(arithmetic);
}

// Then what runs is not what lies in the executable.
bool compiles_all_from_ptx() {
  constexpr const char* kVariables[] = {"CUDA_FORCE_JIT", "CUDA_FORCE_PTX_JIT"};
  return std::any_of(std::begin(kVariables), std::end(kVariables), [](const char* name) {
    const char* const forced = std::getenv(name);
    return forced != nullptr && std::string_view(forced) == "1";
  });
}

void add_resources(benchmark::State& state, const std::optional<KernelResources>& resources) {
  if (!resources) return;
  state.counters["registers"] = resources->registers;
  state.counters["shared_static_bytes"] = static_cast<double>(resources->shared_static_bytes);
  state.counters["shared_dynamic_bytes"] = static_cast<double>(resources->shared_dynamic_bytes);
  state.counters["local_bytes"] = static_cast<double>(resources->local_bytes);
  state.counters["threads_per_block"] = resources->threads_per_block;
  state.counters["blocks_per_sm"] = resources->blocks_per_sm;
}

// Where the limit is not the one of the device's FP32 lanes, the benchmark states it.
void add_flops_peak(benchmark::State& state, const GpuEnvironment& environment, const GpuBenchmark& gpu_case,
                    double mean_s) {
  const auto peak = peak_flops_of(environment, gpu_case.arithmetic);
  add_peak_share(state, *gpu_case.work.flops, mean_s, peak);
  if (peak && gpu_case.arithmetic != devices::Arithmetic::kFp32)
    state.counters[tracker::counter_name::kPeakFlops] = *peak;
}

// So many launches as take about 20 ms at a rate that a plain kernel reaches: known before anything ran, so
// that both sides of a comparison do the same.
std::int64_t usual_launches(const Work& work) {
  constexpr Budget kMoved{.work_per_s = 1e12, .seconds = 0.02, .launches_min = 10, .launches_max = 200};
  constexpr Budget kComputed{.work_per_s = 5e12, .seconds = 0.02, .launches_min = 4, .launches_max = 200};
  if (work.flops && *work.flops > 0) return launches_per_repetition(*work.flops, kComputed);
  if (work.bytes && *work.bytes > 0) return launches_per_repetition(*work.bytes, kMoved);
  return kMoved.launches_max;
}

// CUDA's words for what went wrong in a function that is not the kit's.
void check_own_part(const char* doing) {
  check(cudaGetLastError(), doing);
}

}  // namespace

Measurement::Measurement(GpuBenchmark gpu_benchmark, Timing timing, std::optional<Stream> stream)
    : case_(std::move(gpu_benchmark)),
      timing_(timing),
      stream_(stream),
      name_(case_.name + std::string(name_suffix(timing))) {
  if (case_.launches <= 0) case_.launches = usual_launches(case_.work);
  case_.launch.set_preparation(case_.prepare);
}

LaunchTimer& Measurement::timer(GpuProcess& process) const {
  GpuSession& session = process.session();
  return stream_ ? session.timer_on(*stream_) : session.timer();
}

Outcome Measurement::measure(GpuProcess& process) {
  try {
    return measure_checked(process);
  } catch (const std::exception& error) {
    return {.error = error.what()};
  }
}

Outcome Measurement::measure_checked(GpuProcess& process) {
  if (case_.prepare && timing_ != Timing::kCold)
    return {.error =
                "a launch with prepare can only be timed cold: nothing could be prepared between hot ones"};
  GpuSession& session = process.session();
  session.prepare();
  session.take_turn(0);
  if (case_.setup) case_.setup();
  check_own_part("setting the benchmark up");
  // Also where measuring fails, so that what setup() made does not stay.
  struct TearDown {
    const std::function<void()>& function;
    ~TearDown() {
      if (function) function();
    }
  } const tear_down{case_.teardown};
  return measure_set_up(process);
}

Outcome Measurement::measure_set_up(GpuProcess& process) {
  if (case_.check && !error_) check_result(process);
  if (error_)
    if (auto wrong = wrong_result(*error_)) return {.error = std::move(*wrong)};
  std::uint64_t turn = 0;
  GpuSession& session = process.session();
  Launch launch = [&](Stream stream) {
    session.take_turn(turn++);
    return case_.launch(stream);
  };
  if (case_.prepare)
    launch.set_preparation([&](Stream stream) {
      session.take_turn(turn);  // of the launch that follows
      case_.prepare(stream);
    });
  if (case_.launch.waits()) launch.set_waits();
  const auto before = process.read_conditions();
  warm_up(process, launch);
  if (!facts_) facts_ = facts_of(process);
  const Measured measured = time_launches(process, launch);
  return {.measured = measured,
          .conditions = condition_counters(before, process.read_conditions()),
          .overhead_s = timer(process).overhead_s()};
}

// Right before it is fast: once in a process, before anything is timed.
void Measurement::check_result(GpuProcess& process) {
  process.session().take_turn(0);
  const Stream stream = timer(process).stream();
  case_.launch.prepare(stream);
  if (case_.result) poison(case_.result(), stream);
  check(static_cast<cudaError_t>(case_.launch(stream)), "launching the kernel");
  check(cudaStreamSynchronize(stream), "running the kernel");
  error_ = case_.check(stream);
  check_own_part("checking the result");
}

void Measurement::probe(GpuProcess& process, std::int64_t launches_max) {
  constexpr double kSeconds = 0.02;
  constexpr std::int64_t kLaunchesMin = 8;
  process.session().prepare();
  LaunchTimer& own = timer(process);
  own.warm_up(case_.launch, kFirstLaunches, std::max(launches_max, case_.launches));
  double launch_s = 0;
  try {
    launch_s = own.hot_burst(case_.launch, 1).sum_s;
  } catch (const NotHeldBack&) {
    case_.launch.set_waits();
    launch_s = own.hot_burst(case_.launch, 1).sum_s;
  }
  loaded_in_ = process.contexts_ended();
  if (launches_max <= 0) return;
  std::int64_t launches = kLaunchesMin;  // times two, so that both sides of a comparison mostly do the same
  while (launches * 2 <= launches_max && static_cast<double>(launches) * launch_s < kSeconds) launches *= 2;
  case_.launches = launches;
}

// Where launches come in bursts, the first ones after idling count: no other work comes before.
void Measurement::warm_up(GpuProcess& process, const Launch& launch) {
  const bool is_loaded = loaded_in_ == process.contexts_ended();
  const bool is_paced = pacing_for(case_.arithmetic).burst.count() > 0;
  if (is_loaded && is_paced) return;
  timer(process).warm_up(launch, is_loaded ? 1 : kFirstLaunches, case_.launches);
  loaded_in_ = process.contexts_ended();
}

Measurement::Facts Measurement::facts_of(GpuProcess& process) const {
  if (case_.launch.waits()) return {};  // it would wait while it is captured
  const Stream stream =
      case_.launch.takes_stream() || !stream_ ? process.session().timer().stream() : *stream_;
  case_.launch.prepare(stream);
  check(cudaStreamSynchronize(stream), "preparing the launch");
  const auto trace = trace_launch(case_.launch, stream);
  if (!trace) return {};
  tracker::Code code = compiles_all_from_ptx()
                           ? tracker::Code{.why_no_hash = "compiled by the driver from PTX"}
                           : process.machine_code().code_of(trace->kernels);
  code.launches = trace->launches;
  return {.resources = trace->resources, .label = tracker::code_label(code)};
}

Measured Measurement::time_launches(GpuProcess& process, const Launch& launch) {
  if (timing_ == Timing::kSustained) {
    const auto taken = timer(process).sustained(launch, [&process] { return process.read_energy_j(); });
    return {.mean_s = taken.burst.sum_s / static_cast<double>(taken.burst.launches),
            .clock_mhz = taken.burst.clock_mhz,
            .power_w = taken.power_w};
  }
  const Pacing& pacing = pacing_for(case_.arithmetic);
  const PacedRepetition taken =
      take_repetition(pacing, case_.launches, clocks_mhz_, burst_taker(process, launch, pacing));
  Measured measured{.mean_s = taken.mean_s, .clock_mhz = taken.clock_mhz};
  if (pacing.retakes_max > 0) measured.retaken_bursts = taken.retaken;
  return measured;
}

// How the device takes a burst of this benchmark. All arguments must outlive what it gives.
TakeBurst Measurement::burst_taker(GpuProcess& process, const Launch& launch, const Pacing& pacing) const {
  GpuSession& session = process.session();
  LaunchTimer& timer = this->timer(process);
  const std::int64_t repetition = case_.launches;
  if (timing_ == Timing::kCold)
    return [&timer, &session, &launch, &pacing, repetition](std::int64_t first, std::int64_t launches,
                                                            std::chrono::microseconds idle) {
      timer.idle(idle);
      return timer.cold_burst(
          launch, {.first = first, .launches = launches, .repetition = repetition, .burst = pacing.burst},
          session.flush_buffer());
    };
  return [&timer, &session, &launch, &pacing, repetition](std::int64_t, std::int64_t launches,
                                                          std::chrono::microseconds idle) {
    if (pacing.burst.count() == 0) return timer.hot_burst(launch, launches);
    timer.idle(idle);
    timer.lead(session.flush_buffer(), pacing.hot_lead);
    // It also puts into the cache what the others find there.
    const double launch_s = timer.hot_burst(launch, 1).sum_s;
    return timer.hot_burst(launch,
                           std::min(launches, launches_per_burst(repetition, launch_s, pacing.burst)));
  };
}

void Measurement::report(benchmark::State& state, const Outcome& repetition,
                         const GpuEnvironment& environment) const {
  if (!repetition.error.empty()) return state.SkipWithError(repetition.error.c_str());
  const double mean_s = repetition.measured.mean_s;
  while (state.KeepRunningBatch(state.max_iterations))
    state.SetIterationTime(mean_s * static_cast<double>(state.max_iterations));  // of the whole batch
  add_work(state, case_.work);
  if (case_.work.bytes)
    add_peak_share(state, *case_.work.bytes, mean_s, environment.device.peak_bytes_per_second);
  if (case_.work.flops) add_flops_peak(state, environment, case_, mean_s);
  if (facts_) add_resources(state, facts_->resources);
  if (error_) add_result_check(state, *error_);
  if (facts_ && !facts_->label.empty()) state.SetLabel(facts_->label);
  if (case_.launch.waits()) state.counters["stream_held_back"] = 0;
  if (repetition.overhead_s) state.counters["launch_overhead_us"] = *repetition.overhead_s * 1e6;
  for (const auto& [name, counter] : repetition.conditions) state.counters[name] = counter;
  for (const auto& [name, counter] : measured_counters(repetition.measured)) state.counters[name] = counter;
}

namespace {

using GpuPasses = Passes<Outcome>;

std::vector<GpuBenchmark>& registered() {
  static std::vector<GpuBenchmark> benchmarks;
  return benchmarks;
}

// While Google Benchmark is asked what it would run.
bool is_asking = false;

GpuPasses::BeginPass new_context(GpuProcess& process, const std::function<void()>& release) {
  return [&process, &release](const GpuPasses::Pass& pass) {
    if (isatty(STDERR_FILENO) == 1) {
      if (pass.number <= pass.planned)
        std::fprintf(stderr, "context %d of %d\n", pass.number, pass.planned);
      else
        std::fprintf(stderr, "further context %d, for %zu whose contexts differ\n",
                     pass.number - pass.planned, pass.repetitions);
    }
    process.begin_context(release);
  };
}

void add(GpuPasses& passes, GpuProcess& process, const GpuBenchmark& gpu_benchmark, Timing timing) {
  const auto own = std::make_shared<Measurement>(gpu_benchmark, timing);
  passes.add(
      own->name(), own->launches(), [own, &process] { return own->measure(process); },
      [own, &process](benchmark::State& state, const std::vector<Outcome>& contexts, int further) {
        own->report(state, repetition_of(contexts, further), process.environment());
      });
}

bool are_sustained(const std::vector<Timing>& timings) {
  return timings.front() == Timing::kSustained;
}

// Under sustained load a second goes by in each context: what differs between them is small beside the clock.
int contexts_of(const MainOptions& options, const std::vector<Timing>& timings, std::optional<int> wanted) {
  if (is_left_out(Trick::kContexts)) return 1;
  return wanted.value_or(are_sustained(timings) ? 1 : options.contexts);
}

bool suffice(const std::vector<Outcome>& contexts) {
  return contexts_suffice(contexts);
}

constexpr char kHelp[] = R"(

  --timing=cold|hot|both|sustained
      cold (default): the L2 cache is flushed before every launch, each is timed alone;
      hot: a batch of launches is timed together, and the name ends in /hot;
      both: cold and hot;
      sustained: hot for a second, after half a second of the same load: the speed under the power limit,
      with the board's energy; the name ends in /sustained

  --contexts=N
      in how many CUDA contexts each repetition is measured, one after the other: its time is their mean, as
      a kernel's time differs from context to context (default 3; 1 for sustained and for the sweep of blocks).
      Where the standard error of that mean is above 0.25 %, the repetition is measured in further contexts, up
      to five (condition_retaken_contexts); of five and more, the fastest and the slowest fifth are left out.
      Not for sustained, and not with 1

What is launched in a context is a fixed number: --benchmark_min_time has no effect. Results appear when all
contexts are measured. CUDA_VISIBLE_DEVICES chooses the GPU.
)";

void warn_if_not_held_back(const LaunchTimer& timer, const std::string& program) {
  if (timer.holds_back() || is_left_out(Trick::kGate)) return;
  std::fprintf(stderr,
               "%s: warning: kernels run one at a time here (CUDA_LAUNCH_BLOCKING, or a profiler): "
               "launch overhead is part of the times\n",
               program.c_str());
}

int run(int argc, char** argv, const MainOptions& options, const std::string& program) {
  const std::vector<Timing> timings = take_timing(argc, argv);
  const auto contexts = take_contexts(argc, argv);
  static_cast<void>(tricks_left_out());
  initialize_benchmark(argc, argv,
                       (options.summary.empty() ? program + ": GPU benchmarks" : options.summary) + kHelp);

  GpuProcess& process = GpuProcess::get();
  check(cudaSetDevice(0), "choosing the device");
  state_environment();
  if (options.cublas_version)
    if (const auto version = options.cublas_version())
      add_to_context({{tracker::context_key::kSoftwareCublas, *version}});
  const LaunchTimer& timer = process.session().timer();
  add_to_context({{"bench.stream_held_back", timer.holds_back() ? "true" : "false"}});
  warn_if_not_held_back(timer, program);

  GpuPasses passes(contexts_of(options, timings, contexts),
                   are_sustained(timings) || is_left_out(Trick::kContexts) ? 0 : kFurtherContextsMax,
                   new_context(process, options.release), suffice);
  const int compute_capability = process.environment().compute_capability;
  for (const GpuBenchmark& gpu_benchmark : registered()) {
    if (compute_capability < gpu_benchmark.compute_capability_min ||
        compute_capability > gpu_benchmark.compute_capability_max)
      continue;
    for (const Timing timing : timings) add(passes, process, gpu_benchmark, timing);
  }
  passes.run(nullptr, &is_asking);
  if (options.release) options.release();
  benchmark::Shutdown();
  return static_cast<int>(tracker::ExitCode::kOk);
}

// Of a suite that exists: its memory is its own, so that there is one context.
void time_on(benchmark::State& state, std::optional<Stream> stream, const Launch& launch,
             const TimeOptions& options) {
  constexpr std::int64_t kLaunchesMax = 256;
  constexpr std::int64_t kFirstMax = 16;  // while Google Benchmark looks for its number of iterations
  constexpr std::chrono::milliseconds kRestMax{20};
  constexpr std::chrono::milliseconds kLead{10};
  if (state.threads() > 1) throw CudaError("tracker::time_launch is for benchmarks of one thread");
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  if (device != 0)
    throw CudaError(
        "tracker::time_launch measures CUDA device 0: choose another one by CUDA_VISIBLE_DEVICES");
  check_own_part("preparing the benchmark");
  GpuProcess& process = GpuProcess::get();
  process.follow_context();
  process.session().prepare();
  Measurement own({.name = {},
                   .work = options.work,
                   .launch = launch,
                   .prepare = options.prepare,
                   .check = options.check,
                   .arithmetic = options.arithmetic,
                   .launches = options.launches},
                  options.timing, stream);
  LaunchTimer& timer = process.session().timer();
  if (timer.since_work() > kRestMax && !is_left_out(Trick::kWake))
    timer.lead(process.session().flush_buffer(), kLead);
  const auto wanted = static_cast<std::int64_t>(state.max_iterations);
  own.probe(process, options.launches > 0 ? 0 : std::clamp(wanted, kFirstMax, kLaunchesMax));
  static CallsOfASearch calls;
  const Outcome outcome = own.measure(process);
  own.report(state, repetition_of(calls.add(launch.origin(), wanted, outcome), 0), process.environment());
}

void time_or_skip(benchmark::State& state, std::optional<Stream> stream, const Launch& launch,
                  const TimeOptions& options) {
  if (is_asking) return state.SkipWithError("not measured yet");
  try {
    time_on(state, stream, launch, options);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace
}  // namespace kit

bool add_gpu_benchmark(GpuBenchmark benchmark) {
  kit::registered().push_back(std::move(benchmark));
  return false;
}

int benchmark_main(int argc, char** argv, const MainOptions& options) {
  std::string program = options.program.empty() && argc > 0 ? argv[0] : options.program;
  program.erase(0, program.find_last_of('/') + 1);
  try {
    return kit::run(argc, argv, options, program);
  } catch (...) {
    return kit::report_error(program);
  }
}

void time_launch(benchmark::State& state, GpuStream stream, const Launch& launch,
                 const TimeOptions& options) {
  kit::time_or_skip(state, stream, launch, options);
}

void time_launch(benchmark::State& state, const Launch& launch, const TimeOptions& options) {
  kit::time_or_skip(state, {}, launch, options);
}

bool state_environment() noexcept {
  static const bool is_stated = [] {
    try {
      const auto nvml = devices::Nvml::load();
      const kit::GpuEnvironment environment = kit::read_gpu_environment(nvml.get());
      kit::add_to_context(kit::context_of(environment.device, environment.software));
      std::string left_out;
      for (const std::string_view name : kit::tricks_left_out()) {
        if (!left_out.empty()) left_out += ",";
        left_out += name;
      }
      if (!left_out.empty()) kit::add_to_context({{"bench.without", left_out}});
    } catch (const std::exception&) {
      static_cast<void>(cudaGetLastError());
    }
    return true;
  }();
  return is_stated;
}

}  // namespace tracker
