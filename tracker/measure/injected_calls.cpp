#include "tracker/measure/injected_calls.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLinesBytesMax = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kCubinBytesMax = std::uintmax_t{1} << 30;
// An iteration of more is described by none: its list would be as long in every report.
constexpr std::size_t kLaunchesMax = 64;

std::size_t ops_in(const InjectedCalls& calls) {
  std::size_t count = 0;
  for (const auto& range : calls.ranges)
    for (const auto& repeated : range.ops) count += repeated.ops.size() * repeated.times;
  return count;
}

// Of the processes that wrote lines there, the one that did most: a script may start others.
std::optional<InjectedCalls> read_calls(const fs::path& folder) {
  std::optional<InjectedCalls> most;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() != ".ndjson") continue;
    auto calls = parse_injection_lines(read_file(entry.path(), kLinesBytesMax), entry.path().string());
    if (!most || ops_in(calls) > ops_in(*most)) most = std::move(calls);
  }
  return most;
}

// One execution with the library in it.
struct Looked {
  InjectedCalls calls;
  std::map<std::string, std::int64_t> iterations;  // by benchmark
  std::string failure;
  bool stopped = false;
};

// `names`: of the benchmarks, without the binary's prefix.
Looked look(InvocationSpec spec, const fs::path& library, const fs::path& folder,
            const std::vector<std::string>& names, const LocalEnvironment& environment) {
  spec.output = folder / "result.json";
  spec.repetitions = 1;
  spec.environment["CUDA_INJECTION64_PATH"] = library.string();
  spec.environment["NVTX_INJECTION64_PATH"] = library.string();
  spec.environment["TRACKER_INJECTION_OUT"] = folder.string();
  constexpr std::size_t kRangesBytesMax = 100 << 10;  // Linux takes no variable of 128 KiB
  std::string& ranges = spec.environment["TRACKER_INJECTION_RANGES"];
  for (const auto& name : names)
    if (ranges.size() + name.size() < kRangesBytesMax) ranges += name + "\n";
  if (spec.flags.harness == Harness::kGoogleBenchmark)
    spec.binary.arguments.emplace_back("--benchmark_min_time=0.005s");
  const auto outcome = invoke(spec, environment);
  Looked looked;
  looked.stopped = outcome.stopped;
  looked.failure = outcome.failure;
  if (!outcome.file) return looked;
  for (const auto& [name, samples] : outcome.file->invocation.samples)
    if (!samples.iterations.empty()) looked.iterations[name] = samples.iterations.front();
  try {
    auto calls = read_calls(folder);
    looked.failure = calls ? calls->failure : "it does not use CUDA, or the driver did not load the library";
    if (calls) looked.calls = std::move(*calls);
  } catch (const Error& error) {
    looked.failure = error.what();
  }
  return looked;
}

// A counter of all kernels of the iteration: the most of any, or what is the same in all.
class KernelCounters {
 public:
  void most(const char* name, double value) {
    auto [found, is_new] = values_.try_emplace(name, value);
    found->second = std::max(found->second, value);
  }
  void same(const char* name, double value) {
    const auto [found, is_new] = values_.try_emplace(name, value);
    if (found->second != value) different_.insert(name);
  }
  std::map<std::string, double> values() const {
    auto known = values_;
    for (const auto& name : different_) known.erase(name);
    return known;
  }

 private:
  std::map<std::string, double> values_;
  std::set<std::string> different_;
};

class Pass {
 public:
  Pass(const InvocationSpec& spec, const fs::path& library, const LocalEnvironment& environment)
      : spec_(spec), library_(library), environment_(environment) {}

  // Of one process; false where nothing more is to be started.
  bool look_at(const std::vector<std::string>& names, bool is_alone) {
    const TemporaryDirectory folder;
    InvocationSpec spec = spec_;
    if (spec.flags.harness == Harness::kNvbench) {
      for (const auto& argument : nvbench_choice(names.front().substr(spec.binary.prefix.size())))
        spec.binary.arguments.push_back(argument);
      for (const char* argument : {"--run-once", "--disable-blocking-kernel"})
        spec.binary.arguments.emplace_back(argument);
    } else if (spec.flags.harness == Harness::kGoogleBenchmark) {
      const auto filter = filter_for(spec.binary, names);
      if (!filter) return true;
      spec.filter = *filter;
    }
    std::vector<std::string> own;
    for (const auto& name : names) own.push_back(name.substr(spec.binary.prefix.size()));
    const Looked looked = look(spec, library_, folder.path(), own, environment_);
    pass_.stopped = looked.stopped;
    if (!looked.failure.empty()) pass_.failure = looked.failure;
    if (looked.stopped || !looked.calls.failure.empty()) return false;  // so it would be with any other
    pass_.looked_at.insert(pass_.looked_at.end(), names.begin(), names.end());
    if (!looked.failure.empty()) return true;
    for (const auto& name : names) add(looked, name, is_alone, folder.path());
    return true;
  }

  bool has_ranges() const { return has_ranges_; }
  InjectedPass take() { return std::move(pass_); }

 private:
  void add(const Looked& looked, const std::string& name, bool is_alone, const fs::path& folder) {
    const std::string own = name.substr(spec_.binary.prefix.size());
    const bool is_named = std::any_of(looked.calls.ranges.begin(), looked.calls.ranges.end(),
                                      [&](const InjectedRange& range) { return is_range_of(range, own); });
    has_ranges_ = has_ranges_ || is_named;
    if (!is_named && !is_alone) {
      pass_.failure = "several benchmarks share a process, and no NVTX range has the name of one";
      return;
    }
    const auto counted = looked.iterations.find(name);
    const auto ops =
        ops_of_iteration(looked.calls, own, counted == looked.iterations.end() ? 0 : counted->second);
    if (ops.empty())
      pass_.failure = "nothing that it launches repeats with its iterations";
    else
      pass_.benchmarks[name] = code_of_ops(looked.calls, ops, folder);
  }

  const InvocationSpec& spec_;
  const fs::path& library_;
  const LocalEnvironment& environment_;
  bool has_ranges_ = false;
  InjectedPass pass_;
};

}  // namespace

InjectedBenchmark code_of_ops(const InjectedCalls& calls, const std::vector<std::size_t>& ops,
                              const fs::path& folder) {
  InjectedBenchmark benchmark;
  if (ops.size() > kLaunchesMax) {
    benchmark.code.why_no_hash = "an iteration makes " + std::to_string(ops.size()) + " calls";
    return benchmark;
  }
  std::vector<KernelId> kernels;
  std::set<std::string> cubins;
  KernelCounters counters;
  for (const std::size_t place : ops) {
    const InjectedOp& op = calls.ops.at(place);
    KernelLaunch launch = op.launch;
    if (op.kernel) {
      const InjectedKernel& kernel = calls.kernels.at(*op.kernel);
      launch.kernel = kernel_name(kernel.name);
      kernels.push_back({kernel.name, kernel.architecture});
      if (!kernel.cubin.empty()) cubins.insert(kernel.cubin);
      counters.most("registers", kernel.registers);
      counters.most("local_bytes", kernel.local_bytes);
      counters.same("shared_static_bytes", kernel.shared_static_bytes);
      counters.same("shared_dynamic_bytes", static_cast<double>(op.launch.shared_bytes));
      if (op.threads_per_block > 0) counters.same("threads_per_block", op.threads_per_block);
      if (op.blocks_per_sm > 0) counters.same("blocks_per_sm", op.blocks_per_sm);
    }
    benchmark.code.launches.push_back(std::move(launch));
  }
  std::vector<std::string> bytes;
  for (const auto& digest : cubins) {
    const auto path = folder / (digest + ".cubin");
    if (std::error_code missing; fs::is_regular_file(path, missing))
      bytes.push_back(read_file(path, kCubinBytesMax));
  }
  if (bytes.size() == 1) benchmark.cubin = bytes.front();
  if (!kernels.empty()) {
    auto launches = std::move(benchmark.code.launches);
    benchmark.code = MachineCode(std::move(bytes), kernels.front().architecture).code_of(kernels);
    benchmark.code.launches = std::move(launches);
    if (!benchmark.code.why_no_hash.empty()) benchmark.code.why_no_hash = "its module was not seen";
  }
  benchmark.counters = counters.values();
  return benchmark;
}

std::vector<std::string> nvbench_choice(const std::string& name) {
  const auto slash = name.rfind('/', name.find('='));
  std::vector<std::string> arguments{"-b", name.substr(0, slash)};
  if (slash == std::string::npos) return arguments;
  std::vector<std::string> axes;  // a value may have blanks
  for (const auto& word : split(name.substr(slash + 1), ' ')) {
    if (axes.empty() || word.find('=') != std::string::npos)
      axes.push_back(word);
    else
      axes.back() += " " + word;
  }
  for (const auto& axis : axes) {
    const auto equals = axis.find('=');
    if (equals == std::string::npos) continue;
    const std::string of = axis.substr(0, equals);
    const std::string value = axis.substr(equals + 1);
    const bool is_device = of == "Device";
    arguments.emplace_back(is_device ? "-d" : "-a");
    arguments.push_back(is_device                 ? value
                        : value.starts_with("2^") ? of + "[pow2]=" + value.substr(2)
                                                  : axis);
  }
  return arguments;
}

InjectedPass pass_with_injection(const InvocationSpec& spec, const fs::path& library,
                                 const std::vector<std::string>& names, double seconds_max,
                                 const LocalEnvironment& environment) {
  Pass pass(spec, library, environment);
  if (names.empty()) return pass.take();
  if (spec.flags.harness == Harness::kRows) {
    pass.look_at(names, names.size() == 1);
    return pass.take();
  }
  const auto start = std::chrono::steady_clock::now();
  bool goes_on = pass.look_at({names.front()}, true);
  if (goes_on && pass.has_ranges() && names.size() > 1) {
    pass.look_at({names.begin() + 1, names.end()}, false);
    return pass.take();
  }
  for (std::size_t i = 1; i < names.size() && goes_on; ++i) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (taken.count() > seconds_max) break;
    goes_on = pass.look_at({names[i]}, true);
  }
  return pass.take();
}

}  // namespace tracker
