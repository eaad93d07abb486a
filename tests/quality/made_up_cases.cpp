#include "tests/quality/made_up_cases.hpp"

#include <algorithm>

#include "tests/judge/made_up_history.hpp"
#include "tests/quality/rules.hpp"
#include "tests/quality/table.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::quality {
namespace {

struct MadeUpCase {
  const char* name;
  test::HistoryPlan plan;
  double change;       // that is to be found
  double found_least;  // how often; 0: nothing is promised
};

// Of the others there are as many more reports as they have fewer.
constexpr int kUsualBenchmarks = 20;

// Of noise_kinds().front(): 0.05 of logarithms.
constexpr double kTwoModesApart = 0.051271;

const std::vector<MadeUpCase>& made_up_cases() {
  using test::noise_kinds;
  static const std::vector<MadeUpCase> cases{
      {"three pairs, no history", {.pairs = 3, .past_runs = 0}, 0.01, 0},
      {"three pairs, a quiet past", {.pairs = 3}, 0.01, 0.85},
      {"ten pairs, no history", {.pairs = 10, .past_runs = 0}, 0.01, 0.98},
      {"five pairs, a past half as noisy", {.pairs = 5, .today = 2}, 0.01, 0.75},
      {"five pairs, each benchmark noisier or quieter than its past", {.today_spread = 0.5}, 0.01, 0.8},
      {"three pairs, the same", {.pairs = 3, .today_spread = 0.5}, 0.01, 0.7},
      {"ten pairs, no history, noise within a factor of ten",
       {.pairs = 10, .past_runs = 0, .scale_spread = 0, .scale_range = 10},
       0.01,
       0.95},
      {"five benchmarks, each noisier or quieter than its past",
       {.benchmarks = 5, .today_spread = 0.5},
       0.01,
       0.8},
      {"one benchmark, five pairs, no history", {.benchmarks = 1, .past_runs = 0}, 0.01, 0.85},
      {"one benchmark, ten pairs, no history", {.benchmarks = 1, .pairs = 10, .past_runs = 0}, 0.01, 0.98},
      {"one benchmark, five pairs, a past half as noisy", {.benchmarks = 1, .today = 2}, 0.01, 0},
      {"three benchmarks, five pairs, a past half as noisy", {.benchmarks = 3, .today = 2}, 0.01, 0},
      {"ten pairs, one wild invocation", {.pairs = 10, .past_runs = 0, .wild_candidate = 1}, 0.01, 0.95},
      {"ten pairs, a wild one on each side",
       {.pairs = 10, .past_runs = 0, .wild_base = 1, .wild_candidate = 1},
       0.01,
       0.9},
      {"ten pairs, one value in ten wild", {.pairs = 10, .past_runs = 0, .wild_share = 0.1}, 0.01, 0.7},
      {"five pairs, two modes 5 % apart", {.kind = noise_kinds().front(), .past_runs = 0}, 0.01, 0},
      {"ten pairs, two modes 5 % apart",
       {.kind = noise_kinds().front(), .pairs = 10, .past_runs = 0},
       0.01,
       0},
      {"three pairs, slower by the distance of two modes",
       {.kind = noise_kinds().front(), .pairs = 3, .past_runs = 0},
       kTwoModesApart,
       0},
      {"five pairs, the same", {.kind = noise_kinds().front(), .past_runs = 0}, kTwoModesApart, 0},
      {"one benchmark, four pairs, the same",
       {.kind = noise_kinds().front(), .benchmarks = 1, .pairs = 4, .past_runs = 0},
       kTwoModesApart,
       0},
      {"ten pairs, a clock tick of 1 %", {.pairs = 10, .past_runs = 0, .tick = 0.01}, 0.02, 0.95},
      {"ten pairs, a clock tick of 10 %", {.pairs = 10, .past_runs = 0, .tick = 0.1}, 0.03, 0},
      {"ten pairs, a clock tick of 50 %", {.pairs = 10, .past_runs = 0, .tick = 0.5}, 0.08, 0},
      {"one benchmark, ten pairs, a clock tick of 50 %",
       {.benchmarks = 1, .pairs = 10, .past_runs = 0, .tick = 0.5},
       0.08,
       0},
      {"ten pairs, one candidate in ten 30 % slower",
       {.pairs = 10, .past_runs = 0, .slow_share = 0.1, .slow_by = 0.3},
       0.03,
       0},
      {"thirty pairs, the same", {.pairs = 30, .past_runs = 0, .slow_share = 0.1, .slow_by = 0.3}, 0.03, 0},
      {"ten pairs, every other candidate 5 % slower",
       {.pairs = 10, .past_runs = 0, .slow_share = 0.5, .slow_by = 0.05},
       0.025,
       0.55},
      {"the same, a quiet past", {.pairs = 10, .slow_share = 0.5, .slow_by = 0.05}, 0.025, 0.85},
      {"one benchmark, the same",
       {.benchmarks = 1, .pairs = 10, .slow_share = 0.5, .slow_by = 0.05},
       0.025,
       0.75},
      {"three pairs, 1 % common to all of an invocation, a past",
       {.pairs = 3, .scale = 0.0005, .common = 0.01},
       0.01,
       0},
      {"five pairs, the same", {.scale = 0.0005, .common = 0.01}, 0.01, 0},
      {"five pairs, the same without a past", {.past_runs = 0, .scale = 0.0005, .common = 0.01}, 0.01, 0},
      {"ten pairs, the second process 1 % slower",
       {.pairs = 10, .past_runs = 0, .second_slower = 0.01},
       0.01,
       0.95},
      // Five pairs do not tell an order from two speeds: the change stays hidden.
      {"five pairs, the same", {.past_runs = 0, .second_slower = 0.01}, 0.02, 0},
      {"ten pairs, the same, the base always first",
       {.pairs = 10, .past_runs = 0, .second_slower = 0.01, .base_first = true},
       0.05,
       0.95},
      {"one benchmark, three pairs, four times as noisy as its past",
       {.benchmarks = 1, .pairs = 3, .today = 4},
       0.01,
       0},
      {"the same, eight times", {.benchmarks = 1, .pairs = 3, .today = 8}, 0.01, 0},
      // Large suites of processes, as JMH's: most of them vary by less than 0.5 %.
      {"586 benchmarks, three pairs, noise within a factor of ten",
       {.benchmarks = 586, .pairs = 3, .past_runs = 0, .scale = 0.003, .scale_spread = 0, .scale_range = 10},
       0.02,
       0},
      {"five pairs, the same",
       {.benchmarks = 586, .past_runs = 0, .scale = 0.003, .scale_spread = 0, .scale_range = 10},
       0.02,
       0},
      {"three pairs, the same, a past",
       {.benchmarks = 586, .pairs = 3, .scale = 0.003, .scale_spread = 0, .scale_range = 10},
       0.02,
       0},
      {"other jobs, 31 still days", {.past_runs = 31, .lag = 1}, 0.02, 0.95},
      {"other jobs, one day in five slow", {.past_runs = 31, .lag = 1, .slow_days = 0.2}, 0.02, 0},
      {"other jobs, 12 still days", {.past_runs = 12, .lag = 1}, 0.02, 0.95},
      {"other jobs, 12 days, one in five slow", {.past_runs = 12, .lag = 1, .slow_days = 0.2}, 0.02, 0},
      {"other jobs, a walk of 0.3 % a job", {.past_runs = 31, .lag = 1, .walk = 0.003}, 0.02, 0},
      {"the same, the base 30 jobs back", {.past_runs = 31, .lag = 30, .walk = 0.003}, 0.02, 0},
      {"the same, 60 jobs back, of which 30 are read",
       {.past_runs = 61, .lag = 60, .runs_read = 30, .walk = 0.003},
       0.02,
       0},
      {"the same, 120 jobs back", {.past_runs = 121, .lag = 120, .runs_read = 30, .walk = 0.003}, 0.02, 0},
      {"the same, 300 jobs back", {.past_runs = 301, .lag = 300, .runs_read = 30, .walk = 0.003}, 0.02, 0},
      {"four builds of three pairs, layouts 3 % apart",
       {.pairs = 12, .past_runs = 0, .builds = 4, .layouts = 0.03},
       0.3,
       0},
      {"eight builds of two pairs, layouts 3 % apart",
       {.pairs = 16, .past_runs = 0, .builds = 8, .layouts = 0.03},
       0.1,
       0},
  };
  return cases;
}

Trial trial_of(test::MadeUpHistory made) {
  Trial trial;
  for (const auto& run : made.history)
    for (const auto& invocation : run.invocations)
      for (const auto& [name, samples] : invocation.samples)
        trial.past_ns[name].push_back(stats::median(samples.real_time_ns));
  trial.base = std::move(made.base);
  trial.candidate = std::move(made.candidate);
  trial.history = std::move(made.history);
  trial.history.jobs_not_read = made.jobs_not_read;
  return trial;
}

// Ours at its strictest, and those of others that say anything.
bool is_shown(const Rule& rule) {
  return is_ours(rule) ? rule.threshold == 0.0 : !rule.name.starts_with("fixed");
}

// Every case's slower candidates are slower by as much or more.
constexpr double kHiddenAt = 0.01;

const Rule& our_rule_at(double threshold) {
  return *std::find_if(rules().begin(), rules().end(),
                       [&](const Rule& rule) { return rule.threshold == threshold; });
}

void count_hidden(const Trial& trial, CaseFindings& findings) {
  for (const auto& [name, call] : our_rule_at(kHiddenAt).calls(trial))
    findings.hidden.add(call == Call::kUnchanged);
}

CaseFindings try_case(const MadeUpCase& one, const CaseOptions& options) {
  CaseFindings findings{one.name, std::vector<CaseTally>(rules().size()), {}};
  test::Random random(options.seed * 1000003);
  const int reports = std::max(1, options.reports * kUsualBenchmarks / one.plan.benchmarks);
  for (int i = 0; i < reports; ++i) {
    const Trial trial = trial_of(test::make_history(one.plan, random));
    for (std::size_t r = 0; r < rules().size(); ++r) {
      if (!is_shown(rules()[r])) continue;
      bool any = false;
      for (const auto& [name, call] : rules()[r].calls(trial)) {
        findings.tallies[r].comparisons.add(call == Call::kRegressed);
        any = any || call == Call::kRegressed;
      }
      findings.tallies[r].reports.add(any);
    }
  }
  const int slower_reports = std::max(1, reports / 4);
  test::HistoryPlan slower = one.plan;
  slower.change = one.change;
  for (int i = 0; i < slower_reports; ++i) {
    const Trial trial = trial_of(test::make_history(slower, random));
    for (std::size_t r = 0; r < rules().size(); ++r) {
      if (!is_shown(rules()[r])) continue;
      for (const auto& [name, call] : rules()[r].calls(trial))
        findings.tallies[r].found.add(call == Call::kRegressed);
    }
    count_hidden(trial, findings);
  }
  // What is rare needs as many as identical code.
  for (int i = slower_reports; i < reports; ++i)
    count_hidden(trial_of(test::make_history(slower, random)), findings);
  return findings;
}

Table cases_table(const std::vector<CaseFindings>& findings) {
  Table table{{"made up, 20 benchmarks a report"}, {}};
  for (const auto& rule : rules())
    if (is_shown(rule)) table.header.push_back(rule.name);
  table.header.emplace_back("hidden by tracker at 1 %");
  for (const auto& one : findings) {
    std::vector<std::string> row{one.name};
    for (std::size_t r = 0; r < rules().size(); ++r) {
      const CaseTally& tally = one.tallies[r];
      if (is_shown(rules()[r]))
        row.push_back(percent_number(tally.comparisons.value()) + " / " +
                      percent_number(tally.reports.value()) + "; " + percent_number(tally.found.value()));
    }
    row.push_back(percent_number(one.hidden.value()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<CaseFindings> try_cases(const CaseOptions& options) {
  std::vector<CaseFindings> findings;
  for (const auto& one : made_up_cases()) findings.push_back(try_case(one, options));
  return findings;
}

std::string cases_text(const std::vector<CaseFindings>& findings) {
  return "\nMade up: comparisons / reports with a false \"regressed\"; slow-downs found, %; and called "
         "unchanged\n\n" +
         aligned_text(cases_table(findings));
}

std::string cases_markdown(const std::vector<CaseFindings>& findings) {
  return markdown(cases_table(findings));
}

std::vector<Checked> check_cases(const std::vector<CaseFindings>& findings) {
  const auto ours = static_cast<std::size_t>(&our_rule_at(0) - rules().data());
  std::vector<Checked> checked;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const CaseTally& tally = findings[i].tallies[ours];
    checked.push_back(check_at_most(findings[i].name + ": identical code called regressed, of comparisons",
                                    0.001, tally.comparisons));
    checked.push_back(check_at_most(findings[i].name + ": of whole reports", 0.01, tally.reports));
    if (const double least = made_up_cases()[i].found_least; least > 0)
      checked.push_back(check_at_least(findings[i].name + ": slow-downs found", least, tally.found));
    checked.push_back(
        check_at_most(findings[i].name + ": slow-downs called unchanged", 0.001, findings[i].hidden));
  }
  return checked;
}

}  // namespace tracker::quality
