#include "tracker/app/store_place.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/postgres/postgres_store.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker {

bool StorePlace::is_git() const {
  return !is_postgres_url(where);
}

StorePlace place_named(const std::string& argument) {
  if (is_postgres_url(argument)) {
    if (has_password(argument))
      throw Error(ExitCode::kUsage, "a password on the command line can be read by everyone on this machine",
                  "put it into ~/.pgpass, or the whole URL into the variable TRACKER_STORE_URL");
  } else if (!argument.starts_with("refs/")) {
    const auto scheme = argument.find("://");  // what follows may hold a password
    const std::string shown = scheme == std::string::npos ? argument : argument.substr(0, scheme + 3) + "…";
    throw Error(ExitCode::kUsage, "no store '" + printable(shown) + "'",
                "name a ref, such as refs/tracker/v1, or postgresql://HOST/DATABASE");
  }
  return {argument};
}

StorePlace choose_store(const std::string& option, const std::string& variable, const Config& config) {
  if (!option.empty()) return place_named(option);
  if (!variable.empty()) {
    if (!is_postgres_url(variable) && !variable.starts_with("refs/"))
      throw Error(ExitCode::kUsage, "the variable TRACKER_STORE_URL names no store",
                  "set it to a ref, such as refs/tracker/v1, or to postgresql://HOST/DATABASE");
    return {variable};
  }
  if (config.store_url.empty()) return {config.store_ref};
  return {has_postgres() ? url_from_repository(config.store_url) : config.store_url};
}

std::unique_ptr<Store> open_store(const Repository& repository, const StorePlace& place,
                                  const Config& config) {
  if (place.is_git()) return open_git_store(repository, place.where);
  return open_postgres_store(place.where, [&repository, &config] {
    return config.store_repository.empty() ? repository.first_commit() : config.store_repository;
  });
}

}  // namespace tracker
