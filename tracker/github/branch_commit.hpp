// Commits on branches that are not checked out, by git's plumbing: neither the working tree nor the index nor
// HEAD is touched.
#pragma once

#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"

namespace tracker {

// Refs of this process alone, gone at the end of its life; what they reached can still be read.
class PassingRefs {
 public:
  explicit PassingRefs(const Repository& repository);
  PassingRefs(const PassingRefs&) = delete;
  PassingRefs& operator=(const PassingRefs&) = delete;
  ~PassingRefs();
  std::string add(const std::string& name);  // its whole name

 private:
  const Repository& repository_;
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
void write_blobs(const Repository& repository, std::vector<TreeFile>& files, bool filtered);

// The tree of `commit` (empty: an empty one) with these files in it.
std::string tree_with(const Repository& repository, const std::string& commit,
                      const std::vector<TreeFile>& files);

// The tree of `commit` without these files.
std::string tree_without(const Repository& repository, const std::string& commit,
                         const std::vector<std::string>& paths);

std::string tree_of(const Repository& repository, const std::string& commit);

// A commit of that tree; a first one where it has no parents. Where nobody is set up as its author, it is
// github-actions[bot].
std::string write_commit(const Repository& repository, const std::string& tree,
                         const std::vector<std::string>& parents, const std::string& message);

}  // namespace tracker
