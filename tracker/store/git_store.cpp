#include <chrono>
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_failure.hpp"
#include "tracker/repo/git_handle.hpp"
#include "tracker/store/blob.hpp"
#include "tracker/store/run_tree.hpp"
#include "tracker/store/store.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker {
namespace {

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
  std::vector<StoredFile> files() const override;
  std::string read_file(const std::string& path) const override;
  bool drop(const StoredKey& key, const std::string& tombstone) override;
  std::string describe() const override { return ref_.name(); }

 private:
  std::vector<StoredKey> keys_of(const std::string& commit, DocumentKind kind) const;
  std::vector<std::pair<StoredKey, git_oid>> write_blobs(const Documents& documents) const;
  // The tip's tree with these files, by their paths.
  void add_once(const Documents& documents);
  git_oid write_commit(const Tip& tip, const std::vector<std::pair<std::string, git_oid>>& files,
                       const std::string& message) const;
  std::string read_at(const std::string& path, const std::string& where) const;

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

git_oid GitStore::write_commit(const Tip& tip, const std::vector<std::pair<std::string, git_oid>>& files,
                               const std::string& message) const {
  const auto commit = commit_files(git_, tip.tree.get(), tip.commit.get(), files, message);
  if (!commit) throw ref_.write_failure();
  return *commit;
}

// Beside `git gc` a folder or a pack may vanish under a writer: what fails is tried again before it is told.
void GitStore::add(const std::vector<std::pair<StoredKey, std::string>>& documents) {
  constexpr int kTriesMax = 5;
  const auto valid = by_path(documents);
  for (int tries = 1;; ++tries) {
    try {
      return add_once(valid);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kEnvironment || tries == kTriesMax || ref_.is_locked()) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * tries));
      GitOdb objects;
      if (git_repository_odb(objects.out(), git_) == 0) git_odb_refresh(objects.get());
    }
  }
}

void GitStore::add_once(const Documents& documents) {
  const auto runs = write_blobs(documents);
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
    if (missing.empty()) return true;
    std::vector<StoredKey> keys;
    std::vector<std::pair<std::string, git_oid>> files;
    for (const auto& [key, id] : missing) {
      keys.push_back(key);
      files.emplace_back(path_of(key), id);
    }
    return ref_.move(now, write_commit(now, files, message_of(keys)));
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

std::vector<StoredFile> GitStore::files() const {
  const Tip now = ref_.tip();
  return now.tree ? files_in(git_, now.tree.get()) : std::vector<StoredFile>{};
}

std::string GitStore::read(const StoredKey& key) const {
  require_valid(key);
  return read_at(path_of(key), named(key) + " in '" + ref_.name() + "'");
}

std::string GitStore::read_file(const std::string& path) const {
  return read_at(path, "'" + printable(path) + "' in '" + ref_.name() + "'");
}

std::string GitStore::read_at(const std::string& path, const std::string& where) const {
  const Tip now = ref_.tip();
  const auto entry = now.tree ? entry_at(now.tree.get(), path) : GitTreeEntry{};
  if (!entry || !is_file(entry.get()))
    throw Error(ExitCode::kEnvironment, "there is no " + where, "tracker log lists the runs there are");
  return read_blob(git_, *git_tree_entry_id(entry.get()), where);
}

bool GitStore::drop(const StoredKey& key, const std::string& tombstone) {
  require_valid(key);
  const std::string path = tombstone_path_of(key);
  git_oid blob{};
  if (git_blob_create_from_buffer(&blob, git_, tombstone.data(), tombstone.size()) != 0)
    throw ref_.write_failure();
  bool is_new = true;
  ref_.update([&](const Tip& now) {
    is_new = !now.tree || !entry_at(now.tree.get(), path);
    return !is_new || ref_.move(now, write_commit(now, {{path, blob}}, "drop " + named(key)));
  });
  return is_new;
}

}  // namespace

void Store::leave_out(const StoredKey& key, const std::string& why) const {
  if (left_out_.insert(path_of(key)).second && notice_) notice_(key, why);
}

std::optional<std::string> tip_of_store(const Repository& repository, const std::string& ref) {
  git_oid id{};
  if (git_reference_name_to_id(&id, repository.handle(), ref.c_str()) != 0) return {};
  std::string hex(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(hex.data(), &id);
  return hex;
}

std::unique_ptr<Store> open_git_store(const Repository& repository, const std::string& ref) {
  return std::make_unique<GitStore>(repository, ref);
}

}  // namespace tracker
