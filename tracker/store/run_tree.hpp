// The tree that holds runs and profiles: <device>/<commit[0:2]>/<commit>/<id>.json, <id>.profile.json. What
// else lies in it is not ours, and is passed over.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/repo/libgit2.hpp"
#include "tracker/store/store.hpp"

namespace tracker::store {

// The trees below may be null: those of a store in which nothing ever was.

// The keys of those documents below `root`, in order of device, commit, id; reads nothing of other devices or
// commits. kEnvironment where objects are missing.
std::vector<Key> keys_in(git_repository* repository, const git_tree* root, const KeyFilter& which);

// The devices that have a run, in order. Reads of each device no more than it takes to find one.
std::vector<std::string> devices_in(git_repository* repository, const git_tree* root);

// What readers of the tree `then` saw, and readers of `now` see. Reads only folders that differ.
KeyChanges key_changes(git_repository* repository, const git_tree* then, const git_tree* now);

// Every file below `root`, in order of paths; folders deeper than any of ours are named as one file.
std::vector<StoredFile> files_in(git_repository* repository, const git_tree* root);

// What lies there, which may be no document; none where nothing does.
repo::GitTreeEntry entry_at(const git_tree* root, const std::string& path);

bool is_file(const git_tree_entry* entry);

// Stores' trees as one. Paths are unique and never change, so that nothing can conflict unless someone
// rewrote what was recorded.

// Writes the tree with all that any of them has, whether it is ours or not, but for the files of `theirs` at
// the paths `without`. kEnvironment, naming the path, where two have different things at
// one; also where objects are missing or cannot be written. Of several tombstones at one path, any will do:
// all choose the same.
git_oid merge_trees(git_repository* repository, const git_tree* mine,
                    const std::vector<const git_tree*>& theirs, const std::set<std::string>& without = {});

struct NewFile {
  std::string path;
  std::optional<Key> key;  // none: a tombstone, or what is not ours
  git_oid id{};
  bool is_dropped = false;  // in either of the trees
};

// The files that `tree` has and `other` has not, at the depth of documents. kEnvironment for more documents
// than any store gets at once, as folders within folders can claim without end.
std::vector<NewFile> new_files(git_repository* repository, const git_tree* tree, const git_tree* other);

KindCounts count_documents(const std::vector<NewFile>& files);

}  // namespace tracker::store
