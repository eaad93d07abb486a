#include "tracker/judge/fitness.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/judge/policy_rules.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// Clocks and sizes behind a theoretical limit are rounded.
constexpr double kLimitTolerance = 0.01;

std::string why_disturbed(const Run& run) {
  for (const auto& invocation : run.invocations) {
    if (invocation.excluded || !invocation.conditions.disturbed()) continue;
    if (invocation.conditions.other_processes.value_or(0) > 0) return "another process was on the GPU";
    return "the clocks were held down (" + join(invocation.conditions.throttle_reasons, ", ") + ")";
  }
  return {};
}

std::string why_too_few(const Run& run) {
  std::map<std::string, int> counts;
  for (const auto& invocation : run.invocations)
    if (!invocation.excluded)
      for (const auto& [name, samples] : invocation.samples) ++counts[name];
  for (const auto& benchmark : run.benchmarks)
    if (const int count = counts[benchmark.name]; count < kBaselineInvocationsMin)
      return "benchmark " + in_quotes(benchmark.name) + " has " + count_of(count, "invocation") +
             (count == 1 ? " that counts, and " : " that count, and ") +
             std::to_string(kBaselineInvocationsMin) + " are the least";
  return {};
}

Doubt change_doubt(const Comparison& comparison, const std::string& label) {
  return {comparison.benchmark, "", true, comparison.verdict != Verdict::kImproved, comparison, label};
}

bool has_any(const SideRuns& side, const std::set<std::string>& names) {
  for (const auto& run : side.runs)
    for (const auto& benchmark : run.benchmarks)
      if (names.count(benchmark.name) > 0) return true;
  return false;
}

}  // namespace

std::string why_unfit(const Run& run) {
  if (run.dirty) return "it was measured from a working tree with uncommitted changes";
  constexpr std::size_t kReadable = 80;  // older runs name every benchmark in an expression
  if (run.selection.expression.size() > kReadable && run.selection.named == 0)
    return "it measured only some of the benchmarks";
  if (!run.selection.is_all()) return "it measured only " + selection_in_words(run.selection);
  for (const auto& failure : run.failures) return failure.binary + " " + failure.what;
  for (const auto& benchmark : run.benchmarks)
    if (benchmark.error) return "benchmark " + in_quotes(benchmark.name) + " reported an error";
  const std::string disturbed = why_disturbed(run);
  return disturbed.empty() ? why_too_few(run) : disturbed;
}

std::vector<Doubt> doubts_about_limits(const std::vector<Run>& runs, const Policy& policy) {
  std::map<std::string, std::pair<double, Doubt>> worst;  // by how much a median is past the limit, a share
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks) {
      const Gate gate = gate_for(policy, benchmark);
      const auto limit = metric_peak(gate.metric, run.device, &benchmark);
      const auto values = metric_values(gate.metric, benchmark, run);
      if (!limit || values.empty() || gate.may_exceed_peak) continue;
      const double median = stats::median(values);
      const double share = gate.metric.better == Better::kHigher ? median / *limit : *limit / median;
      if (!(share > 1 + kLimitTolerance)) continue;
      auto& [most, doubt] = worst[benchmark.name];
      if (share <= most) continue;
      most = share;
      doubt = {benchmark.name, format_quantity(median, gate.metric.unit) + " is past the " +
                                   format_quantity(*limit, gate.metric.unit) + " that the device can do"};
    }
  std::vector<Doubt> all;
  for (const auto& [name, one] : worst) all.push_back(one.second);
  return all;
}

std::vector<Doubt> doubts_about_changes(const SideRuns& promoted, const Past& past, const Policy& policy) {
  const Policy plain = of_changes(policy);
  std::vector<Doubt> doubts;
  std::set<std::string> open;  // not yet compared with an earlier value
  Options how;
  for (const auto& run : promoted.runs)
    for (const auto& benchmark : run.benchmarks) open.insert(renamed(benchmark.name, plain.renames));
  // Each commit may have only some of them; the error is shared among all.
  how.comparisons_min = static_cast<int>(open.size());
  for (const auto& commit : past.commits) {
    // Under another name, judge() finds it.
    if (open.empty() || (plain.renames.empty() && !has_any(commit, open))) continue;
    for (const auto& comparison : judge_stored(commit, promoted, past.noise, plain, how).comparisons)
      if (is_compared(comparison) && open.erase(comparison.benchmark) > 0 && is_change(comparison))
        doubts.push_back(change_doubt(comparison, commit.side.label));
  }
  if (!past.baseline) return doubts;
  for (const auto& comparison : judge_stored(*past.baseline, promoted, past.noise, plain, how).comparisons) {
    const bool gone = comparison.verdict == Verdict::kMissing && !comparison.report_only;
    if (gone || is_change(comparison) || comparison.verdict == Verdict::kFailed)
      doubts.push_back(change_doubt(comparison, past.baseline->side.label));
  }
  return doubts;
}

}  // namespace tracker::judge
