// Where runs, and what belongs to them, live. Append-only: nothing recorded is ever changed or removed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"
#include "tracker/store/stored_key.hpp"

namespace tracker {

class Store {
 public:
  virtual ~Store() = default;

  // Adds documents in one step: all of them or none. Safe beside other writers. Adding the same key
  // with the same text again changes nothing; another text under a key that is there is an Error.
  virtual void add(const std::vector<std::pair<StoredKey, std::string>>& documents) = 0;

  // Every run's key, in order of device, commit, id.
  virtual std::vector<StoredKey> keys() const = 0;
  // Those of one commit, all devices.
  virtual std::vector<StoredKey> keys_of(const std::string& commit) const = 0;
  // The keys of the commit's profiles, in the same order.
  virtual std::vector<StoredKey> profile_keys_of(const std::string& commit) const = 0;
  // The text under a key that is there.
  virtual std::string read(const StoredKey& key) const = 0;
  // In words, for messages: "refs/tracker/v1".
  virtual std::string describe() const = 0;
};

// Runs on a ref of the repository itself. A ref that does not exist yet is an empty store. `ref` must be
// a valid ref name below refs/ (kUsage otherwise). The repository must outlive the store.
std::unique_ptr<Store> open_git_store(const Repository& repository, const std::string& ref);

}  // namespace tracker
