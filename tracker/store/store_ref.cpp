#include "tracker/store/store_ref.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include <sys/stat.h>

#include "tracker/base/lease.hpp"

namespace tracker::store {
namespace {

// Writers that meet try again. While the ref moves, somebody gets on; when it has not moved for so many
// attempts (about three seconds), the lock on it was left behind.
constexpr int kAttemptsMax = 2000;
constexpr int kAttemptsStuckMax = 120;
constexpr int kPauseMsMax = 50;

// Writers of one clone take turns, so that none writes objects in vain. One that hangs holds nobody up for
// longer.
constexpr std::chrono::seconds kLockWaitMax{10};
constexpr std::chrono::minutes kLockAgeMax{10};  // git holds one for milliseconds

void require_ref(const std::string& ref) {
  int valid = 0;
  const bool known = git_reference_name_is_valid(&valid, ref.c_str()) == 0 && valid == 1;
  // Everywhere else lies what git, or another program, uses for something else: a stash, notes, replacements.
  if (!known || !ref.starts_with("refs/tracker/"))
    throw Error(ExitCode::kUsage, "store ref '" + ref + "' is not a valid name below refs/tracker/",
                "use a name such as refs/tracker/v1");
  if (ref.starts_with(kQueueFolder))
    throw Error(ExitCode::kUsage,
                "store ref '" + ref + "' lies in " + std::string(kQueueFolder) +
                    ", which is where writers wait for their turn",
                "use a name such as refs/tracker/v1");
}

using GitReflog = repo::GitHandle<git_reflog, git_reflog_free>;

// What libgit2 leaves out in a bare repository, and where core.logAllRefUpdates is false. A failure is let
// go: the parents lead back as well.
void write_reflog(git_repository* git, const std::string& ref, const git_oid& commit) {
  repo::GitConfig config;
  int is_on = git_repository_is_bare(git) == 0 ? 1 : 0;
  if (git_repository_config_snapshot(config.out(), git) == 0)
    git_config_get_bool(&is_on, config.get(), "core.logallrefupdates");  // "always" is no bool
  GitReflog log;
  repo::GitSignature who;
  if (is_on != 0 || git_reflog_read(log.out(), git, ref.c_str()) != 0 ||
      git_signature_now(who.out(), "tracker", "tracker@localhost") != 0)
    return;
  if (git_reflog_append(log.get(), &commit, who.get(), nullptr) == 0) git_reflog_write(log.get());
}

// Removes the lock on a ref if nobody touches it for a second.
void remove_left_lock(const std::filesystem::path& lock) {
  struct stat before {};
  struct stat after {};
  if (::stat(lock.c_str(), &before) != 0) return;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  if (::stat(lock.c_str(), &after) != 0 || before.st_ino != after.st_ino ||
      before.st_mtim.tv_sec != after.st_mtim.tv_sec || before.st_mtim.tv_nsec != after.st_mtim.tv_nsec)
    return;
  std::error_code ignored;
  std::filesystem::remove(lock, ignored);
}

// Writers of a clone take turns. Who has the turn has the ref's name in the file: whoever finds one there
// knows that the writer before was killed, as the kernel gives a turn back when a process ends, whatever its
// id is used for now. Then its lock on the ref is removed; also one that is older than any process needs it.
class Turn {
 public:
  Turn(const std::filesystem::path& folder, const std::string& ref)
      : file_(folder / "tracker" / "turn"), lock_(file_, kLockWaitMax) {
    if (!lock_.is_held()) return;
    std::string killed;
    std::getline(std::ifstream(file_), killed);
    int valid = 0;
    if (killed.starts_with("refs/tracker/") && git_reference_name_is_valid(&valid, killed.c_str()) == 0 &&
        valid == 1)
      remove_left_lock(folder / (killed + ".lock"));
    const auto own = folder / (ref + ".lock");
    std::error_code missing;
    const auto written = std::filesystem::last_write_time(own, missing);
    if (!missing && std::filesystem::file_time_type::clock::now() - written > kLockAgeMax)
      remove_left_lock(own);
    std::ofstream(file_) << ref;
  }
  ~Turn() {
    if (lock_.is_held()) std::ofstream(file_, std::ios::trunc);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::filesystem::path file_;
  AdvisoryLock lock_;
};

}  // namespace

Ref::Ref(const repo::Repository& repository, std::string ref, Of whose)
    : outside_(repository),
      git_(repository.handle()),
      folder_(repository.common_dir()),
      ref_(std::move(ref)) {
  if (whose == Of::kHere) {
    require_ref(ref_);
    in_memory_ = open_in_memory(repository);
    git_ = in_memory_->handle();
  }
  // What was written must outlive a power cut, as with git itself.
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
}

std::string Ref::place() const {
  return "'" + ref_ + "' in '" + folder_.string() + "'";
}

Error Ref::write_failure() const {
  return repo::git_failure(
      "cannot write to " + place(),
      "see that this user may write to that folder and that the disk has room; nothing was recorded");
}

bool Ref::is_locked() const {
  std::error_code missing;
  return std::filesystem::exists(folder_ / (ref_ + ".lock"), missing);
}

Error Ref::stuck_failure() const {
  return {ExitCode::kEnvironment,
          "cannot write to " + place() +
              (is_locked() ? ": another process has locked it, or was killed and left its lock behind"
                           : ": other processes keep writing to it, or one left its lock behind"),
          "try again; if no git and no tracker is running there, remove '" + (folder_ / ref_).string() +
              ".lock'"};
}

Tip Ref::tip() const {
  repo::GitReference reference;
  const int code = git_reference_lookup(reference.out(), git_, ref_.c_str());
  if (code == GIT_ENOTFOUND) return {};
  if (code != 0) throw read_failure();
  const git_oid* id = git_reference_target(reference.get());
  if (id == nullptr) throw not_a_store();
  if (!in_memory_) return at(*id);
  git_oid whole{};
  {
    const std::lock_guard guard(checking_);
    if (!repo::is_same(checked_, *id)) {
      auto found = is_step_whole(*in_memory_, *id) ? std::optional(*id) : whole_before(*id);
      repo::GitObject object;
      if (!found && git_object_lookup(object.out(), git_, id, GIT_OBJECT_ANY) != 0) throw lost_failure();
      if (!found) found = at(*id).id;  // whoever reads what is missing says so
      whole_ = *found;
      checked_ = *id;
    }
    whole = whole_;
  }
  Tip tip = at(whole);
  tip.ref_id = *id;
  return tip;
}

// By the reflog, the parents where the commit is here, and what was fetched from remotes.
std::optional<git_oid> Ref::whole_before(const git_oid& broken) const {
  constexpr std::size_t kStatesMax = 100;
  std::vector<git_oid> states;
  GitReflog log;
  if (git_reflog_read(log.out(), git_, ref_.c_str()) == 0)
    for (std::size_t i = 0; i < std::min(git_reflog_entrycount(log.get()), kStatesMax); ++i)
      states.push_back(*git_reflog_entry_id_old(git_reflog_entry_byindex(log.get(), i)));
  repo::GitCommit commit;
  git_oid at = broken;
  for (std::size_t i = 0; i < kStatesMax && git_commit_lookup(commit.out(), git_, &at) == 0 &&
                          git_commit_parentcount(commit.get()) > 0;
       ++i) {
    at = *git_commit_parent_id(commit.get(), 0);
    states.push_back(at);
  }
  const std::string tail = ref_.substr(std::string_view("refs/tracker").size());
  for (const auto& fetched : refs_below(*in_memory_, "refs/tracker-remotes/"))
    if (git_oid id{}; fetched.ends_with(tail) && git_reference_name_to_id(&id, git_, fetched.c_str()) == 0)
      states.push_back(id);
  const auto found = std::find_if(states.begin(), states.end(), [&](const git_oid& id) {
    return git_oid_is_zero(&id) == 0 && !repo::is_same(id, broken) && is_step_whole(*in_memory_, id);
  });
  return found != states.end() ? std::optional(*found) : std::nullopt;
}

Error Ref::lost_failure() const {
  return {ExitCode::kEnvironment,
          place() + " is broken: objects of it are missing, and no state before it is known",
          "tracker sync --from-remote takes what a remote has; to begin anew: git update-ref -d " + ref_};
}

void Ref::mend(bool even_lost) const {
  Tip now;
  bool is_lost = false;
  try {
    now = tip();
  } catch (const Error&) {
    is_lost = true;
  }
  repo::GitReference moved;
  if (!is_lost && !repo::is_same(now.id, now.ref_id))
    git_reference_create_matching(moved.out(), git_, ref_.c_str(), &now.id, 1, &now.ref_id,
                                  "step back: objects of the newest step are missing");
  if (!is_lost || !even_lost) return;
  git_oid id{};
  repo::GitObject object;
  if (git_reference_name_to_id(&id, git_, ref_.c_str()) == 0 &&
      (git_object_lookup(object.out(), git_, &id, GIT_OBJECT_ANY) == GIT_ENOTFOUND ||
       (object && git_object_type(object.get()) == GIT_OBJECT_COMMIT)) &&
      git_reference_lookup(moved.out(), git_, ref_.c_str()) == 0)
    git_reference_delete(moved.get());
}

Tip Ref::at(const git_oid& commit) const {
  Tip tip;
  repo::GitObject object;
  if (git_object_lookup(object.out(), git_, &commit, GIT_OBJECT_ANY) != 0) throw read_failure();
  if (git_object_type(object.get()) != GIT_OBJECT_COMMIT) throw not_a_store();
  tip.id = commit;
  tip.ref_id = commit;
  tip.commit = repo::GitCommit(reinterpret_cast<git_commit*>(object.release()));
  if (git_commit_tree(tip.tree.out(), tip.commit.get()) != 0) throw read_failure();
  return tip;
}

repo::GitTree Ref::tree(const git_oid& id) const {
  repo::GitTree tree;
  if (git_tree_lookup(tree.out(), git_, &id) != 0) throw read_failure();
  return tree;
}

Error Ref::read_failure() const {
  return repo::git_failure(
      "cannot read " + place(),
      "git fsck says what is missing; tracker sync --from-remote takes what a remote has");
}

Error Ref::not_a_store() const {
  return {ExitCode::kEnvironment, place() + " is not a store of runs", "name another ref in tracker.toml"};
}

bool Ref::move(const Tip& tip, const git_oid& commit) const {
  if (!kept_ || !repo::is_same(kept_->commit(), commit))
    kept_ = std::make_unique<KeptPack>(*in_memory_, commit, tip.id);
  // git writes no reflog for such a ref, unless there is one.
  if (git_reference_ensure_log(git_, ref_.c_str()) != 0) throw write_failure();
  repo::GitReference moved;
  // A zero id means that there must be no ref yet; both are compared under the lock of the ref. (With
  // `force` 0 libgit2 looks before it locks, and two first writers lose one another's runs.)
  const int code =
      git_reference_create_matching(moved.out(), git_, ref_.c_str(), &commit, 1, &tip.ref_id, nullptr);
  if (code == 0) {
    write_reflog(git_, ref_, commit);
    kept_->release(outside_);
    kept_.reset();
    const std::lock_guard guard(checking_);
    checked_ = whole_ = commit;
    forget_written(*in_memory_);
    return true;
  }
  const bool again =
      code == GIT_EMODIFIED || code == GIT_ELOCKED || code == GIT_EEXISTS || code == GIT_ENOTFOUND;
  if (again) return false;
  const Error failure = write_failure();
  kept_->leave();
  throw failure;
}

// libgit2 deletes a reference only where it still is what was looked up.
bool Ref::remove(const Tip& tip) const {
  repo::GitReference reference;
  const int found = git_reference_lookup(reference.out(), git_, ref_.c_str());
  if (found == GIT_ENOTFOUND) return true;
  if (found != 0) throw write_failure();
  const git_oid* id = git_reference_target(reference.get());
  if (id == nullptr || !repo::is_same(*id, tip.ref_id)) return false;
  const int code = git_reference_delete(reference.get());
  if (code == 0) return true;
  if (code == GIT_EMODIFIED || code == GIT_ELOCKED) return false;
  throw write_failure();
}

void Ref::keep(const std::string& ref, const git_oid& commit) const {
  repo::GitReference kept;
  if (git_reference_create(kept.out(), git_, ref.c_str(), &commit, 1, nullptr) != 0) throw write_failure();
}

void Ref::update(const std::function<bool(const Tip&)>& attempt) const {
  std::error_code ignored;  // without the folder there is no lock, and all goes on
  std::filesystem::create_directories(folder_ / "tracker", ignored);
  const Turn turn(folder_, ref_);
  remove_left_objects(outside_);
  struct Forget {  // what was written for a move that did not come
    std::unique_ptr<KeptPack>& kept;
    ~Forget() { kept.reset(); }
  } const forget{kept_};
  std::minstd_rand random(std::random_device{}());
  git_oid last{};
  for (int tries = 0, stuck = 0; tries < kAttemptsMax && stuck < kAttemptsStuckMax; ++tries, ++stuck) {
    const Tip now = tip();
    if (git_oid_cmp(&now.ref_id, &last) != 0) stuck = 0;
    last = now.ref_id;
    if (attempt(now)) return join_small_packs(outside_);
    const int pause_ms_max = std::min(tries + 1, kPauseMsMax);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution<>(0, pause_ms_max)(random)));
  }
  throw stuck_failure();
}

std::vector<std::string> refs_below(const repo::Repository& repository, const std::string& folder) {
  using GitReferences = repo::GitHandle<git_reference_iterator, git_reference_iterator_free>;
  const auto failure = [&] { return repo::git_failure("cannot list the refs below '" + folder + "'"); };
  GitReferences references;
  if (git_reference_iterator_glob_new(references.out(), repository.handle(), (folder + "*").c_str()) != 0)
    throw failure();
  std::vector<std::string> names;
  const char* name = nullptr;
  int code = 0;
  while ((code = git_reference_next_name(&name, references.get())) == 0) names.emplace_back(name);
  if (code != GIT_ITEROVER) throw failure();
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tracker::store
