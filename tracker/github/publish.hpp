// Pictures on a branch of their own, and files proposed as a pull request. What git refuses is kEnvironment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/repo/git_remote.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {

// Commits on branches that are not checked out, by git's plumbing: neither the working tree nor the index nor
// HEAD is touched.

// Refs of this process alone, gone at the end of its life; what they reached can still be read.
class PassingRefs {
 public:
  explicit PassingRefs(const repo::Repository& repository);
  PassingRefs(const PassingRefs&) = delete;
  PassingRefs& operator=(const PassingRefs&) = delete;
  ~PassingRefs();
  std::string add(const std::string& name);  // its whole name

 private:
  const repo::Repository& repository_;
  std::string prefix_;
  std::vector<std::string> names_;
};

struct TreeFile {
  std::string path;  // from the root of the tree, of plain parts
  std::string bytes;
  bool executable = false;
  std::string blob;  // its id, once written
};

// Writes the files' blobs. `filtered`: as git add would, by the attributes of their paths.
void write_blobs(const repo::Repository& repository, std::vector<TreeFile>& files, bool filtered);

// The tree of `commit` (empty: an empty one) with these files in it.
std::string tree_with(const repo::Repository& repository, const std::string& commit,
                      const std::vector<TreeFile>& files);

// The id of a commit's tree.
std::string tree_of(const repo::Repository& repository, const std::string& commit);

// A commit of that tree; a first one where it has no parents. Where nobody is set up as its author, it is
// github-actions[bot].
std::string write_commit(const repo::Repository& repository, const std::string& tree,
                         const std::vector<std::string>& parents, const std::string& message);

// Pictures on a branch of their own, where the comment shows them from: linked by commit, they do not change.
// What is published together is a commit without parents, and the branch unites these: so that one can be
// given up without the others.

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
PublishAnswer publish(const repo::Repository& repository, const repo::GitRemote& remote,
                      const PublishRequest& request, const std::vector<TreeFile>& pictures);

// "https://github.com/o/r/blob/<commit>/<path>/{file}?raw=true"
std::string picture_url(const std::string& server_url, const std::string& repository,
                        const std::string& commit, const std::string& path);

// Old pictures go from their branch, so that clones stay small. Comments link to pictures by
// commit: a commit stays as long as one of its folders does, and its links with it.

// The policy. Kept are the folders of open pull requests (pull/NUMBER/…), what was published in the last
// `keep_days` days, and folders of other names than publish gives.
struct PruneRequest {
  std::string branch = "tracker-charts";
  int keep_days = 90;
  std::set<std::int64_t> open;  // pull requests
  std::int64_t now_s = 0;       // since 1970
  bool dry_run = false;
};

struct PruneAnswer {
  std::vector<std::string> removed;  // folders: "pull/12/1a2b3c4d5e"; those that would be, of a dry run
  std::size_t kept = 0;              // folders
  std::int64_t removed_bytes = 0;    // of their pictures
  bool was_branch = true;            // false: there is no such branch
};

// Replaces the branch by one commit that unites what is kept, unless somebody else publishes meanwhile: then
// it looks again. kUsage for a branch that shares its history with HEAD; kEnvironment where git fails.
PruneAnswer prune_charts(const repo::Repository& repository, const repo::GitRemote& remote,
                         const PruneRequest& request);

// The numbers of all open pull requests. Throws ApiError.
std::set<std::int64_t> open_pull_requests(ServiceApi& api, const std::string& repository);

// Files of the working tree as a pull request, for people to review: on a branch made from the tip of the
// default branch, which each proposal rewrites.

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
