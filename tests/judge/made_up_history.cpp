#include "tests/judge/made_up_history.hpp"

#include <cmath>
#include <string>

#include "tests/support/make_run.hpp"

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

std::string past_id(int place) {
  return "20261101T" + std::to_string(100000 + place) + "Z-00000000";
}

}  // namespace

MadeUpHistory make_history(const HistoryPlan& plan, Random& random) {
  std::vector<Timed> base;
  std::vector<Timed> candidate;
  std::vector<std::vector<Timed>> past(static_cast<std::size_t>(plan.past_runs));
  std::vector<double> run_noise;
  for (int run = 0; run <= plan.past_runs; ++run)
    run_noise.push_back(std::exp(plan.run_spread * random.normal()));
  for (int i = 0; i < plan.benchmarks; ++i) {
    const std::string name = "benchmark " + std::to_string(i);
    const double scale = plan.scale * std::exp(plan.scale_spread * random.normal());
    for (std::size_t run = 0; run < past.size(); ++run)
      past[run].push_back(
          {name, job_times(plan, plan.past_invocations, scale * run_noise[run], random), {}, {}, {}, {}});
    const double now = scale * run_noise.back() * plan.today * std::exp(plan.today_spread * random.normal());
    const auto times = job_times(plan, 2 * plan.pairs, now, random);
    Timed was{name, {}, {}, {}, {}, {}};
    Timed is{name, {}, {}, {}, {}, {}};
    for (std::size_t pair = 0; pair < times.size(); pair += 2) {
      const std::size_t first = random.uniform() < 0.5 ? 0 : 1;
      was.times_ns.push_back(times[pair + first]);
      is.times_ns.push_back(times[pair + 1 - first] * (1 + plan.change));
    }
    base.push_back(was);
    candidate.push_back(is);
  }
  MadeUpHistory made;
  for (std::size_t run = 0; run < past.size(); ++run) {
    const std::string id = past_id(static_cast<int>(run));
    made.history.push_back(make_run({.id = id, .job = id}, past[run]));
  }
  made.base = make_run(kBase, base);
  made.candidate = make_run(kCandidate, candidate);
  return made;
}

}  // namespace tracker::test
