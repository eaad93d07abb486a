#include "tracker/store/run_tree.hpp"

#include <algorithm>
#include <tuple>

#include "tracker/base/error.hpp"
#include "tracker/repo/git_failure.hpp"

namespace tracker {
namespace {

GitTree subtree(git_repository* repository, const git_tree_entry* entry) {
  GitTree tree;
  if (git_tree_lookup(tree.out(), repository, git_tree_entry_id(entry)) != 0)
    throw git_failure("cannot read folder '" + std::string(git_tree_entry_name(entry)) + "' of the store",
                      "git fsck says what is missing");
  return tree;
}

// Calls `visit(name, entry)` for each folder in the tree.
template <class Visit>
void for_each_folder(const git_tree* tree, Visit visit) {
  for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
    if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) visit(std::string(git_tree_entry_name(entry)), entry);
  }
}

void append_keys(std::vector<StoredKey>& keys, const std::string& device, const std::string& commit,
                 DocumentKind kind, const git_tree* documents) {
  const std::string folder = folder_of(device, commit) + '/';
  for (std::size_t i = 0; i < git_tree_entrycount(documents); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(documents, i);
    if (!is_file(entry)) continue;
    auto key = key_at(folder + git_tree_entry_name(entry));
    if (key && key->kind == kind && !has_tombstone(documents, *key)) keys.push_back(std::move(*key));
  }
}

// git orders folders as if their names ended with a slash: "a-b" before "a".
std::vector<StoredKey> in_order(std::vector<StoredKey> keys) {
  std::sort(keys.begin(), keys.end(), [](const StoredKey& a, const StoredKey& b) {
    return std::tie(a.device, a.commit, a.id) < std::tie(b.device, b.commit, b.id);
  });
  return keys;
}

void append_files(git_repository* repository, const git_tree* tree, const std::string& folder, int folders,
                  std::vector<StoredFile>& files) {
  constexpr int kFoldersMax = 3;
  for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
    const std::string path = folder + git_tree_entry_name(entry);
    if (git_tree_entry_type(entry) == GIT_OBJECT_TREE && folders < kFoldersMax) {
      append_files(repository, subtree(repository, entry).get(), path + '/', folders + 1, files);
      continue;
    }
    StoredFile file{.path = path, .key = {}, .is_file = is_file(entry)};
    if (const auto key = key_at(path)) {
      file.what = StoredFile::What::kDocument;
      file.key = *key;
      file.is_dropped = has_tombstone(tree, *key);
    } else if (const auto dropped = dropped_at(path)) {
      file.what = StoredFile::What::kTombstone;
      file.key = *dropped;
    }
    files.push_back(std::move(file));
  }
}

}  // namespace

std::vector<StoredFile> files_in(git_repository* repository, const git_tree* root) {
  std::vector<StoredFile> files;
  append_files(repository, root, "", 0, files);
  std::sort(files.begin(), files.end(),
            [](const StoredFile& a, const StoredFile& b) { return a.path < b.path; });
  return files;
}

std::vector<StoredKey> keys_in(git_repository* repository, const git_tree* root) {
  std::vector<StoredKey> keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry* device_entry) {
    if (!is_device(device)) return;
    const auto fan_outs = subtree(repository, device_entry);
    for_each_folder(fan_outs.get(), [&](const std::string& fan_out, const git_tree_entry* fan_out_entry) {
      if (!is_fan_out(fan_out)) return;
      const auto commits = subtree(repository, fan_out_entry);
      for_each_folder(commits.get(), [&](const std::string& commit, const git_tree_entry* entry) {
        if (is_commit_id(commit) && commit.starts_with(fan_out))
          append_keys(keys, device, commit, DocumentKind::kRun, subtree(repository, entry).get());
      });
    });
  });
  return in_order(std::move(keys));
}

std::vector<StoredKey> keys_in(git_repository* repository, const git_tree* root, const std::string& commit,
                               DocumentKind kind) {
  std::vector<StoredKey> keys;
  if (!is_commit_id(commit)) return keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry*) {
    if (!is_device(device)) return;
    const auto entry = entry_at(root, folder_of(device, commit));
    if (entry && git_tree_entry_type(entry.get()) == GIT_OBJECT_TREE)
      append_keys(keys, device, commit, kind, subtree(repository, entry.get()).get());
  });
  return in_order(std::move(keys));
}

bool has_tombstone(const git_tree* documents, const StoredKey& key) {
  const std::string path = tombstone_path_of(key);
  return git_tree_entry_byname(documents, path.substr(path.rfind('/') + 1).c_str()) != nullptr;
}

bool is_file(const git_tree_entry* entry) {
  const auto mode = git_tree_entry_filemode(entry);
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

GitTreeEntry entry_at(const git_tree* root, const std::string& path) {
  GitTreeEntry entry;
  const int code = git_tree_entry_bypath(entry.out(), root, path.c_str());
  if (code != 0 && code != GIT_ENOTFOUND)
    throw git_failure("cannot read '" + path + "' in the store", "git fsck says what is missing");
  return entry;
}

GitTreeEntry entry_of(const git_tree* root, const StoredKey& key) {
  return entry_at(root, path_of(key));
}

}  // namespace tracker
