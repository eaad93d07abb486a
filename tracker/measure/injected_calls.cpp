#include "tracker/measure/injected_calls.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLinesBytesMax = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kCubinBytesMax = std::uintmax_t{1} << 30;
// An iteration of more is described by none: its list would be as long in every report.
constexpr std::size_t kLaunchesMax = 64;

std::size_t ops_in(const formats::InjectedCalls& calls) {
  std::size_t count = 0;
  for (const auto& range : calls.ranges)
    for (const auto& repeated : range.ops) count += repeated.ops.size() * repeated.times;
  return count;
}

// Of the processes that wrote lines there, the one that did most: a script may start others. `working`: how
// many did something.
std::optional<formats::InjectedCalls> read_calls(const fs::path& folder, std::size_t& working) {
  std::optional<formats::InjectedCalls> most;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() != ".ndjson") continue;
    auto calls =
        formats::parse_injection_lines(read_file(entry.path(), kLinesBytesMax), entry.path().string());
    working += ops_in(calls) > 0 ? 1 : 0;
    if (!most || ops_in(calls) > ops_in(*most)) most = std::move(calls);
  }
  return most;
}

// One execution with the library in it.
struct Looked {
  formats::InjectedCalls calls;
  std::map<std::string, std::int64_t> iterations;  // by benchmark
  std::string failure;
  bool uses_cuda = true;    // false: it ended well, and the library was not loaded
  std::size_t working = 0;  // processes that did something on the device
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
    auto calls = read_calls(folder, looked.working);
    looked.failure = calls ? calls->failure : "it does not use CUDA, or the driver did not load the library";
    looked.uses_cuda = calls.has_value();
    if (calls) looked.calls = std::move(*calls);
  } catch (const Error& error) {
    looked.failure = error.what();
  }
  return looked;
}

// Nothing where the library did not see the module.
std::optional<std::string> cubin_of(const fs::path& folder, const std::string& digest) {
  const auto path = folder / (digest + ".cubin");
  std::error_code missing;
  if (digest.empty() || !fs::is_regular_file(path, missing)) return {};
  return read_file(path, kCubinBytesMax);
}

bool has_range_of(const formats::InjectedCalls& calls, const std::string& benchmark) {
  return std::ranges::any_of(calls.ranges, [&](const formats::InjectedRange& range) {
    return formats::is_range_of(range, benchmark);
  });
}

// Enqueued, and nobody waits for it: what the host does besides is not in the time. Bytes that are not known
// may be others.
bool is_of_the_device(const formats::InjectedOp& op) {
  const auto& words = op.launch.kernel;
  return op.kernel || words.starts_with("memset of ") ||
         (words.starts_with("copy of ") && words.ends_with(" on the device"));
}

class Pass {
 public:
  Pass(const InvocationSpec& spec, const fs::path& library, const LocalEnvironment& environment)
      : spec_(spec), library_(library), environment_(environment) {}

  InjectedPass run(const std::vector<std::string>& names, double seconds_max) {
    if (names.empty()) return pass_;
    if (spec_.flags.harness == Harness::kRows) {
      look_at(names, names.size() == 1);
      return pass_;
    }
    const auto start = std::chrono::steady_clock::now();
    bool goes_on = look_at({names.front()}, true);
    if (goes_on && has_ranges_ && names.size() > 1) {
      look_at({names.begin() + 1, names.end()}, false);
      return pass_;
    }
    for (std::size_t i = 1; i < names.size() && goes_on; ++i) {
      if (is_of_the_host()) {
        pass_.looked_at = names;
        pass_.without_cuda = names.size();
        break;
      }
      if (seconds_since(start) > seconds_max) break;
      goes_on = look_at({names[i]}, true);
    }
    return pass_;
  }

 private:
  // Of one process; false where nothing more is to be started.
  bool look_at(const std::vector<std::string>& names, bool is_alone) {
    const TemporaryDirectory folder;
    InvocationSpec spec = spec_;
    if (spec.flags.harness == Harness::kNvbench) {
      spec.binary.arguments =
          nvbench_choice(names.front().substr(spec.binary.prefix.size()), spec.binary.arguments);
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
    if (!looked.uses_cuda) ++pass_.without_cuda;
    if (!looked.failure.empty()) return true;
    for (const auto& name : names) add(looked, name, is_alone, folder.path());
    return true;
  }

  // A program of the CPU on a machine with a GPU.
  bool is_of_the_host() const {
    constexpr std::size_t kEnough = 3;
    return pass_.without_cuda >= kEnough && pass_.without_cuda == pass_.looked_at.size();
  }

  void add(const Looked& looked, const std::string& name, bool is_alone, const fs::path& folder) {
    const std::string own = name.substr(spec_.binary.prefix.size());
    const bool is_named = has_range_of(looked.calls, own);
    has_ranges_ = has_ranges_ || is_named;
    if (!is_named && !is_alone) {
      pass_.failure = "several benchmarks share a process, and no NVTX range has the name of one";
      return;
    }
    const auto counted = looked.iterations.find(name);
    const std::int64_t iterations = counted == looked.iterations.end() ? 0 : counted->second;
    const auto ops = formats::ops_of_iteration(looked.calls, own, iterations);
    if (ops.empty()) {
      pass_.failure = "nothing that it launches repeats with its iterations";
      return;
    }
    auto& found = pass_.benchmarks[name] = code_of_ops(looked.calls, ops, folder);
    if (looked.working == 1) found.whole = whole_of(looked.calls, own, iterations, folder);
  }

  const InvocationSpec& spec_;
  const fs::path& library_;
  const LocalEnvironment& environment_;
  bool has_ranges_ = false;
  InjectedPass pass_;
};

}  // namespace

InjectedBenchmark code_of_ops(const formats::InjectedCalls& calls, const std::vector<std::size_t>& ops,
                              const fs::path& folder) {
  InjectedBenchmark benchmark;
  if (ops.size() > kLaunchesMax) {
    benchmark.code.why_no_hash = "an iteration makes " + std::to_string(ops.size()) + " calls";
    return benchmark;
  }
  std::vector<machine_code::KernelId> kernels;
  std::set<std::string> cubins;
  auto& counters = benchmark.counters;
  std::set<std::string> different;  // counters of which the kernels have several values
  const auto add_most = [&](const char* name, double value) {
    const auto found = counters.try_emplace(name, value).first;
    found->second = std::max(found->second, value);
  };
  const auto add_same = [&](const char* name, double value) {
    if (counters.try_emplace(name, value).first->second != value) different.insert(name);
  };
  for (const std::size_t place : ops) {
    const formats::InjectedOp& op = calls.ops.at(place);
    KernelLaunch launch = op.launch;
    if (op.kernel) {
      const formats::InjectedKernel& kernel = calls.kernels.at(*op.kernel);
      launch.kernel = machine_code::kernel_name(kernel.name);
      kernels.push_back({kernel.name, kernel.architecture});
      cubins.insert(kernel.cubin);
      add_most("registers", kernel.registers);
      add_most("local_bytes", kernel.local_bytes);
      add_same("shared_static_bytes", kernel.shared_static_bytes);
      add_same("shared_dynamic_bytes", static_cast<double>(op.launch.shared_bytes));
      if (op.threads_per_block > 0) add_same("threads_per_block", op.threads_per_block);
      if (op.blocks_per_sm > 0) add_same("blocks_per_sm", op.blocks_per_sm);
    }
    benchmark.code.launches.push_back(std::move(launch));
  }
  for (const auto& name : different) counters.erase(name);
  std::vector<std::string> bytes;
  for (const auto& digest : cubins)
    if (auto cubin = cubin_of(folder, digest)) bytes.push_back(std::move(*cubin));
  if (bytes.size() == 1) benchmark.cubin = bytes.front();
  if (kernels.empty()) return benchmark;
  const bool all_seen = bytes.size() == cubins.size();
  Code code;
  if (all_seen)
    code = machine_code::MachineCode(std::move(bytes), kernels.front().architecture).code_of(kernels);
  if (!all_seen || !code.why_no_hash.empty()) code.why_no_hash = "its module was not seen";
  code.launches = std::move(benchmark.code.launches);
  benchmark.code = std::move(code);
  return benchmark;
}

std::string whole_of(const formats::InjectedCalls& calls, const std::string& benchmark,
                     std::int64_t iterations, const fs::path& folder) {
  constexpr std::size_t kWindowsMax = 64;  // the library writes no more of a range
  if (!calls.is_whole || iterations < 1) return {};
  std::map<std::string, std::optional<machine_code::MachineCode>> modules;
  // In words, with the code that it launches; empty where that is not known.
  const auto told = [&](const formats::InjectedOp& op) {
    std::string code;
    if (op.kernel) {
      const formats::InjectedKernel& kernel = calls.kernels.at(*op.kernel);
      auto& module = modules[kernel.cubin];
      if (!module)
        if (auto cubin = cubin_of(folder, kernel.cubin))
          module.emplace(std::vector{std::move(*cubin)}, kernel.architecture);
      if (module) code = module->code_of({{kernel.name, kernel.architecture}}).hash;
      if (code.empty()) return std::string();
      code += " " + std::to_string(kernel.registers) + " " + std::to_string(op.blocks_per_sm);
    }
    return join({op.launch.kernel, code, op.launch.grid, op.launch.block, op.launch.cluster,
                 std::to_string(op.launch.shared_bytes)},
                "\t");
  };
  const bool has_own = has_range_of(calls, benchmark);
  std::set<std::string> all;  // how often each comes is the number of iterations
  std::int64_t timed = 0;
  for (const auto& range : calls.ranges) {
    const bool is_own = !has_own || formats::is_range_of(range, benchmark);
    if (!is_own && !range.names.empty()) continue;  // what lies outside of all ranges may set it up
    if (range.windows.size() >= kWindowsMax) return {};
    for (const auto& repeated : range.ops)
      for (const std::size_t op : repeated.ops) {
        const std::string words = told(calls.ops.at(op));
        if (words.empty()) return {};
        all.insert(words);
      }
    for (const auto& window : range.windows) {
      if (window.ops.empty() || !is_own) continue;
      timed += static_cast<std::int64_t>(window.count);
      std::string words = "timed";
      for (const auto& repeated : window.ops) {
        words += "\n" + std::to_string(repeated.times);
        for (const std::size_t op : repeated.ops) {
          if (!is_of_the_device(calls.ops.at(op))) return {};
          words += "\n" + told(calls.ops.at(op));
        }
      }
      all.insert(words);
    }
  }
  if (timed < iterations) return {};
  machine_code::Digest digest;
  for (const auto& words : all) digest.add_counted(words);
  return digest.text();
}

std::vector<std::string> nvbench_choice(const std::string& name, const std::vector<std::string>& own) {
  constexpr std::array<std::string_view, 4> kChoosing{"-b", "--benchmark", "-a", "--axis"};
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (std::ranges::find(kChoosing, own[i]) != kChoosing.end())
      ++i;  // and what it chooses
    else
      arguments.push_back(own[i]);
  const auto slash = name.rfind('/', name.find('='));
  arguments.insert(arguments.end(), {"-b", name.substr(0, slash)});
  std::vector<std::string> axes;  // a value may have blanks
  const std::string words = slash == std::string::npos ? "" : name.substr(slash + 1);
  for (const auto& word : split(words, ' ')) {
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
  arguments.emplace_back("--profile");
  return arguments;
}

InjectedPass pass_with_injection(const InvocationSpec& spec, const fs::path& library,
                                 const std::vector<std::string>& names, double seconds_max,
                                 const LocalEnvironment& environment) {
  return Pass(spec, library, environment).run(names, seconds_max);
}

}  // namespace tracker::measure
