// Pictures on a branch of their own, where the comment shows them from: linked by commit, they do not change.
// What is published together is a commit without parents, and the branch unites these: so that one can be
// given up without the others (prune_charts.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/github/branch_commit.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {

struct PublishRequest {
  std::string branch = "tracker-charts";
  std::string path;  // the folder on the branch: "pull/12/1a2b3c4d5e"
};

struct PublishAnswer {
  std::string commit;
  bool was_there = false;  // exactly so already: nothing was pushed
};

// The PNG files of a folder, by name; what has another name is passed over. kUsage for one that is no PNG, is
// a link, or has a name that is not plain, and for more or larger ones than any report has.
std::vector<TreeFile> read_pictures(const std::filesystem::path& folder);

// Adds them by one commit, and takes its place behind whoever pushes at the same time. kUsage for a branch
// that shares its history with HEAD.
PublishAnswer publish(const Repository& repository, const GitRemote& remote, const PublishRequest& request,
                      const std::vector<TreeFile>& pictures);

// "https://github.com/o/r/blob/<commit>/<path>/{file}?raw=true"
std::string picture_url(const std::string& server_url, const std::string& repository,
                        const std::string& commit, const std::string& path);

// kUsage where HEAD has some of the branch's history: a branch of code is none of charts, whatever it is
// called.
void require_own_branch(const Repository& repository, const std::string& tip, const std::string& branch);

// Parts of letters, digits, '.', '-' and '_' between single '/', none of them hidden.
bool is_plain_path(const std::string& path);

}  // namespace tracker
