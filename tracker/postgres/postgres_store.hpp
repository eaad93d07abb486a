// A store in a PostgreSQL database: many repositories, many machines that write at once (docs/scale.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tracker/model/run.hpp"
#include "tracker/store/store.hpp"

namespace tracker::postgres {

// Whether this tracker was built with it. Without it, the functions below throw kEnvironment and say so.
bool is_available();

// Whether the text begins as the address of a PostgreSQL database does.
inline bool is_url(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

// Whether the URL names a password, before its host or as an option.
bool has_password(const std::string& url);

// The URL of a store that only a file of the repository names, which a stranger may have proposed. No
// password of the user's goes there: PGPASSWORD is taken out of the environment, and ~/.pgpass (or
// PGPASSFILE) is read only where it has lines for these very hosts, or where no host is named. kUsage, naming
// it, for an option that says more than which database is meant.
std::string url_from_repository(const std::string& url);

// Connects when it is first used, and again where the connection breaks. `repository` is asked then for the
// name of the history, which keeps those in one database apart. kUsage for a URL that is none. Connecting,
// adding and reading go on over a server that starts within ten seconds; then kEnvironment, with the server
// and the next step. No message shows a password. Its version is the history's number of steps.
std::unique_ptr<store::Store> open_store(const std::string& url, std::function<std::string()> repository);

// Of a store that open_store() opened.
DocumentSizes document_sizes(const store::Store& store);

struct PreparedSchema {
  int before = 0;  // 0: there were no tables
  int now = 0;
  std::string name;  // of the database, without a password
};

// Makes the tables, or brings them up to date, and grants rights to the roles tracker_reader,
// tracker_recorder and tracker_dropper, which `with_roles` makes. Needs a user who may create; else, and
// where the database cannot be reached, kEnvironment.
PreparedSchema prepare_store(const std::string& url, bool with_roles);

}  // namespace tracker::postgres
