#include "tests/quality/output.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/quality/made_up.hpp"
#include "tests/quality/quality_chart.hpp"
#include "tests/quality/table.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"

namespace tracker::quality {
namespace {

using testing::HasSubstr;

const Table kTable{{"rule", "n", "share"}, {{"a", "10", "0.5"}, {"Welch’s", "7", ""}}};

TEST(Table, Aligned) {
  EXPECT_EQ(aligned_text(kTable),
            "rule      n  share\n"
            "a        10    0.5\n"
            "Welch’s   7\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(markdown(kTable),
            "| rule | n | share |\n"
            "|---|--:|--:|\n"
            "| a | 10 | 0.5 |\n"
            "| Welch’s | 7 |  |\n");
}

class Output : public testing::Test {
 protected:
  const std::vector<Recording> recordings_{
      {"made up", {made_up_job("job1", 24, 0.01, 1, 1), made_up_job("job2", 8, 0.01, 1.02, 2)}}};
  const ReplayOptions options_{.splits = 6, .seed = 1, .invocations = {1, 10}};
  const std::vector<Setting> settings_ = replay(recordings_.front(), options_);
  const std::vector<Findings> findings_{{"made up", settings_}};
};

TEST_F(Output, FitsAHundredColumns) {
  std::istringstream text(describe(recordings_, options_) + settings_text(settings_) + legend_text() +
                          goals_text(findings_));
  for (std::string line; std::getline(text, line);) EXPECT_LE(display_width(line), 100u) << line;
}

TEST_F(Output, SaysWhatWasRead) {
  const std::string text = describe(recordings_, options_) + settings_text(settings_);
  EXPECT_THAT(text,
              HasSubstr("job2 inject0               8 invocations, 2 benchmarks, 1 of 100 µs and more\n"));
  EXPECT_THAT(text, HasSubstr("Within a job, 10 invocations a side:\n6 reports from 1 job\n"));
  EXPECT_THAT(text, HasSubstr("Across jobs, 10 invocations a side:\n6 reports from 2 ordered pairs of jobs; "
                              "2 with fewer invocations, drawn with replacement\n"));
}

TEST_F(Output, GoalsOfEveryRecordingAreSideBySide) {
  const std::string text = markdown_report({{"old", settings_}, {"new", {}}}, settings_);
  EXPECT_THAT(text, HasSubstr("| goal | limit | old |  | new |  |\n"));
  EXPECT_THAT(text, HasSubstr(" | – | not shown |\n"));
}

TEST_F(Output, DrawsAChart) {
  const TemporaryDirectory folder;
  write_quality_chart(settings_, folder.path() / "quality.png");
  write_quality_chart(settings_, folder.path() / "quality.svg");
  constexpr std::uintmax_t kBytesMax = 4u << 20;
  EXPECT_TRUE(read_file(folder.path() / "quality.png", kBytesMax).starts_with("\x89PNG"));
  const std::string svg = read_file(folder.path() / "quality.svg", kBytesMax);
  EXPECT_THAT(svg, HasSubstr("compare.py: U, p &lt; 0.05"));
  EXPECT_THAT(svg, Not(HasSubstr("tracker at 2.5 %")));  // it is not meant to find 1 %
  EXPECT_THROW(write_quality_chart(settings_, folder.path() / "quality.pdf"), Error);
  EXPECT_THROW(write_quality_chart({}, folder.path() / "quality.png"), Error);
}

}  // namespace
}  // namespace tracker::quality
