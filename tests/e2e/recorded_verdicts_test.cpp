// What `tracker compare` says of what script/prove-verdicts recorded on four H200s: jobs of identical
// commits, and jobs that confirmed a slow-down of one kernel (tests/data/README.md).
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/folder.hpp"
#include "tests/source_tree.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::StartsWith;
namespace fs = std::filesystem;

class RecordedVerdicts : public testing::Test {
 protected:
  RecordedVerdicts() {
    folder_.write("tracker.toml", "");
    ProcessSpec unpack;
    unpack.argv = {"tar", "-xJf", (fs::path(TRACKER_TEST_DATA) / "h200_verdicts.tar.xz").string(), "-C",
                   folder_.path().string()};
    const auto result = run_process(unpack);
    EXPECT_TRUE(result.ok()) << result.errors;
  }

  // The bases of the jobs that measured two commits in turn, with looks or without.
  std::vector<std::string> jobs(bool confirming) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with("-a.run.json")) continue;
      const auto run = nlohmann::json::parse(read_file(entry.path(), 16 << 20));
      if (run.contains("looks") && !run.at("looks").empty() == confirming)
        names.push_back(name.substr(0, name.size() - std::string("-a.run.json").size()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  ProcessResult compare(const std::string& job) const {
    return folder_.tracker(
        {"compare", job + "-a.run.json", job + "-b.run.json", "--threshold", "1%", "--format", "json"});
  }

 private:
  Folder folder_;
};

TEST_F(RecordedVerdicts, IdenticalCommitsHaveNoRegression) {
  const auto all = jobs(false);
  ASSERT_EQ(all.size(), 11u);
  std::size_t unchanged = 0;
  for (const auto& job : all) {
    const auto result = compare(job);
    EXPECT_EQ(result.exit_code, 0) << job << result.errors;
    const auto report = report_of(result);
    EXPECT_TRUE(report.at("interleaved"));
    ASSERT_EQ(report.at("comparisons").size(), 113u);
    EXPECT_THAT(benchmarks_with(report, "regressed"), IsEmpty()) << job;
    EXPECT_THAT(benchmarks_with(report, "improved"), IsEmpty()) << job;
    unchanged += benchmarks_with(report, "unchanged").size();
  }
  EXPECT_GE(unchanged, 11 * 113 * 6 / 10);
}

TEST_F(RecordedVerdicts, SlowDownsAreFoundAndNothingElse) {
  const std::string padded = "transpose/smem_padded/f32/";
  const std::string unrolled = "transpose/unroll8_row/f32/";
  const std::vector<std::pair<std::string, std::vector<std::string>>> slowed{
      {padded,
       {padded + "1024x1024", padded + "2048x1024", padded + "2048x2048", padded + "4000x4000",
        padded + "8191x4097", padded + "8192x8192"}},
      {padded, {padded + "2048x2048", padded + "4000x4000", padded + "8192x8192"}},
      {unrolled,
       {unrolled + "2048x2048", unrolled + "4000x4000", unrolled + "8191x4097", unrolled + "8192x8192"}}};
  const auto all = jobs(true);
  ASSERT_EQ(all.size(), slowed.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto result = compare(all[i]);
    EXPECT_EQ(result.exit_code, 1) << all[i] << result.errors;
    EXPECT_THAT(benchmarks_with(report_of(result), "regressed"),
                AllOf(IsSupersetOf(slowed[i].second), Each(StartsWith(slowed[i].first))));
  }
}

}  // namespace
}  // namespace tracker::e2e
