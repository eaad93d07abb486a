#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"
#include "tracker/events/events.hpp"
#include "tracker/site/pages.hpp"

namespace tracker::site {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(PlainPages, FillsInWhatIsNamedAndNothingElse) {
  EXPECT_EQ(fill_page("a{x}b{y}{z", {{"x", "{y}"}, {"y", "2"}}), "a{y}b2{z");
  EXPECT_EQ(fill_page("{} {other} {x", {{"x", "1"}}), "{} {other} {x");
}

TEST(PlainPages, APageHasTheChangesWithTheirNumbers) {
  const auto series = test::stepped("copy/a/8", 40, {{30, 2}});
  auto history = test::site_of({series});
  history.devices[0].events = events::find({series});
  history.commit_url = "https://example.org/c/";
  const std::string page = plain_page(history, history.devices[0], tables_of(history)[0]);
  EXPECT_THAT(page, HasSubstr("Last 90 days on Some GPU: 1 slower"));
  EXPECT_THAT(page, HasSubstr("<a href=\"https://example.org/c/" + series.points[30].commit.str() + "\">"));
  EXPECT_THAT(page, HasSubstr("<td>2× slower</td><td>slower</td>"));
  EXPECT_THAT(page, HasSubstr("<td>2.000 s</td><td>1.000 s</td>"));
  EXPECT_THAT(plain_overview(history, tables_of(history), {"gpu.html"}), HasSubstr("href=\"gpu.html\""));
}

// It lies between two commits, and none of them is to blame, whatever became of it.
TEST(PlainPages, AChangeOfTheMachineNamesNoCommitThatMadeIt) {
  auto series = test::stepped("copy/a/8", 40, {{20, 2}, {30, 1}});
  for (auto& step : series.steps) {
    step.machine = true;
    step.other_conditions = "driver 1 → 2; the sentinel takes 100.0 % longer";
  }
  auto history = test::site_of({series});
  history.devices[0].events = events::find({series});
  const std::string page = plain_page(history, history.devices[0], tables_of(history)[0]);
  EXPECT_THAT(page, HasSubstr("<code>" + short_id(series.points[19].commit.str()) + "</code> … <code>" +
                              short_id(series.points[20].commit.str()) + "</code>"));
  EXPECT_THAT(page, AllOf(HasSubstr("<td>the machine changed</td>"), HasSubstr("driver 1 → 2")));
}

TEST(PlainPages, SayWhatWandersByItself) {
  auto series = test::daily("copy/a/8", std::vector<double>(40, 1.0));
  series.wanders = 0.031;
  const auto history = test::site_of({series, test::daily("steady", std::vector<double>(40, 1.0))});
  const std::string page = plain_page(history, history.devices[0], tables_of(history)[0]);
  const std::string words = "wanders by up to 3.1 %: the level moves by itself, and no single commit made it";
  EXPECT_THAT(page, HasSubstr("<td>" + words + "</td>"));
  EXPECT_EQ(page.find(words), page.rfind(words)) << "only of the one that does";
}

TEST(PlainPages, TheShareOfTheLimitStandsWhereOneIsKnown) {
  auto limited = test::daily("copy/a/8", {4, 4}, find_metric("bytes_per_second"));
  const auto page_of = [](const History& history) {
    return plain_page(history, history.devices[0], tables_of(history)[0]);
  };
  EXPECT_THAT(page_of(test::site_of({limited})), Not(HasSubstr("Share of the limit")));
  limited.references = {{"copy", 5}};
  EXPECT_THAT(page_of(test::site_of({limited, test::daily("sort", {1, 1})})),
              AllOf(HasSubstr("Share of the limit"), HasSubstr("<td>80 % of copy</td>"),
                    HasSubstr("<td>–</td></tr>")));
}

TEST(PlainPages, OneValueHasNoChange) {
  const auto history = test::site_of({test::daily("sort", {1})});
  EXPECT_THAT(plain_page(history, history.devices[0], tables_of(history)[0]),
              HasSubstr("<td>1.000 s</td><td>–</td><td>–</td>"));
}

TEST(PlainPages, WhatChangedStandsFirst) {
  const auto history =
      test::site_of({test::daily("steady", std::vector<double>(40, 1.0)),
                     test::stepped("faster", 40, {{30, 0.5}}), test::stepped("slower", 40, {{30, 2}})});
  const std::string page = plain_page(history, history.devices[0], tables_of(history)[0]);
  const std::string table = page.substr(page.find("<caption>Benchmarks"));
  EXPECT_LT(table.find(">slower</th>"), table.find(">faster</th>"));
  EXPECT_LT(table.find(">faster</th>"), table.find(">steady</th>"));
}

TEST(PlainPages, TheOverviewHasTheNewestEventsAndSaysSo) {
  const auto series = test::stepped("copy/a/8", 40, {{30, 2}});
  auto history = test::site_of({series});
  history.devices[0].events.assign(21, events::find({series}).front());
  EXPECT_THAT(plain_overview(history, tables_of(history), {"gpu.html"}),
              HasSubstr("<p>The newest 20 of 21.</p>"));
  EXPECT_THAT(plain_page(history, history.devices[0], tables_of(history)[0]), Not(HasSubstr("The newest")));
}

TEST(PlainPages, StrangersTextIsNoMarkup) {
  auto series = test::stepped("<script>x</script>/\"'", 40, {{30, 2}});
  series.points[30].subject = "<img onerror=x>";
  auto history = test::site_of({series});
  history.title = "<i>";
  history.devices[0].name = "</title><b>";
  history.devices[0].events = events::find({series});
  history.devices[0].events[0].causes = {{EventCauseKind::kConditions, "", "", "", "<u>", 1}};
  for (const auto& text : {plain_page(history, history.devices[0], tables_of(history)[0]),
                           plain_overview(history, tables_of(history), {"a\"b.html"})}) {
    for (const char* markup : {"<script", "<img", "<i>", "<b>", "<u>", "a\"b"})
      EXPECT_THAT(text, Not(HasSubstr(markup)));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
  }
}

}  // namespace
}  // namespace tracker::site
