#include "tracker/store/merge_trees.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_failure.hpp"
#include "tracker/store/run_tree.hpp"

namespace tracker {
namespace {

constexpr std::size_t kNewDocumentsMax = 1'000'000;
constexpr int kFoldersMax = 64;  // within one another, of what is not ours

using GitTreeBuilder = GitHandle<git_treebuilder, git_treebuilder_free>;

GitTree tree_of(git_repository* repository, const git_tree_entry* entry, const std::string& path) {
  GitTree tree;
  if (git_tree_lookup(tree.out(), repository, git_tree_entry_id(entry)) != 0)
    throw git_failure("cannot read folder '" + printable(path) + "' of the store",
                      "git fsck says what is missing");
  return tree;
}

Error disagreement(const std::string& path) {
  const std::string place = "'" + printable(path) + "'";
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
    const auto mine = my != nullptr ? tree_of(repository_, my, place) : GitTree{};
    std::vector<GitTree> owned;
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
      throw git_failure("cannot write the merged store",
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
        const auto below = both ? tree_of(repository_, there, place) : GitTree{};
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

}  // namespace tracker
