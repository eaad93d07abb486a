#include "tracker/store/sync.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/store/store_ref.hpp"
#include "tracker/store/unite.hpp"

namespace tracker {
namespace {

// Each attempt that fails is one that another writer got through with; the pauses grow up to two seconds.
constexpr int kPushesMax = 40;
constexpr int kFirstPauseMs = 20;
constexpr int kPauseMsMax = 2000;

constexpr std::size_t kRemoteBytesMax = 100;  // of its name in a ref

bool equal(const git_oid* a, const git_oid* b) {
  return git_oid_equal(a, b) != 0;
}

std::string hex(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

class Syncing {
 public:
  Syncing(const Repository& repository, const std::string& ref, const GitRemote& remote)
      : folder_(repository.root()),
        mine_(repository, ref),
        fetched_ref_(tracking_ref(remote, ref)),
        theirs_(repository, fetched_ref_, StoreRef::Of::kRemote),
        remote_(remote) {}

  Synced run(SyncWay way) {
    std::minstd_rand random(std::random_device{}());
    int pause_ms_max = kFirstPauseMs;
    for (int pushes = 0; pushes < kPushesMax; ++pushes) {
      const Tip there = fetch();
      const Tip here = unite(there);
      if (!here.commit) return {.is_empty = true};
      if (way == SyncWay::kFetchOnly || equal(&here.id, &there.id)) return synced_;
      synced_.pushed = count_new(mine_.git(), here.tree.get(), there.tree.get());
      if (remote_.push(hex(here.id), mine_.name())) return synced_;
      if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted; nothing was pushed");
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::uniform_int_distribution<>(1, pause_ms_max)(random)));
      pause_ms_max = std::min(2 * pause_ms_max, kPauseMsMax);
    }
    throw Error(ExitCode::kEnvironment,
                "cannot push '" + mine_.name() + "' to '" + printable(remote_.name()) +
                    "': others keep pushing, or a lock on the ref was left behind there",
                "what was fetched is kept; try again: tracker sync");
  }

 private:
  Tip fetch() const {
    const auto id = remote_.fetch(mine_.name(), fetched_ref_);
    return id ? theirs_.tip() : Tip{};
  }

  // Moves the ref here so that it has all of `there`; what it is then.
  Tip unite(const Tip& there) {
    if (!there.commit) return mine_.tip();
    KindCounts fetched;
    mine_.update([&](const Tip& here) {
      fetched = count_new(mine_.git(), there.tree.get(), here.tree.get());
      const git_oid united = commit_of_both(here, there);
      return equal(&united, &here.id) || mine_.move(here, united);
    });
    synced_.fetched.runs += fetched.runs;
    synced_.fetched.profiles += fetched.profiles;
    return mine_.tip();
  }

  // One of the two where it has all of the other and descends from it, else a new one with both as parents.
  git_oid commit_of_both(const Tip& here, const Tip& there) const {
    if (!here.commit || equal(&here.id, &there.id)) return there.id;
    const git_oid tree = unite_trees(mine_.git(), here.tree.get(), there.tree.get());
    if (equal(&tree, git_tree_id(here.tree.get())) && descends(here.id, there.id)) return here.id;
    if (equal(&tree, git_tree_id(there.tree.get())) && descends(there.id, here.id)) return there.id;
    return write_merge(here, there, tree);
  }

  // By git itself: libgit2 does not know where a shallow history ends.
  bool descends(const git_oid& commit, const git_oid& from) const {
    return run_git(folder_, {"merge-base", "--is-ancestor", hex(from), hex(commit)}).ok();
  }

  // Made of nothing but its parents, so that two who unite the same two write the same commit.
  git_oid write_merge(const Tip& here, const Tip& there, const git_oid& tree_id) const {
    const git_commit* parents[] = {here.commit.get(), there.commit.get()};
    if (git_oid_cmp(&here.id, &there.id) > 0) std::swap(parents[0], parents[1]);
    const auto time = std::max(git_commit_time(parents[0]), git_commit_time(parents[1]));
    GitTree tree;
    GitSignature who;
    git_oid commit{};
    if (git_tree_lookup(tree.out(), mine_.git(), &tree_id) != 0 ||
        git_signature_new(who.out(), "tracker", "tracker@localhost", time, 0) != 0 ||
        git_commit_create(&commit, mine_.git(), nullptr, who.get(), who.get(), nullptr,
                          "unite two writers' runs", tree.get(), std::size(parents), parents) != 0)
      throw mine_.write_failure();
    return commit;
  }

  std::filesystem::path folder_;
  StoreRef mine_;
  std::string fetched_ref_;
  StoreRef theirs_;
  const GitRemote& remote_;
  Synced synced_;
};

}  // namespace

std::string tracking_ref(const GitRemote& remote, const std::string& ref) {
  std::string_view rest = ref;
  for (const std::string_view prefix : {"refs/tracker/", "refs/"})
    if (rest.starts_with(prefix)) {
      rest.remove_prefix(prefix.size());
      break;
    }
  const std::string name = slug(slug(remote.name()).substr(0, kRemoteBytesMax));
  return "refs/tracker-remotes/" + name + "/" + std::string(rest);
}

Synced sync_store(const Repository& repository, const std::string& ref, const GitRemote& remote,
                  SyncWay way) {
  return Syncing(repository, ref, remote).run(way);
}

}  // namespace tracker
