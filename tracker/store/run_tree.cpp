#include "tracker/store/run_tree.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "tracker/base/error.hpp"
#include "tracker/repo/git_failure.hpp"

namespace tracker {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t kNameBytesMax = 200;  // file systems allow 255
constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kFanOutDigits = 2;

// What a document's id is followed by. An id has no '.', so that no name fits two kinds.
std::string_view suffix_of(DocumentKind kind) {
  return kind == DocumentKind::kProfile ? ".profile.json" : ".json";
}

bool is_made_of(std::string_view text, const std::string& allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_device(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && text.front() != '.' && text.front() != '-' &&
         is_made_of(text, std::string(kLower).append(kDigits).append(".-"));
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && is_made_of(text, std::string(kDigits) + "abcdef");
}

bool is_run_id(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && text.front() != '-' &&
         is_made_of(text, std::string(kLower).append(kUpper).append(kDigits).append("-"));
}

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
  const std::string_view suffix = suffix_of(kind);
  for (std::size_t i = 0; i < git_tree_entrycount(documents); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(documents, i);
    std::string_view name = git_tree_entry_name(entry);
    if (!is_file(entry) || !name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    if (is_run_id(name)) keys.push_back({device, commit, std::string(name), kind});
  }
}

// git orders folders as if their names ended with a slash: "a-b" before "a".
std::vector<StoredKey> in_order(std::vector<StoredKey> keys) {
  std::sort(keys.begin(), keys.end(), [](const StoredKey& a, const StoredKey& b) {
    return std::tie(a.device, a.commit, a.id) < std::tie(b.device, b.commit, b.id);
  });
  return keys;
}

// The entry at a path below `root`, none where there is none.
GitTreeEntry entry_at(const git_tree* root, const std::string& path) {
  GitTreeEntry entry;
  const int code = git_tree_entry_bypath(entry.out(), root, path.c_str());
  if (code != 0 && code != GIT_ENOTFOUND)
    throw git_failure("cannot read '" + path + "' in the store", "git fsck says what is missing");
  return entry;
}

}  // namespace

void require_valid(const StoredKey& key) {
  const struct {
    const char* part;
    const std::string& value;
    bool valid;
    const char* hint;
  } parts[] = {
      {"device", key.device, is_device(key.device), "a device has lower-case letters, digits, '.' and '-'"},
      {"commit", key.commit, is_hex(key.commit, kCommitDigits), "a commit has 40 hexadecimal digits"},
      {"run id", key.id, is_run_id(key.id), "a run id has letters, digits and '-'"},
  };
  for (const auto& [part, value, valid, hint] : parts)
    if (!valid) throw Error(ExitCode::kUsage, std::string(part) + " '" + value + "' is not allowed", hint);
}

std::string path_of(const StoredKey& key) {
  return key.device + '/' + key.commit.substr(0, kFanOutDigits) + '/' + key.commit + '/' + key.id +
         std::string(suffix_of(key.kind));
}

std::vector<StoredKey> keys_in(git_repository* repository, const git_tree* root) {
  std::vector<StoredKey> keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry* device_entry) {
    if (!is_device(device)) return;
    const auto fan_outs = subtree(repository, device_entry);
    for_each_folder(fan_outs.get(), [&](const std::string& fan_out, const git_tree_entry* fan_out_entry) {
      if (!is_hex(fan_out, kFanOutDigits)) return;
      const auto commits = subtree(repository, fan_out_entry);
      for_each_folder(commits.get(), [&](const std::string& commit, const git_tree_entry* entry) {
        if (is_hex(commit, kCommitDigits) && commit.starts_with(fan_out))
          append_keys(keys, device, commit, DocumentKind::kRun, subtree(repository, entry).get());
      });
    });
  });
  return in_order(std::move(keys));
}

std::vector<StoredKey> keys_in(git_repository* repository, const git_tree* root, const std::string& commit,
                               DocumentKind kind) {
  std::vector<StoredKey> keys;
  if (!is_hex(commit, kCommitDigits)) return keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry*) {
    if (!is_device(device)) return;
    const auto entry = entry_at(root, device + '/' + commit.substr(0, kFanOutDigits) + '/' + commit);
    if (entry && git_tree_entry_type(entry.get()) == GIT_OBJECT_TREE)
      append_keys(keys, device, commit, kind, subtree(repository, entry.get()).get());
  });
  return in_order(std::move(keys));
}

bool is_file(const git_tree_entry* entry) {
  const auto mode = git_tree_entry_filemode(entry);
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

GitTreeEntry entry_of(const git_tree* root, const StoredKey& key) {
  return entry_at(root, path_of(key));
}

}  // namespace tracker
