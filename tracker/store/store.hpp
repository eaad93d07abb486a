// Where runs, and what belongs to them, live. Append-only: nothing recorded is ever changed or removed. What
// was dropped stays, and is passed over.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"
#include "tracker/store/stored_key.hpp"

namespace tracker {

// One file of the store's tree, whatever it is.
struct StoredFile {
  enum class What { kDocument, kTombstone, kOther };
  std::string path;
  What what = What::kOther;
  StoredKey key;            // of the document, or of the one that the tombstone is for
  bool is_dropped = false;  // a document with a tombstone beside it
  bool is_file = true;      // false: a link, or another repository's commit
};

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
  // The text under a key that is there, dropped or not.
  virtual std::string read(const StoredKey& key) const = 0;
  // All files, in order of their paths, those that are not ours as well.
  virtual std::vector<StoredFile> files() const = 0;
  // The text of one of those.
  virtual std::string read_file(const std::string& path) const = 0;
  // Puts a tombstone beside the document, which is passed over from then on, here and wherever the store is
  // synced to. It need not be here. False where it has one.
  virtual bool drop(const StoredKey& key, const std::string& tombstone) = 0;
  // In words, for messages: "refs/tracker/v1".
  virtual std::string describe() const = 0;

  // Calls `notice`, once a document, for those that readers leave out because they cannot be used.
  using Notice = std::function<void(const StoredKey& key, const std::string& why)>;
  void on_left_out(Notice notice) { notice_ = std::move(notice); }
  void leave_out(const StoredKey& key, const std::string& why) const;

 private:
  Notice notice_;
  mutable std::set<std::string> left_out_;  // paths
};

// Runs on a ref of the repository itself. A ref that does not exist yet is an empty store. `ref` must be
// a valid ref name below refs/ (kUsage otherwise). The repository must outlive the store.
std::unique_ptr<Store> open_git_store(const Repository& repository, const std::string& ref);

// The id of the ref's commit; none where there is no such ref.
std::optional<std::string> tip_of_store(const Repository& repository, const std::string& ref);

}  // namespace tracker
