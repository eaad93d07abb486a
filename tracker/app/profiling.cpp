#include "tracker/app/profiling.hpp"

#include <limits>
#include <map>

#include "tracker/app/recording.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/selection.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::app {
namespace {

// A binary whose first benchmarks all failed is not started again.
constexpr int kFailuresMax = 3;

// One benchmark to profile.
struct Subject {
  Binary binary;
  std::string name;
};

[[noreturn]] void throw_interrupted() {
  throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded");
}

class Profiling {
 public:
  Profiling(const Workspace& workspace, const ProfilingRequest& request)
      : workspace_(workspace), request_(request), profiler_(profile::ncu_version(request.ncu)) {}

  Profiled run() {
    const auto subjects = choose();
    lease(subjects);
    progress_->begin(static_cast<int>(subjects.size()));
    for (const auto& subject : subjects)
      if (!interrupted_) take(subject);
    progress_->end();
    tell_notes();
    if (interrupted_ && by_device_.empty()) throw_interrupted();
    if (by_device_.empty())
      throw Error(ExitCode::kEnvironment, "nothing was counted; nothing was recorded",
                  "docs/profiling.md says what ncu needs");
    Profiled profiled;
    if (request_.search && !interrupted_) profiled.times_s = times_of(subjects);
    profiled.failed = failed_;
    profiled.interrupted = interrupted_;
    for (auto& [device, profile] : by_device_) profiled.profiles.push_back(std::move(profile));
    return profiled;
  }

 private:
  // Counting takes one GPU, and disturbs whoever measures there.
  void lease(const std::vector<Subject>& subjects) {
    measure::Target target{"", workspace_.root(), {}};
    for (const auto& subject : subjects) target.binaries.push_back(subject.binary);
    MeasureRequest one;
    if (!workspace_.config().measure.gpus.empty()) one.gpus = "1";
    leased_ = lease_for(workspace_, {target}, one);
  }

  measure::InvocationSpec spec_for(const Binary& binary) const {
    measure::InvocationSpec spec;
    spec.visible_gpus = leased_.visible_gpus;
    if (!leased_.groups.empty() && !leased_.groups.front().empty())
      spec.board = leased_.groups.front().front();
    spec.root = workspace_.root();
    spec.binary = binary;
    spec.timeout_s = workspace_.config().measure.timeout_s;
    return spec;
  }

  std::vector<Subject> choose() {
    std::vector<Subject> subjects;
    measure::NameClaims claims;
    const auto all = named_binaries(request_.binaries, workspace_.config(), workspace_.root());
    for (const auto& binary : measure::binaries_here(all, workspace_.root(), workspace_.machine())) {
      const auto listed = measure::list_benchmarks(spec_for(binary));
      if (listed.stopped) throw_interrupted();
      if (!listed.names) {
        failed_ = true;
        note(in_quotes(binary.path) + " cannot list its benchmarks: none of them is profiled");
        continue;
      }
      claims.claim(0, binary, *listed.names);
      for (const auto& name : *listed.names)
        if (means_any(request_.globs, name)) subjects.push_back({binary, name});
    }
    if (!subjects.empty()) return subjects;
    tell_notes();
    if (failed_)
      throw Error(ExitCode::kEnvironment, "no benchmark to profile",
                  "start the binary by hand with --benchmark_list_tests=true: it says why it cannot");
    throw Error(ExitCode::kUsage, "no benchmark matches " + in_quotes(join(request_.globs, "' or '")),
                "the binaries list theirs with --benchmark_list_tests=true");
  }

  void take(const Subject& subject) {
    if (failures_[subject.binary.path] >= kFailuresMax) return progress_->skip_step();
    progress_->start_step(subject.name);
    const TemporaryDirectory folder;
    const auto results = folder.path() / "results.json";
    measure::InvocationSpec spec = spec_for(subject.binary);
    const auto filter = measure::filter_for(subject.binary, {subject.name});
    if (!filter) {
      note_failure(subject, "has a name too long for a filter", "");
      return progress_->end_step();
    }
    spec.filter = *filter;
    const auto started = std::chrono::system_clock::now();
    const profile::NcuOutcome outcome = profile::run_under_ncu(process_of(spec, results), options());
    interrupted_ = outcome.stopped;
    if (interrupted_) return;
    progress_->end_step();
    if (outcome.launches.empty()) return note_nothing(subject, outcome);
    add(subject, outcome, results, started);
  }

  // One process a binary, as `run` starts it: what ncu says of time is none.
  profile::TimesS times_of(const std::vector<Subject>& subjects) {
    std::map<std::string, std::vector<std::string>> names;  // by the binary's path
    for (const auto& subject : subjects) names[subject.binary.path].push_back(subject.name);
    profile::TimesS times_s;
    for (const auto& subject : subjects) {
      const auto found = names.find(subject.binary.path);
      if (found == names.end()) continue;
      for (const auto& [name, time_s] : timed(subject.binary, found->second)) times_s[name] = time_s;
      names.erase(found);
    }
    return times_s;
  }

  profile::TimesS timed(const Binary& binary, const std::vector<std::string>& names) {
    const TemporaryDirectory folder;
    measure::InvocationSpec spec = spec_for(binary);
    const auto filter = measure::filter_for(binary, names);
    if (!filter) {
      failed_ = true;
      workspace_.note(in_quotes(binary.path) +
                      " was not timed: its benchmarks' names are too long for one filter");
      return {};
    }
    spec.filter = *filter;
    spec.flags = measure::list_benchmarks(spec).flags;
    spec.output = folder.path() / "times.json";
    const measure::InvocationOutcome outcome = measure::invoke(spec, workspace_.machine());
    if (outcome.stopped) throw_interrupted();
    if (!outcome.file) {
      failed_ = true;
      workspace_.note(in_quotes(binary.path) + " was not timed: it " + outcome.failure);
      return {};
    }
    profile::TimesS times_s;
    for (const auto& [name, samples] : outcome.file->invocation.samples)
      if (!samples.real_time_ns.empty()) times_s[name] = stats::median(samples.real_time_ns) * 1e-9;
    return times_s;
  }

  profile::NcuOptions options() const {
    profile::NcuOptions options = request_.ncu;
    options.skip_kernels = workspace_.config().profile.skip_kernels;
    return options;
  }

  // One repetition of one iteration, where the binary leaves that open. Launches wait for one another, as
  // they do under ncu: what would hold a stream back until the host lets it go has to find that out first.
  ProcessSpec process_of(const measure::InvocationSpec& spec, const std::filesystem::path& results) {
    ProcessSpec process =
        measure::process_for(spec, {"--benchmark_out=" + results.string(), "--benchmark_out_format=json",
                                    "--benchmark_repetitions=1", "--benchmark_min_time=0.001"});
    process.environment["CUDA_LAUNCH_BLOCKING"] = "1";
    process.keep_going = [this] {
      progress_->tick();
      return !interrupted();
    };
    return process;
  }

  void note(const std::string& text, const std::vector<std::string>& lines = {}) {
    notes_.emplace_back(text, lines);
  }

  void tell_notes() {
    for (const auto& [text, lines] : notes_) workspace_.note(text, lines);
  }

  void note_failure(const Subject& subject, const std::string& what, const std::string& last_output) {
    failed_ = true;
    std::vector<std::string> lines = split(last_output, '\n');
    std::erase(lines, "");
    for (auto& line : lines) line.insert(0, "  | ");
    note("benchmark " + in_quotes(subject.name) + " " + what, lines);
    if (++failures_[subject.binary.path] == kFailuresMax)
      note(in_quotes(subject.binary.path) + " failed " + std::to_string(kFailuresMax) +
           " times and counted nothing: it was not started again");
  }

  void note_nothing(const Subject& subject, const profile::NcuOutcome& outcome) {
    if (outcome.failure.starts_with("launches"))
      note("benchmark " + in_quotes(subject.name) + " " + outcome.failure);
    else
      note_failure(subject, outcome.failure, outcome.last_output);
  }

  void add(const Subject& subject, const profile::NcuOutcome& outcome, const std::filesystem::path& results,
           std::chrono::system_clock::time_point started) {
    formats::BenchmarkFile file;
    try {
      file = formats::read_google_benchmark(results);
    } catch (const Error& error) {
      return note_failure(subject, "ended well, but its results cannot be used: " + std::string(error.what()),
                          "");
    }
    std::vector<std::string> stated;
    for (const auto& benchmark : file.benchmarks) {
      if (benchmark.error) return note_failure(subject, "reported: " + *benchmark.error, "");
      if (benchmark.code)
        for (const auto& launch : benchmark.code->launches) stated.push_back(launch.kernel);
    }
    const auto counted = profile::choose_kernel(subject.name, outcome.launches, stated);
    if (!counted) return;
    failures_[subject.binary.path] = std::numeric_limits<int>::min();  // it works: whatever fails is its own
    Profile& profile = profile_for(subject, file);
    if (profile.started_at.empty()) profile.started_at = format_utc(started);
    profile.benchmarks.push_back(*counted);
  }

  // The one of the device that the file states, or that this machine has.
  Profile& profile_for(const Subject& subject, const formats::BenchmarkFile& file) {
    const Device device = file.device ? *file.device : workspace_.machine().device_for(subject.binary.device);
    const auto [place, added] = by_device_.try_emplace(device_key(device));
    Profile& profile = place->second;
    if (!added) return profile;
    const Software known = workspace_.machine().software();
    profile.id = id_;
    profile.commit = commit_;
    profile.dirty = dirty_;
    profile.profiler = profiler_;
    profile.device = device;
    profile.software = file.software;
    if (!profile.software.driver) profile.software.driver = known.driver;
    if (!profile.software.cuda_driver) profile.software.cuda_driver = known.cuda_driver;
    return profile;
  }

  const Workspace& workspace_;
  const ProfilingRequest& request_;
  std::string profiler_;
  measure::LeasedBoards leased_;
  std::unique_ptr<measure::Progress> progress_ = workspace_.observer().progress();
  std::string id_ = new_job_id();
  std::string commit_ = workspace_.repository().resolve("HEAD").id;
  bool dirty_ = workspace_.repository().is_dirty();
  std::map<std::string, Profile> by_device_;
  std::map<std::string, int> failures_;  // by the binary's path
  // Printed at the end, below the progress, with what the program printed last.
  std::vector<std::pair<std::string, std::vector<std::string>>> notes_;
  bool failed_ = false;
  bool interrupted_ = false;
};

}  // namespace

Profiled profile_benchmarks(const Workspace& workspace, const ProfilingRequest& request) {
  return Profiling(workspace, request).run();
}

}  // namespace tracker::app
