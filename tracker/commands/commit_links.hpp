// Commits in what a command prints become links to their pages, where the terminal knows links.
#pragma once

#include <memory>
#include <streambuf>

#include "tracker/app/workspace.hpp"

namespace tracker {

// As long as it lives, each line of standard output passes through it. It does nothing where standard output
// is no terminal, the terminal is not known to show links (terminal_links.hpp; TRACKER_LINKS=always or never
// decides instead), or the address of 'origin' does not tell where people see commits.
class CommitLinks {
 public:
  // `is_text`: false for what programs read. The workspace must outlive this; it may have no repository.
  explicit CommitLinks(const Workspace& workspace, bool is_text = true);
  CommitLinks(const CommitLinks&) = delete;
  CommitLinks& operator=(const CommitLinks&) = delete;
  ~CommitLinks();

 private:
  std::unique_ptr<std::streambuf> linking_;
  std::streambuf* plain_ = nullptr;
};

// Where people see a commit of this repository, with {commit} for its id; empty where 'origin' does not tell.
std::string commit_url(const Repository& repository);

}  // namespace tracker
