// compare --filter without measuring: some rows of a report, as they were judged; and rows of any width.
#include "tracker/report/keep_matching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<ComparisonReport> reports_of(const std::vector<std::string>& names) {
  ComparisonReport report;
  report.device = "cpu";
  for (const auto& name : names) {
    Comparison comparison;
    comparison.benchmark = name;
    comparison.metric = find_metric("real_time");
    comparison.verdict = Verdict::kRegressed;
    report.comparisons.push_back(comparison);
  }
  return {report};
}

std::vector<std::string> kept_by(const std::string& filter) {
  auto reports = reports_of({"gemm/a/8", "gemm/b/8", "copy/a/8"});
  keep_matching(reports, filter);
  std::vector<std::string> names;
  for (const auto& comparison : reports[0].comparisons) names.push_back(comparison.benchmark);
  EXPECT_THAT(reports[0].notes,
              Contains(HasSubstr("only the " + std::to_string(names.size()) +
                                 " of 3 benchmarks that --filter '" + filter + "' matches")));
  return names;
}

TEST(KeepMatching, TakesWhatGoogleBenchmarkWouldTake) {
  EXPECT_THAT(kept_by("a/8$"), testing::ElementsAre("gemm/a/8", "copy/a/8"));
  EXPECT_THAT(kept_by("^(copy|gemm)/b"), testing::ElementsAre("gemm/b/8"));
  EXPECT_THAT(kept_by("-gemm"), testing::ElementsAre("copy/a/8"));
}

TEST(KeepMatching, RefusesWhatMatchesNothingOrIsNone) {
  for (const char* filter : {"nobody", "(", "[a"}) {
    auto reports = reports_of({"gemm/a/8"});
    try {
      keep_matching(reports, filter);
      ADD_FAILURE() << filter;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_THAT(error.what(), HasSubstr(filter));
    }
  }
}

TEST(KeepMatching, TakesPatternsOfWholeNames) {
  auto reports = reports_of({"gemm/a/8", "gemm/b/8", "copy/a/8"});
  keep_matching(reports, std::vector<std::string>{"gemm/*", "*/b/*"});
  EXPECT_EQ(reports[0].comparisons.size(), 2u);
  EXPECT_THAT(reports[0].notes,
              Contains(HasSubstr("only the 2 of 3 benchmarks that match 'gemm/*' or '*/b/*'")));
  try {
    keep_matching(reports, std::vector<std::string>{"gem"});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.hint(), HasSubstr("'*gem*' matches 2"));
  }
}

// One endless name made every one of many rows as wide.
TEST(Rows, AnEndlessNameIsCutButInJson) {
  const std::string endless = "start" + std::string(90000, 'x') + "end";
  auto names = std::vector<std::string>(200, "k");
  names.push_back(endless);
  const auto reports = reports_of(names);
  for (const auto& format : report_formats()) {
    ReportOptions options;
    options.all_rows = true;
    const std::string text = format.write(reports, options);
    if (std::string(format.name) == "json") {
      EXPECT_THAT(text, HasSubstr(endless));
    } else {
      EXPECT_LT(text.size(), 300000u) << format.name;
      EXPECT_EQ(text.find(std::string(1000, 'x')), std::string::npos) << format.name;
    }
  }
}

}  // namespace
}  // namespace tracker
