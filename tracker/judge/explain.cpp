#include "tracker/judge/explain.hpp"

#include <algorithm>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/fact_table.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {
namespace {

// Both sides' runs under their new names.
struct RunsOfSides {
  std::vector<Run> base;
  std::vector<Run> candidate;
};

RunsOfSides renamed_runs(const SideRuns& base, const SideRuns& candidate, const Policy& policy) {
  RunsOfSides runs{base.runs, candidate.runs};
  for (auto* side : {&runs.base, &runs.candidate})
    for (auto& run : *side) rename_benchmarks(run, policy.renames);
  return runs;
}

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
    const bool is_listed = std::find(side.runs.begin(), side.runs.end(), run.id) != side.runs.end();
    const bool is_confirming = !judged.interleaved && !run.selection.is_all() && of_base.count(run.job) > 0 &&
                               of_candidate.count(run.job) > 0;
    return is_listed && !is_confirming;
  });
}

Effect effect_of(const Comparison& row) {
  const double change = row.change.value_or(0);
  const bool faster = row.metric.better == Better::kHigher ? change > 0 : change < 0;
  return faster ? Effect::kFaster : Effect::kSlower;
}

const ProfiledBenchmark* profiled(const Profile* profile, const std::string& benchmark) {
  return profile == nullptr ? nullptr : find_benchmark(*profile, benchmark);
}

// "on both sides", "in the base": which of them lack it.
std::string where(bool base, bool candidate) {
  return base && candidate ? "on both sides" : base ? "in the base" : "in the candidate";
}

bool has_hash(const SideFacts& side) {
  return side.benchmark && side.benchmark->code && !side.benchmark->code->hash.empty();
}

bool has_launches(const SideFacts& side) {
  return side.benchmark && side.benchmark->code && !side.benchmark->code->launches.empty();
}

bool has_resources(const SideFacts& side) {
  return counter_of(side, "registers") || counter_of(side, "local_bytes") ||
         counter_of(side, "blocks_per_sm");
}

// A binary may say itself why it has no hash.
std::string how_to_know_code(const SideFacts& side) {
  const bool has_why = side.benchmark && side.benchmark->code && !side.benchmark->code->why_no_hash.empty();
  return has_why
             ? side.benchmark->code->why_no_hash
             : "a binary states it in its rows' labels (docs/formats.md); measure again with one that does";
}

// One row a thing that a benchmark can be silent about.
struct Known {
  const char* what;
  bool (*known)(const SideFacts& side);
  std::string (*how)(const SideFacts& side);  // to know it, or why that cannot be
};
constexpr Known kKnown[] = {
    {"the machine code", has_hash, how_to_know_code},
    {"how its kernels are launched", has_launches,
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
                      ": with its commit checked out, tracker profile '" + printable(row.benchmark) + "'");
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
  const RunsOfSides all = renamed_runs(base.side, candidate.side, policy);
  for (const auto& row : judged.comparisons) {
    if (std::find(benchmarks.begin(), benchmarks.end(), row.benchmark) == benchmarks.end()) continue;
    const RunsOfSides behind = runs_behind(row, judged, all);
    const FactSide of_base{behind.base, side_facts(behind.base, row.benchmark),
                           profiled(base.profile, row.benchmark)};
    const FactSide of_candidate{behind.candidate, side_facts(behind.candidate, row.benchmark),
                                profiled(candidate.profile, row.benchmark)};
    report.judged.comparisons.push_back(row);
    report.explanations.push_back(explain_row(row, of_base, of_candidate, judged.details.kind));
  }
  return report;
}

}  // namespace tracker
