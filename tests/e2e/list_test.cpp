// tracker list: what is recorded, for people and for scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;

TEST(List, NamesDevicesBenchmarksAndCommits) {
  const Scratch scratch;
  const auto nothing = scratch.tracker({"list"});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_THAT(nothing.errors, HasSubstr("no run is recorded here"));
  scratch.commit_speeds("copy/b/16 10000 0.001\ncopy/b/8 10000 0.001\ngemm/a 20000 0.001\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "1"}).exit_code, 0);
  const auto all = scratch.tracker({"list"});
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_THAT(all.output, HasSubstr("1 device with runs\n"));
  EXPECT_THAT(all.output, HasSubstr("3 benchmarks in their newest runs\n"));
  EXPECT_THAT(all.output, HasSubstr("1 commit with runs up to HEAD\n"));
  EXPECT_EQ(scratch.tracker({"list", "benchmarks", "copy/*"}).output, "copy/b/8\ncopy/b/16\n");
  EXPECT_THAT(scratch.tracker({"list", "commits"}).output,
              HasSubstr(scratch.git({"rev-parse", "--short=7", "HEAD"})));
  EXPECT_THAT(scratch.tracker({"list", "devices"}).output, HasSubstr("1 run, newest 20"));
  const auto listed = nlohmann::json::parse(scratch.tracker({"list", "--format", "json"}).output);
  EXPECT_EQ(listed.at("devices").size(), 1u);
  EXPECT_EQ(listed.at("benchmarks").at(1).at("benchmark"), "copy/b/16");
  EXPECT_EQ(listed.at("commits").at(0).at("runs"), 1);
  EXPECT_THAT(scratch.tracker({"list", "benchmarks", "--format", "csv"}).output,
              testing::StartsWith("benchmark,devices\r\ncopy/b/8,1\r\n"));
  EXPECT_EQ(scratch.tracker({"list", "--format", "csv"}).exit_code, 2) << "three tables are none of CSV";
  const auto runs = nlohmann::json::parse(scratch.tracker({"log", "--format", "json"}).output);
  EXPECT_EQ(runs.at("runs").at(0).at("benchmarks"), 3);
  const auto values = nlohmann::json::parse(scratch.tracker({"log", "copy/*", "--format", "json"}).output);
  EXPECT_EQ(values.at("values").size(), 2u);
  EXPECT_TRUE(values.at("changes").empty());
  EXPECT_EQ(scratch.tracker({"log", "none/*", "--format", "json"}).exit_code, 2);
  const auto unknown = scratch.tracker({"list", "--device", "nope"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("those with runs: "));
}

TEST(Compare, TakesPatternsAndExplainsTwoDots) {
  const Scratch scratch;
  scratch.commit_speeds("copy/b 10000 0.001\ngemm/a 20000 0.001\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  scratch.commit_speeds("copy/b 90000 0.001\ngemm/a 20000 0.001\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compare", "HEAD~1", "gemm/*", "--all"},
        std::vector<std::string>{"compare", "HEAD~1", "HEAD", "gemm/*", "--all"}}) {
    const auto some = scratch.tracker(words);
    EXPECT_THAT(some.output, HasSubstr("gemm/a"));
    EXPECT_THAT(some.output, testing::Not(HasSubstr("copy/b")));
    EXPECT_THAT(some.output, HasSubstr("only the 1 of 2 benchmarks that match 'gemm/*'"));
  }
  const auto near = scratch.tracker({"compare", "HEAD~1", "HEAD", "gem"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.errors, HasSubstr("'*gem*' matches 1"));
  const auto dots = scratch.tracker({"compare", "HEAD~1..HEAD"});
  EXPECT_EQ(dots.exit_code, 2);
  EXPECT_THAT(dots.errors, HasSubstr("tracker compare HEAD~1 HEAD; or HEAD~1...HEAD"));
}

}  // namespace
}  // namespace tracker::e2e
