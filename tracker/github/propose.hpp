// Files of the working tree as a pull request, for people to review: on a branch made from the tip of the
// default branch, which each proposal rewrites.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::github {

struct ProposeRequest {
  std::string repository;  // "owner/name"
  std::string branch;
  std::string base;  // empty: the default branch, which GitHub is asked for
  std::string title;
  std::string body;
};

// kNothingNew: the default branch has these files as they are; kUnchanged: the proposal has them already.
enum class ProposeOutcome { kNothingNew, kCreated, kUpdated, kUnchanged };

// What became of it; without a pull request its number is 0.
struct ProposeAnswer {
  ProposeOutcome outcome = ProposeOutcome::kNothingNew;
  int pull_request = 0;
  std::string url;
  std::string base;
};

// The files that are named, and those in the folders that are named. kUsage for what is missing, a link,
// outside of the working tree, or too large or many to be reviewed.
std::vector<TreeFile> read_proposal(const repo::Repository& repository,
                                    const std::vector<std::string>& paths);

// kUsage for a branch that holds commits which are not proposals, and for the default branch; ApiError where
// GitHub refuses; kEnvironment where git does.
ProposeAnswer propose(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                      const ProposeRequest& request, std::vector<TreeFile> files);

}  // namespace tracker::github
