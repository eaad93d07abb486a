// What jobs that were killed left behind.
#include "tracker/app/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker::app {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A job's folder, whose lock is gone with its process.
void leave(const fs::path& folder, const std::string& file, const std::string& text) {
  fs::create_directories(folder);
  { const AdvisoryLock lock(folder / kSpoolLockName, std::chrono::seconds(1)); }
  if (!file.empty()) write_file(folder / file, text);
}

TEST(OldSpools, AreRemovedWhereTheyHoldNoResults) {
  const ScratchFolder spools;
  leave(spools.path() / "1", "", "");
  leave(spools.path() / "2", "side1-bench-1-1.json", "");
  leave(spools.path() / "3", "side1-bench.list", "BM_a\n");
  EXPECT_EQ(look_after_old_spools(spools.path()), "");
  EXPECT_TRUE(fs::is_empty(spools.path()));
}

TEST(OldSpools, AreToldWhereTheyHoldResults) {
  const ScratchFolder spools;
  leave(spools.path() / "1", "side1-bench-1-1.json", "{}");
  leave(spools.path() / "2", "2.run.json", "{}");
  EXPECT_THAT(
      look_after_old_spools(spools.path()),
      AllOf(HasSubstr("2 jobs"), HasSubstr("tracker record " + (spools.path() / "2").string() + "/*.json")));
  EXPECT_TRUE(fs::exists(spools.path() / "1")) << "results are never removed";
}

TEST(OldSpools, OfAJobThatRunsAreLeftAlone) {
  const ScratchFolder spools;
  const auto folder = spools.path() / "1";
  fs::create_directories(folder);
  std::optional<AdvisoryLock> lock(std::in_place, folder / kSpoolLockName, std::chrono::seconds(1));
  EXPECT_EQ(look_after_old_spools(spools.path()), "");
  EXPECT_TRUE(fs::exists(folder));
  write_file(folder / "side1-bench-1-1.json", "{}");
  EXPECT_EQ(look_after_old_spools(spools.path()), "");
  lock.reset();
  EXPECT_THAT(look_after_old_spools(spools.path()), HasSubstr("1 job "));
}

TEST(OldSpools, ThatAreBeingMadeAreLeftAlone) {
  const ScratchFolder spools;
  fs::create_directories(spools.path() / "1");
  EXPECT_EQ(look_after_old_spools(spools.path()), "");
  EXPECT_TRUE(fs::exists(spools.path() / "1"));
  EXPECT_EQ(look_after_old_spools(spools.path() / "nothing"), "");
}

}  // namespace
}  // namespace tracker::app
