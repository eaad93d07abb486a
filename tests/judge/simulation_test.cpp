// The judge on made-up noise, where the truth is known: nothing changed, or by exactly so much.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/noise_kinds.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using test::at_most;
using test::judge_report;
using test::make_run;
using test::policy_at;
using test::Random;
using test::ReportPlan;
using test::simulate_report;
using test::Timed;

constexpr int kInvocations = 5;

// Shown as it is by a failing test: the pointer would say nothing.
struct MadeUpNoise {
  const char* name;
  std::function<double(Random&, int benchmark)> deviation;  // of one invocation of one benchmark

  friend void PrintTo(const MadeUpNoise& model, std::ostream* out) { *out << model.name; }
};

const std::vector<MadeUpNoise>& noise_models() {
  static const std::vector<MadeUpNoise> models{
      {"alike", [](Random&, int) { return 0.005; }},
      {"spread", [](Random& random, int) { return 0.003 * std::exp(random.normal()); }},
      {"widely_spread", [](Random& random, int) { return 0.003 * std::exp(1.5 * random.normal()); }},
      {"a_few_loud", [](Random&, int benchmark) { return benchmark % 20 == 0 ? 0.02 : 0.001; }},
      {"half_loud", [](Random&, int benchmark) { return benchmark % 2 == 0 ? 0.02 : 0.001; }},
  };
  return models;
}

struct SimulationErrors {
  int reports_with_regressed = 0;
  int reports_with_wrong_interval = 0;
};

// Of identical code, with the noise of this model.
SimulationErrors count_errors(const MadeUpNoise& model, ReportPlan plan, int reports, std::uint64_t seed) {
  plan.scale_of = model.deviation;
  Random random(seed);
  SimulationErrors errors;
  for (int i = 0; i < reports; ++i) {
    bool regressed = false;
    bool wrong = false;
    for (const auto& comparison : judge_report(plan, simulate_report(plan, random))) {
      regressed = regressed || comparison.verdict == Verdict::kRegressed;
      wrong = wrong || comparison.interval->low > 0 || comparison.interval->high < 0;
    }
    errors.reports_with_regressed += regressed ? 1 : 0;
    errors.reports_with_wrong_interval += wrong ? 1 : 0;
  }
  return errors;
}

class SimulatedNoise : public testing::TestWithParam<MadeUpNoise> {};

TEST_P(SimulatedNoise, OfOneJobRarelyLooksLikeAChange) {
  constexpr int kReports = 400;
  const SimulationErrors errors =
      count_errors(GetParam(), {.benchmarks = 100, .pairs = kInvocations}, kReports, 11);
  EXPECT_LE(errors.reports_with_regressed, at_most(0.01, kReports));
  EXPECT_LE(errors.reports_with_wrong_interval, at_most(0.01, kReports));
}

// With three invocations a loud benchmark often looks quiet by chance.
TEST_P(SimulatedNoise, OfThreeInvocationsRarelyLooksLikeAChange) {
  constexpr int kReports = 400;
  const SimulationErrors errors = count_errors(GetParam(), {.benchmarks = 100, .pairs = 3}, kReports, 15);
  EXPECT_LE(errors.reports_with_regressed, at_most(0.01, kReports));
  EXPECT_LE(errors.reports_with_wrong_interval, at_most(0.01, kReports));
}

// The offsets are as large as the default takes them to be; it is a bound, and most jobs differ by less.
TEST_P(SimulatedNoise, OfTwoJobsRarelyLooksLikeAChange) {
  constexpr int kReports = 200;
  const SimulationErrors errors = count_errors(
      GetParam(), {.benchmarks = 100, .pairs = kInvocations, .job_deviation = 0.01}, kReports, 12);
  EXPECT_LE(errors.reports_with_regressed, at_most(0.01, kReports));
  EXPECT_LE(errors.reports_with_wrong_interval, at_most(0.01, kReports));
}

INSTANTIATE_TEST_SUITE_P(Models, SimulatedNoise, testing::ValuesIn(noise_models()),
                         [](const auto& one) { return std::string(one.param.name); });

// With one benchmark a report there is no correction to hide behind: the interval misses as often as it says,
// in an eighth of what a whole report may.
TEST(SimulatedInterval, OfOneBenchmarkMissesAsOftenAsItSays) {
  constexpr int kReports = 40000;
  constexpr double kError = 0.01 / 8;
  const SimulationErrors errors =
      count_errors(noise_models().front(), {.benchmarks = 1, .pairs = kInvocations}, kReports, 13);
  EXPECT_LE(errors.reports_with_wrong_interval, at_most(kError, kReports));
  EXPECT_GE(errors.reports_with_wrong_interval, test::at_least(kError, kReports));
}

// The first invocations of both sides, judged; what is said of one benchmark.
Comparison judge_first(std::vector<Timed> base, std::vector<Timed> candidate, std::size_t invocations,
                       const std::string& name, const Policy& policy) {
  for (auto* side : {&base, &candidate})
    for (auto& timed : *side) timed.times_ns.resize(invocations);
  const auto report =
      judge({{}, {make_run({.id = "1"}, base)}}, {{}, {make_run({.id = "2"}, candidate)}}, {}, policy);
  return *std::find_if(report.comparisons.begin(), report.comparisons.end(),
                       [&](const Comparison& one) { return one.benchmark == name; });
}

// Nineteen quiet benchmarks know nothing of a loud one: its interval is what it would be without them, but
// for the correction for their number.
TEST(SimulatedInterval, OfALoudBenchmarkIsNotTalkedDownByQuietOnes) {
  const Timed loud_base{"loud", test::around(100, 0.05), {}, {}};
  const Timed loud_candidate{"loud", test::around_again(100, 0.05), {}, {}};
  std::vector<Timed> base{loud_base};
  std::vector<Timed> candidate{loud_candidate};
  for (int i = 0; i < 19; ++i) {
    base.push_back({"quiet " + std::to_string(i), test::around(100), {}, {}});
    candidate.push_back({"quiet " + std::to_string(i), test::around_again(100), {}, {}});
  }
  const auto with = judge_first(base, candidate, kInvocations, "loud", policy_at(0.02));
  const auto alone =
      judge_first({loud_base}, {loud_candidate}, kInvocations, "loud", policy_at(0.02, 1 - 8 * 0.01 / 20));
  EXPECT_NEAR(with.resolvable.value(), alone.resolvable.value(), 1e-9);
}

struct Settling {
  int inconclusive = 0;
  int settled = 0;
};

// A suite of twenty that all changed by so much: the first of them with a few invocations, and where that is
// inconclusive, with as many more as were said to settle it.
Settling measure_on(double change, double deviation, int reports, std::uint64_t seed) {
  constexpr std::size_t kEnough = 500;
  Random random(seed);
  Settling settling;
  for (int i = 0; i < reports; ++i) {
    std::vector<Timed> base(20);
    std::vector<Timed> candidate(20);
    for (std::size_t k = 0; k < base.size(); ++k) {
      base[k].name = candidate[k].name = "benchmark " + std::to_string(k);
      for (std::size_t n = 0; n < kEnough; ++n) {
        base[k].times_ns.push_back(1e4 * std::exp(deviation * random.normal()));
        candidate[k].times_ns.push_back(1e4 * std::exp(change + deviation * random.normal()));
      }
    }
    const Comparison first = judge_first(base, candidate, kInvocations, base.front().name, policy_at(0.02));
    if (first.verdict != Verdict::kInconclusive || !first.more_invocations) continue;
    ++settling.inconclusive;
    const auto invocations = static_cast<std::size_t>(kInvocations + *first.more_invocations);
    const auto then =
        judge_first(base, candidate, std::min(invocations, kEnough), first.benchmark, policy_at(0.02));
    if (then.verdict != Verdict::kInconclusive) ++settling.settled;
  }
  return settling;
}

// Changes well inside the threshold of 2 %, and well past it. What lies just below the threshold is settled
// by no reasonable number of invocations.
TEST(SimulatedMoreInvocations, SettleWhatTheyAreSaidToSettle) {
  struct Spread {
    double change;
    double deviation;
  };
  for (const auto& [change, deviation] :
       {Spread{0, 0.01}, Spread{0, 0.02}, Spread{0.03, 0.01}, Spread{0.03, 0.02}, Spread{0.04, 0.02}}) {
    const Settling settling = measure_on(change, deviation, 40, 14);
    EXPECT_GE(settling.inconclusive, 10) << change << " " << deviation;
    EXPECT_GE(settling.settled, 0.85 * settling.inconclusive) << change << " " << deviation;
  }
}

}  // namespace
}  // namespace tracker::judge
