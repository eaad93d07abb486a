// Every attack at every sink, and at every format.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/report/attacks.hpp"
#include "tests/report/sample_reports.hpp"
#include "tests/support/said.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

using test::attacks;
using testing::HasSubstr;
using testing::Not;

bool has_any(const std::string& text, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const std::vector<std::string>& hidden() {
  static const std::vector<std::string> characters{
      "\n",     "\r",     "\v",     "\f",        "\x1b",   "\x7f",   std::string(1, '\0'),
      "\u202E", "\u202C", "\u2066", "\u2069",    "\u200F", "\u061C", "\u200B",
      "\u200C", "\u200D", "\u2060", "\uFEFF",    "\u00AD", "\u2028", "\u2029",
      "\u0085", "\uFFFE", "\uFFFF", "\U000E0041"};
  return characters;
}

TEST(VisibleText, HidesNothingAndEnds) {
  for (const auto& attack : attacks()) {
    const std::string text = visible_text(attack.text);
    EXPECT_FALSE(has_any(text, hidden())) << attack.name;
    EXPECT_EQ(text, printable(text)) << attack.name;
    EXPECT_LE(display_width(text), kTextColumnsMax) << attack.name;
  }
  EXPECT_EQ(visible_text("a\u202Eb\u200Bc"), "a⟨U+202E⟩b⟨U+200B⟩c");
  EXPECT_EQ(visible_text("\U000E0041"), "⟨U+E0041⟩");
  EXPECT_EQ(visible_text("µ → ⚡\uFE0F \U0001F680 日本 é"), "µ → ⚡\uFE0F \U0001F680 日本 é");
  EXPECT_EQ(visible_text(std::string(20, 'a') + std::string(20, 'b'), 9), "aaaa…bbbb");
}

TEST(MarkdownText, LeavesNoMarkupOfAnyAttack) {
  for (const auto& attack : attacks()) {
    std::string text = markdown_text(attack.text);
    EXPECT_FALSE(has_any(text, {"<", ">", "|", "`", "*", "_", "~", "[", "]", "\\", "$", "\""})) << text;
    EXPECT_FALSE(has_any(text, hidden())) << attack.name;
    text = std::regex_replace(text, std::regex("&#[0-9]+;"), "·");
    EXPECT_FALSE(
        has_any(text, {"://", "www.", "@e", "@o", "@b", "#1", "#3", "GH-", "mailto:", "xmpp:", ":w", ":+1:"}))
        << text;
    EXPECT_EQ(text.find('&'), std::string::npos) << text;  // but for entities
  }
}

TEST(MarkdownCode, EndsWhereItEnds) {
  EXPECT_EQ(markdown_code("tracker compare 'HEAD@{1}' #1 <b>"), "`tracker compare 'HEAD@{1}' #1 <b>`");
  EXPECT_EQ(markdown_code("`a`"), "`` `a` ``");
  EXPECT_EQ(markdown_code("a``b"), "```a``b```");
  EXPECT_EQ(markdown_code(""), "`  `");
  for (const auto& attack : attacks()) {
    const std::string text = markdown_code(attack.text);
    EXPECT_FALSE(has_any(text, hidden())) << attack.name;
    const std::size_t fence = text.find_first_not_of('`');
    ASSERT_NE(fence, std::string::npos) << attack.name;
    EXPECT_EQ(count_in(text.substr(fence, text.size() - 2 * fence), std::string(fence, '`')), 0u) << text;
  }
}

TEST(MarkdownLink, StaysInItsAttribute) {
  EXPECT_EQ(markdown_link("charts/a-b_1.png"), "charts/a-b_1.png");
  EXPECT_EQ(markdown_link("https://x.example/O/R/blob/0f/a.png?raw=true&y=1"),
            "https://x.example/O/R/blob/0f/a.png?raw=true&amp;y=1");
  EXPECT_EQ(markdown_link("a b,c\" 2x"), "a%20b%2Cc%22%202x");
  EXPECT_EQ(markdown_link("javascript:alert(1)"), "./javascript:alert%281%29");
  EXPECT_EQ(markdown_link("data:x"), "./data:x");
  for (const auto& attack : attacks())
    EXPECT_FALSE(
        has_any(markdown_link(attack.text), {"<", ">", "\"", "'", " ", ",", "(", "\n", "\r", "`", "|"}))
        << attack.name;
}

TEST(WorkflowText, IsOneCommand) {
  EXPECT_EQ(workflow_data("a: b, 50 %\nc"), "a: b, 50 %25%0Ac");
  EXPECT_EQ(workflow_property("a: b, 50 %"), "a%3A b%2C 50 %25");
  for (const auto& attack : attacks()) {
    const std::string data = workflow_data(attack.text);
    EXPECT_FALSE(has_any(data, hidden())) << attack.name;
    const std::string property = workflow_property(attack.text);
    EXPECT_FALSE(has_any(property, hidden())) << attack.name;
    EXPECT_FALSE(has_any(property, {":", ","})) << property;
    for (const auto& text : {data, property})
      for (auto at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1))
        EXPECT_THAT(text.substr(at, 3), testing::AnyOf("%25", "%0A", "%3A", "%2C")) << text;
  }
}

// As the runner reads $GITHUB_OUTPUT.
std::map<std::string, std::string> outputs_in(const std::string& file) {
  std::map<std::string, std::string> outputs;
  std::istringstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find('=');
    const auto heredoc = line.find("<<");
    if (equals < heredoc) {
      outputs[line.substr(0, equals)] = line.substr(equals + 1);
      continue;
    }
    const std::string delimiter = line.substr(heredoc + 2);
    std::string& value = outputs[line.substr(0, heredoc)];
    bool is_first = true;
    for (std::string part; std::getline(lines, part) && part != delimiter; is_first = false)
      value += (is_first ? "" : "\n") + part;
  }
  return outputs;
}

TEST(WorkflowText, AnOutputEndsAtItsDelimiterAlone) {
  for (const auto& attack : attacks()) {
    const auto outputs = outputs_in(workflow_output("a", attack.text, "tracker-0123456789") +
                                    workflow_output("b", "after", "tracker-0123456789"));
    EXPECT_EQ(outputs.size(), 2u) << attack.name;
    EXPECT_EQ(outputs.at("b"), "after") << attack.name;
    EXPECT_EQ(outputs.at("a").find('\r'), std::string::npos) << attack.name;
  }
  EXPECT_EQ(outputs_in(workflow_output("a", "x\n\ny=1\nz", "d")).at("a"), "x\n\ny=1\nz");
}

TEST(XmlText, LeavesNoMarkupOfAnyAttack) {
  EXPECT_EQ(xml_text("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&apos;");
  for (const auto& attack : attacks()) {
    EXPECT_FALSE(has_any(xml_text(attack.text), {"<", ">", "\"", "'"})) << attack.name;
    EXPECT_FALSE(has_any(xml_text(attack.text), hidden())) << attack.name;
  }
}

// A report in which everything that strangers can name is called so.
ComparisonReport called(const std::string& text) {
  ComparisonReport report = test::policy_report();
  report.device = text;
  report.details.model = text;
  report.software.driver = report.software.cuda_runtime = text;
  for (Side* side : {&report.base, &report.candidate}) side->label = side->subject = text;
  report.notes = {text, text};
  for (auto& row : report.comparisons) {
    row.benchmark = row.cause = row.source = text;
    row.reasons = test::said(text);
    if (row.waiver) row.waiver->reason = text;
    if (row.floor) row.floor->text = text;
  }
  report.comparisons.front().metric.name = text;
  report.comparisons.front().metric.unit = "";
  return report;
}

Options options_called(const std::string& text) {
  Options options;
  options.unjudged = {{text, text, text}};
  options.reproduce = options.explain = text;
  options.links = {{text, text}};
  options.absent = {text};
  options.code = {{text, text, text, {" " + text, "-" + text, "+" + text}, 1, 1, 0}};
  options.pictures = {
      {Picture::Kind::kTrend,
       text,
       text,
       text,
       text,
       text,
       {{text, {text, text}, {{text, text}}, text}, {text, {text, text}, {{text, text}}, text}}},
      {Picture::Kind::kSamples, text, text, text, text, text, {}},
      {Picture::Kind::kComparison, text, "", text, text, text, {{text, {text, text}, {{text, text}}, ""}}}};
  return options;
}

TEST(Formats, HaveTheSameShapeWhateverTheNames) {
  const std::vector<std::string> marks{
      "<details>", "</details>", "<summary>", "<picture>", "<img ", "<source ", "<sub>", "</sub>",
      "<code>",    "</code>",    "\n---\n",   "\n### ",    "<!--",  "-->",      "</td>", "<script"};
  const std::string plain = write_as("markdown", {called("plain")}, options_called("plain"));
  for (const auto& attack : attacks()) {
    if (attack.text.find_first_not_of(' ') == std::string::npos) continue;  // nothing is not shown
    const std::string text = write_as("markdown", {called(attack.text)}, options_called(attack.text));
    for (const auto& mark : marks) {
      const std::string code = markdown_code(attack.text);  // shows markup as text, as do the lines of a diff
      EXPECT_EQ(count_in(text, mark) - 5 * count_in(code, mark), count_in(plain, mark))
          << attack.name << ": " << mark;
    }
    EXPECT_EQ(count_in(text, "\n```"), 2u) << attack.name;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("|")) {
        EXPECT_THAT(count_in(line, "|"), testing::AnyOf(3u, 4u)) << attack.name << line;
      }
  }
}

TEST(Formats, AnnotationsAreOneALine) {
  const std::size_t plain = count_in(write_as("github", {called("plain")}, options_called("plain")), "\n");
  for (const auto& attack : attacks()) {
    const std::string text = write_as("github", {called(attack.text)}, options_called(attack.text));
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::notice "))
          << attack.name << ": " << line;
    EXPECT_EQ(count, plain) << attack.name;
    EXPECT_FALSE(has_any(text, {"\r", "\x1b", "\u202E", "\u200B"})) << attack.name;
  }
}

TEST(Formats, OutputsSayTheirOwnVerdict) {
  for (const auto& attack : attacks()) {
    const auto outputs =
        outputs_in(workflow_outputs({called(attack.text)}, options_called(attack.text), ExitCode::kRegressed,
                                    {{"comment", attack.text}}, "tracker-0123456789"));
    EXPECT_EQ(outputs.at("verdict"), "failed") << attack.name;
    EXPECT_EQ(outputs.at("exit-code"), "1") << attack.name;
    EXPECT_EQ(outputs.at("regressed"), "2") << attack.name;
    EXPECT_EQ(outputs.size(), 15u) << attack.name;
  }
}

TEST(Formats, JsonIsJson) {
  for (const auto& attack : attacks()) {
    const auto document =
        nlohmann::json::parse(write_as("json", {called(attack.text)}, options_called(attack.text)));
    EXPECT_EQ(document.at("answer"), "failed");
    EXPECT_EQ(document.at("unjudged").size(), 1u);
  }
}

ProcessResult xmllint(const std::string& document, const std::string& xpath) {
  std::vector<std::string> argv{"xmllint", "--nonet", "--noout", "-"};
  if (!xpath.empty()) argv = {"xmllint", "--nonet", "--xpath", xpath, "-"};
  return run_process({.argv = argv, .input = document, .timeout = std::chrono::seconds(60)});
}

TEST(Formats, JunitIsXml) {
  for (const auto& attack : attacks()) {
    const std::string document = write_as("junit", {called(attack.text)}, options_called(attack.text));
    const auto checked = xmllint(document, "");
    EXPECT_TRUE(checked.ok()) << attack.name << "\n" << checked.start_error << checked.errors << document;
  }
}

TEST(Formats, JunitCountsWhatItHolds) {
  for (const auto& reports : {std::vector<ComparisonReport>{test::sample_report(), test::quiet_report()},
                              std::vector<ComparisonReport>{test::policy_report(), test::excused_report()},
                              std::vector<ComparisonReport>{}}) {
    const std::string document = write_as("junit", reports, {.unjudged = {test::unjudged_device()}});
    for (const auto& [attribute, element] : {std::pair{"tests", "testcase"}, std::pair{"failures", "failure"},
                                             std::pair{"skipped", "skipped"}}) {
      const std::string said = std::string("/testsuites/@") + attribute;
      const std::string held = std::string("count(//") + element + ")";
      const auto agree = xmllint(document, "string(" + said + " = " + held + " and sum(//testsuite/@" +
                                               attribute + ") = " + held + ")");
      EXPECT_THAT(agree.output, HasSubstr("true")) << attribute << agree.errors;
    }
  }
}

}  // namespace
}  // namespace tracker::report
