// Where runs, and what belongs to them, live. Append-only: nothing recorded is ever changed or removed. What
// was dropped stays, and is passed over.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/base/error.hpp"

namespace tracker::store {

// Where one document lies: <device>/<commit[0:2]>/<commit>/<id>.json, a profile as <id>.profile.json; the
// same in the store's tree and in a folder of exported files.

// A profile holds hardware counters, and stands beside the runs.
enum class DocumentKind { kRun, kProfile };

// The parts of a document's path.
struct Key {
  std::string device;
  std::string commit;
  std::string id;
  DocumentKind kind = DocumentKind::kRun;
  bool operator==(const Key&) const = default;
};

// kUsage where a part of the key is not fit for a path: device [a-z0-9.-], starting with a letter or a digit;
// commit 40 lower-case hexadecimal digits; id as is_run_id (base/time.hpp).
void require_valid(const Key& key);

// By id, which sorts by time, the newest first; the rest of the key decides between two of one id.
bool is_newer(const Key& a, const Key& b);

// The path of a document, and the folder of a commit's documents.
std::string path_of(const Key& key);
std::string folder_of(const std::string& device, const std::string& commit);

// The other way; none where it is no such path.
std::optional<Key> key_at(std::string_view path);

// Beside a document that was dropped: says so, and why. "<id>.dropped.json", "<id>.profile.dropped.json".
std::string tombstone_path_of(const Key& key);
// The document that a tombstone at this path is for; none where it is no such path.
std::optional<Key> dropped_at(std::string_view path);

// What a part of a path may be.
bool is_device(std::string_view text);
bool is_commit_id(std::string_view text);

// "run" or "profile"
std::string word_for(DocumentKind kind);

// Why this text is not the document that the key names; empty where it is. The store itself reads no
// documents.
using DocumentCheck = std::function<std::string(const Key& key, std::string_view text)>;

// How many documents of each kind.
struct KindCounts {
  std::size_t runs = 0;
  std::size_t profiles = 0;
  std::size_t all() const { return runs + profiles; }
  void add(DocumentKind kind) { ++(kind == DocumentKind::kProfile ? profiles : runs); }
};

// How many of these keys are of each kind.
KindCounts count_kinds(const std::vector<Key>& keys);

// "2 runs and 1 profile"; without what there is none of; "0 runs" where there is nothing.
std::string in_words(const KindCounts& counts);

// No store takes a larger one.
inline constexpr std::size_t kDocumentBytesMax = 256u << 20;

// One file of the store's layout, whatever it is.
struct StoredFile {
  // What the path says that it is; the file is not read.
  enum class What { kDocument, kTombstone, kOther };
  std::string path;
  What what = What::kOther;
  Key key;                  // of the document, or of the one that the tombstone is for
  bool is_dropped = false;  // a document with a tombstone beside it
  bool is_file = true;      // false: a link, or another repository's commit
};

// The documents of one kind; of any device and commit where none is named.
struct KeyFilter {
  std::optional<std::string> device;
  std::optional<std::string> commit;
  DocumentKind kind = DocumentKind::kRun;
};

// What readers of a store saw, and what they see now: runs and profiles, in order of their paths. One whose
// text was replaced is in both.
struct KeyChanges {
  std::vector<Key> added;    // are there now
  std::vector<Key> dropped;  // were there
  std::string version;       // that these lead to
};

// A document that is dropped, and the one that stands in for it.
struct Replacement {
  Key key;
  std::string tombstone;
  std::optional<Key> by;  // none: nothing does
  std::string text;
};

// A document that readers pass over.
struct LeftOut {
  Key key;
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
  virtual void add(const std::vector<std::pair<Key, std::string>>& documents) = 0;

  // kEnvironment where it is known by now that nothing can be added: before an hour is spent on measuring.
  virtual void require_writable() {}

  // The keys of those documents.
  virtual std::vector<Key> find(const KeyFilter& which) const = 0;
  // Every run's key; those on one device.
  std::vector<Key> keys() const { return find({}); }
  std::vector<Key> keys_on(const std::string& device) const { return find({.device = device}); }
  // The keys of one commit's documents of this kind, all devices.
  std::vector<Key> document_keys_of(const std::string& commit, DocumentKind kind) const {
    return find({.commit = commit, .kind = kind});
  }
  std::vector<Key> keys_of(const std::string& commit) const {
    return document_keys_of(commit, DocumentKind::kRun);
  }
  std::vector<Key> profile_keys_of(const std::string& commit) const {
    return document_keys_of(commit, DocumentKind::kProfile);
  }
  // The newest `count_max` runs on the device of any commit but that one, newest first.
  virtual std::vector<Key> newest(const std::string& device, std::size_t count_max,
                                  const std::string& except_commit) const;
  // The devices that have a run.
  virtual std::vector<std::string> devices() const = 0;
  // As many as keys() has.
  virtual std::size_t run_count() const { return keys().size(); }

  // The text under a key that is there, dropped or not.
  virtual std::string read(const Key& key) const = 0;
  // Whether several threads may call read() at once.
  virtual bool can_read_at_once() const { return false; }
  // All files, in order of their paths, those that are not ours as well.
  virtual std::vector<StoredFile> files() const = 0;
  // The text of one of those.
  virtual std::string read_file(const std::string& path) const = 0;
  // Puts tombstones beside documents, which are passed over from then on, here and wherever the store is
  // synced to, and adds what stands in for them, in one step: all or none. They need not be here; those that
  // are can still be read. What has a tombstone is passed over. False where all have one.
  virtual bool replace(const std::vector<Replacement>& replacements) = 0;
  // The same with nothing in their place.
  bool drop_all(const std::vector<Key>& keys, const std::string& tombstone);
  bool drop(const Key& key, const std::string& tombstone) { return drop_all({key}, tombstone); }

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
  void leave_out(const Key& key, const std::string& why, const std::string& remedy = {}) const;
  // What was left out by now, in the order of time.
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  Notice notice_;
  mutable std::vector<LeftOut> left_out_;
  mutable std::set<std::string> left_out_paths_;
};

// A store in which one job records apart: reads answer from both, what is added goes to `own` alone, and
// nothing is dropped. A document of the shared store stands: the same text again adds nothing, another one is
// refused (kUsage). One that was dropped there stays dropped. `shared` must outlive the store.
std::unique_ptr<Store> open_job(const Store& shared, std::unique_ptr<Store> own);

// What a reader who knows these runs, and no others, has to add and to drop.
KeyChanges run_changes_from(const Store& store, const std::vector<Key>& known);

// What is recorded cannot be had now.

// A reader must not go on with the documents that it has: the answer would be of a part of them.
class Unreachable : public Error {
 public:
  explicit Unreachable(const Error& error) : Error(error) {}
};

// What a store is asked to add, checked before it is touched.

using NewDocuments = std::map<std::string, std::pair<Key, std::string_view>>;  // by path

// kUsage for a key that is not valid, a text larger than any document, and two texts for one key. The texts
// are those of `documents`.
NewDocuments check_new(const std::vector<std::pair<Key, std::string>>& documents);

// kUsage: what is recorded is never changed.
[[noreturn]] void refuse_other_text(const Key& key);

// "run 'gpu/aa/aa…/1.json'"
std::string named(const Key& key);

}  // namespace tracker::store
