#include "tracker/store/git_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include <zlib.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/repo/git_remote.hpp"
#include "tracker/store/quarantine.hpp"
#include "tracker/store/run_tree.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker::store {
namespace {

// "record 2 runs and 1 profile of 1a2b3c4d5e on nvidia-h200"
std::string message_of(const std::vector<Key>& added) {
  std::set<std::string> commits;
  std::set<std::string> devices;
  for (const auto& key : added) {
    commits.insert(lasting_id(key.commit));
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
  GitStore(const repo::Repository& repository, std::string ref)
      : repository_(repository), ref_(repository, std::move(ref)), git_(ref_.git()) {}

  // Beside `git gc` a folder or a pack may vanish under a writer: what fails is tried again before it is
  // told.
  void add(const std::vector<std::pair<Key, std::string>>& documents) override {
    constexpr int kTriesMax = 5;
    const auto valid = check_new(documents);
    for (int tries = 1;; ++tries) {
      try {
        return add_once(valid);
      } catch (const Error& error) {
        if (error.code() != ExitCode::kEnvironment || tries == kTriesMax || ref_.is_locked()) throw;
        std::this_thread::sleep_for(std::chrono::milliseconds(10 * tries));
        repo::GitOdb objects;
        if (git_repository_odb(objects.out(), git_) == 0) git_odb_refresh(objects.get());
      }
    }
  }

  std::vector<Key> find(const KeyFilter& which) const override {
    return keys_in(git_, ref_.tip().tree.get(), which);
  }
  std::vector<std::string> devices() const override { return devices_in(git_, ref_.tip().tree.get()); }
  std::string read(const Key& key) const override {
    require_valid(key);
    return read_at(path_of(key), named(key) + " in '" + ref_.name() + "'");
  }

  // libgit2's objects are found and read by any number of threads, as long as none of them fetches more.
  bool can_read_at_once() const override { return !repo::promisor_remote(repository_); }

  std::vector<StoredFile> files() const override { return files_in(git_, ref_.tip().tree.get()); }
  std::string read_file(const std::string& path) const override {
    return read_at(path, in_quotes(path) + " in '" + ref_.name() + "'");
  }

  bool replace(const std::vector<Replacement>& replacements) override {
    struct Blobs {
      git_oid tombstone{};
      git_oid text{};
    };
    std::vector<Blobs> blobs;
    for (const auto& [key, tombstone, by, text] : replacements) {
      require_valid(key);
      if (by) require_valid(*by);
      blobs.push_back({write_blob(tombstone), by ? write_blob(text) : git_oid{}});
    }
    bool is_new = false;
    ref_.update([&](const Tip& now) {
      std::vector<std::pair<std::string, git_oid>> files;
      for (std::size_t i = 0; i < replacements.size(); ++i) {
        const auto& [key, tombstone, by, text] = replacements[i];
        const std::string path = tombstone_path_of(key);
        if (entry_at(now.tree.get(), path)) continue;
        files.emplace_back(path, blobs[i].tombstone);
        if (!by) continue;
        const auto there = entry_at(now.tree.get(), path_of(*by));
        if (there && !repo::is_same(*git_tree_entry_id(there.get()), blobs[i].text)) refuse_other_text(*by);
        files.emplace_back(path_of(*by), blobs[i].text);
      }
      is_new = !files.empty();
      return !is_new || move_to(now, files,
                                replacements.front().by ? "compact " + count_of(files.size() / 2, "document")
                                                        : "drop " + named(replacements.front().key));
    });
    return is_new;
  }

  std::string version() const override {
    const Tip now = ref_.tip();
    return now.tree ? repo::hex_of(*git_tree_id(now.tree.get())) : "";
  }

  // Trees are never removed while a commit of the chain has them; of a chain that was replaced they may be
  // gone.
  std::optional<KeyChanges> changes_since(const std::string& version) const override {
    const Tip now = ref_.tip();
    repo::GitTree then;
    git_oid id{};
    if (!version.empty() &&
        (git_oid_fromstr(&id, version.c_str()) != 0 || git_tree_lookup(then.out(), git_, &id) != 0))
      return {};
    try {
      auto changes = key_changes(git_, then.get(), now.tree.get());
      if (now.tree) changes.version = repo::hex_of(*git_tree_id(now.tree.get()));
      return changes;
    } catch (const Error&) {
      if (version.empty()) throw;
      return {};  // parts of the old tree are gone; what is wrong with the new one is told by who reads it
    }
  }

  std::string describe() const override { return ref_.name(); }
  std::optional<Store::LostStep> lost_step() const override {
    const Tip now = ref_.tip();
    if (repo::is_same(now.id, now.ref_id)) return {};
    constexpr std::size_t kDigits = 10;
    return LostStep{"objects of the newest step of '" + ref_.name() + "', commit " +
                        repo::hex_of(now.ref_id).substr(0, kDigits) +
                        ", are missing: what was recorded up to " + repo::hex_of(now.id).substr(0, kDigits) +
                        " is used",
                    "tracker sync takes it from a remote that has it; what is in .git/tracker/spool: tracker "
                    "record FILE"};
  }

 private:
  git_oid write_blob(std::string_view text) const {
    git_oid id{};
    if (git_blob_create_from_buffer(&id, git_, text.data(), text.size()) != 0) throw ref_.write_failure();
    return id;
  }

  void add_once(const NewDocuments& documents) {
    std::map<std::string, git_oid> blobs;  // by path
    for (const auto& [path, document] : documents) blobs.emplace(path, write_blob(document.second));
    ref_.update([&](const Tip& now) {
      std::vector<Key> keys;
      std::vector<std::pair<std::string, git_oid>> files;
      for (const auto& [path, id] : blobs) {
        const Key& key = documents.at(path).first;
        const auto there = entry_at(now.tree.get(), path);
        if (!there) {
          keys.push_back(key);
          files.emplace_back(path, id);
        } else if (!is_file(there.get()) || !repo::is_same(*git_tree_entry_id(there.get()), id)) {
          refuse_other_text(key);
        }
      }
      return files.empty() || move_to(now, files, message_of(keys));
    });
  }

  // False where another writer was there. `files`: by their paths.
  bool move_to(const Tip& tip, const std::vector<std::pair<std::string, git_oid>>& files,
               const std::string& message) const {
    const auto commit = commit_files(git_, tip.tree.get(), tip.commit.get(), files, message);
    if (!commit) throw ref_.write_failure();
    return ref_.move(tip, *commit);
  }

  std::string read_at(const std::string& path, const std::string& where) const {
    const Tip now = ref_.tip();
    const auto entry = entry_at(now.tree.get(), path);
    if (!entry || !is_file(entry.get()))
      throw Error(ExitCode::kEnvironment, "there is no " + where, "tracker log lists the runs there are");
    const git_oid id = *git_tree_entry_id(entry.get());
    if (!has(id)) fetch_left_out(now, id, path);
    return read_blob(git_, id, where);
  }

  bool has(const git_oid& id) const {
    repo::GitOdb objects;
    return git_repository_odb(objects.out(), git_) == 0 &&
           git_odb_exists_ext(objects.get(), &id, GIT_ODB_LOOKUP_NO_REFRESH) != 0;
  }

  // A clone without the texts gets those of the commit, and of the device's newest runs: a comparison then
  // needs one or two fetches. Each further one gets twice as many, so that whoever reads all of a history
  // needs few.
  void fetch_left_out(const Tip& now, const git_oid& wanted, const std::string& path) const {
    constexpr std::size_t kFirstWindow = 32;
    const std::lock_guard guard(fetching_);
    repo::GitOdb objects;
    if (git_repository_odb(objects.out(), git_) == 0) git_odb_refresh(objects.get());
    if (!promisor_) promisor_ = repo::promisor_remote(repository_);
    if (!*promisor_ || has(wanted)) return;
    std::set<std::string> ids = {repo::hex_of(wanted)};
    if (const auto key = key_at(path)) {
      std::size_t& window = windows_.try_emplace(key->device, kFirstWindow).first->second;
      auto near = newest(key->device, window, {});
      window *= 2;
      for (const auto kind : {DocumentKind::kRun, DocumentKind::kProfile})
        for (auto& of_commit : document_keys_of(key->commit, kind)) near.push_back(std::move(of_commit));
      for (const auto& one : near) {
        const auto entry = entry_at(now.tree.get(), path_of(one));
        if (entry && !has(*git_tree_entry_id(entry.get())))
          ids.insert(repo::hex_of(*git_tree_entry_id(entry.get())));
      }
    }
    try {
      repo::GitRemote(repository_, **promisor_)
          .fetch_objects({ids.begin(), ids.end()},
                         count_of(ids.size(), "document") + " that this clone has left out");
    } catch (const Error& error) {
      throw Unreachable(error);
    }
  }

  const repo::Repository& repository_;
  Ref ref_;
  git_repository* git_;
  mutable std::mutex fetching_;
  mutable std::optional<std::optional<std::string>> promisor_;  // once it was looked for
  mutable std::map<std::string, std::size_t> windows_;          // by device: how many runs come at once
};

}  // namespace

HashedReads::HashedReads() {
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
}

HashedReads::~HashedReads() {
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
}

std::unique_ptr<Store> open_git(const repo::Repository& repository, const std::string& ref) {
  remove_left_objects(repository);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  // By default whole packs stay mapped, which counts as memory of this process. Folders lie all over a pack:
  // of larger windows too few fit within the limit, and each folder maps and drops one.
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, std::size_t{1} << 20U);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, std::size_t{128} << 20U);
  return std::make_unique<GitStore>(repository, ref);
}

GitDocumentSizes git_document_sizes(const repo::Repository& repository, const std::string& ref) {
  GitDocumentSizes found;
  const Ref store(repository, ref);  // which owns what a tip holds
  const Tip now = store.tip();
  if (!now.tree) return found;
  repo::GitOdb objects;
  if (git_repository_odb(objects.out(), repository.handle()) != 0)
    throw repo::git_failure("cannot read '" + ref + "'", "git fsck says what is wrong");
  for (const auto& file : files_in(repository.handle(), now.tree.get())) {
    if (file.what != StoredFile::What::kDocument || !file.is_file) continue;
    const auto entry = entry_at(now.tree.get(), file.path);
    const git_oid* id = entry ? git_tree_entry_id(entry.get()) : nullptr;
    std::size_t bytes = 0;
    git_object_t type{};
    if (id == nullptr || git_odb_exists_ext(objects.get(), id, GIT_ODB_LOOKUP_NO_REFRESH) == 0 ||
        git_odb_read_header(&bytes, &type, objects.get(), id) != 0) {
      found.not_here.insert(file.path);
      continue;
    }
    const bool is_run = file.key.kind == DocumentKind::kRun;
    ++(is_run ? found.sizes.runs : found.sizes.others);
    (is_run ? found.sizes.run_bytes : found.sizes.other_bytes) += bytes;
  }
  found.sizes.not_here = found.not_here.size();
  return found;
}

GitDisk git_disk(const repo::Repository& repository) {
  std::map<std::string, std::uint64_t> values;  // "size: 12", in KiB
  for (const auto& line : split(repo::git_output(repository, {"count-objects", "-v"}), '\n'))
    if (const auto colon = line.find(": "); colon != std::string::npos)
      values[line.substr(0, colon)] = std::strtoull(line.c_str() + colon + 2, nullptr, 10);
  constexpr std::uint64_t kUnit = 1024;
  return {.loose_objects = values["count"],
          .packed_objects = values["in-pack"],
          .packs = values["packs"],
          .loose_bytes = values["size"] * kUnit,
          .packed_bytes = values["size-pack"] * kUnit};
}

std::uint64_t compressed_bytes(std::string_view bytes) {
  auto size = compressBound(bytes.size());
  std::vector<Bytef> room(size);
  const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
  if (compress2(room.data(), &size, from, bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ExitCode::kEnvironment, "cannot compress samples", "free some memory, and try again");
  return size;
}

std::string read_blob(git_repository* repository, const git_oid& id, const std::string& where) {
  const auto failure = [&] {
    return repo::git_failure("cannot read " + where, "git fsck says what is missing");
  };
  repo::GitOdb objects;
  std::size_t size_bytes = 0;
  git_object_t type{};
  if (git_repository_odb(objects.out(), repository) != 0 ||
      git_odb_read_header(&size_bytes, &type, objects.get(), &id) != 0)
    throw failure();
  if (size_bytes > kDocumentBytesMax)
    throw Error(ExitCode::kEnvironment,
                where + " has " + std::to_string(size_bytes) + " bytes, more than " +
                    std::to_string(kDocumentBytesMax),
                "it was not written by tracker");
  repo::GitBlob blob;
  if (git_blob_lookup(blob.out(), repository, &id) != 0) throw failure();
  return {static_cast<const char*>(git_blob_rawcontent(blob.get())), size_bytes};
}

std::optional<git_oid> commit_files(git_repository* repository, git_tree* tree, const git_commit* parent,
                                    const std::vector<std::pair<std::string, git_oid>>& files,
                                    const std::string& message) {
  std::vector<git_tree_update> updates;
  for (const auto& [path, id] : files)
    updates.push_back({GIT_TREE_UPDATE_UPSERT, id, GIT_FILEMODE_BLOB, path.c_str()});
  git_oid tree_id{};
  repo::GitTree written;
  repo::GitSignature who;  // user.name and user.email, where they are set
  if (git_tree_create_updated(&tree_id, repository, tree, updates.size(), updates.data()) != 0 ||
      git_tree_lookup(written.out(), repository, &tree_id) != 0)
    return {};
  if (git_signature_default(who.out(), repository) != 0 &&
      git_signature_now(who.out(), "tracker", "tracker@localhost") != 0)
    return {};
  git_oid commit{};
  if (git_commit_create_v(&commit, repository, nullptr, who.get(), who.get(), nullptr, message.c_str(),
                          written.get(), parent != nullptr ? std::size_t{1} : std::size_t{0}, parent) != 0)
    return {};
  return commit;
}

}  // namespace tracker::store
