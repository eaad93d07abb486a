#include "tracker/store/quarantine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <sys/types.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::store {
namespace {

namespace fs = std::filesystem;

using GitPackBuilder = repo::GitHandle<git_packbuilder, git_packbuilder_free>;
using GitReferences = repo::GitHandle<git_reference_iterator, git_reference_iterator_free>;

constexpr int kBeforeAllOthers = 100;  // libgit2's own have 1 and 2
constexpr std::string_view kFolderName = "tracker-new-";
constexpr const char* kLockName = "lock";

struct OidLess {
  bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_cmp(&a, &b) < 0; }
};
using ObjectIds = std::set<git_oid, OidLess>;

fs::path objects_of(const repo::Repository& repository) {
  return repository.common_dir() / "objects";
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
    entries.push_back(at->path());
  return entries;
}

Error objects_failure(const repo::Repository& repository, const std::string& why = {}) {
  const std::string what =
      "cannot write to '" + objects_of(repository).string() + "'" + (why.empty() ? "" : ": " + why);
  const char* hint =
      "see that this user may write to that folder and that the disk has room; nothing was recorded";
  return why.empty() ? repo::git_failure(what, hint) : Error(ExitCode::kEnvironment, what, hint);
}

// What `tree` has and none of `others` has. False if a folder of it cannot be read.
bool add_new(git_repository* repository, const git_tree* tree, const std::vector<const git_tree*>& others,
             ObjectIds& found) {
  for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const auto* entry = git_tree_entry_byindex(tree, i);
    const git_oid* id = git_tree_entry_id(entry);
    std::vector<repo::GitTree> owned;
    std::vector<const git_tree*> below;
    bool is_known = git_tree_entry_type(entry) == GIT_OBJECT_COMMIT;  // a submodule's: of another repository
    for (const auto* other : others) {
      const auto* same = git_tree_entry_byname(other, git_tree_entry_name(entry));
      is_known = is_known || (same != nullptr && repo::is_same(*git_tree_entry_id(same), *id));
      repo::GitTree folder;
      if (same == nullptr || git_tree_entry_type(same) != GIT_OBJECT_TREE ||
          git_tree_lookup(folder.out(), repository, git_tree_entry_id(same)) != 0)
        continue;
      below.push_back(folder.get());
      owned.push_back(std::move(folder));
    }
    if (is_known) continue;
    found.insert(*id);
    if (git_tree_entry_type(entry) != GIT_OBJECT_TREE) continue;
    repo::GitTree folder;
    if (git_tree_lookup(folder.out(), repository, id) != 0 ||
        !add_new(repository, folder.get(), below, found))
      return false;
  }
  return true;
}

// Adds the commit, and what it has that its parents do not; of one whose parents are not here, as in a
// shallow clone, the commit and its tree. False if a part of it cannot be read.
bool add_step(git_repository* repository, const git_commit* commit, ObjectIds& found) {
  repo::GitTree tree;
  if (git_commit_tree(tree.out(), commit) != 0) return false;
  found.insert(*git_commit_id(commit));
  std::vector<repo::GitTree> owned;
  std::vector<const git_tree*> others;
  for (unsigned i = 0; i < git_commit_parentcount(commit); ++i) {
    repo::GitCommit parent;
    repo::GitTree of_parent;
    if (git_commit_parent(parent.out(), commit, i) != 0 ||
        git_commit_tree(of_parent.out(), parent.get()) != 0)
      continue;
    if (repo::is_same(*git_tree_id(of_parent.get()), *git_tree_id(tree.get()))) return true;
    others.push_back(of_parent.get());
    owned.push_back(std::move(of_parent));
  }
  found.insert(*git_tree_id(tree.get()));
  if (others.empty() && git_commit_parentcount(commit) > 0) return true;
  return add_new(repository, tree.get(), others, found);
}

// Where the refs of stores stand, here and as they were fetched.
ObjectIds held_by_refs(git_repository* repository) {
  ObjectIds held;
  for (const char* folder : {"refs/tracker/*", "refs/tracker-remotes/*", "refs/tracker-aside/*"}) {
    GitReferences references;
    if (git_reference_iterator_glob_new(references.out(), repository, folder) != 0) continue;
    repo::GitReference reference;
    while (git_reference_next(reference.out(), references.get()) == 0)
      if (const git_oid* id = git_reference_target(reference.get())) held.insert(*id);
  }
  return held;
}

// The commits, each before those it descends from, that no ref is known to hold, with what they add.
bool add_unheld(git_repository* repository, const git_oid& commit, const git_oid& tip, ObjectIds& found) {
  constexpr std::size_t kCommitsMax = 100;  // a merge, of merges of what others have queued
  std::vector<git_oid> waiting = {commit};
  ObjectIds held;
  bool knows_refs = false;
  for (std::size_t at = 0; at < waiting.size() && at < kCommitsMax; ++at) {
    const git_oid id = waiting[at];
    repo::GitCommit one;
    const bool is_first = at == 0;
    if (repo::is_same(id, tip)) continue;
    if (git_commit_lookup(one.out(), repository, &id) != 0) {
      if (is_first) return false;
      continue;  // where a shallow clone ends
    }
    const bool is_on_tip =
        git_commit_parentcount(one.get()) == 1 && repo::is_same(*git_commit_parent_id(one.get(), 0), tip);
    if (!is_on_tip && !std::exchange(knows_refs, true)) held = held_by_refs(repository);
    if (held.contains(id)) continue;
    if (!add_step(repository, one.get(), found)) return false;
    for (unsigned i = 0; i < git_commit_parentcount(one.get()); ++i)
      waiting.push_back(*git_commit_parent_id(one.get(), i));
  }
  return true;
}

// "fetch-pack 1234 on host": git leaves its .keep file where its fetch fails.
bool is_of_ended_fetch(const std::string& owner) {
  const auto words = split(owner, ' ');
  std::array<char, 256> host{};
  pid_t process = 0;
  if (words.size() != 4 || words[0] != "fetch-pack" || ::gethostname(host.data(), host.size() - 1) != 0 ||
      words[3] != host.data())
    return false;
  const auto [end, failure] = std::from_chars(words[1].data(), words[1].data() + words[1].size(), process);
  return failure == std::errc() && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

// As long as the hash that git names its packs by, so that git takes it for one.
std::string random_hex() {
  std::random_device device;
  git_oid id{};
  for (auto& byte : id.id) byte = static_cast<unsigned char>(device());
  return repo::hex_of(id);
}

// So that the names in it outlive a power cut.
void sync_folder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

}  // namespace

bool is_step_whole(const repo::Repository& repository, const git_oid& commit) {
  repo::GitOdb odb;
  repo::GitCommit found;
  ObjectIds step;
  if (git_repository_odb(odb.out(), repository.handle()) != 0 ||
      git_commit_lookup(found.out(), repository.handle(), &commit) != 0 ||
      !add_step(repository.handle(), found.get(), step))
    return false;
  const auto is_here = [&](const git_oid& id) { return git_odb_exists(odb.get(), &id) != 0; };
  return std::all_of(step.begin(), step.end(), is_here) || repo::promisor_remote(repository).has_value();
}

ObjectFolder::ObjectFolder(const repo::Repository& repository) {
  constexpr int kTriesMax = 5;  // whoever cleans up may take it for one that was left behind
  for (int tries = 0; tries < kTriesMax && (!lock_ || !lock_->is_held()); ++tries) {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    std::string name = (objects_of(repository) / (std::string(kFolderName) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw objects_failure(repository, std::generic_category().message(errno));
    path_ = name;
    lock_ = std::make_unique<AdvisoryLock>(path_ / kLockName, std::chrono::milliseconds(0));
    if (!fs::exists(path_ / kLockName, ignored)) lock_.reset();
  }
}

ObjectFolder::~ObjectFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void remove_left_objects(const repo::Repository& repository) {
  const fs::path objects = objects_of(repository);
  std::error_code ignored;
  for (const auto& folder : entries_of(objects)) {
    if (!folder.filename().string().starts_with(kFolderName)) continue;
    const AdvisoryLock lock(folder / kLockName, std::chrono::milliseconds(0));
    if (lock.is_held()) fs::remove_all(folder, ignored);
  }
  for (const auto& file : entries_of(objects / "pack")) {
    if (file.extension() != ".keep") continue;
    std::string owner;
    std::getline(std::ifstream(file), owner);
    const bool is_ours = owner.starts_with(kFolderName) && owner.find('/') == std::string::npos;
    if ((is_ours && !fs::exists(objects / owner, ignored)) || is_of_ended_fetch(owner))
      fs::remove(file, ignored);
  }
}

repo::Repository open_in_memory(const repo::Repository& repository) {
  auto opened = repo::Repository::open(git_repository_path(repository.handle()));
  repo::GitOdb objects;
  git_odb_backend* backend = nullptr;
  if (git_repository_odb(objects.out(), opened.handle()) != 0 || git_mempack_new(&backend) != 0 ||
      git_odb_add_backend(objects.get(), backend, kBeforeAllOthers) != 0)
    throw repo::git_failure("cannot read '" + objects_of(repository).string() + "'");
  return opened;
}

void forget_written(const repo::Repository& in_memory) {
  repo::GitOdb objects;
  git_odb_backend* first = nullptr;
  if (git_repository_odb(objects.out(), in_memory.handle()) != 0 ||
      git_odb_get_backend(&first, objects.get(), 0) != 0)
    return;
  git_odb_refresh(objects.get());
  git_mempack_reset(first);
}

Quarantine::Quarantine(const repo::Repository& repository)
    : folder_(repository), inside_(repo::Repository::open(git_repository_path(repository.handle()))) {
  std::error_code failure;
  fs::create_directory(folder() / "info", failure);
  std::ofstream alternates(folder() / "info" / "alternates", std::ios::binary);
  alternates << objects_of(repository).string() << "\n";
  alternates.close();
  if (!alternates) throw objects_failure(repository, "no space, or no right to write");
  repo::GitOdb objects;
  git_odb_backend* backend = nullptr;
  // Only what lies in the folder itself. A negative level of compression is zlib's own default.
  if (git_repository_odb(objects.out(), inside_.handle()) != 0 ||
      git_odb_backend_loose(&backend, folder().c_str(), -1, 0, 0, 0) != 0 ||
      git_odb_add_backend(objects.get(), backend, kBeforeAllOthers) != 0)
    throw objects_failure(repository);
}

KeptPack::KeptPack(const repo::Repository& repository, const git_oid& commit, const git_oid& tip)
    : commit_(commit) {
  git_repository* const git = repository.handle();
  ObjectIds found;
  if (!add_unheld(git, commit, tip, found))
    throw objects_failure(repository, "an object is gone: git gc is running");
  if (found.empty()) return;
  if (repo::promisor_remote(repository)) {  // what was left out need not be here
    repo::GitOdb odb;
    if (git_repository_odb(odb.out(), git) == 0)
      std::erase_if(found, [&](const git_oid& id) { return git_odb_exists(odb.get(), &id) == 0; });
  }
  folder_ = std::make_unique<ObjectFolder>(repository);
  GitPackBuilder builder;
  bool written = git_packbuilder_new(builder.out(), git) == 0;
  if (written) git_packbuilder_set_threads(builder.get(), 1);
  for (const auto& id : found) written = written && git_packbuilder_insert(builder.get(), &id, nullptr) == 0;
  if (!written || git_packbuilder_write(builder.get(), folder_->path().c_str(), 0444, nullptr, nullptr) != 0)
    throw objects_failure(repository);
  const std::string written_as = "pack-" + repo::hex_of(*git_packbuilder_hash(builder.get()));
  const std::string name = "pack-" + random_hex();
  std::ofstream(folder_->path() / (written_as + ".keep")) << folder_->path().filename().string() << "\n";
  const fs::path packs = objects_of(repository) / "pack";
  std::error_code failure;
  fs::create_directories(packs, failure);
  pack_ = packs / name;
  for (const char* extension : {".keep", ".pack", ".idx"})  // git looks for the last
    if (!failure) fs::rename(folder_->path() / (written_as + extension), packs / (name + extension), failure);
  if (failure) {
    remove();
    throw objects_failure(repository, failure.message());
  }
  sync_folder(packs);
  objects_.assign(found.begin(), found.end());
}

KeptPack::~KeptPack() {
  remove();
}

// The .keep file last: whoever lists packs meanwhile leaves them alone.
void KeptPack::remove() const {
  if (pack_.empty()) return;
  std::error_code ignored;
  for (const char* extension : {".idx", ".pack", ".keep"})
    if (!stays_ || std::string_view(extension) == ".keep") fs::remove(pack_.string() + extension, ignored);
}

void KeptPack::release(const repo::Repository& repository) {
  stays_ = true;
  if (objects_.empty()) return;
  repo::GitOdb odb;
  bool is_there = git_odb_open(odb.out(), objects_of(repository).c_str()) == 0;
  for (const auto& id : objects_) is_there = is_there && git_odb_exists(odb.get(), &id) != 0;
  if (!is_there)
    throw objects_failure(repository, "what was written cannot be read back: another process removed it");
}

void join_small_packs(const repo::Repository& repository) {
  constexpr int kPacksMax = 50;  // git's own limit, gc.autoPackLimit
  constexpr std::uintmax_t kSmallBytes = std::uintmax_t{4} << 20U;
  const auto packs = entries_of(objects_of(repository) / "pack");
  const auto small = std::ranges::count_if(packs, [](const fs::path& pack) {
    std::error_code gone;
    return pack.extension() == ".pack" && fs::file_size(pack, gone) < kSmallBytes && !gone;
  });
  if (small > kPacksMax && !repo::promisor_remote(repository))
    repo::run_git(repository.root(), {"repack", "-q", "--geometric=2", "-d"});
}

}  // namespace tracker::store
