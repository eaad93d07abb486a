// Every format on the same reports, held against reviewed files.
#include "tests/support/golden.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/report/sample_reports.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

struct Golden {
  const char* file;
  const char* format;
  std::vector<ComparisonReport> reports;
  ReportOptions options;

  friend void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }
};

const std::vector<Golden>& goldens() {
  const auto sample = test::sample_report();
  const auto quiet = test::quiet_report();
  const auto hostile = test::hostile_report();
  const auto policy = test::policy_report();
  const auto reasons = test::reasons_report();
  const auto many = test::long_report();
  static const std::vector<Golden> table{
      {"text_unlimited.txt", "text", {sample}, {}},
      {"text_180.txt", "text", {sample}, {.columns = 180}},
      {"text_140.txt", "text", {sample}, {.columns = 140}},
      {"text_100.txt", "text", {sample}, {.columns = 100}},
      {"text_80.txt", "text", {sample}, {.columns = 80}},
      {"text_40.txt", "text", {sample}, {.columns = 40}},
      {"text_100_color.txt", "text", {sample}, {.color = true, .columns = 100}},
      {"text_without_unchanged.txt", "text", {sample}, {.columns = 140, .all_rows = false}},
      {"text_two_devices.txt", "text", {sample, quiet}, {.columns = 120}},
      {"text_passed.txt", "text", {quiet}, {.color = true, .columns = 80}},
      {"text_hostile.txt", "text", {hostile}, {.color = true, .columns = 120}},
      {"text_nothing.txt", "text", {}, {}},
      {"text_policy_80.txt", "text", {policy}, {.columns = 80}},
      {"text_policy_140_color.txt", "text", {policy}, {.color = true, .columns = 140}},
      {"text_reasons_80.txt", "text", {reasons}, {.columns = 80}},
      {"text_reasons_100.txt", "text", {reasons}, {.columns = 100}},
      {"text_reasons_120_color.txt", "text", {reasons}, {.color = true, .columns = 120}},
      {"text_reasons_unlimited.txt", "text", {reasons}, {}},
      {"markdown_reasons.md", "markdown", {reasons}, {}},
      {"comparison_reasons.json", "json", {reasons}, {}},
      {"text_long_80.txt", "text", {many}, {.columns = 80}},
      {"text_long_120.txt", "text", {many}, {.columns = 120}},
      {"text_long_120_first.txt", "text", {many}, {.columns = 120, .all_rows = false}},
      {"text_long_unlimited.txt", "text", {many}, {}},
      {"markdown_policy.md", "markdown", {policy}, {}},
      {"comparison_policy.json", "json", {policy}, {}},
      {"markdown.md", "markdown", {sample, quiet}, {}},
      {"markdown_without_unchanged.md", "markdown", {quiet}, {.all_rows = false}},
      {"markdown_hostile.md", "markdown", {hostile}, {}},
      {"comparison.json", "json", {sample, quiet}, {}},
      {"comparison_hostile.json", "json", {hostile}, {}},
      {"comparison_nothing.json", "json", {}, {}},
  };
  return table;
}

class Report : public ::testing::TestWithParam<Golden> {};

TEST_P(Report, IsAsReviewed) {
  int formats = 0;
  for (const auto& format : report_formats()) {
    if (format.name != GetParam().format) continue;
    ++formats;
    EXPECT_TRUE(testing::matches_golden(format.write(GetParam().reports, GetParam().options),
                                        std::string("tests/report/golden/") + GetParam().file));
  }
  EXPECT_EQ(formats, 1);
}

INSTANTIATE_TEST_SUITE_P(Golden, Report, ::testing::ValuesIn(goldens()), [](const auto& one) {
  std::string name = one.param.file;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
});

}  // namespace
}  // namespace tracker
