#include "tracker/app/store_place.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker {
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
  EXPECT_EQ(choose_store("", "", config).where, kDatabase);
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
  if (!has_postgres()) GTEST_SKIP() << "built without PostgreSQL: apt-get install libpq-dev libzstd-dev";
  const std::string url = "postgresql://ada:s3cret@db.example/perf";
  EXPECT_THAT(error_of([&] { choose_store(url, "", {}); }),
              AllOf(StartsWith("2 | a password on the command line"), Not(HasSubstr("s3cret"))));
  EXPECT_EQ(choose_store("", url, {}).where, url);
}

}  // namespace
}  // namespace tracker
