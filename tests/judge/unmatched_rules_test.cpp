// A metric in tracker.toml that no benchmark has: a slip is refused, a counter is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/error.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/judge/policy_rules.hpp"

namespace tracker::judge {
namespace {

using test::around;
using testing::HasSubstr;

Policy judged_by(const std::string& metric) {
  Policy policy;
  policy.rules.push_back({.match = "*", .metric = metric});
  return policy;
}

using RunList = std::vector<Run>;

RunList one_run() {
  return {test::make_run({}, {{"k", around(100)}})};
}

std::vector<std::string> proposed(const std::vector<test::Timed>& base,
                                  const std::vector<test::Timed>& candidate) {
  const auto report = judge({{}, {test::make_run({}, base)}}, {{}, {test::make_run({}, candidate)}}, {}, {});
  std::vector<std::string> lines;
  for (const auto& rename : report.likely_renames) lines.push_back(rename.from + " → " + rename.to);
  return lines;
}

TEST(LikelyRenames, AFolderThatGotAnotherNameIsOneRename) {
  EXPECT_THAT(
      proposed({{"naive/f32/64", around(100)}, {"naive/f32/128", around(420)}, {"copy/64", around(80)}},
               {{"basic/f32/64", around(101)}, {"basic/f32/128", around(417)}, {"copy/64", around(80)}}),
      testing::ElementsAre("naive/* → basic/*"));
}

TEST(LikelyRenames, OnlyWhatIsMissingIsRenamed) {
  EXPECT_THAT(proposed({{"naive/64", around(100)}, {"naive/128", around(420)}, {"naive/256", around(1700)}},
                       {{"basic/64", around(101)}, {"basic/128", around(417)}, {"naive/256", around(1700)}}),
              testing::UnorderedElementsAre("naive/64 → basic/64", "naive/128 → basic/128"));
}

TEST(LikelyRenames, OtherValuesOrOtherNamesAreNone) {
  EXPECT_THAT(proposed({{"naive/64", around(100)}}, {{"basic/64", around(150)}}), testing::IsEmpty());
  EXPECT_THAT(proposed({{"gemm/tile", around(100)}}, {{"sort", around(100)}}), testing::IsEmpty());
  EXPECT_THAT(proposed({{"a", around(100)}}, {{"a", around(100)}, {"b", around(100)}}), testing::IsEmpty());
}

TEST(MetricNames, ASlipIsRefusedWithWhatIsMeant) {
  for (const auto& [slip, meant] : {std::pair{"realtime", "real_time"},
                                    {"Real-Time", "real_time"},
                                    {"cpu_tim", "cpu_time"},
                                    {"bytes_per_sec0nd", "bytes_per_second"},
                                    {"flop", "flops"}}) {
    try {
      judge({{}, one_run()}, {{}, one_run()}, {}, judged_by(slip));
      ADD_FAILURE() << slip;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_THAT(error.what(), HasSubstr("names the metric '" + std::string(slip) + "'"));
      EXPECT_THAT(error.hint(), HasSubstr("did you mean '" + std::string(meant) + "'?"));
    }
  }
}

TEST(MetricNames, ACounterMayBeCalledLikeABuiltInMetric) {
  auto varies = one_run();
  varies[0].invocations[0].samples["k"].counters["realtime"] = {1};
  auto constant = one_run();
  constant[0].benchmarks[0].counters["realtime"] = 1;
  const auto none = one_run();
  EXPECT_NO_THROW(require_metric_names(judged_by("realtime"), {&none, &varies}));
  EXPECT_NO_THROW(require_metric_names(judged_by("realtime"), {&none, &constant}));
  EXPECT_NO_THROW(require_metric_names(judged_by("cache_misses"), {&none}))
      << "it may not have been measured";
  EXPECT_NO_THROW(require_metric_names(judged_by("flops"), {&none}));
}

}  // namespace
}  // namespace tracker::judge
