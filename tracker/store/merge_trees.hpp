// Stores' trees as one. Paths are unique and never change, so that nothing can conflict unless someone
// rewrote what was recorded.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/repo/git_handle.hpp"
#include "tracker/store/stored_key.hpp"

namespace tracker {

// Writes the tree with all that any of them has, whether it is ours or not, but for the files of `theirs` at
// the paths `without`; `mine` may be null. kEnvironment, naming the path, where two have different things at
// one; also where objects are missing or cannot be written. Of several tombstones at one path, any will do:
// all choose the same.
git_oid merge_trees(git_repository* repository, const git_tree* mine,
                    const std::vector<const git_tree*>& theirs, const std::set<std::string>& without = {});

struct NewFile {
  std::string path;
  std::optional<StoredKey> key;  // none: a tombstone, or what is not ours
  git_oid id{};
  bool is_dropped = false;  // in either of the trees
};

// The files that `tree` has and `other` (which may be null) has not, at the depth of documents. kEnvironment
// for more documents than any store gets at once, as folders within folders can claim without end.
std::vector<NewFile> new_files(git_repository* repository, const git_tree* tree, const git_tree* other);

KindCounts count_documents(const std::vector<NewFile>& files);

}  // namespace tracker
