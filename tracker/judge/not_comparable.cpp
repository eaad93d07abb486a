#include "tracker/judge/not_comparable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
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
  return std::ranges::find(kCounters, metric.name) != kCounters.end();
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
// The power cap takes no board below this share of its clock, and nothing is said of one that is held there.
constexpr double kHeldBelowShare = 0.5;
constexpr double kCycleShare = 0.3;       // of a cycle of the stated clock, which may be boosted
constexpr double kShortestCycleNs = 0.1;  // where no clock is stated: 10 GHz

Reason otherwise(const std::string& what) {
  return {ReasonCode::kMeasuredOtherwise, {{"text", what}}};
}

std::string library_of(const SideEvidence& side) {
  return software_of(side.runs.back(), *side.newest()).library.value_or("");
}

constexpr char kLibrary[] = "Google Benchmark";

// Suffixes that only say how often the same was measured.
bool is_of_no_account(const std::string& attribute) {
  return attribute == "repeats";
}

std::optional<Reason> other_method(const BenchmarkEvidence& e) {
  const std::string apart =
      methods_apart(method_of(*e.base.newest(), "", {}), method_of(*e.candidate.newest(), "", {}));
  if (apart.empty()) return {};
  return otherwise(apart);
}

Repetition repetition_of(const SideEvidence& side) {
  Repetition all;
  for (const auto& [run, benchmark, samples] : side.seen) {
    IterationRange range;
    for (const Samples* one : samples)
      if (one != nullptr)
        for (const std::int64_t count : one->iterations)
          range = {range.most == 0 ? count : std::min(range.fewest, count), std::max(range.most, count)};
    if (range.most == 0) continue;
    const auto fewest = static_cast<double>(range.fewest);
    all.fewest = all.most > 0 ? std::min(all.fewest, fewest) : fewest;
    all.most = std::max(all.most, static_cast<double>(range.most));
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (samples[i] != nullptr && !run->invocations[i].excluded)
        for (const double time : times_of_base(*samples[i], side.newest()->time_base))
          all.time_ns = all.time_ns > 0 ? std::min(all.time_ns, time) : time;
  }
  return all;
}

// Those of a summary are known to a tenth.
std::string in_two_digits(double count) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(count, 1.0))) - 1));
  return format_plain(std::round(count / unit) * unit);
}

std::optional<Reason> other_length(const BenchmarkEvidence& e) {
  const Repetition before = repetition_of(e.base);
  const Repetition now = repetition_of(e.candidate);
  if (!lengths_apart(before, now)) return {};
  return otherwise("iterations about " + in_two_digits(before.most) + " → " + in_two_digits(now.most) +
                   ", so that a repetition takes " + format_quantity(length_ns(before) * 1e-9, "s") + " → " +
                   format_quantity(length_ns(now) * 1e-9, "s"));
}

std::optional<Reason> other_count(const BenchmarkEvidence& e) {
  if (e.gate.metric.statistic == Statistic::kMedian) return {};
  const auto count_of = [](const SideEvidence& side) {
    std::vector<double> counts;
    each_counted(side, [&](const RunEvidence&, const Invocation&, const Samples& samples) {
      counts.push_back(static_cast<double>(repetition_count(samples)));
    });
    return counts.empty() ? 0 : stats::median(counts);
  };
  const double before = count_of(e.base);
  const double now = count_of(e.candidate);
  if (!counts_apart(e.gate.metric, before, now)) return {};
  return otherwise(std::string(kRepetitions) + " " + format_plain(before) + " → " + format_plain(now));
}

// What the release of Google Benchmark on each side makes of the metric, where both do not mean the same.
std::optional<Reason> other_meaning(const BenchmarkEvidence& e) {
  const std::string base = library_of(e.base);
  const std::string candidate = library_of(e.candidate);
  if (base.empty() || candidate.empty()) return {};
  const Version before = version_of(base);
  const Version now = version_of(candidate);
  for (const auto& change : kMeaningChanges)
    if ((before < change.since) != (now < change.since) &&
        change.concerns(*e.candidate.newest(), e.gate.metric))
      return otherwise("Google Benchmark " + base + " → " + candidate + ", " + change.what);
  return {};
}

// Of a GPU's benchmark, the processor beside it is no part of what is measured.
std::optional<Reason> other_machine(const BenchmarkEvidence& e) {
  if (e.candidate.runs.back().device.kind != DeviceKind::kCpu) return {};
  std::string apart;
  for (const auto& one : e.base.runs)
    for (const auto& other : e.candidate.runs)
      if (apart = machines_apart(one.host, other.host); apart.empty()) return {};
  return Reason{ReasonCode::kOtherMachine, {{"text", apart}}};
}

// Where tracker.toml says that the machine changed between two sides of different jobs.
std::optional<Reason> stated_change(const std::vector<Waiver>& changes, const Benchmark& benchmark) {
  for (const auto& change : changes)
    if (means_benchmark(change.match, benchmark.name, printed_name(benchmark)))
      return Reason{ReasonCode::kOtherMachine,
                    {{"text", change.reason + (change.granted.empty() ? "" : " (tracker.toml)")}}};
  return {};
}

// In all invocations, by something that a healthy board does not meet.
bool is_held_down(const SeenConditions& seen) {
  return seen.invocations > 0 && std::ranges::any_of(seen.throttle_reasons, [&](const auto& reason) {
           return reason.first != "power_cap" && reason.first != "sync_boost" &&
                  reason.second == seen.invocations;
         });
}

// `side`: "base", "candidate" or "both". Of the clocks those below `least_mhz` count as held down.
Reason held_down(const std::string& side, const SeenConditions& seen, const std::vector<double>& clocks,
                 const std::string& mhz, double least_mhz) {
  std::vector<std::string> held_by;
  for (const auto& [reason, count] : seen.throttle_reasons) held_by.push_back(reason);
  const auto low = std::ranges::count_if(clocks, [&](double clock) { return clock < least_mhz; });
  return {ReasonCode::kHeldDown,
          {{"side", side},
           {"mhz", mhz},
           {"low", clocks.empty() ? seen.invocations : static_cast<int>(low)},
           {"invocations", seen.invocations},
           {"held_by", join(held_by, ", ")}}};
}

std::string of_mhz(double low, double high) {
  return format_plain(std::round(low)) + " of " + format_plain(std::round(high)) + " MHz";
}

// The memory alone, while the cores kept their clock: so it is no board that idled when it was read.
std::optional<Reason> slow_memory(const SeenConditions& before, const SeenConditions& now) {
  if (!before.memory_clock_mhz || !now.memory_clock_mhz) return {};
  const bool base_is_lower = *before.memory_clock_mhz < *now.memory_clock_mhz;
  const SeenConditions& lower = base_is_lower ? before : now;
  const double high = std::max(*before.memory_clock_mhz, *now.memory_clock_mhz);
  const double least = (1 - kOtherClockShare) * high;
  if (*lower.memory_clock_mhz >= least) return {};
  return held_down(base_is_lower ? "base" : "candidate", lower, lower.memory_clocks_mhz,
                   of_mhz(*lower.memory_clock_mhz, high) + " of its memory", least);
}

// `top`: the highest clock that the device has, in MHz; 0 where it is not known.
std::optional<Reason> ill_board(const SeenConditions& before, const SeenConditions& now, double top,
                                bool same_clock) {
  if (!before.core_clock_mhz || !now.core_clock_mhz) {
    // How far it was held down is not known, and so not how far apart both sides were.
    if (is_held_down(before) == is_held_down(now)) return {};
    const bool is_base = is_held_down(before);
    const SeenConditions& held = is_base ? before : now;
    const double high = std::max(top, (is_base ? now : before).core_clock_mhz.value_or(0));
    const double low = held.core_clock_mhz.value_or(0);
    if (low > 0 && high > 0 && high - low <= kThrottledClockShare * high) return {};
    return held_down(is_base ? "base" : "candidate", held, held.core_clocks_mhz,
                     low > 0 && high > 0 ? of_mhz(low, high) : "a clock that is not known",
                     (1 - kThrottledClockShare) * high);
  }
  const bool base_is_lower = *before.core_clock_mhz < *now.core_clock_mhz;
  const SeenConditions& lower = base_is_lower ? before : now;
  const double low = *lower.core_clock_mhz;
  const double high = std::max(*before.core_clock_mhz, *now.core_clock_mhz);
  if (is_held_down(before) && is_held_down(now) && high < kHeldBelowShare * top)
    return held_down("both", lower, lower.core_clocks_mhz, of_mhz(low, top), kHeldBelowShare * top);
  const bool at_cap = lower.throttle_reasons.count("power_cap") > 0 || same_clock;
  const double margin = is_held_down(lower) ? kThrottledClockShare
                        : at_cap            ? 1 - kHeldBelowShare
                                            : kOtherClockShare;
  if (high - low <= margin * high) return slow_memory(before, now);
  return held_down(base_is_lower ? "base" : "candidate", lower, lower.core_clocks_mhz, of_mhz(low, high),
                   (1 - margin) * high);
}

// What works on the GPU beside one side alone looks like a change of the code.
std::optional<Reason> shared_board(const SeenConditions& before, const SeenConditions& now) {
  constexpr double kApart = 0.5;  // of the invocations
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

std::optional<Reason> impossible_time(const SideEvidence& side, const char* name) {
  const Benchmark& benchmark = *side.newest();
  if (benchmark.time_base == TimeBase::kNone) return {};
  std::vector<double> times;
  each_counted(side, [&](const RunEvidence&, const Invocation&, const Samples& samples) {
    const auto& own = times_of_base(samples, benchmark.time_base);
    times.insert(times.end(), own.begin(), own.end());
  });
  if (times.empty()) return {};
  const Run& run = side.runs.back();
  const bool of_cpu = run.device.kind == DeviceKind::kCpu;
  const double mhz = of_cpu ? run.host.cpu_mhz.value_or(0) : run.device.core_clock_mhz.value_or(0);
  const double cycle_ns = mhz > 0 ? kCycleShare * 1000 / mhz : kShortestCycleNs;
  const double typical = stats::median(times);
  if (typical >= cycle_ns / thread_count(benchmark.name)) return {};
  return Reason{ReasonCode::kImpossibleTime, {{"side", name}, {"time_ns", typical}}};
}

// Of which a run may state nothing.
bool may_be_unknown(const std::string& name) {
  return name == kLibrary || name == kRepetition || name == kRepetitions;
}

}  // namespace

double length_ns(const Repetition& repetition) {
  return repetition.most * repetition.time_ns;
}

bool lengths_apart(const Repetition& before, const Repetition& now) {
  // A single long iteration takes as long as it takes.
  constexpr double kIterationsMin = 10;
  const auto is_longer = [](const Repetition& one, const Repetition& other) {
    return one.fewest >= kIterationsMin && other.time_ns > 0 &&
           one.fewest * one.time_ns > kLengthsApart * length_ns(other);
  };
  const bool have_some_alike = before.fewest <= now.most && now.fewest <= before.most;
  return !have_some_alike && (is_longer(before, now) || is_longer(now, before));
}

bool counts_apart(const Metric& metric, double before, double now) {
  constexpr double kCountsApart = 2;
  if (metric.statistic == Statistic::kMedian || !(before > 0) || !(now > 0)) return false;
  return std::max(before, now) >= kCountsApart * std::min(before, now);
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
    if (was == is || (may_be_unknown(name) && (was.empty() || is.empty()))) continue;
    parts.push_back(name + " " + (was.empty() ? "not set" : was) + " → " + (is.empty() ? "not set" : is));
  }
  return join(parts, ", ");
}

std::optional<Reason> why_not_comparable(const BenchmarkEvidence& e, const Policy& policy,
                                         Distance distance) {
  if (auto reason = other_meaning(e)) return reason;
  if (e.base.exact && e.candidate.exact) return {};  // a count, which no machine and no method moves
  if (auto reason = other_machine(e)) return reason;
  const SeenConditions before = seen_conditions(e.base);
  const SeenConditions now = seen_conditions(e.candidate);
  const double top = e.candidate.runs.back().device.core_clock_mhz.value_or(0);
  if (auto reason = ill_board(before, now, top, e.gate.same_clock)) return reason;
  if (auto reason = shared_board(before, now)) return reason;
  if (auto reason = impossible_time(e.base, "base")) return reason;
  if (auto reason = impossible_time(e.candidate, "candidate")) return reason;
  if (auto reason = other_method(e)) return reason;
  if (auto reason = other_count(e)) return reason;
  if (auto reason = other_length(e)) return reason;
  return distance == Distance::kSameJob ? std::nullopt
                                        : stated_change(policy.machine_changes, *e.base.newest());
}

}  // namespace tracker::judge
