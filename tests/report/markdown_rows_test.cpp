// What is left out of a report that is too long, and what never is.
#include "tracker/report/markdown_rows.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_reports.hpp"
#include "tests/support/said.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Piece rows_of(Part part, const std::string& name, int count) {
  Piece piece{part, "<" + name + ">\n", {}, "</" + name + ">\n"};
  for (int i = 0; i < count; ++i)
    piece.rows.push_back(name + std::to_string(i) + std::string(90, '.') + "\n");
  return piece;
}

const std::vector<Piece>& pieces() {
  static const std::vector<Piece> all{{Part::kHeadline, "headline\n"},
                                      rows_of(Part::kWorst, "worst", 20),
                                      rows_of(Part::kWorst, "elsewhere", 20),
                                      rows_of(Part::kTrends, "trend", 5),
                                      rows_of(Part::kNew, "new", 0),
                                      rows_of(Part::kUnchanged, "unchanged", 20),
                                      {Part::kFooter, "footer\n"}};
  return all;
}

TEST(Pieces, AllOfThemWhereTheyFit) {
  const std::string all = fit_pieces(pieces(), 0);
  EXPECT_THAT(all, StartsWith("headline\n<worst>\nworst0."));
  EXPECT_THAT(all, EndsWith("</unchanged>\nfooter\n"));
  EXPECT_THAT(all, Not(HasSubstr("new")));
  EXPECT_THAT(all, Not(HasSubstr("Left out")));
  EXPECT_EQ(fit_pieces(pieces(), all.size() + 600), all);
}

TEST(Pieces, TheLeastImportantGoFirst) {
  const std::size_t whole = fit_pieces(pieces(), 0).size();
  bool had_unchanged = true;
  bool had_all_worst = true;
  bool had_trends = true;
  for (std::size_t bytes = whole + 600; bytes >= 600; bytes -= 37) {
    const std::string text = fit_pieces(pieces(), bytes);
    EXPECT_LE(text.size(), bytes);
    EXPECT_THAT(text, StartsWith("headline\n"));
    EXPECT_THAT(text, EndsWith("footer\n"));
    const bool has_unchanged = text.find("unchanged0") != std::string::npos;
    const bool has_all_worst = text.find("elsewhere19") != std::string::npos;
    const bool has_trends = text.find("trend4") != std::string::npos;
    EXPECT_FALSE(has_unchanged && !has_all_worst) << bytes;
    EXPECT_FALSE(has_all_worst && !has_trends) << bytes;
    EXPECT_FALSE(has_trends && text.find("elsewhere9") == std::string::npos) << bytes;
    // Once gone, it stays gone.
    EXPECT_TRUE(had_unchanged || !has_unchanged);
    EXPECT_TRUE(had_all_worst || !has_all_worst);
    EXPECT_TRUE(had_trends || !has_trends);
    had_unchanged = has_unchanged;
    had_all_worst = has_all_worst;
    had_trends = has_trends;
  }
  EXPECT_FALSE(had_unchanged || had_all_worst || had_trends);
}

TEST(Pieces, SaysHowManyRowsAreLeftOut) {
  const std::string text = fit_pieces(pieces(), 2600);
  EXPECT_THAT(text,
              HasSubstr("Left out, as this would be too long: 20 failing rows, 5 trend charts, 20 unchanged "
                        "rows.\n\nfooter\n"));
}

TEST(Pieces, WhatStandsBelowARowGoesBeforeTheRow) {
  Piece charts = rows_of(Part::kTrends, "trend", 3);
  charts.below = {"data0" + std::string(90, '.') + "\n", "", "data2" + std::string(90, '.') + "\n"};
  const std::vector<Piece> all{{Part::kHeadline, "headline\n"},
                               charts,
                               rows_of(Part::kNew, "new", 1),
                               rows_of(Part::kUnchanged, "unchanged", 1),
                               {Part::kFooter, "footer\n"}};
  const std::string whole = fit_pieces(all, 0);
  EXPECT_LT(whole.find("trend0"), whole.find("data0"));
  EXPECT_LT(whole.find("data0"), whole.find("trend1"));
  const std::string cut = fit_pieces(all, 512 + 16 + 520);
  EXPECT_THAT(cut, HasSubstr("trend2"));
  EXPECT_THAT(cut, HasSubstr("new0"));
  EXPECT_THAT(cut, Not(HasSubstr("data2")));
  EXPECT_THAT(cut, Not(HasSubstr("unchanged0")));
  EXPECT_THAT(cut, HasSubstr("Left out, as this would be too long: 1 chart table, 1 unchanged row."));
}

// The worst that can come: long and hostile names, thousands of rows, fifty devices.
TEST(MarkdownReport, FitsAComment) {
  constexpr std::size_t kBytesMax = 65536;
  std::vector<ComparisonReport> reports;
  for (int device = 0; device < 50; ++device) {
    ComparisonReport report = test::broken_report();
    report.device = "device-" + std::to_string(device) + std::string(10000, '<');
    report.base.subject = report.candidate.subject = report.details.model = std::string(10000, '|');
    for (auto& row : report.comparisons) {
      row.benchmark += row.cause = std::string(10000, '*');
      row.reasons = test::said(row.cause);
    }
    report.notes.assign(100, std::string(10000, '@'));
    reports.push_back(report);
  }
  Options options = test::comment_options({reports.front()}, kBytesMax);
  options.unjudged.assign(100, {std::string(10000, '['), std::string(10000, ']'), std::string(10000, '_')});
  for (const std::size_t devices : {1u, 2u, 50u}) {
    const std::string text =
        write_as("markdown", {reports.begin(), reports.begin() + static_cast<long>(devices)}, options);
    EXPECT_LE(text.size(), kBytesMax);
    EXPECT_THAT(text, StartsWith("<!-- tracker-report -->\n### ❌ "));
    EXPECT_THAT(text, HasSubstr("| <code>transpose/<wbr>variant"));
    EXPECT_THAT(text, HasSubstr("Left out, as this would be too long: "));
    EXPECT_THAT(text, HasSubstr("Reproduce: `tracker compare"));
  }
}

}  // namespace
}  // namespace tracker::report
