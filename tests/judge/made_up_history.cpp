#include "tests/judge/made_up_history.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::test {
namespace {

constexpr double kTypicalNs = 1e5;

// The invocations of one benchmark in one job, as times.
std::vector<double> job_times(const HistoryPlan& plan, int invocations, double scale, Random& random) {
  std::vector<double> logs(static_cast<std::size_t>(invocations));
  plan.kind.fill(random, logs, scale);
  for (double& log : logs) log = kTypicalNs * std::exp(log);
  return logs;
}

// So many whole invocations, and this share of single values, take three times as long.
void hold_up(std::vector<Timed>& side, int invocations, double share, Random& random) {
  constexpr double kWild = 3;
  const std::size_t all = side.front().times_ns.size();
  std::set<std::size_t> places;
  while (places.size() < static_cast<std::size_t>(invocations)) places.insert(random.below(all));
  for (auto& benchmark : side)
    for (std::size_t place = 0; place < all; ++place)
      if (places.contains(place) || (share > 0 && random.uniform() < share))
        benchmark.times_ns[place] *= kWild;
}

// A second speed that only this side has.
void slow_some(const HistoryPlan& plan, std::vector<Timed>& side, Random& random) {
  if (!(plan.slow_share > 0) || plan.change == 0) return;
  for (auto& benchmark : side) {
    std::vector<std::size_t> slow;
    for (std::size_t place = 0; place < benchmark.times_ns.size(); ++place)
      if (random.uniform() < plan.slow_share) slow.push_back(place);
    if (slow.empty()) slow.push_back(random.below(benchmark.times_ns.size()));
    for (const std::size_t place : slow) benchmark.times_ns[place] *= 1 + plan.slow_by;
  }
}

// One draw an invocation, the same for all of its benchmarks.
void move_together(double common, std::vector<Timed>& side, Random& random) {
  if (!(common > 0)) return;
  for (std::size_t place = 0; place < side.front().times_ns.size(); ++place) {
    const double factor = std::exp(common * random.normal());
    for (auto& benchmark : side) benchmark.times_ns[place] *= factor;
  }
}

// Which side of each pair runs first, in blocks of two as a job has them: said by the time at which an
// invocation starts.
std::vector<bool> draw_order(const HistoryPlan& plan, Random& random) {
  std::vector<bool> base_first;
  for (int pair = 0; pair < plan.pairs; ++pair)
    base_first.push_back(plan.base_first || (pair % 2 == 0 ? random.uniform() < 0.5 : !base_first.back()));
  return base_first;
}

void slow_second(const HistoryPlan& plan, const std::vector<bool>& is_second, std::vector<Timed>& side) {
  for (auto& benchmark : side)
    for (std::size_t pair = 0; pair < benchmark.times_ns.size(); ++pair)
      if (is_second[pair]) benchmark.times_ns[pair] *= 1 + plan.second_slower;
}

void start_invocations(const std::vector<bool>& is_second, Run& run) {
  constexpr std::size_t kMinute = 60;
  for (std::size_t pair = 0; pair < run.invocations.size() && pair < kMinute; ++pair) {
    const std::string minute = std::to_string(100 + pair).substr(1);
    run.invocations[pair].started_at = "2026-11-20T12:" + minute + (is_second[pair] ? ":30Z" : ":00Z");
  }
}

int build_of(const HistoryPlan& plan, std::size_t pair) {
  return static_cast<int>(pair) * plan.builds / plan.pairs + 1;
}

// Another layout of the same code is faster or slower, by itself.
void lay_out(const HistoryPlan& plan, std::vector<Timed>& side, Random& random) {
  if (plan.builds <= 0) return;
  for (auto& benchmark : side) {
    double factor = 1;
    for (std::size_t pair = 0; pair < benchmark.times_ns.size(); ++pair) {
      if (pair == 0 || build_of(plan, pair) != build_of(plan, pair - 1))
        factor = std::exp(plan.layouts * random.normal());
      benchmark.times_ns[pair] *= factor;
    }
  }
}

void number_builds(const HistoryPlan& plan, Run& run) {
  if (plan.builds <= 0) return;
  for (std::size_t pair = 0; pair < run.invocations.size(); ++pair)
    run.invocations[pair].build = build_of(plan, pair);
}

// Benchmarks take from once to twice the typical time, so that they lie anywhere between two ticks.
void spread_levels(std::vector<Timed>& base, std::vector<Timed>& candidate, Random& random) {
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double factor = 1 + random.uniform();
    for (auto* side : {&base[i], &candidate[i]})
      for (double& time_ns : side->times_ns) time_ns *= factor;
  }
}

void round_times(Run& run, double tick) {
  if (!(tick > 0)) return;
  for (auto& invocation : run.invocations)
    for (auto& [name, samples] : invocation.samples)
      for (double& time : samples.real_time_ns)
        time = std::round(time / (tick * kTypicalNs)) * tick * kTypicalNs;
}

std::string past_id(int place) {
  return "20261101T" + std::to_string(100000 + place) + "Z-00000000";
}

}  // namespace

MadeUpHistory make_history(const HistoryPlan& plan, Random& random) {
  std::vector<Timed> base;
  std::vector<Timed> candidate;
  std::vector<std::vector<Timed>> past(static_cast<std::size_t>(plan.past_runs));
  std::vector<double> run_noise;
  std::vector<bool> is_slow;
  for (int run = 0; run <= plan.past_runs; ++run) {
    run_noise.push_back(std::exp(plan.run_spread * random.normal()));
    is_slow.push_back(random.uniform() < plan.slow_days);
  }
  const std::vector<bool> base_first = draw_order(plan, random);
  std::vector<bool> candidate_first = base_first;
  candidate_first.flip();
  for (int i = 0; i < plan.benchmarks; ++i) {
    const std::string name = "benchmark " + std::to_string(i);
    double scale = plan.scale * std::exp(plan.scale_spread * random.normal());
    if (plan.scale_range > 1) scale *= std::pow(plan.scale_range, random.uniform() - 0.5);
    const double slow = plan.slow_days > 0 ? 0.03 * random.uniform() : 0;
    double level = 0;
    const auto move = [&](std::vector<double> times, std::size_t run) {
      level += plan.walk * random.normal();
      for (double& time : times) time *= std::exp(level + (is_slow[run] ? slow : 0));
      return times;
    };
    for (std::size_t run = 0; run < past.size(); ++run)
      past[run].push_back({name,
                           move(job_times(plan, plan.past_invocations, scale * run_noise[run], random), run),
                           {},
                           {},
                           {},
                           {}});
    const double now = scale * run_noise.back() * plan.today * std::exp(plan.today_spread * random.normal());
    const auto times = move(job_times(plan, 2 * plan.pairs, now, random), past.size());
    Timed of_base{name, {}, {}, {}, {}, {}};
    Timed of_candidate{name, {}, {}, {}, {}, {}};
    for (std::size_t pair = 0; pair < times.size(); pair += 2) {
      const std::size_t first = base_first[pair / 2] ? 0 : 1;
      of_base.times_ns.push_back(times[pair + first]);
      of_candidate.times_ns.push_back(times[pair + 1 - first] *
                                      (1 + (plan.slow_share > 0 ? 0 : plan.change)));
    }
    base.push_back(of_base);
    candidate.push_back(of_candidate);
  }
  for (auto& run : past) move_together(plan.common, run, random);
  for (auto* side : {&base, &candidate}) move_together(plan.common, *side, random);
  slow_second(plan, candidate_first, base);
  slow_second(plan, base_first, candidate);
  slow_some(plan, candidate, random);
  lay_out(plan, base, random);
  lay_out(plan, candidate, random);
  hold_up(base, plan.wild_base, plan.wild_share, random);
  hold_up(candidate, plan.wild_candidate, plan.wild_share, random);
  if (plan.tick > 0) spread_levels(base, candidate, random);
  MadeUpHistory made;
  for (std::size_t run = 0; run < past.size(); ++run) {
    const std::string id = past_id(static_cast<int>(run));
    made.history.push_back(make_run({.id = id, .job = id}, past[run]));
  }
  made.base =
      plan.lag > 0 ? made.history[past.size() - static_cast<std::size_t>(plan.lag)] : make_run(kBase, base);
  made.candidate = make_run(kCandidate, candidate);
  if (plan.runs_read > 0 && plan.runs_read < plan.past_runs) {
    made.jobs_not_read = std::max(0, plan.lag - plan.runs_read - 1);
    made.history.erase(made.history.begin(), made.history.end() - plan.runs_read);
  }
  for (Run* run : {&made.base, &made.candidate}) {
    number_builds(plan, *run);
    if (plan.lag == 0) start_invocations(run == &made.base ? candidate_first : base_first, *run);
    round_times(*run, plan.tick);
  }
  return made;
}

ComparisonReport judge_made_up(const HistoryPlan& plan, double threshold, Random& random) {
  const auto made = make_history(plan, random);
  NoiseHistory history(made.history);
  history.jobs_not_read = made.jobs_not_read;
  return judge::judge({{}, {made.base}, {}}, {{}, {made.candidate}, {}}, history, policy_at(threshold));
}

int count_verdicts(const ComparisonReport& report, Verdict verdict) {
  return static_cast<int>(std::count_if(report.comparisons.begin(), report.comparisons.end(),
                                        [&](const auto& c) { return c.verdict == verdict; }));
}

}  // namespace tracker::test
