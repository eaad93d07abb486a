// Every rule on two sides that it must call different, and on two that it must not.
#include "tests/quality/rules.hpp"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker::quality {
namespace {

const std::vector<double> kNoise{0, 3, -2, 1, -1, 2, -3, 0.5, -0.5, 1.5};  // of a thousandth

// Ten invocations around this time, in another order on every side; ten repetitions each.
Run side_of(const char* id, double time_ns, std::size_t turn) {
  auto noise = kNoise;
  std::rotate(noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(turn), noise.end());
  std::vector<double> times;
  for (const double step : noise) times.push_back(time_ns * (1 + step / 1000));
  Run run = test::make_run({.id = id, .job = "job"}, {{"copy", times, {}, {}}});
  for (auto& invocation : run.invocations) {
    auto& repetitions = invocation.samples["copy"].real_time_ns;
    const double time = repetitions.front();
    repetitions.clear();
    for (const double step : kNoise) repetitions.push_back(time * (1 + step / 100000));
  }
  return run;
}

Trial trial_of(double slower) {
  Trial trial{side_of("20261120T120000Z-00000001", 1000, 0),
              side_of("20261120T120000Z-00000002", 1000 * (1 + slower), 3),
              {}};
  for (const double step : kNoise) trial.past_ns["copy"].push_back(1000 * (1 + step / 1000));
  return trial;
}

const Rule& rule_named(const std::string& part) {
  const auto found = std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) {
    return rule.name.find(part) != std::string::npos;
  });
  if (found == rules().end()) throw std::runtime_error("no rule " + part);
  return *found;
}

Call call_of(const std::string& rule, double slower) {
  return rule_named(rule).calls(trial_of(slower)).at("copy");
}

// The invocations' deviation is 0.184 %: four of them are 0.74 %, and their median is 0.01 % above their
// mean.
TEST(Rules, CallWhatTheyAreDefinedToCall) {
  struct Row {
    const char* rule;
    double not_yet, slow;
  };
  for (const Row& row :
       {Row{"tracker at 0.5 %", 0.004, 0.01}, Row{"tracker at 2.5 %", 0.02, 0.04},
        Row{"compare.py", 0.0001, 0.003}, Row{"asv", 0.099, 0.101}, Row{"git-perf", 0.0070, 0.0076},
        Row{"fixed 5 %", 0.049, 0.051}, Row{"fixed 200 %", 0.99, 1.01}, Row{"nvbench", 0.009, 0.010},
        Row{"Welch", 0.001, 0.003}}) {
    EXPECT_NE(call_of(row.rule, row.not_yet), Call::kRegressed) << row.rule;
    EXPECT_EQ(call_of(row.rule, row.slow), Call::kRegressed) << row.rule;
    EXPECT_NE(call_of(row.rule, 1 / (1 + row.not_yet) - 1), Call::kImproved) << row.rule;
    // A little more than the mirror image: some of them are not symmetric.
    EXPECT_EQ(call_of(row.rule, 1 / (1 + row.slow * 1.05) - 1), Call::kImproved) << row.rule;
  }
}

TEST(Rules, OnlyTrackerClaimsThatNothingChanged) {
  for (const auto& rule : rules()) {
    const Call call = rule.calls(trial_of(0)).at("copy");
    if (!is_ours(rule) || rule.threshold == 0) {
      EXPECT_EQ(call, Call::kOpen) << rule.name;
    }
    if (rule.threshold.value_or(0) >= 0.01) {
      EXPECT_EQ(call, Call::kUnchanged) << rule.name;
    }
    EXPECT_NE(call, Call::kRegressed) << rule.name;
    EXPECT_NE(call, Call::kImproved) << rule.name;
  }
}

TEST(Rules, NameTheirSources) {
  for (const auto& rule : rules()) {
    EXPECT_FALSE(rule.definition.empty()) << rule.name;
    EXPECT_FALSE(rule.source.empty()) << rule.name;
  }
}

TEST(Rules, GitPerfLooksAtTheLastFortyValues) {
  Trial trial = trial_of(0.02);
  auto& past = trial.past_ns["copy"];
  const auto recent = past;
  while (past.size() < 40) past.insert(past.end(), recent.begin(), recent.end());
  past.resize(40);
  // Long ago the times were all over the place.
  for (int i = 0; i < 20; ++i) past.insert(past.begin(), i % 2 == 0 ? 500 : 1500);
  EXPECT_EQ(rule_named("git-perf").calls(trial).at("copy"), Call::kRegressed);
  past.pop_back();
  EXPECT_EQ(rule_named("git-perf").calls(trial).at("copy"), Call::kOpen);
}

}  // namespace
}  // namespace tracker::quality
