#include "tests/quality/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::quality {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const fs::path kRecorded = fs::path(TRACKER_H200_JOBS);
constexpr std::uintmax_t kBytesMax = 1u << 20;

void copy_to(const fs::path& from, const fs::path& to) {
  write_file(to, read_file(from, kBytesMax));
}

TEST(Recording, ReadsJobsCodesAndRounds) {
  const Recording recording = read_recording(kRecorded);
  EXPECT_EQ(recording.name, "h200");
  ASSERT_EQ(recording.jobs.size(), 3u);
  const RecordedJob& job3 = recording.jobs[2];
  EXPECT_EQ(job3.job, "job3");
  EXPECT_EQ(job3.code, "inject0");
  EXPECT_EQ(job3.rounds.size(), 2u);
  EXPECT_EQ(job3.typical_ns.size(), 16u);
  EXPECT_EQ(job3.run.device.kind, DeviceKind::kGpu);
  EXPECT_EQ(job3.run.device.uuid, "job3");
  EXPECT_EQ(medians_ns(job3, "memcpy_d2d/2048").size(), 2u);
  EXPECT_NEAR(job3.typical_ns.at("memcpy_d2d/2048"), 9900, 200);
  EXPECT_FALSE(same_code(recording.jobs[0], job3));  // two benchmarks more
  EXPECT_TRUE(same_code(job3, job3));
}

TEST(Recording, PlainNamesAreOrderedByDate) {
  const TemporaryDirectory folder;
  copy_to(kRecorded / "job3/r02-inject0.json", folder.path() / "job/a.json");
  copy_to(kRecorded / "job3/r01-inject0.json", folder.path() / "job/b.json");
  copy_to(kRecorded / "job3/r01-inject0.json", folder.path() / "job/r01-inject0.05.json");
  const Recording recording = read_recording(folder.path());
  ASSERT_EQ(recording.jobs.size(), 2u);
  EXPECT_EQ(recording.jobs[0].code, "");
  EXPECT_EQ(recording.jobs[1].code, "inject0.05");
  EXPECT_FALSE(same_code(recording.jobs[0], recording.jobs[1]));
  const auto& rounds = recording.jobs[0].rounds;
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_LT(rounds[0][0].started_at, rounds[1][0].started_at);
}

// Two binaries that take turns: a round has one invocation of each, and an odd one is left out.
TEST(Recording, ARoundIsAnInvocationOfEveryBinary) {
  const TemporaryDirectory folder;
  const std::string first = read_file(kRecorded / "job1/r01-inject0.json", kBytesMax);
  const auto write = [&](const std::string& name, const std::string& executable, const std::string& minute,
                         const std::string& kernel) {
    std::string text = first;
    const auto replace = [&](const std::string& from, const std::string& to) {
      ASSERT_NE(text.find(from), std::string::npos) << from;
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    };
    const auto date = text.find("\"date\": \"") + 9;
    text.replace(date, 16, "2026-11-20T10:" + minute);
    replace("lab/noise/noise", executable);
    replace("\"copy_row/", "\"" + kernel + "_row/");
    replace("\"transpose_", "\"" + kernel + "_transpose_");
    replace("\"gemm_", "\"" + kernel + "_gemm_");
    write_file(folder.path() / "job" / name, text);
  };
  write("1.json", "one", "01", "a");
  write("2.json", "two", "02", "b");
  write("3.json", "one", "03", "a");
  const Recording recording = read_recording(folder.path());
  ASSERT_EQ(recording.jobs.size(), 1u);
  ASSERT_EQ(recording.jobs[0].rounds.size(), 1u);
  EXPECT_EQ(recording.jobs[0].rounds[0].size(), 2u);
  EXPECT_EQ(recording.jobs[0].typical_ns.size(), 28u);
}

TEST(Recording, RefusesWhatIsNone) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_recording(folder.path() / "missing"), Error);
  EXPECT_THROW(read_recording(folder.path()), Error);
  write_file(folder.path() / "job/a.json", "{}");
  EXPECT_THROW(read_recording(folder.path()), Error);
}

}  // namespace
}  // namespace tracker::quality
