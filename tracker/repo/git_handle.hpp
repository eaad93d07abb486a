// Owners for what libgit2 hands out, for repo/ and store/ alone.
#pragma once

#include <utility>

#include <git2.h>

namespace tracker {

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

using GitBlob = GitHandle<git_blob, git_blob_free>;
using GitCommit = GitHandle<git_commit, git_commit_free>;
using GitConfig = GitHandle<git_config, git_config_free>;
using GitObject = GitHandle<git_object, git_object_free>;
using GitOdb = GitHandle<git_odb, git_odb_free>;
using GitReference = GitHandle<git_reference, git_reference_free>;
using GitSignature = GitHandle<git_signature, git_signature_free>;
using GitTree = GitHandle<git_tree, git_tree_free>;
using GitTreeEntry = GitHandle<git_tree_entry, git_tree_entry_free>;

}  // namespace tracker
