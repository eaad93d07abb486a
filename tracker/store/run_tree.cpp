#include "tracker/store/run_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::store {
namespace {

constexpr int kDocumentsDepth = 3;  // folders around a document: device, fan-out, commit
constexpr std::size_t kNewDocumentsMax = 1'000'000;
constexpr int kFoldersMax = 64;  // within one another, of what is not ours

using GitTreeBuilder = repo::GitHandle<git_treebuilder, git_treebuilder_free>;

bool is_folder(const git_tree_entry* entry) {
  return git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

bool is_same(const git_tree_entry* a, const git_tree_entry* b) {
  return repo::is_same(*git_tree_entry_id(a), *git_tree_entry_id(b));
}

// What `tree`, which may be null, has of this name; null where it has nothing.
const git_tree_entry* entry_in(const git_tree* tree, const char* name) {
  return tree != nullptr ? git_tree_entry_byname(tree, name) : nullptr;
}

bool has_tombstone(const git_tree* documents, const Key& key) {
  const std::string path = tombstone_path_of(key);
  return entry_in(documents, path.substr(path.rfind('/') + 1).c_str()) != nullptr;
}

repo::GitTree tree_of(git_repository* repository, const git_tree_entry* entry, const std::string& path) {
  repo::GitTree tree;
  if (git_tree_lookup(tree.out(), repository, git_tree_entry_id(entry)) != 0)
    throw repo::git_failure("cannot read folder " + in_quotes(path) + " of the store",
                            "git fsck says what is missing");
  return tree;
}

// Walks the folders that documents lie in, but those that `other` (which may be null) has alike.
class NewFolders {
 public:
  // Gets each of them, what the other one has in its place or null, and its path with a slash behind it.
  // False ends the walk.
  using Visit =
      std::function<bool(const git_tree* documents, const git_tree* other, const std::string& path)>;

  NewFolders(git_repository* repository, Visit visit) : repository_(repository), visit_(std::move(visit)) {}

  // `depth` folders lie around the tree, whose own path is `path`. False where a visit said so.
  bool walk(const git_tree* tree, const git_tree* other, const std::string& path = {}, int depth = 0) const {
    if (depth == kDocumentsDepth) return visit_(tree, other, path);
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const git_tree_entry* there = entry_in(other, git_tree_entry_name(entry));
      if (!is_folder(entry) || (there != nullptr && is_same(there, entry))) continue;
      const std::string place = path + git_tree_entry_name(entry);
      const bool is_in_both = there != nullptr && is_folder(there);
      const auto below = is_in_both ? tree_of(repository_, there, place) : repo::GitTree{};
      if (!walk(tree_of(repository_, entry, place).get(), below.get(), place + '/', depth + 1)) return false;
    }
    return true;
  }

 private:
  git_repository* repository_;
  Visit visit_;
};

// Calls `visit(key, entry)` for each document in the folder that has no tombstone.
template <class Visit>
void for_each_seen(const git_tree* documents, const std::string& path, Visit visit) {
  for (std::size_t i = 0; i < git_tree_entrycount(documents); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(documents, i);
    auto key = is_file(entry) ? key_at(path + git_tree_entry_name(entry)) : std::nullopt;
    if (key && !has_tombstone(documents, *key)) visit(std::move(*key), entry);
  }
}

// What readers of `tree` see and those of `other` do not; either may be null.
std::vector<Key> seen_only_in(git_repository* repository, const git_tree* tree, const git_tree* other) {
  std::vector<Key> keys;
  const NewFolders folders(repository, [&](const git_tree* mine, const git_tree* theirs, const auto& path) {
    for_each_seen(mine, path, [&](Key key, const git_tree_entry* entry) {
      const git_tree_entry* there = entry_in(theirs, git_tree_entry_name(entry));
      const bool is_in_both = there != nullptr && is_file(there) && is_same(there, entry);
      if (!is_in_both || has_tombstone(theirs, key)) keys.push_back(std::move(key));
    });
    return true;
  });
  if (tree != nullptr) folders.walk(tree, other);
  std::ranges::sort(keys, {}, path_of);
  return keys;
}

void append_files(git_repository* repository, const git_tree* tree, const std::string& folder, int depth,
                  std::vector<StoredFile>& files) {
  for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
    const std::string path = folder + git_tree_entry_name(entry);
    if (is_folder(entry) && depth < kDocumentsDepth) {
      append_files(repository, tree_of(repository, entry, path).get(), path + '/', depth + 1, files);
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

Error disagreement(const std::string& path) {
  const std::string place = in_quotes(path);
  return {ExitCode::kEnvironment,
          "the two stores have different contents at " + place + "; neither was changed",
          "what is recorded is never changed, so someone rewrote it: git log --all -- " + place +
              " shows the commits"};
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
      const git_tree_entry* my = entry_in(mine, name.c_str());
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
        const git_tree_entry* my = entry_in(mine, name.c_str());
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

}  // namespace

std::vector<StoredFile> files_in(git_repository* repository, const git_tree* root) {
  std::vector<StoredFile> files;
  if (root != nullptr) append_files(repository, root, "", 0, files);
  std::ranges::sort(files, {}, &StoredFile::path);
  return files;
}

std::vector<Key> keys_in(git_repository* repository, const git_tree* root, const KeyFilter& which) {
  std::vector<Key> keys;
  const auto append = [&](const git_tree* documents, const git_tree*, const std::string& path) {
    for_each_seen(documents, path, [&](Key key, const git_tree_entry*) {
      if (key.kind == which.kind) keys.push_back(std::move(key));
    });
    return true;
  };
  const NewFolders folders(repository, append);
  for (std::size_t i = 0; root != nullptr && i < git_tree_entrycount(root); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(root, i);
    const std::string device = git_tree_entry_name(entry);
    if (!is_folder(entry) || !is_device(device) || (which.device && device != *which.device)) continue;
    if (!which.commit) {
      folders.walk(tree_of(repository, entry, device).get(), nullptr, device + '/', 1);
    } else if (is_commit_id(*which.commit)) {
      const std::string path = folder_of(device, *which.commit);
      const auto of_commit = entry_at(root, path);
      if (of_commit && is_folder(of_commit.get()))
        append(tree_of(repository, of_commit.get(), path).get(), nullptr, path + '/');
    }
  }
  // git orders folders as if their names ended with a slash: "a-b" before "a".
  std::ranges::sort(keys, {}, [](const Key& key) { return std::tie(key.device, key.commit, key.id); });
  return keys;
}

std::vector<std::string> devices_in(git_repository* repository, const git_tree* root) {
  std::set<std::string> devices;
  const NewFolders folders(repository, [&](const git_tree* documents, const git_tree*, const auto& path) {
    for_each_seen(documents, path, [&](const Key& key, const git_tree_entry*) {
      if (key.kind == DocumentKind::kRun) devices.insert(key.device);
    });
    return !devices.contains(path.substr(0, path.find('/')));
  });
  for (std::size_t i = 0; root != nullptr && i < git_tree_entrycount(root); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(root, i);
    const std::string device = git_tree_entry_name(entry);
    if (is_folder(entry) && is_device(device))
      folders.walk(tree_of(repository, entry, device).get(), nullptr, device + '/', 1);
  }
  return {devices.begin(), devices.end()};
}

KeyChanges key_changes(git_repository* repository, const git_tree* then, const git_tree* now) {
  return {.added = seen_only_in(repository, now, then),
          .dropped = seen_only_in(repository, then, now),
          .version = {}};
}

bool is_file(const git_tree_entry* entry) {
  const auto mode = git_tree_entry_filemode(entry);
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

repo::GitTreeEntry entry_at(const git_tree* root, const std::string& path) {
  repo::GitTreeEntry entry;
  const int code = root != nullptr ? git_tree_entry_bypath(entry.out(), root, path.c_str()) : GIT_ENOTFOUND;
  if (code != 0 && code != GIT_ENOTFOUND)
    throw repo::git_failure("cannot read '" + path + "' in the store", "git fsck says what is missing");
  return entry;
}

git_oid merge_trees(git_repository* repository, const git_tree* mine,
                    const std::vector<const git_tree*>& theirs, const std::set<std::string>& without) {
  return Union(repository, without).write(mine, theirs, "", 0);
}

std::vector<NewFile> new_files(git_repository* repository, const git_tree* tree, const git_tree* other) {
  std::vector<NewFile> files;
  const auto append = [&](const git_tree* mine, const git_tree* theirs, const std::string& path) {
    for (std::size_t i = 0; i < git_tree_entrycount(mine); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(mine, i);
      const git_tree_entry* there = entry_in(theirs, git_tree_entry_name(entry));
      if (!is_file(entry) || (there != nullptr && is_same(there, entry))) continue;
      const std::string place = path + git_tree_entry_name(entry);
      NewFile file{.path = place, .key = key_at(place), .id = *git_tree_entry_id(entry)};
      file.is_dropped = file.key && (has_tombstone(mine, *file.key) || has_tombstone(theirs, *file.key));
      files.push_back(std::move(file));
    }
    if (files.size() > kNewDocumentsMax)
      throw Error(ExitCode::kEnvironment,
                  "more than " + std::to_string(kNewDocumentsMax) + " documents are new at once",
                  "no store grows like this: look at what the remote holds");
    return true;
  };
  if (tree != nullptr) NewFolders(repository, append).walk(tree, other);
  return files;
}

KindCounts count_documents(const std::vector<NewFile>& files) {
  KindCounts counts;
  for (const auto& file : files)
    if (file.key) counts.add(file.key->kind);
  return counts;
}

}  // namespace tracker::store
