// Runs of commits that a rewritten history does not have any more: how many there are, and under which of its
// commits they are recorded again.
#pragma once

#include <set>

#include "tracker/app/workspace.hpp"
#include "tracker/model/run.hpp"

namespace tracker::app {

// What is stored for commits that no branch, tag or HEAD of this clone leads to.
struct LostRuns {
  std::size_t runs = 0;
  std::set<std::string> commits;
  std::string newest;  // the id of the newest run among them
};
// Counts the stored runs whose commit no ref's history has. kEnvironment where the store cannot be read.
LostRuns lost_runs(const Workspace& workspace);
// "12 runs of 4 commits belong to no commit of this history"
std::string in_words(const LostRuns& lost);

struct RemapRequest {
  std::filesystem::path map;  // lines "OLD NEW"; empty: git filter-repo's, where it left one
  bool apply = false;         // else nothing is written
};

// One commit with runs that the history does not have, and what became of it.
struct RemappedCommit {
  std::string from;       // 40 hexadecimal digits
  std::string to;         // likewise; empty where none is sure
  std::string how;        // "commit map", "author date and subject", "patch"; or why there is none
  Commit commit;          // the one it became
  bool same_tree = true;  // what was measured is what the new commit has, as far as that is known
  std::size_t runs = 0;
};

struct RemapOutcome {
  LostRuns lost;
  std::vector<RemappedCommit> commits;  // in the order of their ids
  std::size_t added = 0;                // documents, or those that would be
  std::size_t there = 0;                // that are recorded for the new commit already
  std::size_t unusable = 0;             // documents that cannot be read
  std::vector<std::string> files;       // of the working tree, whose ids were rewritten or would be
};

// Adds each document again for the commit that became of its own. The old ones stay. Ids in tracker.toml and
// in the baselines are rewritten in the working tree, to be reviewed and committed. What several commits may
// have become of is not taken. kUsage where the map cannot be read, or is none.
RemapOutcome remap_store(const Workspace& workspace, const RemapRequest& request);

}  // namespace tracker::app
