// Comparing at the same clock, on made-up noise where the truth is known. What is claimed: taking the clock
// out keeps the error of verdicts whatever the clock does, as long as nothing but chance tells the two sides'
// clocks apart.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/judge/noise_kinds.hpp"
#include "tests/support/random.hpp"
#include "tracker/judge/difference.hpp"

namespace tracker::judge {
namespace {

using test::at_least;
using test::at_most;
using test::Random;

// How the clock of an invocation differs from the usual one.
struct ClockKind {
  const char* name;
  double (*deviation)(Random&);

  friend void PrintTo(const ClockKind& kind, std::ostream* out) { *out << kind.name; }
};

// As a GPU's do: steps of 15 MHz that stay for a while, and one invocation in five at a clock 4 % above.
const ClockKind kClockKinds[] = {
    {"bell", [](Random& random) { return 0.006 * random.normal(); }},
    {"steps", [](Random& random) { return 0.0076 * std::round(0.7 * random.normal()); }},
    {"two_states", [](Random& random) { return random.uniform() < 0.2 ? 0.04 : 0.001 * random.normal(); }},
    {"one_wild", [](Random& random) { return random.uniform() < 0.05 ? 0.1 : 0.004 * random.normal(); }}};

struct ClockPlan {
  ClockKind clocks = kClockKinds[0];
  int benchmarks = 20;
  int pairs = 10;
  double power = 0.7;  // of the clock that the time falls with
  double scale = 0.001;
  double change = 0;  // of all candidates
  double threshold = 0.01;
};

std::vector<Comparison> judge_clocked(const ClockPlan& plan, Random& random) {
  std::vector<BenchmarkEvidence> benchmarks;
  NoiseModel known;
  for (int i = 0; i < plan.benchmarks; ++i) {
    BenchmarkEvidence e;
    e.name = std::to_string(i);
    e.gate.metric = find_metric("real_time");
    e.gate.threshold = plan.threshold;
    ByRound clocks[2];
    for (SideValues* side : {&e.base.values, &e.candidate.values}) {
      side->logs_by_job.resize(1);
      side->rounds_by_job.resize(1);
      side->boards = {"board"};
      for (int round = 1; round <= plan.pairs; ++round) {
        const double clock = plan.clocks.deviation(random);
        clocks[side == &e.candidate.values ? 1 : 0][round] = std::log(1950.0) + clock;
        side->logs_by_job.front().push_back(plan.scale * random.normal() - plan.power * clock +
                                            (side == &e.candidate.values ? std::log1p(plan.change) : 0));
        side->rounds_by_job.front().push_back(round);
      }
    }
    find_contrast_at_same_clock(e, clocks[0], clocks[1], 0);
    known.benchmarks[e.name] = {};
    benchmarks.push_back(std::move(e));
  }
  return test::judge_benchmarks(
      benchmarks, {.known = known, .kind = DeviceKind::kGpu, .distance = Distance::kSameJob, .error = 0.01});
}

struct ClockedVerdicts {
  int comparisons = 0;
  int reports_with_regressed = 0;
  int regressed = 0;
  int unchanged = 0;
};

ClockedVerdicts count_clocked(const ClockPlan& plan, int reports, std::uint64_t seed) {
  Random random(seed);
  ClockedVerdicts counted;
  for (int i = 0; i < reports; ++i) {
    int regressed = 0;
    for (const auto& comparison : judge_clocked(plan, random)) {
      ++counted.comparisons;
      regressed += comparison.verdict == Verdict::kRegressed ? 1 : 0;
      counted.unchanged += comparison.verdict == Verdict::kUnchanged ? 1 : 0;
    }
    counted.regressed += regressed;
    counted.reports_with_regressed += regressed > 0 ? 1 : 0;
  }
  return counted;
}

class ClockNoise : public testing::TestWithParam<ClockKind> {};

// With no threshold, so that nothing but the interval decides.
TEST_P(ClockNoise, IdenticalCodeRarelyLooksSlower) {
  constexpr int kReports = 400;
  for (const int pairs : {6, 10, 20})
    for (const double power : {0.0, 0.4, 1.0}) {
      const auto counted = count_clocked(
          {.clocks = GetParam(), .pairs = pairs, .power = power, .threshold = 1e-9}, kReports, 5);
      EXPECT_LE(counted.reports_with_regressed, at_most(0.01, kReports)) << pairs << " pairs, " << power;
      EXPECT_LE(counted.regressed, at_most(0.001, counted.comparisons)) << pairs << " pairs, " << power;
    }
}

// Slower by exactly the threshold, which must not be called unchanged.
TEST_P(ClockNoise, AThresholdsLossIsRarelyCalledUnchanged) {
  constexpr int kReports = 400;
  for (const int pairs : {6, 10}) {
    const auto counted = count_clocked({.clocks = GetParam(), .pairs = pairs, .change = 0.01}, kReports, 7);
    EXPECT_LE(counted.unchanged, at_most(0.001, counted.comparisons)) << pairs << " pairs";
  }
}

TEST_P(ClockNoise, TenPairsTellWhatTheClockHides) {
  constexpr int kReports = 100;
  const auto same = count_clocked({.clocks = GetParam()}, kReports, 9);
  EXPECT_GE(same.unchanged, at_least(0.95, same.comparisons));
  const auto slower = count_clocked({.clocks = GetParam(), .change = 0.015}, kReports, 9);
  EXPECT_GE(slower.regressed, at_least(0.95, slower.comparisons));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ClockNoise, testing::ValuesIn(kClockKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace tracker::judge
