#include "tracker/app/workspace.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/base/file.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::error_of;

const std::string kDatabase = "postgresql://db.example/perf";

TEST(StorePlace, IsTheNearestThatNamesOne) {
  Config config;
  EXPECT_EQ(choose_store("", "", config).where, "refs/tracker/v1");
  config.store_url = kDatabase;
  EXPECT_THAT(choose_store("", "", config).where, StartsWith(kDatabase));
  EXPECT_EQ(choose_store("", "refs/tracker/perf/x", config).where, "refs/tracker/perf/x");
  EXPECT_EQ(choose_store("refs/tracker/perf/y", "refs/tracker/perf/x", config).where, "refs/tracker/perf/y");
  EXPECT_TRUE(choose_store("refs/tracker/perf/y", "", config).is_git());
  EXPECT_FALSE(choose_store("", "", config).is_git());
}

TEST(StorePlace, SaysWhatIsNone) {
  EXPECT_THAT(error_of([] { choose_store("tracker/v1", "", {}); }), StartsWith("2 | no store 'tracker/v1'"));
  EXPECT_THAT(error_of([] { choose_store("mysql://ada:s3cret@host/perf", "", {}); }),
              AllOf(StartsWith("2 | no store 'mysql://…'"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(
      error_of([] { choose_store("", "mysql://ada:s3cret@host/perf", {}); }),
      AllOf(StartsWith("2 | the variable TRACKER_STORE_URL names no store"), Not(HasSubstr("s3cret"))));
}

TEST(StorePlace, TakesNoPasswordFromTheCommandLine) {
  if (!postgres::is_available())
    GTEST_SKIP() << "built without PostgreSQL: apt-get install libpq-dev libzstd-dev";
  const std::string url = "postgresql://ada:s3cret@db.example/perf";
  EXPECT_THAT(error_of([&] { choose_store(url, "", {}); }),
              AllOf(StartsWith("2 | a password on the command line"), Not(HasSubstr("s3cret"))));
  EXPECT_EQ(choose_store("", url, {}).where, url);
}

// A pull request may change tracker.toml.
TEST(StorePlace, SendsNoPasswordToAServerThatOnlyTheRepositoryNames) {
  if (!postgres::is_available())
    GTEST_SKIP() << "built without PostgreSQL: apt-get install libpq-dev libzstd-dev";
  const TemporaryDirectory folder;
  testing_support::write_file(
      folder.path() / "pgpass",
      "# a comment\n*:*:*:*:s3cret\ndb.example:5432:perf:ada:s3cret\n/run/a\\:b:*:*:*:s3cret\n");
  ::setenv("PGPASSFILE", (folder.path() / "pgpass").c_str(), 1);
  ::setenv("PGPASSWORD", "s3cret", 1);
  Config config;
  const auto where = [&](const std::string& url) {
    config.store_url = url;
    return choose_store("", "", config).where;
  };
  EXPECT_EQ(where(kDatabase), kDatabase) << "its host has a line of its own";
  EXPECT_EQ(std::getenv("PGPASSWORD"), nullptr);
  EXPECT_EQ(where("postgresql:///perf"), "postgresql:///perf") << "the user's own server";
  EXPECT_EQ(where("postgresql:///?service=perf"), "postgresql:///?service=perf");
  const std::string none = "passfile=%2Fdev%2Fnull%2Fnone";
  EXPECT_EQ(where("postgresql://attacker/perf"), "postgresql://attacker/perf?" + none);
  EXPECT_EQ(where("postgresql://db.example,attacker/perf?sslmode=disable"),
            "postgresql://db.example,attacker/perf?sslmode=disable&" + none);
  EXPECT_EQ(where("postgresql:///perf?host=attacker"), "postgresql:///perf?host=attacker&" + none);
  for (const std::string option : {"hostaddr=1.2.3.4", "passfile=/etc/shadow", "service=perf", "options=-c",
                                   "sslkey=a", "hostadd%72=1.2.3.4"})
    EXPECT_THAT(error_of([&] { where("postgresql://db.example/perf?" + option); }),
                AllOf(StartsWith("2 | tracker.toml's store sets '"), HasSubstr("TRACKER_STORE_URL")))
        << option;
  EXPECT_EQ(choose_store("", "postgresql://db.example/perf?hostaddr=1.2.3.4", config).where,
            "postgresql://db.example/perf?hostaddr=1.2.3.4")
      << "the user's own words";
  ::unsetenv("PGPASSFILE");
}

}  // namespace
}  // namespace tracker::app
