// A tracker that was built without libpq.
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker::postgres {
namespace {

using testing_support::error_of;

TEST(AbsentPostgres, SaysWhatIsMissing) {
  const std::string said =
      "4 | this tracker was built without PostgreSQL | install libpq-dev and libzstd-dev and build it again, "
      "or use "
      "the store on a git ref";
  EXPECT_FALSE(is_available());
  EXPECT_TRUE(is_url("postgresql://host/perf"));
  EXPECT_EQ(error_of([] { open_store("postgresql://host/perf", [] { return std::string("x"); }); }), said);
  EXPECT_EQ(error_of([] { prepare_store("postgresql://host/perf", true); }), said);
}

}  // namespace
}  // namespace tracker::postgres
