// A metric in tracker.toml that no benchmark has: a slip is refused, a counter is not.
#include "tracker/judge/verdict/unmatched_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/error.hpp"
#include "tracker/judge/verdict/judge.hpp"

namespace tracker {
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
}  // namespace tracker
