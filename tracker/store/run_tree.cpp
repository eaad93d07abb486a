#include "tracker/store/run_tree.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::store {
namespace {

repo::GitTree subtree(git_repository* repository, const git_tree_entry* entry) {
  repo::GitTree tree;
  if (git_tree_lookup(tree.out(), repository, git_tree_entry_id(entry)) != 0)
    throw repo::git_failure(
        "cannot read folder '" + std::string(git_tree_entry_name(entry)) + "' of the store",
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

void append_keys(std::vector<Key>& keys, const std::string& device, const std::string& commit,
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
std::vector<Key> in_order(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::tie(a.device, a.commit, a.id) < std::tie(b.device, b.commit, b.id);
  });
  return keys;
}

// Calls `visit(commit, entry)` for the folder of each commit below that of a device, until it answers false.
template <class Visit>
void for_each_commit(git_repository* repository, const git_tree_entry* device_entry, Visit visit) {
  bool more = true;
  const auto fan_outs = subtree(repository, device_entry);
  for_each_folder(fan_outs.get(), [&](const std::string& fan_out, const git_tree_entry* fan_out_entry) {
    if (!more || !is_fan_out(fan_out)) return;
    const auto commits = subtree(repository, fan_out_entry);
    for_each_folder(commits.get(), [&](const std::string& commit, const git_tree_entry* entry) {
      if (more && is_commit_id(commit) && commit.starts_with(fan_out)) more = visit(commit, entry);
    });
  });
}

void append_device(git_repository* repository, const std::string& device, const git_tree_entry* device_entry,
                   std::vector<Key>& keys) {
  for_each_commit(repository, device_entry, [&](const std::string& commit, const git_tree_entry* entry) {
    append_keys(keys, device, commit, DocumentKind::kRun, subtree(repository, entry).get());
    return true;
  });
}

class Difference {
 public:
  Difference(git_repository* repository, KeyChanges& changes) : repository_(repository), changes_(changes) {}

  // Either may be null. `depth` folders lie above these.
  void visit(const git_tree* then, const git_tree* now, const std::string& path, int depth) {
    constexpr int kDocumentsDepth = 3;
    if (depth == kDocumentsDepth) return compare_documents(then, now, path);
    std::set<std::string> names;
    for (const auto* tree : {then, now})
      if (tree != nullptr)
        for_each_folder(tree, [&](const std::string& name, const git_tree_entry*) { names.insert(name); });
    for (const auto& name : names) {
      const auto* old_entry = folder_in(then, name);
      const auto* new_entry = folder_in(now, name);
      if (old_entry != nullptr && new_entry != nullptr &&
          git_oid_equal(git_tree_entry_id(old_entry), git_tree_entry_id(new_entry)) != 0)
        continue;
      const auto old_tree = old_entry != nullptr ? subtree(repository_, old_entry) : repo::GitTree{};
      const auto new_tree = new_entry != nullptr ? subtree(repository_, new_entry) : repo::GitTree{};
      visit(old_tree.get(), new_tree.get(), path + name + '/', depth + 1);
    }
  }

 private:
  static const git_tree_entry* folder_in(const git_tree* tree, const std::string& name) {
    const auto* entry = tree != nullptr ? git_tree_entry_byname(tree, name.c_str()) : nullptr;
    return entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_TREE ? entry : nullptr;
  }

  static void append_seen(const git_tree* tree, const git_tree* other, const std::string& path,
                          std::vector<Key>& keys) {
    for (std::size_t i = 0; tree != nullptr && i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      auto key = is_file(entry) ? key_at(path + git_tree_entry_name(entry)) : std::nullopt;
      if (!key || has_tombstone(tree, *key)) continue;
      const auto* there =
          other != nullptr ? git_tree_entry_byname(other, git_tree_entry_name(entry)) : nullptr;
      const bool same = there != nullptr && is_file(there) && !has_tombstone(other, *key) &&
                        git_oid_equal(git_tree_entry_id(there), git_tree_entry_id(entry)) != 0;
      if (!same) keys.push_back(std::move(*key));
    }
  }

  void compare_documents(const git_tree* then, const git_tree* now, const std::string& path) {
    append_seen(now, then, path, changes_.added);
    append_seen(then, now, path, changes_.dropped);
  }

  git_repository* repository_;
  KeyChanges& changes_;
};

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

std::vector<Key> keys_in(git_repository* repository, const git_tree* root) {
  std::vector<Key> keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry* entry) {
    if (is_device(device)) append_device(repository, device, entry, keys);
  });
  return in_order(std::move(keys));
}

std::vector<Key> keys_in(git_repository* repository, const git_tree* root, const std::string& device) {
  std::vector<Key> keys;
  const auto* entry = is_device(device) ? git_tree_entry_byname(root, device.c_str()) : nullptr;
  if (entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_TREE)
    append_device(repository, device, entry, keys);
  return in_order(std::move(keys));
}

std::vector<std::string> devices_in(git_repository* repository, const git_tree* root) {
  std::vector<std::string> devices;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry* entry) {
    if (!is_device(device)) return;
    std::vector<Key> keys;
    for_each_commit(repository, entry, [&](const std::string& commit, const git_tree_entry* documents) {
      append_keys(keys, device, commit, DocumentKind::kRun, subtree(repository, documents).get());
      return keys.empty();
    });
    if (!keys.empty()) devices.push_back(device);
  });
  std::sort(devices.begin(), devices.end());
  return devices;
}

KeyChanges key_changes(git_repository* repository, const git_tree* then, const git_tree* now) {
  KeyChanges changes;
  Difference(repository, changes).visit(then, now, "", 0);
  for (auto* keys : {&changes.added, &changes.dropped})
    std::sort(keys->begin(), keys->end(), [](const Key& a, const Key& b) { return path_of(a) < path_of(b); });
  return changes;
}

std::vector<Key> keys_in(git_repository* repository, const git_tree* root, const std::string& commit,
                         DocumentKind kind) {
  std::vector<Key> keys;
  if (!is_commit_id(commit)) return keys;
  for_each_folder(root, [&](const std::string& device, const git_tree_entry*) {
    if (!is_device(device)) return;
    const auto entry = entry_at(root, folder_of(device, commit));
    if (entry && git_tree_entry_type(entry.get()) == GIT_OBJECT_TREE)
      append_keys(keys, device, commit, kind, subtree(repository, entry.get()).get());
  });
  return in_order(std::move(keys));
}

bool has_tombstone(const git_tree* documents, const Key& key) {
  const std::string path = tombstone_path_of(key);
  return git_tree_entry_byname(documents, path.substr(path.rfind('/') + 1).c_str()) != nullptr;
}

bool is_file(const git_tree_entry* entry) {
  const auto mode = git_tree_entry_filemode(entry);
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

repo::GitTreeEntry entry_at(const git_tree* root, const std::string& path) {
  repo::GitTreeEntry entry;
  const int code = git_tree_entry_bypath(entry.out(), root, path.c_str());
  if (code != 0 && code != GIT_ENOTFOUND)
    throw repo::git_failure("cannot read '" + path + "' in the store", "git fsck says what is missing");
  return entry;
}

repo::GitTreeEntry entry_of(const git_tree* root, const Key& key) {
  return entry_at(root, path_of(key));
}

namespace {

constexpr std::size_t kNewDocumentsMax = 1'000'000;
constexpr int kFoldersMax = 64;  // within one another, of what is not ours

using GitTreeBuilder = repo::GitHandle<git_treebuilder, git_treebuilder_free>;

repo::GitTree tree_of(git_repository* repository, const git_tree_entry* entry, const std::string& path) {
  repo::GitTree tree;
  if (git_tree_lookup(tree.out(), repository, git_tree_entry_id(entry)) != 0)
    throw repo::git_failure("cannot read folder " + in_quotes(path) + " of the store",
                            "git fsck says what is missing");
  return tree;
}

Error disagreement(const std::string& path) {
  const std::string place = in_quotes(path);
  return {ExitCode::kEnvironment,
          "the two stores have different contents at " + place + "; neither was changed",
          "what is recorded is never changed, so someone rewrote it: git log --all -- " + place +
              " shows the commits"};
}

bool is_same(const git_tree_entry* a, const git_tree_entry* b) {
  return git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) != 0;
}

bool is_folder(const git_tree_entry* entry) {
  return git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

class Union {
 public:
  using Trees = std::vector<const git_tree*>;

  Union(git_repository* repository, const std::set<std::string>& without)
      : repository_(repository), without_(without) {}

  git_oid write(const git_tree* mine, const Trees& theirs, const std::string& path, int folders) {
    if (folders > kFoldersMax) throw disagreement(path);
    GitTreeBuilder builder;
    check(git_treebuilder_new(builder.out(), repository_, mine));
    bool more = false;
    for (const auto& [name, entries] : different_entries(mine, theirs, path)) {
      const git_tree_entry* my = mine != nullptr ? git_tree_entry_byname(mine, name.c_str()) : nullptr;
      const git_tree_entry* first = entries.front();
      const std::string place = path + name;
      git_oid id = *git_tree_entry_id(first);
      if (dropped_at(place)) {
        id = *git_tree_entry_id(*std::min_element(entries.begin(), entries.end(), has_smaller_id));
        if (my != nullptr && git_oid_cmp(git_tree_entry_id(my), &id) < 0) continue;
      } else if (my != nullptr || entries.size() > 1 || (is_folder(first) && is_left_out_below(place))) {
        id = write_all(my, entries, place, folders);
      }
      if (my == nullptr && is_empty_tree(id)) continue;
      check(git_treebuilder_insert(nullptr, builder.get(), name.c_str(), &id,
                                   git_tree_entry_filemode_raw(first)));
      more = true;
    }
    if (!more && mine != nullptr) return *git_tree_id(mine);
    git_oid id{};
    check(git_treebuilder_write(&id, builder.get()));
    return id;
  }

 private:
  using Entries = std::vector<const git_tree_entry*>;

  // By name: what `theirs` have and `mine` has not, each different thing once.
  std::map<std::string, Entries> different_entries(const git_tree* mine, const Trees& theirs,
                                                   const std::string& path) const {
    std::map<std::string, Entries> found;
    for (const git_tree* tree : theirs)
      for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
        const std::string name = git_tree_entry_name(entry);
        const git_tree_entry* my = mine != nullptr ? git_tree_entry_byname(mine, name.c_str()) : nullptr;
        if ((my != nullptr && is_same(my, entry)) || without_.contains(path + name)) continue;
        auto& entries = found[name];
        const auto is_known = [&](const git_tree_entry* other) { return is_same(other, entry); };
        if (std::none_of(entries.begin(), entries.end(), is_known)) entries.push_back(entry);
      }
    return found;
  }

  git_oid write_all(const git_tree_entry* my, const Entries& entries, const std::string& place, int folders) {
    if ((my != nullptr && !is_folder(my)) || !std::all_of(entries.begin(), entries.end(), is_folder))
      throw disagreement(place);
    const auto mine = my != nullptr ? tree_of(repository_, my, place) : repo::GitTree{};
    std::vector<repo::GitTree> owned;
    Trees theirs;
    for (const auto* entry : entries) {
      owned.push_back(tree_of(repository_, entry, place));
      theirs.push_back(owned.back().get());
    }
    return write(mine.get(), theirs, place + '/', folders + 1);
  }

  static bool has_smaller_id(const git_tree_entry* a, const git_tree_entry* b) {
    return git_oid_cmp(git_tree_entry_id(a), git_tree_entry_id(b)) < 0;
  }

  bool is_left_out_below(const std::string& folder) const {
    const auto next = without_.lower_bound(folder + '/');
    return next != without_.end() && next->starts_with(folder + '/');
  }

  static bool is_empty_tree(const git_oid& id) {
    static constexpr const char* kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    return git_oid_streq(&id, kEmptyTree) == 0;
  }

  static void check(int code) {
    if (code != 0)
      throw repo::git_failure("cannot write the merged store",
                              "see that this user may write to the git folder and that the disk has room");
  }

  git_repository* repository_;
  const std::set<std::string>& without_;
};

class NewFiles {
 public:
  explicit NewFiles(git_repository* repository) : repository_(repository) {}

  // Only folders that a document's path may have are entered: there are three of them.
  void visit(const git_tree* tree, const git_tree* other, const std::string& path, int folders) {
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const git_tree_entry* there =
          other != nullptr ? git_tree_entry_byname(other, git_tree_entry_name(entry)) : nullptr;
      if (there != nullptr && is_same(there, entry)) continue;
      const std::string place = path + git_tree_entry_name(entry);
      if (is_folder(entry) && folders < 3) {
        const bool both = there != nullptr && is_folder(there);
        const auto below = both ? tree_of(repository_, there, place) : repo::GitTree{};
        visit(tree_of(repository_, entry, place).get(), below.get(), place + '/', folders + 1);
      } else if (is_file(entry) && folders == 3) {
        NewFile file{.path = place, .key = key_at(place), .id = *git_tree_entry_id(entry)};
        file.is_dropped = file.key && (has_tombstone(tree, *file.key) ||
                                       (other != nullptr && has_tombstone(other, *file.key)));
        files_.push_back(std::move(file));
        if (files_.size() > kNewDocumentsMax)
          throw Error(ExitCode::kEnvironment,
                      "more than " + std::to_string(kNewDocumentsMax) + " documents are new at once",
                      "no store grows like this: look at what the remote holds");
      }
    }
  }

  std::vector<NewFile>& files() { return files_; }

 private:
  git_repository* repository_;
  std::vector<NewFile> files_;
};

}  // namespace

git_oid merge_trees(git_repository* repository, const git_tree* mine,
                    const std::vector<const git_tree*>& theirs, const std::set<std::string>& without) {
  return Union(repository, without).write(mine, theirs, "", 0);
}

std::vector<NewFile> new_files(git_repository* repository, const git_tree* tree, const git_tree* other) {
  NewFiles found(repository);
  found.visit(tree, other, "", 0);
  return std::move(found.files());
}

KindCounts count_documents(const std::vector<NewFile>& files) {
  KindCounts counts;
  for (const auto& file : files)
    if (file.key) counts.add(file.key->kind);
  return counts;
}

}  // namespace tracker::store
