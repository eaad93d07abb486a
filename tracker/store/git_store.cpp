#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_failure.hpp"
#include "tracker/repo/git_handle.hpp"
#include "tracker/store/run_tree.hpp"
#include "tracker/store/store.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker {
namespace {

constexpr std::size_t kDocumentBytesMax = 256u << 20;
constexpr std::size_t kShortIdDigits = 10;

using Documents = std::map<std::string, std::pair<StoredKey, std::string_view>>;  // by path

// "run 'gpu/aa/aa…/1.json'"
std::string named(const StoredKey& key) {
  return word_for(key.kind) + " '" + path_of(key) + "'";
}

Documents by_path(const std::vector<std::pair<StoredKey, std::string>>& documents) {
  Documents result;
  for (const auto& [key, text] : documents) {
    require_valid(key);
    if (text.size() > kDocumentBytesMax)
      throw Error(ExitCode::kUsage,
                  "run '" + key.id + "' has " + std::to_string(text.size()) + " bytes, more than " +
                      std::to_string(kDocumentBytesMax),
                  "measure fewer benchmarks in one run");
    const auto [there, added] = result.try_emplace(path_of(key), key, text);
    if (!added && there->second.second != text)
      throw Error(ExitCode::kUsage, named(key) + " is given twice, with different contents",
                  "give each run an id of its own");
  }
  return result;
}

// "record 2 runs and 1 profile of 1a2b3c4d5e on nvidia-h200"
std::string message_of(const std::vector<StoredKey>& added) {
  std::set<std::string> commits;
  std::set<std::string> devices;
  for (const auto& key : added) {
    commits.insert(key.commit.substr(0, kShortIdDigits));
    devices.insert(key.device);
  }
  const auto one_or_count = [](const std::set<std::string>& names, const std::string& word) {
    return names.size() == 1 ? *names.begin() : std::to_string(names.size()) + " " + word;
  };
  return "record " + in_words(count_kinds(added)) + " of " + one_or_count(commits, "commits") + " on " +
         one_or_count(devices, "devices");
}

class GitStore final : public Store {
 public:
  GitStore(const Repository& repository, std::string ref)
      : git_(repository.handle()), ref_(repository, std::move(ref)) {}

  void add(const std::vector<std::pair<StoredKey, std::string>>& documents) override;
  std::vector<StoredKey> keys() const override;
  std::vector<StoredKey> keys_of(const std::string& commit) const override {
    return keys_of(commit, DocumentKind::kRun);
  }
  std::vector<StoredKey> profile_keys_of(const std::string& commit) const override {
    return keys_of(commit, DocumentKind::kProfile);
  }
  std::string read(const StoredKey& key) const override;
  std::string describe() const override { return ref_.name(); }

 private:
  std::vector<StoredKey> keys_of(const std::string& commit, DocumentKind kind) const;
  std::vector<std::pair<StoredKey, git_oid>> write_blobs(const Documents& documents) const;
  git_oid write_commit(const Tip& tip, const std::vector<std::pair<StoredKey, git_oid>>& runs) const;

  git_repository* git_;
  StoreRef ref_;
};

std::vector<std::pair<StoredKey, git_oid>> GitStore::write_blobs(const Documents& documents) const {
  std::vector<std::pair<StoredKey, git_oid>> runs;
  for (const auto& [path, document] : documents) {
    const auto& [key, text] = document;
    git_oid id{};
    if (git_blob_create_from_buffer(&id, git_, text.data(), text.size()) != 0) throw ref_.write_failure();
    runs.emplace_back(key, id);
  }
  return runs;
}

git_oid GitStore::write_commit(const Tip& tip, const std::vector<std::pair<StoredKey, git_oid>>& runs) const {
  std::vector<std::string> paths;
  std::vector<StoredKey> keys;
  for (const auto& [key, id] : runs) {
    paths.push_back(path_of(key));
    keys.push_back(key);
  }
  std::vector<git_tree_update> updates;
  for (std::size_t i = 0; i < runs.size(); ++i)
    updates.push_back({GIT_TREE_UPDATE_UPSERT, runs[i].second, GIT_FILEMODE_BLOB, paths[i].c_str()});
  git_oid tree_id{};
  GitTree tree;
  if (git_tree_create_updated(&tree_id, git_, tip.tree.get(), updates.size(), updates.data()) != 0 ||
      git_tree_lookup(tree.out(), git_, &tree_id) != 0)
    throw ref_.write_failure();

  GitSignature who;  // user.name and user.email, where they are set
  if (git_signature_default(who.out(), git_) != 0 &&
      git_signature_now(who.out(), "tracker", "tracker@localhost") != 0)
    throw ref_.write_failure();
  git_oid commit{};
  const git_commit* parent = tip.commit.get();
  if (git_commit_create_v(&commit, git_, nullptr, who.get(), who.get(), nullptr, message_of(keys).c_str(),
                          tree.get(), parent != nullptr ? std::size_t{1} : std::size_t{0}, parent) != 0)
    throw ref_.write_failure();
  return commit;
}

void GitStore::add(const std::vector<std::pair<StoredKey, std::string>>& documents) {
  const auto runs = write_blobs(by_path(documents));
  ref_.update([&](const Tip& now) {
    auto missing = runs;
    std::erase_if(missing, [&](const auto& run) {
      const auto there = now.tree ? entry_of(now.tree.get(), run.first) : GitTreeEntry{};
      const bool same =
          there && is_file(there.get()) && git_oid_equal(git_tree_entry_id(there.get()), &run.second);
      if (there && !same)
        throw Error(ExitCode::kUsage, named(run.first) + " is already recorded, with other contents",
                    "what is recorded is never changed: record it under a new run id");
      return same;
    });
    return missing.empty() || ref_.move(now, write_commit(now, missing));
  });
}

std::vector<StoredKey> GitStore::keys() const {
  const Tip now = ref_.tip();
  return now.tree ? keys_in(git_, now.tree.get()) : std::vector<StoredKey>{};
}

std::vector<StoredKey> GitStore::keys_of(const std::string& commit, DocumentKind kind) const {
  const Tip now = ref_.tip();
  return now.tree ? keys_in(git_, now.tree.get(), commit, kind) : std::vector<StoredKey>{};
}

std::string GitStore::read(const StoredKey& key) const {
  require_valid(key);
  const Tip now = ref_.tip();
  const auto entry = now.tree ? entry_of(now.tree.get(), key) : GitTreeEntry{};
  const std::string where = named(key) + " in '" + ref_.name() + "'";
  if (!entry || !is_file(entry.get()))
    throw Error(ExitCode::kEnvironment, "there is no " + where, "tracker log lists the runs there are");
  const auto failure = [&] { return git_failure("cannot read " + where, "git fsck says what is missing"); };
  const git_oid* id = git_tree_entry_id(entry.get());
  GitOdb objects;
  std::size_t size_bytes = 0;
  git_object_t type{};
  if (git_repository_odb(objects.out(), git_) != 0 ||
      git_odb_read_header(&size_bytes, &type, objects.get(), id) != 0)
    throw failure();
  if (size_bytes > kDocumentBytesMax)
    throw Error(ExitCode::kEnvironment,
                where + " has " + std::to_string(size_bytes) + " bytes, more than " +
                    std::to_string(kDocumentBytesMax),
                "it was not written by tracker");
  GitBlob blob;
  if (git_blob_lookup(blob.out(), git_, id) != 0) throw failure();
  return {static_cast<const char*>(git_blob_rawcontent(blob.get())), size_bytes};
}

}  // namespace

std::unique_ptr<Store> open_git_store(const Repository& repository, const std::string& ref) {
  return std::make_unique<GitStore>(repository, ref);
}

}  // namespace tracker
