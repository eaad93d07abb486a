// One file of SQLite, and several processes.
#include "tracker/summary/database.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker {
namespace {

using testing_support::ScratchFolder;

// Whether it can be opened and written.
bool can_write(const std::filesystem::path& file) {
  try {
    Database database(file, "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY);");
    Transaction transaction(database, true);
    database.run("INSERT INTO t DEFAULT VALUES");
    transaction.commit();
    return true;
  } catch (const SummaryUnusable&) {
    return false;
  }
}

TEST(SummaryDatabase, IsMadeBySeveralProcessesAtOnce) {
  constexpr int kRounds = 20;
  constexpr int kProcesses = 4;
  const ScratchFolder folder;
  const auto file = folder.path() / "one.sqlite";
  int failed = 0;
  for (int round = 0; round < kRounds; ++round) {
    remove_database(file);
    int start[2] = {};
    ASSERT_EQ(::pipe(start), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      ::close(start[1]);
      char byte = 0;
      const bool is_begun = ::read(start[0], &byte, 1) == 0;  // its end: all are there
      ::_exit(is_begun && can_write(file) ? 0 : 1);
    }
    ::close(start[0]);
    ::close(start[1]);
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      failed += status == 0 ? 0 : 1;
    }
  }
  EXPECT_EQ(failed, 0) << "of " << kRounds * kProcesses;
}

}  // namespace
}  // namespace tracker
