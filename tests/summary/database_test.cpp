// One file of SQLite, and several processes.
#include "tracker/summary/database.hpp"

#include <gtest/gtest.h>

#include "tests/support/processes.hpp"
#include "tests/support/scratch_repository.hpp"

namespace tracker::summary {
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
  } catch (const Unusable&) {
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
    failed += count_failed_processes(kProcesses, [&] { return can_write(file); });
  }
  EXPECT_EQ(failed, 0) << "of " << kRounds * kProcesses;
}

}  // namespace
}  // namespace tracker::summary
