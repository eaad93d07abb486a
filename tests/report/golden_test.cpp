// Every format on the same reports, compared with reviewed files.
#include "tests/support/golden.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/report/sample_reports.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

struct ReportGolden {
  const char* file;
  const char* format;
  std::vector<ComparisonReport> reports;
  Options options;

  friend void PrintTo(const ReportGolden& golden, std::ostream* out) { *out << golden.file; }
};

const std::vector<ReportGolden>& report_goldens() {
  const auto sample = test::sample_report();
  const auto quiet = test::quiet_report();
  const auto hostile = test::hostile_report();
  const auto policy = test::policy_report();
  const auto reasons = test::reasons_report();
  const auto many = test::long_report();
  const auto broken = test::broken_report();
  const auto open = test::open_report();
  const auto same_code = test::same_code_report();
  const auto excused = test::excused_report();
  auto many_passed = many;
  many_passed.comparisons.erase(many_passed.comparisons.begin(), many_passed.comparisons.begin() + 5);
  auto policy_elsewhere = policy;
  policy_elsewhere.device = "nvidia-a100-80gib-400w";
  policy_elsewhere.details.model = "NVIDIA A100";
  std::vector<ComparisonReport> eight{sample, policy_elsewhere};
  for (int i = 3; i <= 8; ++i) {
    eight.push_back(i < 6 ? sample : quiet);
    eight.back().device = "device-" + std::to_string(i);
    eight.back().details.model = "Model " + std::to_string(i);
  }
  static const std::vector<ReportGolden> table{
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
      {"comparison_reasons.json", "json", {reasons}, {}},
      {"text_long_80.txt", "text", {many}, {.columns = 80}},
      {"text_long_120.txt", "text", {many}, {.columns = 120}},
      {"text_long_120_first.txt", "text", {many}, {.columns = 120, .all_rows = false}},
      {"text_long_unlimited.txt", "text", {many}, {}},
      {"comparison.html", "html", {sample, quiet}, {}},
      {"comparison_unjudged.html", "html", {}, test::unjudged_options()},
      {"comparison_hostile.html", "html", {hostile}, test::hostile_options()},
      {"comparison_policy.json", "json", {policy}, {}},
      {"comparison.json", "json", {sample, quiet}, {}},
      {"comparison_hostile.json", "json", {hostile}, {}},
      {"comparison_nothing.json", "json", {}, {}},
      {"comparison_unjudged.json", "json", {sample}, {.unjudged = {test::unjudged_device()}}},
      {"comment_regressed.md", "markdown", {sample}, test::comment_options({sample})},
      {"comment_many_regressed.md", "markdown", {broken}, test::comment_options({broken})},
      {"comment_cut.md", "markdown", {broken}, test::comment_options({broken}, 12000)},
      {"comment_nothing_significant.md", "markdown", {quiet}, test::comment_options({quiet})},
      {"comment_all_inconclusive.md", "markdown", {open}, test::comment_options({open})},
      {"comment_some_inconclusive_strict.md", "markdown", {many_passed}, {.strict = true}},
      {"comment_cannot_judge.md", "markdown", {}, test::unjudged_options()},
      {"comment_one_device_unjudged.md", "markdown", {quiet}, {.unjudged = {test::unjudged_device()}}},
      {"comment_absent_device.md", "markdown", {quiet}, {.absent = {"nvidia-l40s-45gib-350w"}}},
      {"comment_two_devices.md", "markdown", {sample, policy_elsewhere}, {}},
      {"comment_eight_devices.md", "markdown", eight, {}},
      {"comment_same_code.md", "markdown", {same_code}, test::comment_options({same_code})},
      {"comment_causes.md", "markdown", {reasons}, {}},
      {"comment_excused.md", "markdown", {excused}, test::comment_options({excused})},
      {"comment_policy.md", "markdown", {policy}, {}},
      {"comment_hostile.md", "markdown", {hostile}, test::hostile_options()},
      {"annotations.txt", "github", {sample, policy}, {}},
      {"annotations_many.txt", "github", {broken}, {}},
      {"annotations_cannot_judge.txt", "github", {}, test::unjudged_options()},
      {"annotations_inconclusive.txt", "github", {open}, {}},
      {"annotations_passed.txt", "github", {quiet}, {}},
      {"annotations_hostile.txt", "github", {hostile}, test::hostile_options()},
      {"junit.xml", "junit", {sample, quiet}, {.unjudged = {test::unjudged_device()}}},
      {"junit_policy.xml", "junit", {policy}, {}},
      {"junit_cannot_judge.xml", "junit", {}, test::unjudged_options()},
      {"junit_hostile.xml", "junit", {hostile}, test::hostile_options()},
  };
  return table;
}

class Report : public ::testing::TestWithParam<ReportGolden> {};

TEST_P(Report, IsAsReviewed) {
  int formats = 0;
  for (const auto& format : report_formats()) {
    if (format.name != GetParam().format) continue;
    ++formats;
    EXPECT_TRUE(test::matches_golden(format.write(GetParam().reports, GetParam().options),
                                     std::string("tests/report/golden/") + GetParam().file));
  }
  EXPECT_EQ(formats, 1);
}

INSTANTIATE_TEST_SUITE_P(Golden, Report, ::testing::ValuesIn(report_goldens()), [](const auto& one) {
  std::string name = one.param.file;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
});

}  // namespace
}  // namespace tracker::report
