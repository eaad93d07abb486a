// libgit2 as repo/ and store/ use it: owners for what it hands out, ids in full, and its words for a failure.
#pragma once

#include <string>
#include <utility>

#include <git2.h>

#include "tracker/base/error.hpp"

namespace tracker::repo {

// libgit2's words for the last failure: call this and the next right after the call that failed.
std::string git_reason();

// What has no words of its own: "<asked>: <reason>", kEnvironment.
Error git_failure(const std::string& asked, const std::string& hint = {});

// The id as 40 hexadecimal digits.
std::string hex_of(const git_oid& id);

// Whether they are one object's.
inline bool is_same(const git_oid& a, const git_oid& b) {
  return git_oid_equal(&a, &b) != 0;
}

// Owns an object of libgit2 and frees it.
template <class T, void (*free_function)(T*)>
class GitHandle {
 public:
  GitHandle() = default;
  explicit GitHandle(T* handle) : handle_(handle) {}
  GitHandle(GitHandle&& other) noexcept : handle_(other.release()) {}
  GitHandle& operator=(GitHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~GitHandle() { free_function(handle_); }

  T* get() const { return handle_; }
  T* release() { return std::exchange(handle_, nullptr); }
  explicit operator bool() const { return handle_ != nullptr; }

  // Where libgit2 puts the new one: `git_tree_lookup(tree.out(), …)`.
  T** out() {
    free_function(release());
    return &handle_;
  }

 private:
  T* handle_ = nullptr;
};

// The owners of each kind of object.
using GitBlob = GitHandle<git_blob, git_blob_free>;
using GitCommit = GitHandle<git_commit, git_commit_free>;
using GitConfig = GitHandle<git_config, git_config_free>;
using GitObject = GitHandle<git_object, git_object_free>;
using GitOdb = GitHandle<git_odb, git_odb_free>;
using GitReference = GitHandle<git_reference, git_reference_free>;
using GitSignature = GitHandle<git_signature, git_signature_free>;
using GitTree = GitHandle<git_tree, git_tree_free>;
using GitTreeEntry = GitHandle<git_tree_entry, git_tree_entry_free>;

}  // namespace tracker::repo
