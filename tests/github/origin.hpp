// A bare origin with a branch main, and a clone of it where a workflow would run.
#pragma once

#include <string>
#include <vector>

#include "tests/support/scratch_repository.hpp"

namespace tracker::testing_support {

struct ClonedOrigin : ScratchRepository {  // the clone is the scratch repository
  fs::path bare = folder() / "origin.git";

  ClonedOrigin() {
    commit("baselines/h200.json", "{\"old\": true}\n");
    git({"init", "--quiet", "--bare", "--initial-branch=main", bare.string()});
    git({"remote", "add", "origin", "file://" + bare.string()});
    git({"push", "--quiet", "origin", "main"});
  }
  std::string at_origin(const std::vector<std::string>& arguments) const {
    return testing_support::git(bare, arguments);
  }
  std::string tip(const std::string& branch) const {
    return at_origin({"for-each-ref", "--format=%(objectname)", "refs/heads/" + branch});
  }
  std::string state() const {  // of all that a workflow's later steps see
    return git({"status", "--porcelain=v2", "--branch"}) +
           git({"for-each-ref", "refs/heads", "refs/tags", "refs/tracker*"}) + git({"ls-files", "--stage"});
  }
};

// The smallest that has all its chunks' names; `pixel` makes them differ.
inline std::string png(const std::string& pixel = "x") {
  return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0", 29) + pixel +
         std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12);
}

}  // namespace tracker::testing_support
