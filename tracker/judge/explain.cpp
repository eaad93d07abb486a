#include <algorithm>
#include <cmath>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/profile/counters.hpp"

namespace tracker::judge {
namespace {

// The facts of both sides beside each other, group by group.

// What one side has to say of a benchmark; any of it may be nothing.
struct FactSide {
  SideEvidence evidence;
  SideFacts facts;
  const ProfiledBenchmark* profile = nullptr;
};

using Value = std::optional<double>;

// How a number is shown, and from which share on it differs.
struct NumberWords {
  std::string (*words)(double value) = nullptr;
  std::string unit;  // after the words, where those have none
  double tolerance = 0;
};

std::string whole_in_words(double value) {
  return format_plain(std::round(value));
}

// "+100 %"; empty where that is no number, or there is no change.
std::string relative_change(const Value& base, const Value& candidate) {
  return base && candidate && *base != 0 && *base != *candidate ? format_percent(*candidate / *base - 1) : "";
}

// What is not known is empty.
Fact text_fact(const std::string& name, const std::string& base, const std::string& candidate) {
  return {.name = name, .base = base, .candidate = candidate, .differs = base != candidate};
}

Fact number_fact(const std::string& name, const Value& base, const Value& candidate,
                 const NumberWords& shown = {}) {
  const auto words = shown.words != nullptr ? shown.words : format_plain;
  const std::string unit = shown.unit.empty() ? "" : " " + shown.unit;
  Fact fact = text_fact(name, base ? words(*base) + unit : "", candidate ? words(*candidate) + unit : "");
  fact.base_value = base;
  fact.candidate_value = candidate;
  fact.unit = shown.unit;
  fact.change = relative_change(base, candidate);
  if (base && candidate) fact.differs = std::abs(*candidate - *base) > shown.tolerance * std::abs(*base);
  return fact;
}

// Adds what at least one side knows.
void add_fact(FactGroup& group, Fact fact) {
  if (!fact.base.empty() || !fact.candidate.empty()) group.facts.push_back(std::move(fact));
}

// What of one iteration a metric counts, where the metric is that work over the time which rates refer to: 1
// for the time itself. Empty where the metric is none of that, or the runs do not agree on the work.
std::optional<double> work_of(const Metric& metric, const FactSide& side) {
  struct Row {
    const char* metric;
    std::optional<double> Benchmark::*work;
  };
  static constexpr Row kRows[] = {{"bytes_per_second", &Benchmark::bytes_per_iteration},
                                  {"flops", &Benchmark::flops_per_iteration},
                                  {"items_per_second", &Benchmark::items_per_iteration}};
  std::optional<double> known;
  for (const auto& one : side.evidence.seen) {
    const Benchmark* benchmark = one.benchmark;
    if (benchmark->error) continue;
    std::optional<double> work;
    if (metric.name == (benchmark->time_base == TimeBase::kCpu ? "cpu_time" : "real_time")) work = 1;
    for (const auto& row : kRows)
      if (metric.name == row.metric) work = benchmark->*row.work;
    if (!work || (known && *known != *work)) return {};
    known = work;
  }
  return known;
}

// One metric on both sides, as it follows from the judged one.
struct Derived {
  double base = 0;
  double candidate = 0;
  double change = 0;
  std::optional<Interval> interval;
};

// Of a time and the rates that are made from it, one is as certain as the other. Empty where this metric does
// not follow from the judged one.
std::optional<Derived> derived(const Comparison& judged, const Metric& metric, const FactSide& base,
                               const FactSide& candidate) {
  if (!judged.base || !judged.candidate || !judged.change) return {};
  Derived found{*judged.base, *judged.candidate, *judged.change, judged.interval};
  if (metric.name != judged.metric.name) {
    const auto base_work = work_of(metric, base);
    const auto candidate_work = work_of(metric, candidate);
    const auto judged_base_work = work_of(judged.metric, base);
    const auto judged_candidate_work = work_of(judged.metric, candidate);
    if (!base_work || !candidate_work || !judged_base_work || !judged_candidate_work) return {};
    // A time or a rate of `judged_work` → the time or the rate of `work`; likewise of ratios.
    const auto convert = [&](double value, double judged_work, double work) {
      const double time = judged.metric.unit == "s" ? value : judged_work / value;
      return metric.unit == "s" ? time : work / time;
    };
    const auto change = [&](double share) {
      return convert(1 + share, *judged_candidate_work / *judged_base_work, *candidate_work / *base_work) - 1;
    };
    found = {convert(*judged.base, *judged_base_work, *base_work),
             convert(*judged.candidate, *judged_candidate_work, *candidate_work),
             change(*judged.change),
             {}};
    if (judged.interval) {
      const auto [low, high] = std::minmax({change(judged.interval->low), change(judged.interval->high)});
      found.interval = Interval{low, high};
    }
  }
  if (!found.interval || noise_hides_everything(judged) || !std::isfinite(found.interval->low) ||
      !std::isfinite(found.interval->high))
    found.interval = {};
  return found;
}

void add_words(Fact& fact, const Value& of_base, const Value& of_candidate, const std::string& unit) {
  const auto [base_words, candidate_words] = format_quantities(of_base, of_candidate, unit);
  if (of_base) fact.base = base_words;
  if (of_candidate) fact.candidate = candidate_words;
  fact.base_value = of_base;
  fact.candidate_value = of_candidate;
  fact.unit = unit;
}

// What is not judged has no noise that anybody has looked at: two values that are not the same show neither a
// difference nor that there is none.
Fact speed_fact(const Comparison& judged, const Metric& metric, const FactSide& base,
                const FactSide& candidate) {
  Fact fact;
  fact.name = metric.name;
  std::replace(fact.name.begin(), fact.name.end(), '_', ' ');
  if (const auto known = derived(judged, metric, base, candidate)) {
    add_words(fact, known->base, known->candidate, metric.unit);
    if (known->change != 0) fact.change = format_percent(known->change);
    if (known->interval && !fact.change.empty())
      fact.change += " " + format_percent_range(known->interval->low, known->interval->high);
    fact.differs = known->interval && (known->interval->low > 0 || known->interval->high < 0);
    fact.unclear = !fact.differs && judged.verdict != Verdict::kUnchanged;
    return fact;
  }
  const bool is_judged = metric.name == judged.metric.name;
  add_words(fact, is_judged ? judged.base : side_values(base.evidence, metric).typical(),
            is_judged ? judged.candidate : side_values(candidate.evidence, metric).typical(), metric.unit);
  fact.change = relative_change(fact.base_value, fact.candidate_value);
  fact.unclear = fact.base_value != fact.candidate_value;
  return fact;
}

Fact peak_fact(const Metric& metric, const Fact& speed, const FactSide& base, const FactSide& candidate) {
  const auto share = [&](const Value& value, const FactSide& side) -> Value {
    const Benchmark* benchmark = side.facts.benchmark ? &*side.facts.benchmark : nullptr;
    const auto peak = side.evidence.runs.empty()
                          ? std::nullopt
                          : metric_peak(metric, side.evidence.runs.back().device, benchmark);
    return value && peak && *peak > 0 ? Value(*value / *peak) : std::nullopt;
  };
  Fact fact = number_fact("share of the device's peak", share(speed.base_value, base),
                          share(speed.candidate_value, candidate), {format_share});
  fact.change.clear();
  fact.differs = speed.differs && fact.base != fact.candidate;
  fact.unclear = speed.unclear && fact.base != fact.candidate;
  return fact;
}

// The judged metric first. Those that are of the same time share its interval, and differ where it excludes
// "no change".
FactGroup speed_facts(const Comparison& judged, const FactSide& base, const FactSide& candidate) {
  FactGroup group{"speed", {}};
  std::vector<Metric> metrics{judged.metric};
  for (const auto& metric : builtin_metrics())
    if (metric.name != judged.metric.name && metric.name != "cpu_time") metrics.push_back(metric);
  for (const auto& metric : metrics) {
    const Fact fact = speed_fact(judged, metric, base, candidate);
    add_fact(group, fact);
    if (metric.name == "bytes_per_second" || metric.name == "flops")
      add_fact(group, peak_fact(metric, fact, base, candidate));
  }
  return group;
}

constexpr std::size_t kHashShown = 12;
// Counters that were the same in every sample, but are a group of their own.
constexpr const char* kConditionPrefix = "condition_";
// Counters of a profiler vary a little from launch to launch.
constexpr double kCounterShareMin = 0.01;

// A launch without clusters says so beside one that has them.
Fact cluster_fact(const std::string& name, const KernelLaunch* of_base, const KernelLaunch* of_candidate) {
  const bool any = (of_base != nullptr && !of_base->cluster.empty()) ||
                   (of_candidate != nullptr && !of_candidate->cluster.empty());
  const auto word = [&](const KernelLaunch* launch) -> std::string {
    if (launch == nullptr || !any) return "";
    return launch->cluster.empty() ? "none" : launch->cluster;
  };
  return text_fact(name, word(of_base), word(of_candidate));
}

FactGroup launch_group(const FactSide& base, const FactSide& candidate) {
  FactGroup group{"launch", {}};
  const auto& of_base = code_of(base.facts).launches;
  const auto& of_candidate = code_of(candidate.facts).launches;
  const std::size_t count = std::max(of_base.size(), of_candidate.size());
  if (has_other_calls(of_base) || has_other_calls(of_candidate))
    add_fact(group, text_fact("an iteration", of_base.empty() ? "" : calls_in_words(of_base),
                              of_candidate.empty() ? "" : calls_in_words(of_candidate)));
  for (std::size_t i = 0; i < count; ++i) {
    const KernelLaunch* before = i < of_base.size() ? &of_base[i] : nullptr;
    const KernelLaunch* now = i < of_candidate.size() ? &of_candidate[i] : nullptr;
    const std::string number = count > 1 ? " " + std::to_string(i + 1) : "";
    const auto word = [&](const char* name, std::string KernelLaunch::*of) {
      const std::string none;
      add_fact(group, text_fact(name + number, before ? before->*of : none, now ? now->*of : none));
    };
    word("kernel", &KernelLaunch::kernel);
    word("grid", &KernelLaunch::grid);
    word("block", &KernelLaunch::block);
    add_fact(group, cluster_fact("cluster" + number, before, now));
    const auto bytes = [](const KernelLaunch* launch) -> Value {
      const bool is_launch = launch != nullptr && !launch->grid.empty();
      return is_launch ? Value(static_cast<double>(launch->shared_bytes)) : std::nullopt;
    };
    if (count > 1)
      add_fact(group,
               number_fact("dynamic shared memory" + number, bytes(before), bytes(now), {format_bytes}));
  }
  return group;
}

Value resident_threads(const SideFacts& side) {
  const auto blocks = counter_of(side, "blocks_per_sm");
  const auto threads = counter_of(side, "threads_per_block");
  return blocks && threads ? Value(*blocks * *threads) : std::nullopt;
}

FactGroup resource_group(const FactSide& base, const FactSide& candidate) {
  struct Row {
    const char* name;
    const char* counter;
    std::string (*words)(double value);
  };
  static constexpr Row kRows[] = {{"registers a thread", "registers", format_plain},
                                  {"spills a thread", "local_bytes", format_bytes},
                                  {"static shared memory", "shared_static_bytes", format_bytes},
                                  {"dynamic shared memory", "shared_dynamic_bytes", format_bytes},
                                  {"threads per block", "threads_per_block", format_plain},
                                  {"blocks per SM", "blocks_per_sm", format_plain}};
  FactGroup group{"resources", {}};
  for (const auto& row : kRows) {
    Fact fact = number_fact(row.name, counter_of(base.facts, row.counter),
                            counter_of(candidate.facts, row.counter), {row.words});
    if (row.words == format_bytes) fact.unit = "bytes";
    add_fact(group, fact);
  }
  add_fact(group,
           number_fact("threads per SM", resident_threads(base.facts), resident_threads(candidate.facts)));
  return group;
}

FactGroup code_group(const FactSide& base, const FactSide& candidate) {
  FactGroup group{"machine code", {}};
  const Code& of_base = code_of(base.facts);
  const Code& of_candidate = code_of(candidate.facts);
  Fact identity =
      text_fact("hash", of_base.hash.substr(0, kHashShown), of_candidate.hash.substr(0, kHashShown));
  identity.differs = of_base.hash != of_candidate.hash;
  add_fact(group, identity);
  const auto size = [](const Code& code) -> Value {
    return code.bytes == 0 ? std::nullopt : Value(static_cast<double>(code.bytes));
  };
  Fact bytes = number_fact("size", size(of_base), size(of_candidate), {format_bytes});
  bytes.unit = "bytes";
  add_fact(group, bytes);
  return group;
}

FactGroup instruction_group(const FactSide& base, const FactSide& candidate) {
  FactGroup group{"instructions", {}};
  const Code& of_base = code_of(base.facts);
  const Code& of_candidate = code_of(candidate.facts);
  const auto total = [](const Code& code) {
    std::int64_t sum = 0;
    for (const auto& [name, count] : code.instructions) sum += count;
    return sum;
  };
  const auto add = [&](const std::string& name, std::int64_t was, std::int64_t is) {
    const auto known = [](const Code& code, std::int64_t count) {
      return code.instructions.empty() ? Value{} : static_cast<double>(count);
    };
    add_fact(group, number_fact(name, known(of_base, was), known(of_candidate, is)));
  };
  add("all", total(of_base), total(of_candidate));
  for (const auto& [name, was, is] : instruction_changes(of_base, of_candidate)) add(name, was, is);
  for (const auto& [name, count] : of_base.instructions)
    if (const auto now = of_candidate.instructions.find(name);
        now != of_candidate.instructions.end() && now->second == count)
      add(name, count, count);
  return group;
}

FactGroup run_group(const char* name, FactKind kind, const FactSide& base, const FactSide& candidate) {
  FactGroup group{name, {}};
  const auto value = [](const SideFacts& side, const char* fact) {
    const auto found = side.facts.find(fact);
    return found == side.facts.end() ? std::string() : found->second;
  };
  for (const auto& fact : run_facts())
    if (fact.kind == kind)
      add_fact(group, text_fact(fact.name, value(base.facts, fact.name), value(candidate.facts, fact.name)));
  return group;
}

std::string throttling_in_words(const SeenConditions& seen) {
  std::vector<std::string> words;
  for (const auto& [reason, count] : seen.throttle_reasons)
    words.push_back(reason + " in " + std::to_string(count) + " of " + std::to_string(seen.invocations));
  const bool known = seen.core_clock_mhz || seen.throttled_s;
  return words.empty() ? known ? std::string("no") : std::string() : join(words, ", ");
}

// What held most of a side's invocations back; one of five is chance.
Fact throttle_fact(const SeenConditions& of_base, const SeenConditions& of_candidate) {
  const auto usual = [](const SeenConditions& seen) {
    std::set<std::string> reasons;
    for (const auto& [reason, count] : seen.throttle_reasons)
      if (2 * count >= seen.invocations) reasons.insert(reason);
    return reasons;
  };
  Fact fact = text_fact("throttled", throttling_in_words(of_base), throttling_in_words(of_candidate));
  fact.differs = usual(of_base) != usual(of_candidate);
  return fact;
}

FactGroup condition_group(const FactSide& base, const FactSide& candidate) {
  const SeenConditions& of_base = base.facts.conditions;
  const SeenConditions& of_candidate = candidate.facts.conditions;
  FactGroup group{"conditions", {}};
  constexpr double kClockTolerance = 0.01;
  constexpr double kTemperatureTolerance = 0.1;
  add_fact(group, number_fact("SM clock", of_base.core_clock_mhz, of_candidate.core_clock_mhz,
                              {whole_in_words, "MHz", kClockTolerance}));
  add_fact(group, number_fact("memory clock", of_base.memory_clock_mhz, of_candidate.memory_clock_mhz,
                              {whole_in_words, "MHz", kClockTolerance}));
  Fact temperature = number_fact("temperature", of_base.temperature_c, of_candidate.temperature_c,
                                 {whole_in_words, "°C", kTemperatureTolerance});
  temperature.change.clear();  // no share of anything
  add_fact(group, temperature);
  add_fact(group, throttle_fact(of_base, of_candidate));
  add_fact(group, number_fact("other processes", of_base.other_processes, of_candidate.other_processes));
  constexpr double kLoadTolerance = 0.5;
  add_fact(group, number_fact("load of the host", of_base.load_average, of_candidate.load_average,
                              {format_plain, "", kLoadTolerance}));
  return group;
}

// What else the benchmark's rows state, the same in every sample.
FactGroup counter_group(const FactSide& base, const FactSide& candidate) {
  FactGroup group{"counters", {}};
  std::set<std::string> names;
  for (const auto* side : {&base, &candidate})
    if (side->facts.benchmark)
      for (const auto& [name, value] : side->facts.benchmark->counters)
        if (!is_code_counter(name) && !name.starts_with(kConditionPrefix)) names.insert(name);
  for (const auto& name : names)
    add_fact(group, number_fact(name, counter_of(base.facts, name), counter_of(candidate.facts, name)));
  return group;
}

FactGroup profile_group(const FactSide& base, const FactSide& candidate) {
  FactGroup group{"hardware counters", {}};
  const auto words = [](const Value& value, const std::string& unit) {
    return value ? profile::format_counter(*value, unit) : "";
  };
  for (const auto& row : profile::counter_rows(base.profile, candidate.profile)) {
    Fact fact = number_fact(row.name, row.base, row.candidate, {nullptr, "", kCounterShareMin});
    fact.base = words(row.base, row.unit);
    fact.candidate = words(row.candidate, row.unit);
    fact.unit = row.unit;
    if (row.unit == "%") fact.change.clear();  // a share of a share misleads
    add_fact(group, fact);
  }
  return group;
}

// Groups of which nothing is known on either side are left out.
std::vector<FactGroup> fact_table(const Comparison& comparison, const FactSide& base,
                                  const FactSide& candidate) {
  std::vector<FactGroup> groups{speed_facts(comparison, base, candidate),
                                launch_group(base, candidate),
                                resource_group(base, candidate),
                                code_group(base, candidate),
                                instruction_group(base, candidate),
                                run_group("build", FactKind::kBuild, base, candidate),
                                run_group("software", FactKind::kSoftware, base, candidate),
                                run_group("machine", FactKind::kMachine, base, candidate),
                                condition_group(base, candidate),
                                counter_group(base, candidate),
                                profile_group(base, candidate)};
  std::erase_if(groups, [](const FactGroup& group) { return group.facts.empty(); });
  return groups;
}

// Both sides' runs under their new names.
struct RunsOfSides {
  std::vector<Run> base;
  std::vector<Run> candidate;
};

std::set<std::string> jobs_with(const std::vector<Run>& runs, const std::string& benchmark) {
  std::set<std::string> jobs;
  for (const auto& run : runs)
    if (find_benchmark(run, benchmark) != nullptr && !run.job.empty()) jobs.insert(run.job);
  return jobs;
}

// The runs that the row rests on. What was confirmed rests on the newest job that measured both sides.
RunsOfSides runs_behind(const Comparison& row, const ComparisonReport& judged, const RunsOfSides& all) {
  const auto keep = [&](auto&& wanted) {
    RunsOfSides kept = all;
    std::erase_if(kept.base, [&](const Run& run) { return !wanted(run, judged.base); });
    std::erase_if(kept.candidate, [&](const Run& run) { return !wanted(run, judged.candidate); });
    return kept;
  };
  const auto of_base = jobs_with(all.base, row.benchmark);
  const auto of_candidate = jobs_with(all.candidate, row.benchmark);
  std::string newest;  // ids and jobs sort by time
  for (const auto& run : all.candidate)
    if (of_base.count(run.job) > 0 && of_candidate.count(run.job) > 0) newest = run.job;
  if (row.confirmed && !newest.empty())
    return keep([&](const Run& run, const Side&) { return run.job == newest; });
  return keep([&](const Run& run, const Side& side) {
    const bool is_listed = std::ranges::find(side.runs, run.id) != side.runs.end();
    const bool is_confirming = !judged.interleaved && !run.selection.is_all() && of_base.count(run.job) > 0 &&
                               of_candidate.count(run.job) > 0;
    return is_listed && !is_confirming;
  });
}

// "on both sides", "in the base": which of them lack it.
std::string where(bool base, bool candidate) {
  return base && candidate ? "on both sides" : base ? "in the base" : "in the candidate";
}

bool has_resources(const SideFacts& side) {
  return counter_of(side, "registers") || counter_of(side, "local_bytes") ||
         counter_of(side, "blocks_per_sm");
}

// A binary may say itself why it has no hash.
std::string how_to_know_code(const SideFacts& side) {
  const std::string& why = code_of(side).why_no_hash;
  return !why.empty()
             ? why
             : "a binary states it in its rows' labels (docs/formats.md); measure again with one that does";
}

// One row a thing that a benchmark can be silent about.
struct Known {
  const char* what;
  bool (*known)(const SideFacts& side);
  std::string (*how)(const SideFacts& side);  // to know it, or why that cannot be
};
constexpr Known kKnown[] = {
    {"the machine code", [](const SideFacts& side) { return !code_of(side).hash.empty(); }, how_to_know_code},
    {"how its kernels are launched", [](const SideFacts& side) { return !code_of(side).launches.empty(); },
     [](const SideFacts&) -> std::string { return "likewise, in the rows' labels"; }},
    {"registers, spills and blocks per SM", has_resources,
     [](const SideFacts&) -> std::string { return "counters of its rows state them"; }},
    {"clocks and temperature",
     [](const SideFacts& side) { return side.conditions.core_clock_mhz.has_value(); },
     [](const SideFacts&) -> std::string {
       return "they are read while measuring on a GPU (tracker doctor)";
     }}};

std::vector<std::string> unknown_of(const Comparison& row, const FactSide& base, const FactSide& candidate,
                                    DeviceKind kind) {
  std::vector<std::string> unknown;
  const bool has_base = base.facts.benchmark.has_value();
  const bool has_candidate = candidate.facts.benchmark.has_value();
  if (!has_base || !has_candidate)
    unknown.push_back("all " + where(!has_base, !has_candidate) + ": it was not measured there, or failed");
  if (kind == DeviceKind::kCpu) return unknown;
  for (const auto& one : kKnown) {
    const bool lacks_base = has_base && !one.known(base.facts);
    const bool lacks_candidate = has_candidate && !one.known(candidate.facts);
    if (!lacks_base && !lacks_candidate) continue;
    unknown.push_back(std::string(one.what) + ", " + where(lacks_base, lacks_candidate) + ": " +
                      one.how(lacks_base ? base.facts : candidate.facts));
  }
  if (base.profile == nullptr || candidate.profile == nullptr)
    unknown.push_back("hardware counters, " + where(base.profile == nullptr, candidate.profile == nullptr) +
                      ": with its commit checked out, tracker profile " + in_quotes(row.benchmark));
  return unknown;
}

Explanation explain_row(const Comparison& row, const FactSide& base, const FactSide& candidate,
                        DeviceKind kind) {
  Explanation explanation;
  const Effect effect = effect_of(row);
  for (const auto& cause : find_causes(base.facts, candidate.facts, row.same_code)) {
    const bool fits = cause.finding.effect == effect || cause.finding.effect == Effect::kEither;
    (fits ? explanation.causes : explanation.contrary).push_back(cause.finding.text);
  }
  if (explanation.causes.empty() && !row.cause.empty()) explanation.causes.push_back(row.cause);
  if (base.profile != nullptr && candidate.profile != nullptr)
    for (const Effect one : {Effect::kSlower, Effect::kFaster})
      if (std::string words = counters_in_words(*base.profile, *candidate.profile, one, one == effect);
          !words.empty())
        (one == effect ? explanation.causes : explanation.contrary).push_back(std::move(words));
  explanation.groups = fact_table(row, base, candidate);
  explanation.unknown = unknown_of(row, base, candidate, kind);
  return explanation;
}

}  // namespace

ExplanationReport explain(const ComparisonReport& judged, const ExplainedSide& base,
                          const ExplainedSide& candidate, const Policy& policy,
                          const std::vector<std::string>& benchmarks) {
  ExplanationReport report;
  report.judged = judged;
  report.judged.comparisons.clear();
  RunsOfSides all{base.side.runs, candidate.side.runs};
  for (auto* runs : {&all.base, &all.candidate})
    for (auto& run : *runs) rename_benchmarks(run, policy.renames);
  for (const auto& row : judged.comparisons) {
    if (std::ranges::find(benchmarks, row.benchmark) == benchmarks.end()) continue;
    const RunsOfSides behind = runs_behind(row, judged, all);
    const auto side_of = [&](const std::vector<Run>& runs, const Profile* profile) {
      FactSide side{side_evidence(runs, row.benchmark), {}};
      side.facts = side_facts(side.evidence);
      if (profile != nullptr) side.profile = find_benchmark(*profile, row.benchmark);
      return side;
    };
    report.judged.comparisons.push_back(row);
    report.explanations.push_back(explain_row(row, side_of(behind.base, base.profile),
                                              side_of(behind.candidate, candidate.profile),
                                              judged.details.kind));
  }
  return report;
}

}  // namespace tracker::judge
