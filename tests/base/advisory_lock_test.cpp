#include "tracker/base/advisory_lock.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracker/base/file.hpp"

namespace tracker {
namespace {

using namespace std::chrono_literals;

TEST(AdvisoryLock, IsOneProcessesAtATime) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  std::optional<AdvisoryLock> first(std::in_place, file, 0ms);
  EXPECT_TRUE(first->is_held());
  EXPECT_FALSE(AdvisoryLock(file, 1ms).is_held()) << "it goes on without";
  first.reset();
  EXPECT_TRUE(AdvisoryLock(file, 10s).is_held());
}

TEST(AdvisoryLock, EndsWithItsProcess) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  int held[2] = {};
  ASSERT_EQ(::pipe(held), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const AdvisoryLock lock(file, 0ms);
    const ssize_t written = ::write(held[1], "x", 1);
    ::_exit(written == 1 ? 0 : 1);  // no destructor runs
  }
  char byte = 0;
  ASSERT_EQ(::read(held[0], &byte, 1), 1);
  EXPECT_TRUE(AdvisoryLock(file, 60s).is_held());
  int status = 1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(AdvisoryLock, IsNotNeededWhereThereIsNoFolder) {
  EXPECT_FALSE(AdvisoryLock("/nonexistent/turn", 10s).is_held());
}

}  // namespace
}  // namespace tracker
