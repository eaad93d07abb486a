// Two stores' trees as one. Paths are unique and never change, so that nothing can conflict unless someone
// rewrote what was recorded.
#pragma once

#include "tracker/repo/git_handle.hpp"
#include "tracker/store/stored_key.hpp"

namespace tracker {

// Writes the tree with all that either has, whether it is ours or not. kEnvironment, naming the path, where
// the two have different things at one; also where objects are missing or cannot be written.
git_oid unite_trees(git_repository* repository, const git_tree* mine, const git_tree* theirs);

// The documents that `tree` has and `other` (which may be null) has not. kEnvironment for more than any store
// gets at once, as folders within folders can claim without end.
KindCounts count_new(git_repository* repository, const git_tree* tree, const git_tree* other);

}  // namespace tracker
