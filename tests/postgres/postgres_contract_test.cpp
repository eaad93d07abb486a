// The store in PostgreSQL does what every store does.
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/store/store_contract.hpp"
#include "tests/support/postgres_server.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker::testing_support {
namespace {

class PostgresHome final : public StoreHome {
 public:
  PostgresHome() : url_(server_.create("perf")) { postgres::prepare_store(url_, true); }
  std::shared_ptr<store::Store> open() override {
    return postgres::open_store(url_, [] { return "kernels"; });
  }

 private:
  PostgresServer server_;
  std::string url_;
};

INSTANTIATE_TEST_SUITE_P(PostgreSQL, StoreContract,
                         ::testing::Values(StoreKind{
                             "postgresql", [] { return std::make_unique<PostgresHome>(); }, why_no_postgres}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tracker::testing_support
