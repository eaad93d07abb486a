// `tracker explain` in every format, compared with reviewed files, and on terminals of every width.
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/report/sample_explanations.hpp"
#include "tests/report/written.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

using test::without_color;
std::string written(const std::string& format, const std::vector<ExplanationReport>& reports,
                    const Options& options) {
  return test::written(explanation_formats(), format, reports, options);
}

struct ExplanationCase {
  const char* file;
  const char* format;
  std::vector<ExplanationReport> reports;
  Options options;

  friend void PrintTo(const ExplanationCase& golden, std::ostream* out) { *out << golden.file; }
};

const std::vector<ExplanationCase>& explanation_goldens() {
  static const auto code = test::code_explanation();
  static const auto same = test::same_code_explanation();
  static const auto bare = test::bare_explanation();
  static const auto hostile = test::hostile_explanation();
  static const std::vector<ExplanationCase> table{
      {"explain_100.txt", "text", {code}, {.columns = 100, .all_rows = false}},
      {"explain_120_color.txt", "text", {code}, {.color = true, .columns = 120, .all_rows = false}},
      {"explain_60.txt", "text", {code}, {.columns = 60, .all_rows = false}},
      {"explain_all_100.txt", "text", {code}, {.columns = 100, .all_rows = true}},
      {"explain_same_code_100.txt", "text", {same}, {.columns = 100, .all_rows = false}},
      {"explain_bare_100.txt", "text", {bare}, {.columns = 100, .all_rows = false}},
      {"explain_two_devices.txt", "text", {same, bare}, {.all_rows = false}},
      {"explain_hostile_80.txt", "text", {hostile}, {.color = true, .columns = 80, .all_rows = false}},
      {"explain.md", "markdown", {code, same}, {.all_rows = false}},
      {"explain_bare_all.md", "markdown", {bare}, {.all_rows = true}},
      {"explain_hostile.md", "markdown", {hostile}, {.all_rows = false}},
      {"explanation.json", "json", {same, bare}, {}},
      {"explanation_hostile.json", "json", {hostile}, {}},
  };
  return table;
}

class ExplanationGolden : public ::testing::TestWithParam<ExplanationCase> {};

TEST_P(ExplanationGolden, IsAsReviewed) {
  const auto& [file, format, reports, options] = GetParam();
  EXPECT_TRUE(
      test::matches_golden(written(format, reports, options), std::string("tests/report/golden/") + file));
}

INSTANTIATE_TEST_SUITE_P(Golden, ExplanationGolden, ::testing::ValuesIn(explanation_goldens()),
                         [](const auto& one) {
                           std::string name = one.param.file;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

TEST(ExplanationText, FitsEveryTerminalAndSaysTheSameInColor) {
  const std::vector<ExplanationReport> reports{test::code_explanation(), test::same_code_explanation(),
                                               test::bare_explanation(), test::hostile_explanation()};
  for (const bool all_rows : {false, true})
    for (int columns = 40; columns <= 130; ++columns) {
      const auto text = written("text", reports, {.columns = columns, .all_rows = all_rows});
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
      EXPECT_EQ(
          without_color(written("text", reports, {.color = true, .columns = columns, .all_rows = all_rows})),
          text);
    }
}

TEST(ExplanationJson, HasValuesAsNumbersToo) {
  const auto document = nlohmann::json::parse(written("json", {test::code_explanation()}, {}));
  EXPECT_EQ(document.at("schema"), "tracker.explanation/1");
  const auto& first = document.at("reports").at(0).at("explanations").at(0);
  EXPECT_EQ(first.at("comparison").at("verdict"), "regressed");
  EXPECT_EQ(first.at("causes").at(0), "spills 0 → 96 bytes: registers 64 → 32");
  bool found = false;
  for (const auto& group : first.at("groups"))
    for (const auto& fact : group.at("facts"))
      if (fact.at("name") == "spills a thread") {
        found = true;
        EXPECT_EQ(fact.at("base_value"), 0);
        EXPECT_EQ(fact.at("candidate_value"), 96);
        EXPECT_EQ(fact.at("unit"), "bytes");
        EXPECT_EQ(fact.at("candidate"), "96 bytes");
        EXPECT_TRUE(fact.at("differs"));
      }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace tracker::report
