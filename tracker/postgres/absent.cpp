// In place of the rest of this module, where tracker is built without libpq.
#include "tracker/base/error.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker::postgres {
namespace {

[[noreturn]] void refuse() {
  throw Error(ExitCode::kEnvironment, "this tracker was built without PostgreSQL",
              "install libpq-dev and libzstd-dev and build it again, or use the store on a git ref");
}

}  // namespace

bool is_available() {
  return false;
}

bool has_password(const std::string&) {
  refuse();
}

std::string url_from_repository(const std::string&) {
  refuse();
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the other one keeps it
std::unique_ptr<store::Store> open_store(const std::string&, std::function<std::string()>) {
  refuse();
}

DocumentSizes document_sizes(const store::Store&) {
  refuse();
}

PreparedSchema prepare_store(const std::string&, bool) {
  refuse();
}

}  // namespace tracker::postgres
