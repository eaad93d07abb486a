#include "tracker/store/sync.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <git2/sys/commit.h>

#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/libgit2.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/quarantine.hpp"
#include "tracker/store/run_tree.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker::store {
namespace {

// An attempt that fails is one that another writer got through with. Whoever gets through takes along what
// waits in the queue, so that a second attempt is seldom needed, and pauses need not grow.
constexpr int kSyncAttemptsMax = 40;
constexpr std::size_t kQueuedMax = 64;  // taken along at once

using repo::is_same;

constexpr std::size_t kRemoteBytesMax = 100;  // of its name in a ref

// The name of a ref without the folder that all of its kind share: "v1".
std::string_view tail_of(std::string_view ref) {
  for (const std::string_view prefix : {"refs/tracker/", "refs/"})
    if (ref.starts_with(prefix)) return ref.substr(prefix.size());
  return ref;
}

class Syncing {
 public:
  Syncing(const repo::Repository& repository, const std::string& ref, const repo::GitRemote& remote,
          const SyncRequest& request)
      : repository_(repository),
        mine_(repository, ref),
        fetched_ref_(tracking_ref(remote, ref)),
        theirs_(repository, fetched_ref_, Ref::Of::kElsewhere),
        had_before_(repo::tip_of(repository, fetched_ref_).has_value()),
        queue_{std::string(kQueueFolder) + std::string(tail_of(ref)) + "/",
               tracking_ref(remote, std::string(kQueueFolder) + std::string(tail_of(ref))) + "/"},
        remote_(remote),
        request_(request),
        commits_(request.commits.begin(), request.commits.end()) {}

  Synced run() {
    mine_.mend(false);  // git would take the missing objects for fetched
    if (request_.way == SyncWay::kBoth) return share();
    const Tip there = fetch({});
    if (!there.commit && had_before_) synced_.had = fetched_ref_;
    if (request_.way == SyncWay::kFromRemote && there.commit) mine_.mend(true);
    if (request_.way == SyncWay::kFromRemote) return take_over(there);
    return is_empty_after(merge(there));
  }

 private:
  using Tips = std::vector<const Tip*>;

  // What one attempt pushes.
  struct ToPush {
    std::optional<git_oid> commit;  // none: there is nothing to push
    bool is_all = false;            // has all that is here, and what the remote has on top
    bool has_own = false;           // of the documents here; else only what waits in the queue
  };

  Synced share() {
    std::minstd_rand random(std::random_device{}());
    for (int attempts = 0; attempts < kSyncAttemptsMax; ++attempts) {
      const auto began = std::chrono::steady_clock::now();
      if (const auto done = attempt()) return *done;
      if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted; nothing was pushed");
      // Long enough for another writer to get through, who is about as fast as this one.
      const auto took = std::chrono::steady_clock::now() - began;
      std::this_thread::sleep_for(took * std::uniform_real_distribution<>(0.3, 1.0)(random));
    }
    merge(fetch({}));
    throw Error(ExitCode::kEnvironment,
                "cannot push '" + mine_.name() + "' to " + in_quotes(remote_.name()) +
                    ": others keep pushing, or a lock on the ref was left behind there",
                "what was fetched is kept; try again: tracker sync");
  }

  // None where somebody else pushed meanwhile. What is written for the push is kept only if it gets through.
  std::optional<Synced> attempt() {
    synced_.refused.clear();
    synced_.kept_back = {};
    const Tip here = mine_.tip();
    const Tip there = fetch_with_queue();
    if (!there.commit && had_before_) synced_.had = fetched_ref_;
    auto queued = queued_tips(here, there);
    if (!here.commit && !there.commit) {
      synced_.is_empty = queued.empty();
      if (synced_.is_empty) return synced_;
      merge(queued.front().tip);  // the remote's store begins with what waits for it
      return {};
    }
    const Quarantine quarantine(repository_);
    const Ref inside(quarantine.repository(), mine_.name(), Ref::Of::kElsewhere);
    if (!there.commit) queued.clear();
    const ToPush wanted = commit_to_push(inside, here, there, queued);
    const bool is_for_others = !wanted.has_own && times_overtaken_ > 0;  // they are at it themselves
    if (wanted.commit && !is_for_others) {
      if (is_another_ones_turn(queued)) return {};
      repo::PushDetails details{.objects = quarantine.folder()};
      for (const auto& one : queued) details.removed.emplace_back(one.ref_there, repo::hex_of(one.tip.id));
      const bool is_pushed = remote_.push(repo::hex_of(*wanted.commit), mine_.name(), details);
      if (!is_pushed) {
        ++times_overtaken_;
        put_into_queue(wanted.is_all ? here.id : *wanted.commit, quarantine);
        return {};
      }
    }
    synced_.pushed = pushed_;
    if (!wanted.is_all || !wanted.commit || is_for_others) return is_empty_after(merge(there));
    mine_.take(std::make_unique<KeptPack>(quarantine.repository(), *wanted.commit, here.id));
    return is_empty_after(merge(mine_.at(*wanted.commit)));
  }

  Synced is_empty_after(const Tip& here) {
    synced_.is_empty = !here.commit;
    return synced_;
  }

  Tip fetch(const std::optional<repo::MirroredFolder>& mirrored) const {
    const auto id =
        remote_.fetch(mine_.name(), fetched_ref_, {.mirrored = mirrored, .is_shallow = request_.is_shallow});
    return id ? theirs_.tip() : Tip{};
  }

  struct Queued {
    std::string ref_there;
    Tip tip;
  };

  // The remote's store, and its queue. What cannot be fetched of the queue holds nobody up: then its refs
  // come one by one.
  Tip fetch_with_queue() {
    queue_names_.reset();
    synced_.ignored.clear();
    std::optional<Tip> there;
    try {
      there = fetch(queue_);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kEnvironment) throw;
    }
    if (there && there->commit) return std::move(*there);
    if (!there) there = fetch({});
    fetch_queue_one_by_one();
    return std::move(*there);
  }

  void fetch_queue_one_by_one() {
    queue_names_.emplace();
    for (const auto& name : remote_.refs_in(queue_.there)) {
      if (queue_names_->size() + synced_.ignored.size() == kQueuedMax) return;
      const std::string tail = name.substr(queue_.there.size());
      try {
        if (remote_.fetch(name, queue_.here + tail)) queue_names_->push_back(queue_.here + tail);
      } catch (const Error& error) {
        if (error.code() != ExitCode::kEnvironment) throw;
        synced_.ignored.push_back({name, error.what()});
      }
    }
  }

  // What other writers, and this one, have left at the remote to be taken along, and what goes together with
  // both sides. The rest is named; where it is a store, its writer is told as well when it syncs.
  std::vector<Queued> queued_tips(const Tip& here, const Tip& there) {
    constexpr std::size_t kLooksMax = 8 * kQueuedMax;
    std::vector<Queued> found;
    std::vector<const git_tree*> trees;
    if (there.tree) trees.push_back(there.tree.get());
    std::size_t looks = 0;
    for (const auto& ref : queue_names_ ? *queue_names_ : refs_below(repository_, queue_.here)) {
      if (found.size() == kQueuedMax || ++looks > kLooksMax) break;
      const std::string name = queue_.there + ref.substr(queue_.here.size());
      try {
        Tip tip = Ref(repository_, ref, Ref::Of::kElsewhere).tip();
        if (!tip.commit) continue;
        new_files(mine_.git(), tip.tree.get(), here.tree.get());  // throws where a folder is none
        auto with_it = trees;
        with_it.push_back(tip.tree.get());
        merge_trees(mine_.git(), here.tree.get(), with_it);
        trees = std::move(with_it);
        found.push_back({name, std::move(tip)});
      } catch (const Error& error) {
        if (error.code() != ExitCode::kEnvironment) throw;
        synced_.ignored.push_back({name, error.what()});
      }
    }
    return found;
  }

  // Where the next writer who gets through takes it along. Not every remote lets such a ref be written: then
  // what is left is to try again.
  void put_into_queue(const git_oid& commit, const Quarantine& quarantine) {
    constexpr int kTriesMax =
        5;  // git removes the folder of the last ref that goes, also under one that comes
    times_waited_ = 0;
    if (!may_queue_ || queued_paths_ == paths_to_push_) return;
    const std::string ref = queue_.there + repo::hex_of(commit);
    try {
      for (int tries = 0; tries < kTriesMax; ++tries) {
        if (!remote_.push(repo::hex_of(commit), ref, {.objects = quarantine.folder(), .asks_first = true}))
          continue;
        queued_paths_ = paths_to_push_;
        queued_ref_ = ref;
        return;
      }
    } catch (const Error& error) {
      if (error.code() == ExitCode::kInterrupted) throw;
      may_queue_ = false;
    }
  }

  // Of those who wait in the queue, the first one pushes for all of them. If it does not, another one does.
  bool is_another_ones_turn(const std::vector<Queued>& queued) {
    constexpr int kTimesMax = 3;
    const auto is_mine = [&](const Queued& one) { return one.ref_there == queued_ref_; };
    if (std::none_of(queued.begin(), queued.end(), is_mine) || is_mine(queued.front())) return false;
    return ++times_waited_ <= kTimesMax;
  }

  // Makes the ref here what the remote has; what only this clone had stays on a ref of its own.
  Synced take_over(const Tip& there) {
    mine_.update([&](const Tip& here) {
      synced_.refused.clear();
      synced_.aside.clear();
      const auto new_here = new_files(mine_.git(), there.tree.get(), here.tree.get());
      std::optional<git_oid> wanted;
      std::set<std::string> left_out;
      if (there.commit) {
        wanted = merged(mine_, Tip{}, {&there}, left_out = refused_of(new_here, false));
      }
      set_aside(here, there);
      synced_.fetched = count_documents(without(new_here, left_out));
      if (!wanted) return !here.commit || mine_.remove(here);
      return is_same(*wanted, here.id) || mine_.move(here, *wanted);
    });
    synced_.is_empty = !there.commit && synced_.aside.empty();
    return synced_;
  }

  void set_aside(const Tip& here, const Tip& there) {
    if (!here.commit) return;
    if (has_all_of(there, here)) return;
    synced_.set_aside = count_documents(new_files(mine_.git(), here.tree.get(), there.tree.get()));
    synced_.aside = "refs/tracker-aside/" + std::string(tail_of(mine_.name())) + "/" +
                    repo::hex_of(here.id).substr(0, 10);
    mine_.keep(synced_.aside, here.id);
  }

  // Whether `there` has whatever `here` has, tracker's or not.
  bool has_all_of(const Tip& there, const Tip& here) const {
    if (!there.tree) return false;
    try {
      const git_oid both = merge_trees(mine_.git(), there.tree.get(), {here.tree.get()});
      return is_same(both, *git_tree_id(there.tree.get()));
    } catch (const Error&) {
      return false;
    }
  }

  // Moves the ref here so that it has all of `there` that is not refused; what it is then.
  Tip merge(const Tip& there) {
    if (!there.commit) return mine_.tip();
    KindCounts fetched;
    const auto refused_before = synced_.refused;
    mine_.update([&](const Tip& here) {
      synced_.refused.clear();
      const auto files = new_files(mine_.git(), there.tree.get(), here.tree.get());
      const auto left_out = refused_of(files, false);
      fetched = count_documents(without(files, left_out));
      const git_oid commit = merged(mine_, here, {&there}, left_out);
      return is_same(commit, here.id) || mine_.move(here, commit);
    });
    if (request_.way == SyncWay::kBoth) synced_.refused = refused_before;  // of both sides
    synced_.fetched = fetched;
    return mine_.tip();
  }

  // The paths of those that the check refuses, or that a tombstone is for; the first are kept for the report.
  std::set<std::string> refused_of(const std::vector<NewFile>& files, bool is_here) {
    std::set<std::string> paths;
    for (const auto& file : files) {
      if (!file.key || !request_.check || request_.is_shallow) continue;
      if (file.is_dropped) {
        paths.insert(file.path);
        continue;
      }
      const std::string& why = why_refused(file);
      if (why.empty()) continue;
      paths.insert(file.path);
      synced_.refused.push_back({*file.key, why, is_here});
    }
    return paths;
  }

  // Read once, however often others push meanwhile.
  const std::string& why_refused(const NewFile& file) {
    const auto [known, is_new] = checked_.try_emplace(file.path + repo::hex_of(file.id));
    if (!is_new) return known->second;
    try {
      known->second = request_.check(*file.key, read_blob(mine_.git(), file.id, "it"));
    } catch (const Error& error) {
      known->second = error.what();
    }
    return known->second;
  }

  static std::vector<NewFile> without(std::vector<NewFile> files, const std::set<std::string>& left_out) {
    std::erase_if(files, [&](const NewFile& file) { return left_out.contains(file.path); });
    return files;
  }

  bool is_asked_for(const NewFile& file) const {
    if (commits_.empty()) return true;
    const auto key = file.key ? file.key : dropped_at(file.path);
    return key && commits_.contains(key->commit);
  }

  // All of the store here, with what waits in the queue. Where some of it is to stay here: a commit on top of
  // the remote's with the rest, so that nothing else goes along.
  ToPush commit_to_push(const Ref& at, const Tip& here, const Tip& there, const std::vector<Queued>& queued) {
    Tips theirs;
    if (there.commit) theirs.push_back(&there);
    for (const auto& one : queued) theirs.push_back(&one.tip);
    const auto left_out = refused_there(theirs, here);
    const auto refused = synced_.refused.size();
    // Of two tombstones at one path, what both together have counts.
    const git_oid both = there.commit ? merge_trees(at.git(), here.tree.get(), {there.tree.get()}, left_out)
                                      : *git_tree_id(here.tree.get());
    const auto both_tree = at.tree(both);
    const auto only_here = new_files(at.git(), both_tree.get(), there.tree.get());
    const auto not_pushed = refused_of(only_here, true);
    auto files = without(only_here, not_pushed);
    const auto of_others = std::stable_partition(files.begin(), files.end(),
                                                 [&](const auto& file) { return is_asked_for(file); });
    synced_.kept_back = count_documents({of_others, files.end()});
    files.erase(of_others, files.end());
    note_to_push(files);

    if (commits_.empty() && not_pushed.empty() && synced_.refused.size() == refused) {
      if (!there.commit) return {here.id, true, true};
      const git_oid all = merged(at, here, theirs, left_out);
      if (has_all(at, at.at(all), there))
        return {is_same(all, there.id) ? std::nullopt : std::optional(all), true, !files.empty()};
    }
    if (files.empty() && queued.empty()) return {};
    return {commit_on_top(at, there, theirs, files, left_out), false, !files.empty()};
  }

  std::optional<git_oid> commit_on_top(const Ref& at, const Tip& there, const Tips& theirs,
                                       std::vector<NewFile> files,
                                       const std::set<std::string>& left_out) const {
    auto base = there.commit ? std::optional(there.id) : std::nullopt;
    if (theirs.size() > 1) {
      const Tips queued(theirs.begin() + 1, theirs.end());
      base = merged(at, there, queued, left_out);
    }
    const Tip below = base ? at.at(*base) : Tip{};
    std::erase_if(files, [&](const NewFile& file) {  // queued by this writer
      const auto entry = entry_at(below.tree.get(), file.path);
      return entry && is_same(*git_tree_entry_id(entry.get()), file.id);
    });
    if (files.empty()) return base && !is_same(*base, there.id) ? base : std::nullopt;
    std::vector<std::pair<std::string, git_oid>> added;
    for (const auto& file : files) added.emplace_back(file.path, file.id);
    const auto commit = commit_files(at.git(), below.tree.get(), below.commit.get(), added,
                                     "add " + in_words(count_documents(files)) + " of another clone");
    if (!commit) throw mine_.write_failure();
    return commit;
  }

  // Of what the remote and its queue have and the store here has not: the paths of what is not taken.
  std::set<std::string> refused_there(const Tips& theirs, const Tip& here) {
    std::set<std::string> paths;
    for (const auto* tip : theirs)
      paths.merge(refused_of(new_files(mine_.git(), tip->tree.get(), here.tree.get()), false));
    return paths;
  }

  // What was to be pushed in an earlier attempt, and is there now, was pushed by another writer.
  void note_to_push(const std::vector<NewFile>& files) {
    for (const auto& file : files)
      if (paths_to_push_.insert(file.path).second && file.key) pushed_.add(file.key->kind);
  }

  // Whether nothing of the remote was left out here, now or before: what is pushed takes nothing away there.
  static bool has_all(const Ref& at, const Tip& tip, const Tip& there) {
    return new_files(at.git(), there.tree.get(), tip.tree.get()).empty();
  }

  // One of the commits where it has all of the others and descends from them, else a new one with all of them
  // as parents, which lies where `at` writes. `theirs` is not empty.
  git_oid merged(const Ref& at, const Tip& here, const Tips& theirs,
                 const std::set<std::string>& left_out) const {
    Tips tips = theirs;
    if (here.commit) tips.insert(tips.begin(), &here);
    std::sort(tips.begin(), tips.end(),
              [](const Tip* a, const Tip* b) { return git_oid_cmp(&a->id, &b->id) < 0; });
    tips.erase(std::unique(tips.begin(), tips.end(),
                           [](const Tip* a, const Tip* b) { return is_same(a->id, b->id); }),
               tips.end());
    if (tips.size() == 1 && left_out.empty()) return tips.front()->id;
    std::vector<const git_tree*> trees;
    for (const auto* tip : theirs) trees.push_back(tip->tree.get());
    const git_oid tree = merge_trees(at.git(), here.tree.get(), trees, left_out);
    const Tips heads = heads_of(tips);
    if (heads.size() == 1 && is_same(tree, *git_tree_id(heads.front()->tree.get()))) return heads.front()->id;
    return write_union(at, heads.size() == 1 ? tips : heads, tree);
  }

  // Those that no other one descends from. By git itself: libgit2 does not know where a shallow history ends.
  Tips heads_of(const Tips& tips) const {
    std::vector<std::string> call = {"merge-base", "--independent"};
    for (const auto* tip : tips) call.push_back(repo::hex_of(tip->id));
    const auto found = tips.size() > 1 ? repo::run_git(repository_.root(), call) : ProcessResult{};
    Tips heads;
    for (const auto* tip : tips)
      if (found.output.find(repo::hex_of(tip->id)) != std::string::npos) heads.push_back(tip);
    return heads.empty() ? tips : heads;
  }

  // Made of nothing but its parents, so that two who merge the same ones write the same commit.
  git_oid write_union(const Ref& at, const Tips& parents, const git_oid& tree) const {
    std::vector<const git_oid*> ids;
    git_time_t time = 0;
    for (const auto* parent : parents) {
      ids.push_back(&parent->id);
      time = std::max(time, git_commit_time(parent->commit.get()));
    }
    repo::GitSignature who;
    git_oid commit{};
    if (git_signature_new(who.out(), "tracker", "tracker@localhost", time, 0) != 0 ||
        git_commit_create_from_ids(
            &commit, at.git(), nullptr, who.get(), who.get(), nullptr,
            parents.size() > 1 ? "unite writers' runs" : "leave out what is no document", &tree, ids.size(),
            ids.data()) != 0)
      throw mine_.write_failure();
    return commit;
  }

  const repo::Repository& repository_;
  Ref mine_;
  std::string fetched_ref_;
  Ref theirs_;
  const bool had_before_;  // the remote a store
  repo::MirroredFolder queue_;
  std::optional<std::vector<std::string>> queue_names_;  // here; none: all that are there
  const repo::GitRemote& remote_;
  const SyncRequest& request_;
  std::set<std::string> commits_;
  std::map<std::string, std::string> checked_;  // path and id of the text → why it is refused
  std::set<std::string> paths_to_push_;         // by now
  std::set<std::string> queued_paths_;
  std::string queued_ref_;
  bool may_queue_ = true;
  int times_overtaken_ = 0;
  int times_waited_ = 0;  // since the last push
  KindCounts pushed_;
  Synced synced_;
};

}  // namespace

std::string tracking_ref(const repo::GitRemote& remote, const std::string& ref) {
  const std::string name = slug(slug(remote.name()).substr(0, kRemoteBytesMax));
  return "refs/tracker-remotes/" + name + "/" + std::string(tail_of(ref));
}

std::vector<NotTaken> not_taken_from(const repo::Repository& repository, const std::string& ref) {
  const std::string folder = "refs/tracker-remotes/";
  const std::string tail = "/" + std::string(tail_of(ref));
  const Ref mine(repository, ref);  // which owns what a tip holds
  const Tip here = mine.tip();
  std::vector<NotTaken> found;
  for (const auto& fetched : refs_below(repository, folder)) {
    const std::size_t remote_bytes = fetched.size() - std::min(fetched.size(), folder.size() + tail.size());
    if (!fetched.ends_with(tail) || fetched.find('/', folder.size()) != folder.size() + remote_bytes)
      continue;
    NotTaken of_remote{fetched.substr(folder.size(), remote_bytes), {}};
    try {
      const Tip there = Ref(repository, fetched, Ref::Of::kElsewhere).tip();
      for (const auto& file : new_files(repository.handle(), there.tree.get(), here.tree.get()))
        if (file.key && !file.is_dropped && file.key->kind == DocumentKind::kRun)
          of_remote.runs.push_back(*file.key);
    } catch (const Error&) {
      continue;
    }
    if (!of_remote.runs.empty()) found.push_back(std::move(of_remote));
  }
  return found;
}

Synced sync_with(const repo::Repository& repository, const std::string& ref, const repo::GitRemote& remote,
                 const SyncRequest& request) {
  const HashedReads hashed;
  remove_left_objects(repository);
  return Syncing(repository, ref, remote, request).run();
}

}  // namespace tracker::store
