// Where this repository's runs are kept, and the store that is there.
#pragma once

#include <memory>
#include <string>

#include "tracker/model/policy.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// By which name a store is given: "refs/tracker/v1" or "postgresql://…". It may hold a password: never print
// it.
struct StorePlace {
  std::string where;
  bool is_git() const;
};

// `option` (--store) before `variable` (TRACKER_STORE_URL) before tracker.toml. kUsage for an option that is
// neither a ref nor such a URL, or that names a password: everyone on the machine can read a command line.
StorePlace choose_store(const std::string& option, const std::string& variable, const Config& config);

// A place that a command's argument names; kUsage as above.
StorePlace place_named(const std::string& argument);

// `config` names the history in a database. Nothing is reached yet. The repository and `config` must outlive
// the store.
std::unique_ptr<Store> open_store(const Repository& repository, const StorePlace& place,
                                  const Config& config);

}  // namespace tracker
