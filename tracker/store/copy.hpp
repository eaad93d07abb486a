// A whole history from one store into another: documents and tombstones, byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracker/store/store.hpp"

namespace tracker::store {

struct CopiedStore {
  KindCounts copied;
  KindCounts already_there;
  std::size_t tombstones = 0;  // copied
  std::size_t not_ours = 0;    // files that are no documents: left behind
  std::uint64_t bytes = 0;     // of the texts of both
};

// Adds documents some megabytes at a time: each step is all or nothing.
class Steps {
 public:
  explicit Steps(Store& to);
  // Whether the store had this file at first.
  bool has(const std::string& path) const { return there_.contains(path); }
  void add(const Key& key, std::string text);
  void flush();  // what waits for the next step
  const KindCounts& added() const { return added_; }
  const KindCounts& already_there() const { return already_there_; }

 private:
  Store& to_;
  std::set<std::string> there_;
  std::vector<std::pair<Key, std::string>> waiting_;
  std::size_t bytes_ = 0;
  KindCounts added_;
  KindCounts already_there_;
};

// Steps of the whole, of both rounds: copying and reading back.
using CopyProgress = std::function<void(std::size_t done, std::size_t all)>;

// What was dropped may stay behind, with its tombstones: for a store that begins anew.
enum class CopiedPart { kAll, kNotDropped };

// Adds to `to` what it lacks, some megabytes a step, so that what was interrupted goes on where it was. Then
// reads every document from both: kEnvironment, naming it, where they differ. Documents that nobody can use
// are copied as they are. Of two tombstones for one document, the one that is there stays.
CopiedStore copy_store(const Store& from, Store& to, CopiedPart part, const CopyProgress& progress);

// Folders of exported documents: the layout of the store, as files.

struct ExportedFile {
  std::filesystem::path path;
  Key key;  // as its path claims: what it holds may say otherwise
};

// The files of one folder that strangers made, by their paths. kUsage, naming what is in the way, where
// anything lies in it that the layout does not have: other names, links, devices, more files than allowed,
// none at all.
std::vector<ExportedFile> find_exported(const std::filesystem::path& folder, std::size_t files_max);

}  // namespace tracker::store
