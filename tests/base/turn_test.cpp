#include "tracker/base/turn.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracker/base/file.hpp"

namespace tracker {
namespace {

using namespace std::chrono_literals;

TEST(Turn, IsOneProcessesAtATime) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  std::optional<Turn> first(std::in_place, file, 0ms);
  EXPECT_TRUE(first->is_held());
  EXPECT_FALSE(Turn(file, 1ms).is_held()) << "it goes on without";
  first.reset();
  EXPECT_TRUE(Turn(file, 10s).is_held());
}

TEST(Turn, EndsWithItsProcess) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  int held[2] = {};
  ASSERT_EQ(::pipe(held), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Turn turn(file, 0ms);
    const ssize_t written = ::write(held[1], "x", 1);
    ::_exit(written == 1 ? 0 : 1);  // no destructor runs
  }
  char byte = 0;
  ASSERT_EQ(::read(held[0], &byte, 1), 1);
  EXPECT_TRUE(Turn(file, 60s).is_held());
  int status = 1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Turn, IsNotNeededWhereThereIsNoFolder) {
  EXPECT_FALSE(Turn("/nonexistent/turn", 10s).is_held());
}

}  // namespace
}  // namespace tracker
