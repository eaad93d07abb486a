#include "tracker/judge/verdict/not_comparable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/judge/explain/side_facts.hpp"
#include "tracker/model/method_suffix.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

using Version = std::array<int, 4>;  // the last: commits after the release

// "1.9.5-40-g0123abc" → {1, 9, 5, 40}
Version version_of(std::string_view text) {
  Version version{};
  for (std::size_t i = 0; i < version.size() && !text.empty(); ++i) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), version[i]);
    if (failure != std::errc{}) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);
    if (i == 1 && !text.empty() && !(text[0] >= '0' && text[0] <= '9')) break;
  }
  return version;
}

bool has_threads(const Benchmark& benchmark, const Metric& metric) {
  const bool by_real_time =
      metric.name == "real_time" ||
      (!metric.unit.empty() && metric.name != "cpu_time" && benchmark.time_base != TimeBase::kCpu);
  return by_real_time && thread_count(benchmark.name) > 1;
}

bool is_of_allocations(const Benchmark& /*benchmark*/, const Metric& metric) {
  constexpr std::array<std::string_view, 4> kCounters{"allocs_per_iter", "max_bytes_used",
                                                      "total_allocated_bytes", "net_heap_growth"};
  return std::find(kCounters.begin(), kCounters.end(), metric.name) != kCounters.end();
}

// What a release of Google Benchmark changed in the meaning of a number.
struct MeaningChange {
  Version since;
  bool (*concerns)(const Benchmark& benchmark, const Metric& metric);
  const char* what;
  const char* earlier;  // the releases without it, and with it
  const char* later;
};
const MeaningChange kMeaningChanges[] = {
    // https://github.com/google/benchmark/pull/1836: real time is no longer divided by the number of threads.
    {{1, 9, 0, 0},
     has_threads,
     "which count the time of several threads differently",
     "before 1.9.0",
     "1.9.0 or later"},
    // https://github.com/google/benchmark/pull/2276: allocations of the set-up are no longer counted.
    {{1, 9, 5, 1}, is_of_allocations, "which count allocations differently", "up to 1.9.5", "after 1.9.5"},
};

// A repetition of one side is so many times longer than the other's where each ran as long as it was told to:
// then they were told otherwise (--benchmark_min_time).
constexpr double kLengthsApart = 4;
// A clock that differs by this share is of a board that was held down, where throttling says so; and by that,
// where the board does not say why.
constexpr double kThrottledClockShare = 0.03;
constexpr double kOtherClockShare = 0.25;
constexpr double kCycleShare = 0.3;       // of a cycle of the stated clock, which may be boosted
constexpr double kShortestCycleNs = 0.1;  // where no clock is stated: 10 GHz

Reason otherwise(const std::string& what) {
  return {ReasonCode::kMeasuredOtherwise, {{"text", what}}};
}

const Run& newest(const MeasuredSide& side) {
  return side.runs.back();
}

std::string library_of(const MeasuredSide& side) {
  return software_of(newest(side), side.benchmark).library.value_or("");
}

constexpr char kLibrary[] = "Google Benchmark";

// Suffixes that only say how often the same was measured.
bool is_of_no_account(const std::string& attribute) {
  return attribute == "repeats";
}

std::optional<Reason> other_method(const MeasuredSide& base, const MeasuredSide& candidate) {
  const std::string apart =
      methods_apart(method_of(base.benchmark, "", {}), method_of(candidate.benchmark, "", {}));
  if (apart.empty()) return {};
  return otherwise(apart);
}

// Of repetitions whose number of iterations the library chose: how many, and how long one was, as medians.
struct Repetition {
  double iterations = 0;
  double length_ns = 0;
};
std::optional<Repetition> repetition_of(const MeasuredSide& side) {
  std::vector<double> iterations;
  std::vector<double> lengths;
  for (const auto& run : side.runs)
    for (const auto& invocation : run.invocations) {
      const auto found = invocation.samples.find(side.benchmark.name);
      if (invocation.excluded || found == invocation.samples.end()) continue;
      const Samples& samples = found->second;
      const auto& times =
          side.benchmark.time_base == TimeBase::kCpu ? samples.cpu_time_ns : samples.real_time_ns;
      for (std::size_t i = 0; i < std::min(times.size(), samples.iterations.size()); ++i) {
        iterations.push_back(static_cast<double>(samples.iterations[i]));
        lengths.push_back(iterations.back() * times[i]);
      }
    }
  if (lengths.empty()) return {};
  return Repetition{stats::median(iterations), stats::median(lengths)};
}

std::optional<Reason> other_length(const MeasuredSide& base, const MeasuredSide& candidate) {
  const auto before = repetition_of(base);
  const auto now = repetition_of(candidate);
  if (!before || !now || before->iterations == now->iterations) return {};
  const auto& longer = before->length_ns > now->length_ns ? *before : *now;
  const auto& shorter = before->length_ns > now->length_ns ? *now : *before;
  // A single long iteration takes as long as it takes.
  constexpr double kIterationsMin = 10;
  if (longer.iterations < kIterationsMin || !(longer.length_ns > kLengthsApart * shorter.length_ns))
    return {};
  return otherwise("iterations " + format_plain(before->iterations) + " → " + format_plain(now->iterations) +
                   ", so that a repetition takes " + format_quantity(before->length_ns * 1e-9, "s") + " → " +
                   format_quantity(now->length_ns * 1e-9, "s"));
}

std::optional<Reason> other_meaning(const MeasuredSide& base, const MeasuredSide& candidate,
                                    const Gate& gate) {
  const std::string words =
      meaning_changed(library_of(base), library_of(candidate), candidate.benchmark, gate.metric);
  if (words.empty()) return {};
  return otherwise(words);
}

// Of a GPU's benchmark, the processor beside it is no part of what is measured.
std::optional<Reason> other_machine(const MeasuredSide& base, const MeasuredSide& candidate) {
  if (newest(candidate).device.kind != DeviceKind::kCpu) return {};
  std::string apart;
  for (const auto& one : base.runs)
    for (const auto& other : candidate.runs)
      if (apart = machines_apart(one.host, other.host); apart.empty()) return {};
  return Reason{ReasonCode::kOtherMachine, {{"text", apart}}};
}

bool is_held_down(const SeenConditions& seen) {
  return seen.invocations > 0 &&
         std::any_of(seen.throttle_reasons.begin(), seen.throttle_reasons.end(), [&](const auto& reason) {
           return reason.first != "power_cap" && reason.second == seen.invocations;
         });
}

std::optional<Reason> ill_board(const MeasuredSide& base, const MeasuredSide& candidate, const Gate& gate) {
  const SeenConditions before = seen_conditions(base.runs, base.benchmark.name);
  const SeenConditions now = seen_conditions(candidate.runs, candidate.benchmark.name);
  if (!before.core_clock_mhz || !now.core_clock_mhz) return {};
  const bool base_is_lower = *before.core_clock_mhz < *now.core_clock_mhz;
  const SeenConditions& lower = base_is_lower ? before : now;
  const double low = *lower.core_clock_mhz;
  const double high = std::max(*before.core_clock_mhz, *now.core_clock_mhz);
  const bool at_cap = lower.throttle_reasons.count("power_cap") > 0 || gate.same_clock;
  const double margin = is_held_down(lower) ? kThrottledClockShare : at_cap ? 1 : kOtherClockShare;
  if (high - low <= margin * high) return {};
  std::vector<std::string> held_by;
  for (const auto& [reason, count] : lower.throttle_reasons) held_by.push_back(reason);
  return Reason{ReasonCode::kHeldDown,
                {{"side", base_is_lower ? "base" : "candidate"},
                 {"mhz", format_plain(std::round(low)) + " of " + format_plain(std::round(high)) + " MHz"},
                 {"invocations", lower.invocations},
                 {"held_by", join(held_by, ", ")}}};
}

// What works on the GPU beside one side alone looks like a change of the code.
std::optional<Reason> shared_board(const MeasuredSide& base, const MeasuredSide& candidate) {
  constexpr double kApart = 0.5;  // of the invocations
  const SeenConditions before = seen_conditions(base.runs, base.benchmark.name);
  const SeenConditions now = seen_conditions(candidate.runs, candidate.benchmark.name);
  const auto share = [](const SeenConditions& seen) {
    return seen.invocations == 0 ? 0.0 : static_cast<double>(seen.shared) / seen.invocations;
  };
  if (std::abs(share(before) - share(now)) <= kApart) return {};
  const bool is_base = share(before) > share(now);
  const SeenConditions& shared = is_base ? before : now;
  return Reason{ReasonCode::kSharedBoard,
                {{"side", is_base ? "base" : "candidate"},
                 {"shared", shared.shared},
                 {"invocations", shared.invocations},
                 {"other", (is_base ? now : before).shared}}};
}

std::optional<Reason> impossible_time(const MeasuredSide& side, const char* name) {
  if (side.benchmark.time_base == TimeBase::kNone) return {};
  std::vector<double> times;
  for (const auto& run : side.runs)
    for (const auto& invocation : run.invocations)
      if (const auto found = invocation.samples.find(side.benchmark.name);
          found != invocation.samples.end() && !invocation.excluded) {
        const auto& own = side.benchmark.time_base == TimeBase::kCpu ? found->second.cpu_time_ns
                                                                     : found->second.real_time_ns;
        times.insert(times.end(), own.begin(), own.end());
      }
  if (times.empty()) return {};
  const Run& run = newest(side);
  const bool of_cpu = run.device.kind == DeviceKind::kCpu;
  const double mhz = of_cpu ? run.host.cpu_mhz.value_or(0) : run.device.core_clock_mhz.value_or(0);
  const double cycle_ns = mhz > 0 ? kCycleShare * 1000 / mhz : kShortestCycleNs;
  const double typical = stats::median(times);
  if (typical >= cycle_ns / thread_count(side.benchmark.name)) return {};
  return Reason{ReasonCode::kImpossibleTime, {{"side", name}, {"time_ns", typical}}};
}

}  // namespace

std::string meaning_changed(const std::string& base_library, const std::string& candidate_library,
                            const Benchmark& benchmark, const Metric& metric) {
  if (base_library.empty() || candidate_library.empty()) return "";
  const Version before = version_of(base_library);
  const Version now = version_of(candidate_library);
  for (const auto& change : kMeaningChanges)
    if ((before < change.since) != (now < change.since) && change.concerns(benchmark, metric))
      return "Google Benchmark " + base_library + " → " + candidate_library + ", " + change.what;
  return "";
}

std::optional<Reason> machine_changed_between(const std::vector<Waiver>& changes,
                                              const Benchmark& benchmark) {
  for (const auto& change : changes)
    if (means_benchmark(change.match, benchmark.name, printed_name(benchmark)))
      return Reason{ReasonCode::kOtherMachine,
                    {{"text", change.reason + (change.granted.empty() ? "" : " (tracker.toml)")}}};
  return {};
}

std::string method_of(const Benchmark& benchmark, const std::string& library, const Metric& metric) {
  std::string method;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) method += name + "\t" + value + "\n";
  };
  add("unit", benchmark.unit);
  add("better", benchmark.better);
  for (const auto& [name, value] : benchmark.attributes)
    if (!is_of_no_account(name)) add(name, value.empty() ? "set" : value);
  if (library.empty()) return method;
  const Version version = version_of(library);
  for (const auto& change : kMeaningChanges)
    if (change.concerns(benchmark, metric))
      add(kLibrary, version < change.since ? change.earlier : change.later + std::string(", ") + change.what);
  return method;
}

std::string methods_apart(const std::string& before, const std::string& after) {
  if (before == after) return "";
  std::vector<std::string> names;  // in the order of method_of()
  std::map<std::string, std::pair<std::string, std::string>> values;
  const auto read = [&](const std::string& method, std::string std::pair<std::string, std::string>::*side) {
    for (const auto& line : split(method, '\n')) {
      const std::size_t tab = line.find('\t');
      if (tab == std::string::npos) continue;
      const auto [found, is_new] = values.try_emplace(line.substr(0, tab));
      if (is_new) names.push_back(found->first);
      found->second.*side = line.substr(tab + 1);
    }
  };
  read(before, &std::pair<std::string, std::string>::first);
  read(after, &std::pair<std::string, std::string>::second);
  std::vector<std::string> parts;
  for (const auto& name : names) {
    const auto& [was, is] = values[name];
    if (was == is || (name == kLibrary && (was.empty() || is.empty()))) continue;
    parts.push_back(name + " " + (was.empty() ? "not set" : was) + " → " + (is.empty() ? "not set" : is));
  }
  return join(parts, ", ");
}

std::optional<Reason> why_not_comparable(const MeasuredSide& base, const MeasuredSide& candidate,
                                         const Gate& gate) {
  if (auto reason = other_meaning(base, candidate, gate)) return reason;
  if (base.exact && candidate.exact) return {};
  if (auto reason = other_machine(base, candidate)) return reason;
  if (auto reason = ill_board(base, candidate, gate)) return reason;
  if (auto reason = shared_board(base, candidate)) return reason;
  if (auto reason = impossible_time(base, "base")) return reason;
  if (auto reason = impossible_time(candidate, "candidate")) return reason;
  if (auto reason = other_method(base, candidate)) return reason;
  return other_length(base, candidate);
}

}  // namespace tracker
