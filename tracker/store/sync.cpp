#include "tracker/store/sync.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/store/blob.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/store_ref.hpp"
#include "tracker/store/unite.hpp"

namespace tracker {
namespace {

// Each attempt that fails is one that another writer got through with; the pauses grow up to two seconds.
constexpr int kPushesMax = 40;
constexpr int kFirstPauseMs = 20;
constexpr int kRetryPauseMsMax = 2000;

constexpr std::size_t kRemoteBytesMax = 100;  // of its name in a ref

bool equal(const git_oid* a, const git_oid* b) {
  return git_oid_equal(a, b) != 0;
}

std::string hex(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

// The name of a ref without the folder that all of its kind share: "v1".
std::string_view tail_of(std::string_view ref) {
  for (const std::string_view prefix : {"refs/tracker/", "refs/"})
    if (ref.starts_with(prefix)) return ref.substr(prefix.size());
  return ref;
}

class Syncing {
 public:
  Syncing(const Repository& repository, const std::string& ref, const GitRemote& remote,
          const SyncRequest& request)
      : folder_(repository.root()),
        mine_(repository, ref),
        fetched_ref_(tracking_ref(remote, ref)),
        theirs_(repository, fetched_ref_, StoreRef::Of::kRemote),
        remote_(remote),
        request_(request),
        commits_(request.commits.begin(), request.commits.end()) {}

  Synced run() {
    std::minstd_rand random(std::random_device{}());
    int pause_ms_max = kFirstPauseMs;
    for (int pushes = 0; pushes < kPushesMax; ++pushes) {
      synced_.refused.clear();
      const Tip there = fetch();
      if (request_.way == SyncWay::kFromRemote) return take_over(there);
      const Tip here = unite(there);
      if (!here.commit) return {.is_empty = true};
      if (request_.way == SyncWay::kFetchOnly || equal(&here.id, &there.id)) return synced_;
      const auto commit = commit_to_push(here, there);
      if (!commit || remote_.push(hex(*commit), mine_.name())) return synced_;
      if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted; nothing was pushed");
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::uniform_int_distribution<>(1, pause_ms_max)(random)));
      pause_ms_max = std::min(2 * pause_ms_max, kRetryPauseMsMax);
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

  // Makes the ref here what the remote has; what only this clone had stays on a ref of its own.
  Synced take_over(const Tip& there) {
    mine_.update([&](const Tip& here) {
      synced_.refused.clear();
      synced_.aside.clear();
      const auto new_here =
          there.commit ? new_files(mine_.git(), there.tree.get(), here.tree.get()) : std::vector<NewFile>{};
      std::optional<git_oid> wanted;
      if (there.commit) {
        const auto without = refused_of(new_here, false);
        wanted = without.empty() ? there.id : commit_of(nullptr, there, union_of(Tip{}, there, without));
      }
      set_aside(here, there);
      synced_.fetched = count_documents(taken(new_here));
      if (!wanted) return !here.commit || mine_.remove(here);
      return equal(&*wanted, &here.id) || mine_.move(here, *wanted);
    });
    synced_.is_empty = !there.commit && synced_.aside.empty();
    return synced_;
  }

  void set_aside(const Tip& here, const Tip& there) {
    if (!here.commit) return;
    const auto only_here = new_files(mine_.git(), here.tree.get(), there.tree.get());
    if (only_here.empty()) return;
    synced_.set_aside = count_documents(only_here);
    synced_.aside =
        "refs/tracker-aside/" + std::string(tail_of(mine_.name())) + "/" + hex(here.id).substr(0, 10);
    mine_.keep(synced_.aside, here.id);
  }

  // Moves the ref here so that it has all of `there` that is not refused; what it is then.
  Tip unite(const Tip& there) {
    if (!there.commit) return mine_.tip();
    KindCounts fetched;
    mine_.update([&](const Tip& here) {
      synced_.refused.clear();
      const auto files = new_files(mine_.git(), there.tree.get(), here.tree.get());
      const auto without = refused_of(files, false);
      fetched = count_documents(taken(files));
      const git_oid united = commit_of_both(here, there, without);
      return equal(&united, &here.id) || mine_.move(here, united);
    });
    synced_.fetched.runs += fetched.runs;
    synced_.fetched.profiles += fetched.profiles;
    return mine_.tip();
  }

  // The paths of those that the check refuses, or that a tombstone is for; the first are kept for the report.
  std::set<std::string> refused_of(const std::vector<NewFile>& files, bool is_here) {
    std::set<std::string> paths;
    for (const auto& file : files) {
      if (!file.key || !request_.check) continue;
      if (file.is_dropped) {
        paths.insert(file.path);
        continue;
      }
      const std::string& why = why_refused(file);
      if (why.empty()) continue;
      paths.insert(file.path);
      synced_.refused.push_back({*file.key, why, is_here});
    }
    left_out_ = paths;
    return paths;
  }

  // Read once, however often others push meanwhile.
  const std::string& why_refused(const NewFile& file) {
    const auto [known, is_new] = checked_.try_emplace(file.path + hex(file.id));
    if (!is_new) return known->second;
    try {
      known->second = request_.check(*file.key, read_blob(mine_.git(), file.id, "it"));
    } catch (const Error& error) {
      known->second = error.what();
    }
    return known->second;
  }

  // Without those that were left out last.
  std::vector<NewFile> taken(std::vector<NewFile> files) const {
    std::erase_if(files, [&](const NewFile& file) { return left_out_.contains(file.path); });
    return files;
  }

  bool is_asked_for(const NewFile& file) const {
    if (commits_.empty()) return true;
    const auto key = file.key ? file.key : dropped_at(file.path);
    return key && commits_.contains(key->commit);
  }

  // All of the store here. Where some of it is to stay here: a commit on top of the remote's with the rest,
  // so that nothing else goes along; none, where there is nothing to push.
  std::optional<git_oid> commit_to_push(const Tip& here, const Tip& there) {
    const auto only_here = new_files(mine_.git(), here.tree.get(), there.tree.get());
    const auto refused_there = synced_.refused.size();
    const auto without = refused_of(only_here, true);
    auto files = taken(only_here);
    const auto of_others = std::stable_partition(files.begin(), files.end(),
                                                 [&](const auto& file) { return is_asked_for(file); });
    synced_.kept_back = count_documents({of_others, files.end()});
    files.erase(of_others, files.end());
    synced_.pushed = count_documents(files);
    if (commits_.empty() && without.empty() && refused_there == 0 && has_all(here, there)) return here.id;
    if (files.empty()) return {};
    std::vector<std::pair<std::string, git_oid>> added;
    for (const auto& file : files) added.emplace_back(file.path, file.id);
    const auto commit = commit_files(mine_.git(), there.tree.get(), there.commit.get(), added,
                                     "add " + in_words(synced_.pushed) + " of another clone");
    if (!commit) throw mine_.write_failure();
    return commit;
  }

  // Whether nothing of the remote was left out here, now or before: what is pushed takes nothing away there.
  bool has_all(const Tip& here, const Tip& there) const {
    return !there.commit || new_files(mine_.git(), there.tree.get(), here.tree.get()).empty();
  }

  git_oid union_of(const Tip& here, const Tip& there, const std::set<std::string>& without) const {
    return unite_trees(mine_.git(), here.tree.get(), there.tree.get(), without);
  }

  // One of the two where it has all of the other and descends from it, else a new one with both as parents.
  git_oid commit_of_both(const Tip& here, const Tip& there, const std::set<std::string>& without) const {
    if (equal(&here.id, &there.id) || (!here.commit && without.empty())) return there.id;
    const git_oid tree = union_of(here, there, without);
    if (!here.commit) return commit_of(nullptr, there, tree);
    if (equal(&tree, git_tree_id(here.tree.get())) && descends(here.id, there.id)) return here.id;
    if (equal(&tree, git_tree_id(there.tree.get())) && descends(there.id, here.id)) return there.id;
    return commit_of(&here, there, tree);
  }

  // By git itself: libgit2 does not know where a shallow history ends.
  bool descends(const git_oid& commit, const git_oid& from) const {
    return run_git(folder_, {"merge-base", "--is-ancestor", hex(from), hex(commit)}).ok();
  }

  // Made of nothing but its parents, so that two who unite the same two write the same commit.
  git_oid commit_of(const Tip* here, const Tip& there, const git_oid& tree_id) const {
    std::vector<const git_commit*> parents = {there.commit.get()};
    if (here != nullptr) parents.push_back(here->commit.get());
    std::sort(parents.begin(), parents.end(), [](const git_commit* a, const git_commit* b) {
      return git_oid_cmp(git_commit_id(a), git_commit_id(b)) < 0;
    });
    git_time_t time = 0;
    for (const auto* parent : parents) time = std::max(time, git_commit_time(parent));
    GitTree tree;
    GitSignature who;
    git_oid commit{};
    if (git_tree_lookup(tree.out(), mine_.git(), &tree_id) != 0 ||
        git_signature_new(who.out(), "tracker", "tracker@localhost", time, 0) != 0 ||
        git_commit_create(&commit, mine_.git(), nullptr, who.get(), who.get(), nullptr,
                          here != nullptr ? "unite two writers' runs" : "leave out what is no document",
                          tree.get(), parents.size(), parents.data()) != 0)
      throw mine_.write_failure();
    return commit;
  }

  std::filesystem::path folder_;
  StoreRef mine_;
  std::string fetched_ref_;
  StoreRef theirs_;
  const GitRemote& remote_;
  const SyncRequest& request_;
  std::set<std::string> commits_;
  std::map<std::string, std::string> checked_;  // path and id of the text → why it is refused
  std::set<std::string> left_out_;
  Synced synced_;
};

}  // namespace

std::string tracking_ref(const GitRemote& remote, const std::string& ref) {
  const std::string name = slug(slug(remote.name()).substr(0, kRemoteBytesMax));
  return "refs/tracker-remotes/" + name + "/" + std::string(tail_of(ref));
}

Synced sync_store(const Repository& repository, const std::string& ref, const GitRemote& remote,
                  const SyncRequest& request) {
  const HashedReads hashed;
  return Syncing(repository, ref, remote, request).run();
}

}  // namespace tracker
