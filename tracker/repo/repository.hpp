// The git repository being measured, through libgit2 (this module and store/ alone see git2.h).
// Every failure is an Error that names what was asked for and the next step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/model/run.hpp"

struct git_repository;

namespace tracker::repo {

// Commits of a first-parent line, newest first. Whoever asks for the same line shares it: a copy is a
// pointer.
class CommitLine {
 public:
  CommitLine() = default;
  explicit CommitLine(std::vector<Commit> commits, bool goes_on = false)
      : commits_(std::make_shared<const std::vector<Commit>>(std::move(commits))),
        size_(commits_->size()),
        goes_on_(goes_on) {}
  // The newest of them.
  CommitLine newest(std::size_t count_max) const {
    CommitLine line = *this;
    line.size_ = std::min(size_, count_max);
    return line;
  }
  // Whether older commits than these are on the line, here or only where this shallow clone was made from.
  bool goes_on() const { return goes_on_ || (commits_ && size_ < commits_->size()); }
  const Commit* begin() const { return size_ == 0 ? nullptr : commits_->data(); }
  const Commit* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Commit& operator[](std::size_t place) const { return (*commits_)[place]; }
  const Commit& front() const { return (*this)[0]; }
  const Commit& back() const { return (*this)[size_ - 1]; }

 private:
  std::shared_ptr<const std::vector<Commit>> commits_;
  std::size_t size_ = 0;
  bool goes_on_ = false;
};

class Repository {
 public:
  // The repository that holds `path`. kEnvironment where there is none, where its owner is not
  // trusted (says how to trust it), or where it uses an object format that libgit2 cannot read.
  static Repository open(const std::filesystem::path& path);
  // Whether there is one that holds `path`, whether or not it can be opened. kEnvironment where libgit2 does
  // not start.
  static bool holds(const std::filesystem::path& path);

  std::filesystem::path root() const;        // of the working tree; the git folder of a bare one
  std::filesystem::path common_dir() const;  // the git folder that worktrees share
  bool is_bare() const;                      // it has no working tree
  bool is_shallow() const;                   // its history ends before the first commit
  bool is_dirty() const;                     // tracked files differ from HEAD (untracked files do not count)

  // HEAD~1, a tag, a branch, an abbreviated id, …, peeled to its commit. kUsage for what names no
  // commit; kEnvironment where the clone is shallow or the repository has no commits yet.
  Commit resolve(const std::string& revision) const;

  // The first-parent line that ends at `from`, newest first, at most `count_max`. In a shallow clone it
  // ends early, where the clone does. kEnvironment where a commit of it is missing for another reason.
  CommitLine first_parents(const std::string& from, int count_max) const;

  // The id of the first commit of HEAD's first-parent line: the same in every clone, and in every fork.
  // kUsage in a shallow clone, which does not have it.
  std::string first_commit() const;

  // Whether that commit has a file of this path from the root. No failure: a commit that is not here has
  // none.
  bool has_file(const std::string& commit, const std::string& path) const;

  // The file's content at that commit; empty where it has no such file, or is not here.
  std::optional<std::string> file_at(const std::string& commit, const std::string& path) const;
  // Of each text in quotes, the commit of the first-parent line up to `from` that first brought it into the
  // file; those that none did, or that the clone does not have, are not there.
  std::map<std::string, std::string> commits_of_quoted(const std::string& from,
                                                       const std::string& path) const;

  git_repository* handle() const { return handle_.get(); }  // for store/

 private:
  // A line that was walked: questions about a history ask for the same one again and again.
  struct WalkedLine {
    int count_max = 0;
    CommitLine commits;
  };

  struct Free {
    void operator()(git_repository* handle) const;
  };

  explicit Repository(git_repository* handle) : handle_(handle) {}
  std::unique_ptr<git_repository, Free> handle_;
  mutable WalkedLine walked_;
};

// The commits between two others, and how they hang together.

struct RangeCommit {
  Commit commit;
  std::vector<std::string> parents;  // ids; more than one: a merge
};

// The first-parent line of `last`, without what `first` has already (git's first..last), oldest first. Both
// are revisions. kUsage where one names no commit; kEnvironment where git does not tell.
std::vector<RangeCommit> commit_range(const Repository& repository, const std::string& first,
                                      const std::string& last);

// The id of the best common ancestor; none where there is none, or the clone is too shallow to tell.
std::optional<std::string> common_ancestor(const Repository& repository, const std::string& a,
                                           const std::string& b);

// Which files a commit has, and which differ between two commits.

// Their paths from the root, of both commits, with those that are in one of them alone; a submodule by its
// path. Empty where git does not tell.
std::optional<std::vector<std::string>> changed_files(const Repository& repository, const std::string& base,
                                                      const std::string& candidate);

struct CommittedFile {
  std::string path;     // from the root; a submodule by its path
  std::string content;  // its kind and git's id of what it holds
};

// The files of a commit: at these paths, where any are named. Empty where git does not tell.
std::optional<std::vector<CommittedFile>> committed_files(const Repository& repository,
                                                          const std::string& commit,
                                                          const std::vector<std::string>& paths = {});

// The git executable, for what libgit2 does not do as git does (worktrees, submodules, filters, remotes), and
// questions that it answers.

struct GitCall {
  std::filesystem::path directory;
  std::vector<std::string> arguments;
  bool only_here = false;                          // no repository above `directory`'s parent is looked at
  std::map<std::string, std::string> environment;  // set in addition
  std::string input;                               // its standard input
  std::function<bool()> keep_going;                // as in ProcessSpec
  bool with_tokens = false;                        // likewise: for credential helpers that read them
};

// Runs git as if called by hand in a directory: a repository named by the environment (as inside a git hook)
// is not looked at. No hook runs, nothing asks for a password. kEnvironment where git cannot be started.
ProcessResult run_git(const GitCall& call);
ProcessResult run_git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                      bool only_here = false);

// What git prints, without the last line end. kEnvironment, with git's words, where it fails.
std::string git_output(const Repository& repository, const std::vector<std::string>& arguments,
                       const std::string& input = {},
                       const std::map<std::string, std::string>& environment = {});

// The ids of the commit's parents. kEnvironment where the clone is shallow and ends there.
std::vector<std::string> parents_of(const Repository& repository, const std::string& commit);

// Whether the repository has this commit. False also where git fails.
bool has_commit(const Repository& repository, const std::string& id);
// Whether `commit` descends from `ancestor`, or is it. False where the clone does not tell.
bool is_ancestor(const Repository& repository, const std::string& ancestor, const std::string& commit);

// The id of what the ref stands at; none where there is no such ref.
std::optional<std::string> tip_of(const Repository& repository, const std::string& ref);

// Where the histories part. kEnvironment where the clone is shallow, kUsage where they have nothing in
// common.
std::string merge_base(const Repository& repository, const std::string& a, const std::string& b);

// "'1a2b3c4d5e'"
std::string short_name(const std::string& id);

// Says that the clone must be a whole one.
Error shallow_failure(const std::string& missing);

}  // namespace tracker::repo
