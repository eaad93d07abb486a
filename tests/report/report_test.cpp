// Text that must fit: words on lines, and whole reports on terminals of every width.

#include "tracker/report/report.hpp"

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/report/sample_reports.hpp"
#include "tests/report/written.hpp"
#include "tests/support/said.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::report {
namespace {

using test::without_color;
using testing::HasSubstr;
using testing::Not;

std::string written(const std::string& format, const std::vector<ComparisonReport>& reports,
                    const Options& options) {
  return test::written(report_formats(), format, reports, options);
}

// A comparison that is fine may stand on a line that is not.
TEST(MarkdownReport, NamesTheDriftOfTheLineBeforeTheChange) {
  ComparisonReport report;
  report.device = "nvidia-h200-140gib-700w";
  DriftAlarm alarm;
  alarm.event.shape = EventShape::kDrift;
  EventChange change;
  change.device = report.device;
  change.benchmark = "transpose/`tile`|f32";
  alarm.event.changes = {change};
  alarm.since.name = "release v1.2";
  alarm.losses = {{0, 0.062}};
  Options options;
  EXPECT_THAT(written("markdown", {report}, options), Not(HasSubstr("drift")));
  options.drifts = {alarm};
  const std::string text = written("markdown", {report}, options);
  EXPECT_THAT(text,
              HasSubstr("The line before this change drifts: 6.2 % lost since release v1.2 by a drift, no "
                        "single commit: "));
  EXPECT_THAT(text, Not(HasSubstr("`tile`|f32"))) << "escaped";
  options.drifts.assign(5, alarm);
  EXPECT_THAT(written("markdown", {report}, options), HasSubstr("2 more drifts: tracker check"));
}

ComparisonReport with_rows(int rows, const std::string& beside) {
  ComparisonReport report;
  report.device = "nvidia-h200-140gib-700w";
  for (int i = 0; i < rows; ++i) {
    Comparison row;
    row.benchmark = "copy/" + std::to_string(i);
    row.metric = find_metric("real_time");
    row.base = row.candidate = 1e-3;
    row.change = 0.001;
    row.reasons = {{ReasonCode::kEitherSide, {{"change", 0.001}}},
                   {ReasonCode::kOtherNeighbours, {{"text", beside}, {"resolvable", 0.1 + 0.01 * i}}}};
    report.comparisons.push_back(row);
  }
  return report;
}

// One benchmark more in the candidate's process: the others need not each say so.
TEST(TextReport, WhatRanBesideAllOfThemIsSaidOnceAboveTheTable) {
  const auto report = with_rows(6, "'new' ran beside it only in the candidate");
  const std::string said =
      "6 benchmarks: 'new' ran beside them only in the candidate, so that changes below 10–15 % "
      "cannot be seen: measure both sides with the same set (--measure), or each benchmark "
      "alone (--isolate)";
  const std::string text = written("text", {report}, {});
  EXPECT_THAT(text, HasSubstr(said));
  EXPECT_EQ(text.find("ran beside"), text.rfind("ran beside"));
  EXPECT_LT(text.find("ran beside"), text.find("copy/0"));
  const std::string markdown = written("markdown", {report}, {});
  EXPECT_EQ(markdown.find("ran beside"), markdown.rfind("ran beside"));
  const std::string two = written("text", {with_rows(2, "'new' ran beside it only in the base")}, {});
  EXPECT_THAT(two, HasSubstr("'new' ran beside it only in the base, so that changes below 10 % cannot"));
}

// Day one of who has two files: all ratios, and one sentence that says why there is no verdict.
TEST(TextReport, OfTwoFilesItShowsTheRatiosAndSaysOnceWhyNothingIsJudged) {
  auto report = with_rows(25, "x");
  for (auto& row : report.comparisons) row.reasons = {{ReasonCode::kOneInvocation, {{"change", 0.001}}}};
  const std::string text = written("text", {report}, {});
  EXPECT_THAT(text, HasSubstr("no verdict on 25 benchmarks: each side is one invocation, "));
  EXPECT_EQ(text.find("one invocation"), text.rfind("one invocation"));
  EXPECT_THAT(text, HasSubstr("copy/24"));
  EXPECT_THAT(text, Not(HasSubstr("more that are inconclusive")));
}

// A log of CI is a pipe: what many rows say is said once there too.
TEST(TextReport, APipeFoldsReasonsAsATerminalDoes) {
  auto report = with_rows(6, "x");
  for (auto& row : report.comparisons) {
    row.reasons = {{ReasonCode::kEitherSide, {{"change", 0.001}}}};
    row.interval = Interval{-0.01, 0.03};
    row.resolvable = row.threshold = 0.02;
  }
  const std::string text = written("text", {report}, {});
  EXPECT_THAT(text, HasSubstr("these 6: "));
  EXPECT_THAT(text, HasSubstr("better ←  ·  → worse\n"));
  EXPECT_THAT(text, HasSubstr("  │   ├─────●───│──┤\n"));
}

TEST(TextReport, WhatMayBeRenamedIsThereToPaste) {
  auto report = with_rows(1, "x");
  EXPECT_THAT(written("text", {report}, {}), Not(HasSubstr("[[rename]]")));
  report.likely_renames = {{"a/*", "b/*"}, {"q\"\\", "r\n"}};
  Options narrow;
  narrow.columns = 60;
  for (const auto& options : {Options{}, narrow})
    EXPECT_THAT(
        written("text", {report}, options),
        HasSubstr(
            "\n  [[rename]]\n  from = \"a/*\"\n  to = \"b/*\"\n\n  [[rename]]\n  from = \"q\\\"\\\\\"\n"));
  EXPECT_THAT(written("markdown", {report}, {}),
              HasSubstr("```toml\n[[rename]]\nfrom = \"a/*\"\nto = \"b/*\"\n\n[[rename]]\n"));
}

TEST(JsonReport, SaysWhatToTypeNext) {
  Options options;
  options.explain = "tracker explain copy HEAD~1 HEAD";
  options.reproduce = "tracker compare HEAD~1 HEAD";
  const auto next = nlohmann::json::parse(write_as("json", {}, options)).at("next");
  ASSERT_EQ(next.size(), 2u);
  EXPECT_EQ(next[0].at("what"), "explain");
  EXPECT_EQ(next[0].at("command"), options.explain);
  EXPECT_EQ(next[1].at("command"), options.reproduce);
}

TEST(Layout, CountsColumnsAndNotBytes) {
  EXPECT_EQ(shorten_middle("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(shorten_middle("µµµµµµ", 5), "µµ…µµ");
  EXPECT_EQ(shorten_middle("abc", 3), "abc");
  EXPECT_EQ(shorten_end("abcdef", 4), "abc…");
  EXPECT_EQ(shorten_end("µµ", 2), "µµ");
}

TEST(Layout, WrapsAtSpacesAndCutsWhatHasNone) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("a abcdef b", 3), (std::vector<std::string>{"a", "abc", "def", "b"}));
  EXPECT_EQ(wrap("", 5), std::vector<std::string>{""});
  EXPECT_EQ(wrap("below 4.4 %; so", 10), (std::vector<std::string>{"below", "4.4 %; so"}));
  EXPECT_EQ(wrap("LDG 4 → 5, STG", 11), (std::vector<std::string>{"LDG 4 → 5,", "STG"}));
  EXPECT_EQ(wrap("LDG 4 → 5, STG", 9), (std::vector<std::string>{"LDG", "4 → 5,", "STG"}));
  EXPECT_EQ(wrap("→ a", 3), (std::vector<std::string>{"→ a"}));
}

TEST(Layout, KnowsWideAndCombiningCharacters) {
  EXPECT_EQ(shorten_middle("日本語テスト", 7), "日…ト");
  EXPECT_EQ(shorten_end("日本語", 4), "日…");
  EXPECT_EQ(wrap("日本語", 4), (std::vector<std::string>{"日本", "語"}));
  EXPECT_EQ(wrap("日本", 1), (std::vector<std::string>{"日", "本"}));
  EXPECT_EQ(wrap("e\u0301e\u0301e\u0301", 2), (std::vector<std::string>{"e\u0301e\u0301", "e\u0301"}));
}

TEST(TextReport, FitsEveryTerminal) {
  const std::vector<ComparisonReport> reports{test::sample_report(),  test::quiet_report(),
                                              test::hostile_report(), test::policy_report(),
                                              test::reasons_report(), test::long_report()};
  for (int columns = 40; columns <= 240; columns += columns < 130 ? 1 : 10) {
    std::istringstream lines(without_color(written("text", reports, {.color = true, .columns = columns})));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(TextReport, SaysTheSameWithAndWithoutColor) {
  const std::vector<ComparisonReport> reports{test::sample_report(), test::hostile_report(),
                                              test::policy_report(), test::reasons_report(),
                                              test::long_report()};
  for (const int columns : {0, 80, 120}) {
    const std::string plain = written("text", reports, {.columns = columns});
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    EXPECT_EQ(without_color(written("text", reports, {.color = true, .columns = columns})), plain);
  }
}

// Where two names would look alike once shortened, none is.
TEST(TextReport, NeverShortensTwoNamesToOne) {
  auto report = test::quiet_report();
  auto row = report.comparisons.front();
  row.benchmark = "family/" + std::string(60, 'a') + "/f32";
  auto other = row;
  other.benchmark[30] = 'b';
  report.comparisons = {row, other};
  for (const int columns : {80, 100, 120}) {
    const std::string text = written("text", {report}, {.columns = columns});
    EXPECT_EQ(text.find("…"), std::string::npos) << text;
  }
  report.comparisons = {row};
  EXPECT_NE(written("text", {report}, {.columns = 100}).find("…"), std::string::npos);
}

TEST(Cells, WhatStayedOpenIsNotConfirmed) {
  auto row = test::quiet_report().comparisons.front();
  row.confirmed = true;
  row.reasons = test::said("more than noise");
  row.verdict = Verdict::kRegressed;
  EXPECT_EQ(cells_of(row).reason, "more than noise (confirmed)");
  row.verdict = Verdict::kInconclusive;
  EXPECT_EQ(cells_of(row).reason, "more than noise (measured again)");
}

TEST(Answer, IsNoPassWhereSomethingLooksSlower) {
  auto report = test::quiet_report();
  auto slow = report.comparisons.front();
  slow.verdict = Verdict::kInconclusive;
  slow.threshold = 0.05;
  slow.resolvable = 0.12;
  slow.change = slow.metric.better == Better::kHigher ? -0.08 : 0.08;
  report.comparisons.push_back(slow);
  EXPECT_EQ(answer_of({report}), Answer::kUndecided);
  EXPECT_EQ(answer_in_words({report}), "undecided: 1 of 2 benchmarks looks slower, which is not certain");
  EXPECT_EQ(headline_in_words({report}),
            "undecided: 1 of 2 benchmarks looks slower, which is not certain · 1 inconclusive, 1 unchanged");
  EXPECT_EQ(judge::exit_code_for({report}, false), ExitCode::kOk);
  EXPECT_EQ(judge::exit_code_for({report}, true), ExitCode::kCannotJudge);
  report.effort = Effort{};
  report.effort->out_of_budget = true;
  EXPECT_EQ(
      answer_in_words({report}),
      "undecided: the time budget ended while 1 of 2 benchmarks looks slower, which is not certain yet");
  report.comparisons.back().resolvable = 0.2;
  EXPECT_EQ(answer_of({report}), Answer::kPassed) << "no more than noise";
  report.comparisons.back().resolvable = 0.12;
  report.comparisons.back().report_only = true;
  EXPECT_EQ(answer_of({report}), Answer::kPassed) << "it could not fail";
}

TEST(Answer, CountsABenchmarkOnceOnHoweverManyDevices) {
  auto report = test::quiet_report();
  report.comparisons.resize(1);
  report.comparisons.front().verdict = Verdict::kRegressed;
  auto other = report;
  other.device = "another";
  EXPECT_EQ(answer_in_words({report, other}), "FAILED: 1 benchmark regressed past its threshold");
}

TEST(Answer, IsNotPassedWhereNothingWasDecided) {
  auto report = test::quiet_report();
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed");
  auto open = report.comparisons.front();
  open.verdict = Verdict::kInconclusive;
  report.comparisons.push_back(open);
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed; 1 of 2 benchmarks is inconclusive");
  report.comparisons = {open, open};
  EXPECT_EQ(answer_in_words({report}), "undecided: all 2 benchmarks are inconclusive");
  EXPECT_EQ(answer_in_words({report}, {.strict = true}),
            "could not judge: all 2 benchmarks are inconclusive, and --strict asks for all");
  open.verdict = Verdict::kNew;
  report.comparisons = {open};
  EXPECT_EQ(answer_in_words({report}), "could not judge: no benchmark was measured on both sides");
  EXPECT_EQ(answer_in_words({test::quiet_report(), report}),
            "could not judge: no benchmark was measured on both sides on one of the devices");
  auto slower = open;
  slower.verdict = Verdict::kRegressed;
  auto another = slower;
  another.benchmark += "/another";
  report.comparisons = {slower, another};
  EXPECT_EQ(answer_in_words({report}), "FAILED: 2 benchmarks regressed past their threshold");
  slower.report_only = true;
  report.comparisons = {slower};
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed but 1 benchmark that is only reported");
  auto waived = slower;
  waived.report_only = false;
  waived.waiver = WaiverCheck{"known", "2026-12-31", true};
  report.comparisons = {slower, waived, waived};
  EXPECT_EQ(answer_in_words({report}),
            "passed: nothing regressed but 1 benchmark that is only reported and 2 that are waived");
  report.comparisons = {waived};
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed but 1 benchmark that is waived");
  auto low = waived;
  low.verdict = Verdict::kBelowFloor;
  low.base = 1;
  low.waiver->holds = false;
  report.comparisons = {low};
  EXPECT_EQ(answer_in_words({report}), "FAILED: 1 benchmark is below its floor");
  another = low;
  another.benchmark += "/another";
  report.comparisons = {low, another, waived};
  EXPECT_EQ(answer_in_words({report}), "FAILED: 2 benchmarks are below their floor");
  auto same = low;
  same.verdict = Verdict::kSameCode;
  same.waiver.reset();
  report.comparisons = {same};
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed; 1 benchmark is slower with the same code");
  report.comparisons = {same, same};
  EXPECT_EQ(answer_in_words({report}),
            "passed: nothing regressed; 2 benchmarks are slower with the same code");
  same.same_code_fails = true;
  report.comparisons = {low, same};
  EXPECT_EQ(answer_in_words({report}),
            "FAILED: 1 benchmark is below its floor, 1 benchmark is slower with the same code");
  auto unclear = test::quiet_report().comparisons.front();
  unclear.floor = FloorCheck{"1 ms", 1, {0.9, 1.1}, false, true};
  report.comparisons = {unclear};
  EXPECT_EQ(answer_in_words({report}), "passed: nothing regressed; 1 floor cannot be judged");
}

TEST(JsonReport, IsJsonWhateverTheNamesAre) {
  const auto document =
      nlohmann::json::parse(written("json", {test::sample_report(), test::hostile_report()}, {}));
  EXPECT_EQ(document.at("schema"), "tracker.comparison/1");
  EXPECT_TRUE(document.at("gate_failed"));
  const auto& sample = document.at("reports").at(0).at("comparisons");
  EXPECT_EQ(sample.at(0).at("invocations"), (nlohmann::json{5, 5}));
  EXPECT_FALSE(sample.at(2).at("gate_failed"));  // only reported
  EXPECT_TRUE(sample.at(3).at("candidate").is_null());
  EXPECT_TRUE(sample.at(6).at("low").is_null());  // an interval that is not known
  EXPECT_TRUE(sample.at(6).at("high").is_null());
  EXPECT_FALSE(sample.at(6).at("change").is_null());
  EXPECT_EQ(document.at("reports").at(1).at("comparisons").at(1).at("benchmark"),
            "bad\xEF\xBF\xBD\xEF\xBF\xBDutf8\x1b]0;title\x07");
}

TEST(TextReport, SaysHowManyFloorsAreNotShown) {
  const auto text = written("text", {test::policy_report()}, {.all_rows = false});
  EXPECT_THAT(text, Not(HasSubstr("72 % of transpose/copy_row")));
  EXPECT_THAT(text, HasSubstr("… and 1 unchanged whose floor cannot be judged: --all lists them"));
}

TEST(Cells, SayWhatWasMeasuredInTurn) {
  ComparisonReport report;
  report.base.jobs = 1;
  report.candidate.jobs = 2;
  EXPECT_EQ(measuring_in_words(report), "base 1 job, candidate 2 jobs, not side by side");
  report.effort = Effort{};
  EXPECT_THAT(measuring_in_words(report), HasSubstr("; what was confirmed side by side"));
  report.interleaved = true;
  EXPECT_EQ(measuring_in_words(report), "measured side by side in one job");
}

TEST(SharedReason, FiguresThatDifferBecomeRanges) {
  const std::vector<std::string> sentences{"below 4.4 %; about 21 more of 5", "below 10 %; about 3 more of 5",
                                           "below 6.1 %; about 7 more of 5"};
  for (const auto& sentence : sentences) EXPECT_EQ(shape_of(sentence), shape_of(sentences.front()));
  EXPECT_EQ(merge_sentences(sentences), "below 4.4–10 %; about 3–21 more of 5");
  EXPECT_EQ(merge_sentences({sentences.front()}), sentences.front());
}

TEST(SharedReason, WordsAreNoFigures) {
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"f32 fails", "f64 fails"}, {"3x", "4x"}, {"± 3", "3 ±"}, {"inf", "3"}, {"", "3"}, {"#", "3"}})
    EXPECT_NE(shape_of(a), shape_of(b));
}

TEST(ReportFormats, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const auto& format : report_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.summary.empty());
  }
}

TEST(TextReport, RowsThatRegressedForOneReasonShareIt) {
  auto report = test::broken_report();
  for (auto& row : report.comparisons)
    if (row.verdict == Verdict::kRegressed) row.cause = "registers 32 → 64";
  const std::string text = written("text", {report}, {.columns = 100});
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("likely cause: registers 32 → 64"), 1) << text;
  EXPECT_EQ(count("these 40: 4–30 % less bandwidth"), 1) << text;
}

TEST(TextReport, ShowsTenInconclusiveRowsAndCountsTheRest) {
  ComparisonReport report;
  for (int i = 0; i < 12; ++i) {
    Comparison comparison;
    comparison.benchmark = "bench" + std::to_string(i);
    comparison.metric = find_metric("real_time");
    report.comparisons.push_back(comparison);
  }
  const auto text = [&](bool all_rows) { return written("text", {report}, {.all_rows = all_rows}); };
  EXPECT_THAT(text(false), HasSubstr("bench9"));
  EXPECT_THAT(text(false), Not(HasSubstr("bench10")));
  EXPECT_THAT(text(false), HasSubstr("… and 2 more that are inconclusive: --all lists them"));
  EXPECT_THAT(text(true), HasSubstr("bench11"));
}

}  // namespace

// compare --filter without measuring: some rows of a report, as they were judged; and rows of any width.

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
    Options options;
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

}  // namespace tracker::report
