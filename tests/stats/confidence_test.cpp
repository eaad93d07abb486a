// Whether an interval holds the truth as often as it says, on nested noise whose truth is known: invocations
// in jobs. The seeds are fixed, and the bounds are four standard errors of the trials counted.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/stats/simulate.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker::stats {
namespace {

constexpr double kTruth = 0.03;

class Count {
 public:
  void add(const Difference& difference, double confidence) {
    const double half = half_width(difference, confidence);
    held_ += std::abs(difference.estimate - kTruth) <= half ? 1 : 0;
    ++trials_;
    width_ += half;
  }
  double share() const { return static_cast<double>(held_) / trials_; }
  double mean_half_width() const { return width_ / trials_; }
  double error(double confidence) const { return 4 * std::sqrt(confidence * (1 - confidence) / trials_); }

 private:
  int held_ = 0;
  int trials_ = 0;
  double width_ = 0;
};

TEST(Confidence, PairsInOneJobHoldExactly) {
  Simulation simulation(101);
  for (const double confidence : {0.9, 0.95, 0.99})
    for (const int pairs : {2, 5, 10}) {
      Count count;
      for (int trial = 0; trial < 4000; ++trial) {
        std::vector<double> differences;
        for (int i = 0; i < pairs; ++i) {
          const double shared = simulation.normal(0.5);  // clocks, temperature: far larger than the rest
          const double base = shared + simulation.normal(0.01);
          differences.push_back(shared + kTruth + simulation.normal(0.02) - base);
        }
        const auto noise = side_noise({differences});
        count.add({noise.mean, {noise.per_invocation.value / pairs, noise.per_invocation.degrees}, {}},
                  confidence);
      }
      EXPECT_NEAR(count.share(), confidence, count.error(confidence)) << confidence << " " << pairs;
    }
}

TEST(Confidence, TwoJobsHoldWithTheJobNoiseLearnedFromHistory) {
  constexpr double kJob = 0.02;
  constexpr double kInvocation = 0.01;
  Simulation simulation(202);
  for (const int history : {6, 12, 30}) {
    Count count;
    Count blind;
    for (int trial = 0; trial < 4000; ++trial) {
      std::vector<double> differences;
      double last = simulation.normal(kJob);
      for (int i = 0; i < history; ++i) {
        const double next = simulation.normal(kJob);
        differences.push_back(next - last);
        last = next;
      }
      auto job = job_variance_from_history(differences);
      job.value *= 2;  // an offset on either side
      const auto base = side_noise({simulation.job(0, kJob, kInvocation, 5)});
      const auto candidate = side_noise({simulation.job(kTruth, kJob, kInvocation, 5)});
      auto own = moderate(base.per_invocation, candidate.per_invocation);
      own.value *= base.sampling_factor + candidate.sampling_factor;
      count.add({candidate.mean - base.mean, own, job}, 0.95);
      blind.add({candidate.mean - base.mean, own, {}}, 0.95);
    }
    // The median's few degrees are on the careful side where the history is short.
    EXPECT_GE(count.share(), 0.95 - count.error(0.95)) << history;
    EXPECT_LE(count.share(), 0.99) << history;
    EXPECT_LT(blind.share(), 0.6) << "without the jobs' part it must not hold, or this test shows nothing";
  }
}

TEST(Confidence, SeveralJobsASideHold) {
  Simulation simulation(303);
  Count count;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto side = [&](double truth) {
      return side_noise({simulation.job(truth, 0, 0.01, 3), simulation.job(truth, 0, 0.01, 5)});
    };
    const auto base = side(0);
    const auto candidate = side(kTruth);
    auto own = moderate(base.per_invocation, candidate.per_invocation);
    own.value *= base.sampling_factor + candidate.sampling_factor;
    count.add({candidate.mean - base.mean, own, {}}, 0.95);
  }
  EXPECT_NEAR(count.share(), 0.95, count.error(0.95));
}

TEST(Confidence, ModeratedVariancesHoldAndAreNarrower) {
  constexpr int kPairs = 3;
  constexpr double kUsualDegrees = 8;
  Simulation simulation(404);
  Count moderated;
  Count own;
  for (int report = 0; report < 200; ++report) {
    std::vector<SideNoise> benchmarks;
    std::vector<Variance> observed;
    for (int b = 0; b < 40; ++b) {
      const double deviation = 0.01 * std::sqrt(kUsualDegrees / simulation.chi_squared(kUsualDegrees));
      benchmarks.push_back(side_noise({simulation.job(kTruth, 0, deviation, kPairs)}));
      observed.push_back(benchmarks.back().per_invocation);
    }
    const auto usual = fit_usual_variance(observed);
    for (const auto& benchmark : benchmarks) {
      const auto& pair = benchmark.per_invocation;
      const auto variance = moderate(pair, usual);
      moderated.add({benchmark.mean, {variance.value / kPairs, variance.degrees}, {}}, 0.95);
      own.add({benchmark.mean, {pair.value / kPairs, pair.degrees}, {}}, 0.95);
    }
  }
  EXPECT_NEAR(own.share(), 0.95, own.error(0.95));
  EXPECT_NEAR(moderated.share(), 0.95, 0.015);  // the usual variance is itself estimated, of 40 benchmarks
  EXPECT_LT(moderated.mean_half_width(), 0.7 * own.mean_half_width());
}

}  // namespace
}  // namespace tracker::stats
