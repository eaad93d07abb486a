#include "tests/quality/rules.hpp"

#include <algorithm>
#include <cmath>

#include "tests/quality/two_samples.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::quality {
namespace {

constexpr double kGoogleLevel = 0.05;
constexpr double kAsvLevel = 0.002;
constexpr double kAsvFactor = 1.1;
constexpr double kGitPerfSigma = 4;
constexpr std::size_t kGitPerfValuesMax = 40;
constexpr double kNvbenchGap = 0.005;
constexpr double kWelchLevel = 0.01;

// One benchmark of a trial: times in ns, lower is better.
struct Times {
  std::vector<double> base;  // every repetition of every invocation
  std::vector<double> candidate;
  std::vector<double> base_medians;  // one value an invocation
  std::vector<double> candidate_medians;
  const std::vector<double>* past = nullptr;  // likewise
};

void add_times(const Run& run, const std::string& benchmark, std::vector<double>& repetitions,
               std::vector<double>& medians) {
  for (const auto& invocation : run.invocations) {
    const auto found = invocation.samples.find(benchmark);
    if (found == invocation.samples.end() || found->second.real_time_ns.empty()) continue;
    const auto& times = found->second.real_time_ns;
    repetitions.insert(repetitions.end(), times.begin(), times.end());
    medians.push_back(stats::median(times));
  }
}

using OneRule = Call (*)(const Times&);

// A rule that looks at one benchmark at a time.
std::function<Calls(const Trial&)> each(OneRule rule) {
  return [rule](const Trial& trial) {
    static const std::vector<double> kNoPast;
    Calls calls;
    for (const auto& benchmark : trial.base.benchmarks) {
      Times times;
      add_times(trial.base, benchmark.name, times.base, times.base_medians);
      add_times(trial.candidate, benchmark.name, times.candidate, times.candidate_medians);
      if (times.base.empty() || times.candidate.empty()) continue;
      const auto past = trial.past_ns.find(benchmark.name);
      times.past = past == trial.past_ns.end() ? &kNoPast : &past->second;
      calls[benchmark.name] = rule(times);
    }
    return calls;
  };
}

Call slower_or_faster(double base, double candidate) {
  return candidate > base ? Call::kRegressed : Call::kImproved;
}

Call google_benchmark(const Times& times) {
  if (std::min(times.base.size(), times.candidate.size()) < 2) return Call::kOpen;
  if (mann_whitney_as_scipy(times.base, times.candidate) >= kGoogleLevel) return Call::kOpen;
  return slower_or_faster(stats::median(times.base), stats::median(times.candidate));
}

// Where samples are so few that no p-value could be below the level, asv holds 99 % intervals of the medians
// against one another; with so few they are unbounded, so nothing is called.
Call asv(const Times& times) {
  const double base = stats::median(times.base);
  const double candidate = stats::median(times.candidate);
  const bool slower = candidate > base * kAsvFactor;
  const bool faster = candidate < base / kAsvFactor;
  if (!slower && !faster) return Call::kOpen;
  if (mann_whitney_as_asv(times.base, times.candidate) >= kAsvLevel) return Call::kOpen;
  return slower ? Call::kRegressed : Call::kImproved;
}

Call git_perf(const Times& times) {
  const auto& all = *times.past;
  const std::vector<double> past(
      all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), kGitPerfValuesMax)), all.end());
  if (past.size() < 2) return Call::kOpen;
  const double value = stats::median(times.candidate_medians);
  const double mean = stats::mean(past);
  const double deviation = std::sqrt(stats::variance(past));
  if (!(std::abs(value - mean) > kGitPerfSigma * deviation)) return Call::kOpen;
  return slower_or_faster(mean, value);
}

Call ratio_beyond(const Times& times, double factor) {
  const double ratio = stats::median(times.candidate_medians) / stats::median(times.base_medians);
  if (ratio > factor) return Call::kRegressed;
  return ratio < 1 / factor ? Call::kImproved : Call::kOpen;
}

Call fixed_5_percent(const Times& times) {
  return ratio_beyond(times, 1.05);
}

Call fixed_200_percent(const Times& times) {
  return ratio_beyond(times, 2);
}

Call welch(const Times& times) {
  const auto logs = [](std::vector<double> values) {
    for (double& value : values) value = std::log(value);
    return values;
  };
  const auto base = logs(times.base_medians);
  const auto candidate = logs(times.candidate_medians);
  if (!welch_differs(base, candidate, kWelchLevel)) return Call::kOpen;
  return slower_or_faster(stats::mean(base), stats::mean(candidate));
}

Call nvbench(const Times& times) {
  const auto gap = [](const std::vector<double>& lower, const std::vector<double>& upper) {
    const double end = quantile(lower, 0.75);
    return (*std::min_element(upper.begin(), upper.end()) - end) / end;
  };
  if (gap(times.base_medians, times.candidate_medians) >= kNvbenchGap) return Call::kRegressed;
  return gap(times.candidate_medians, times.base_medians) >= kNvbenchGap ? Call::kImproved : Call::kOpen;
}

Call call_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRegressed:
      return Call::kRegressed;
    case Verdict::kImproved:
      return Call::kImproved;
    case Verdict::kUnchanged:
      return Call::kUnchanged;
    default:
      return Call::kOpen;
  }
}

Calls judge_calls(const Trial& trial, double threshold) {
  Policy policy;
  PolicyRule all;
  all.match = "*";
  all.threshold = threshold;
  policy.rules.push_back(all);
  const auto report = judge::judge({{}, {trial.base}}, {{}, {trial.candidate}}, trial.history, policy);
  Calls calls;
  for (const auto& comparison : report.comparisons) calls[comparison.benchmark] = call_of(comparison.verdict);
  return calls;
}

std::vector<Rule> make_rules() {
  std::vector<Rule> table;
  for (const double threshold : kThresholds)
    table.push_back({threshold > 0 ? "tracker at " + format_share(threshold) : "tracker, any change",
                     "the judge of this repository", "docs/statistics.md", threshold,
                     [threshold](const Trial& trial) { return judge_calls(trial, threshold); }});
  const std::vector<Rule> others = {
      {"compare.py: U, p < 0.05",
       "Mann–Whitney on the pooled repetitions, as SciPy computes it",
       "Google Benchmark, tools/compare.py --alpha=0.05 (tools/gbench/report.py)",
       {},
       each(google_benchmark)},
      {"asv: U, p < 0.002, ×1.1",
       "the same, and the medians differ by more than 10 %",
       "asv compare and asv continuous (asv_runner.statistics.is_different)",
       {},
       each(asv)},
      {"git-perf: 4 σ of history",
       "|x − mean| > 4 standard deviations of the last 40 values",
       "git-perf audit (DEFAULT_SIGMA, stddev)",
       {},
       each(git_perf)},
      {"fixed 5 %",
       "the medians differ by more than 5 %",
       "a common setting of CI scripts",
       {},
       each(fixed_5_percent)},
      {"fixed 200 %",
       "the median is more than twice the last one",
       "github-action-benchmark, alert-threshold: 200%",
       {},
       each(fixed_200_percent)},
      {"nvbench: [min, Q3] apart",
       "the invocations' intervals from least to third quartile are 0.5 % apart",
       "nvbench_compare_robust.py, preset default; without its check of clocks",
       {},
       each(nvbench)},
      {"Welch's t, p < 0.01",
       "on the invocations' log medians",
       "Welch 1947, on the level of processes, as Kalibera and Jones 2013 ask for",
       {},
       each(welch)},
  };
  table.insert(table.end(), others.begin(), others.end());
  return table;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = make_rules();
  return table;
}

bool is_ours(const Rule& rule) {
  return rule.threshold.has_value();
}

}  // namespace tracker::quality
