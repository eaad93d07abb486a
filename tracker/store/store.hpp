// Where runs, and what belongs to them, live. Append-only: nothing recorded is ever changed or removed. What
// was dropped stays, and is passed over.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracker/store/stored_key.hpp"

namespace tracker {

// No store takes a larger one.
inline constexpr std::size_t kDocumentBytesMax = 256u << 20;

// One file of the store's layout, whatever it is.
struct StoredFile {
  enum class What { kDocument, kTombstone, kOther };
  std::string path;
  What what = What::kOther;
  StoredKey key;            // of the document, or of the one that the tombstone is for
  bool is_dropped = false;  // a document with a tombstone beside it
  bool is_file = true;      // false: a link, or another repository's commit
};

// What readers of a store saw, and what they see now: runs and profiles, in order of their paths. One whose
// text was replaced is in both.
struct KeyChanges {
  std::vector<StoredKey> added;    // are there now
  std::vector<StoredKey> dropped;  // were there
  std::string version;             // that these lead to
};

// A document that another one stands in for.
struct Replacement {
  StoredKey key;
  std::string tombstone;
  StoredKey by;
  std::string text;
};

// A document that readers pass over.
struct LeftOut {
  StoredKey key;
  std::string why;
  std::string remedy;  // "to be rid of it: tracker store drop ID --reason TEXT"
};

// tests/store/store_contract_test.cpp says what every store does. Ids sort by time; lists are of what has no
// tombstone, in order of device, commit and id unless they say otherwise. kEnvironment where it cannot be
// reached or read.
class Store {
 public:
  virtual ~Store() = default;

  // Adds documents in one step: all of them or none. Safe beside other writers. Adding the same key
  // with the same text again changes nothing; another text under a key that is there is an Error (kUsage), as
  // is a key that is not valid.
  virtual void add(const std::vector<std::pair<StoredKey, std::string>>& documents) = 0;

  // kEnvironment where it is known by now that nothing can be added: before an hour is spent on measuring.
  virtual void require_writable() {}

  // Every run's key.
  virtual std::vector<StoredKey> keys() const = 0;
  // Those on one device.
  virtual std::vector<StoredKey> keys_on(const std::string& device) const = 0;
  // The keys of one commit's documents of this kind, all devices.
  virtual std::vector<StoredKey> document_keys_of(const std::string& commit, DocumentKind kind) const = 0;
  std::vector<StoredKey> keys_of(const std::string& commit) const {
    return document_keys_of(commit, DocumentKind::kRun);
  }
  std::vector<StoredKey> profile_keys_of(const std::string& commit) const {
    return document_keys_of(commit, DocumentKind::kProfile);
  }
  // The newest `count_max` runs on the device of any commit but that one, newest first.
  virtual std::vector<StoredKey> newest(const std::string& device, std::size_t count_max,
                                        const std::string& except_commit) const = 0;
  // The devices that have a run.
  virtual std::vector<std::string> devices() const = 0;
  // As many as keys() has.
  virtual std::size_t run_count() const = 0;

  // The text under a key that is there, dropped or not.
  virtual std::string read(const StoredKey& key) const = 0;
  // Whether several threads may call read() at once.
  virtual bool can_read_at_once() const { return false; }
  // All files, in order of their paths, those that are not ours as well.
  virtual std::vector<StoredFile> files() const = 0;
  // The text of one of those.
  virtual std::string read_file(const std::string& path) const = 0;
  // Puts a tombstone beside the document, which is passed over from then on, here and wherever the store is
  // synced to. It need not be here. False where it has one.
  bool drop(const StoredKey& key, const std::string& tombstone) { return drop_all({key}, tombstone); }
  // The same beside each of them, in one step: all or none. False where all have one.
  virtual bool drop_all(const std::vector<StoredKey>& keys, const std::string& tombstone) = 0;

  // Puts tombstones beside documents and adds those that stand in for them, in one step: all or none. Passed
  // over is what has a tombstone. The replaced documents stay, and can be read by read().
  virtual void replace(const std::vector<Replacement>& replacements) = 0;

  // Another text whenever a document was added or dropped; empty for a store in which nothing ever was.
  virtual std::string version() const = 0;
  // What changed since the store had that version; since the empty one: all there is. Nothing where that
  // version is not known any more: then read everything.
  virtual std::optional<KeyChanges> changes_since(const std::string& version) const = 0;

  // What is wrong with the newest step of the store as a whole, and the next step: then all answers are those
  // of an older state. Empty: nothing is.
  struct LostStep {
    std::string what;
    std::string remedy;
  };
  virtual std::optional<LostStep> lost_step() const { return {}; }

  // In words, for messages: "refs/tracker/v1".
  virtual std::string describe() const = 0;

  // Calls `notice`, once a document, for those that readers leave out because they cannot be used.
  using Notice = std::function<void(const LeftOut& document)>;
  void on_left_out(Notice notice) { notice_ = std::move(notice); }
  // An empty remedy is that of a broken document: to drop it.
  void leave_out(const StoredKey& key, const std::string& why, const std::string& remedy = {}) const;
  // What was left out by now, in the order of time.
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  Notice notice_;
  mutable std::vector<LeftOut> left_out_;
  mutable std::set<std::string> left_out_paths_;
};

// What a reader who knows these runs, and no others, has to add and to drop.
KeyChanges run_changes_from(const Store& store, const std::vector<StoredKey>& known);

}  // namespace tracker
