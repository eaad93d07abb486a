// Stores of clones and their bare origin, made the same.
#include "tracker/store/sync.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/store/key_printer.hpp"
#include "tests/store/writers.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/store.hpp"

namespace tracker::store {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kSyncedRef = "refs/tracker/v1";
const std::string kSyncedCommit = "aa00000000000000000000000000000000000001";

Key key_of(const std::string& id, DocumentKind kind = DocumentKind::kRun) {
  return {"gpu", kSyncedCommit, id, kind};
}

// A bare origin with one commit, and clones of it.
class Origin {
 public:
  Origin() {
    seed_.commit("a", "1");
    seed_.commit("a", "2");
    seed_.git({"clone", "--quiet", "--bare", ".", bare().string()});
  }
  fs::path bare() const { return seed_.folder() / "origin.git"; }
  fs::path clone(const std::string& name, const std::vector<std::string>& options = {}) const {
    const auto path = seed_.folder() / name;
    std::vector<std::string> arguments = {"clone", "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"file://" + bare().string(), path.string()});
    seed_.git(arguments);
    return path;
  }
  std::string git(const std::vector<std::string>& arguments, const std::string& input = {}) const {
    return testing_support::git(bare(), arguments, {}, input);
  }
  const ScratchRepository& seed() const { return seed_; }

 private:
  ScratchRepository seed_;
};

struct Clone {
  repo::Repository repository;
  std::unique_ptr<Store> store;
  explicit Clone(const fs::path& path)
      : repository(repo::Repository::open(path)), store(open_git(repository, kSyncedRef)) {}
  Synced sync(SyncWay way = SyncWay::kBoth) const {
    return sync_with(repository, kSyncedRef, repo::GitRemote(repository, "origin"), {.way = way});
  }
  void add(const std::string& id, const std::string& text = "{}") const { store->add({{key_of(id), text}}); }
  std::string tip() const { return git(repository.root(), {"rev-parse", kSyncedRef}); }
};

std::string counts(const Synced& synced) {
  return in_words(synced.fetched) + ", " + in_words(synced.pushed);
}

TEST(SyncStore, MakesTheRefWhereThereIsNone) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  EXPECT_TRUE(one.sync().is_empty);
  EXPECT_EQ(origin.git({"for-each-ref", "refs/tracker"}), "");
  one.add("1");
  EXPECT_EQ(one.sync(SyncWay::kFetchOnly).fetched.all(), 0u);
  EXPECT_EQ(origin.git({"for-each-ref", "refs/tracker"}), "") << "reading only";
  EXPECT_EQ(counts(one.sync()), "0 runs, 1 run");
  EXPECT_EQ(origin.git({"rev-parse", kSyncedRef}), one.tip());
  const Clone two(origin.clone("two"));
  EXPECT_EQ(counts(two.sync(SyncWay::kFetchOnly)), "1 run, 0 runs");
  EXPECT_THAT(two.store->keys(), ElementsAre(key_of("1")));
  EXPECT_EQ(two.tip(), one.tip()) << "nothing to merge, so no commit of its own";
}

TEST(SyncStore, UnitesHistoriesThatKnowNothingOfOneAnother) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  one.add("1");
  one.store->add({{key_of("1", DocumentKind::kProfile), "[]"}});
  two.add("2");
  two.store->add({{{"other", kSyncedCommit, "1"}, "{}"}});
  EXPECT_EQ(counts(one.sync()), "0 runs, 1 run and 1 profile");
  EXPECT_EQ(counts(two.sync()), "1 run and 1 profile, 2 runs");
  EXPECT_EQ(counts(two.sync()), "0 runs, 0 runs");
  EXPECT_EQ(counts(one.sync()), "2 runs, 0 runs");
  EXPECT_EQ(one.tip(), two.tip());
  for (const auto* clone : {&one, &two}) {
    EXPECT_THAT(clone->store->keys(),
                ElementsAre(key_of("1"), key_of("2"), Key{"other", kSyncedCommit, "1"}));
    EXPECT_EQ(clone->store->profile_keys_of(kSyncedCommit).size(), 1u);
  }
  EXPECT_EQ(origin.git({"rev-list", "--count", kSyncedRef}), "5") << "four that record, and the one of both";
  origin.git({"fsck", "--strict"});
}

TEST(SyncStore, UnitesTheSameTwoIntoTheSameCommit) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  one.add("1");
  two.add("2");
  one.sync();
  git(two.repository.root(), {"fetch", "--quiet", one.repository.root().string(), "+refs/tracker/v1:refs/x"});
  git(one.repository.root(), {"fetch", "--quiet", two.repository.root().string(), "+refs/tracker/v1:refs/x"});
  // Each has the other's as the remote's.
  const auto merged = [](const Clone& clone, const Clone& other) {
    return sync_with(clone.repository, kSyncedRef,
                     repo::GitRemote(clone.repository, other.repository.root().string()),
                     {.way = SyncWay::kFetchOnly});
  };
  const auto before = two.tip();
  merged(two, one);
  const auto mine = two.tip();
  git(two.repository.root(), {"update-ref", kSyncedRef, before});
  merged(one, two);
  EXPECT_EQ(one.tip(), mine);
}

TEST(SyncStore, KeepsWhatIsNotOurs) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  const auto blob = origin.git({"hash-object", "-w", "--stdin"}, "hello");
  const auto deep = origin.git({"mktree"}, "100644 blob " + blob + "\tREADME\n");
  const auto tree =
      origin.git({"mktree"}, "100644 blob " + blob + "\tREADME\n040000 tree " + deep + "\tgpu\n120000 blob " +
                                 blob + "\tlink\n160000 commit " + std::string(40, '1') + "\tmodule\n");
  origin.git({"update-ref", kSyncedRef, origin.git({"commit-tree", "-m", "by hand", tree})});
  EXPECT_EQ(counts(one.sync()), "0 runs, 1 run");
  EXPECT_EQ(origin.git({"ls-tree", "-r", "--name-only", kSyncedRef}),
            "README\ngpu/README\ngpu/aa/" + kSyncedCommit + "/1.json\nlink\nmodule");
  EXPECT_THAT(one.store->keys(), ElementsAre(key_of("1")));
}

TEST(SyncStore, NamesWhatSomeoneRewroteAndChangesNothing) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  one.add("1", "{}");
  one.sync();
  two.add("1", "[]");
  two.add("2");
  const auto before = two.tip();
  for (const auto way : {SyncWay::kBoth, SyncWay::kFetchOnly})
    EXPECT_THAT(error_of([&] { two.sync(way); }),
                AllOf(StartsWith("4 | the two stores have different contents at 'gpu/aa/" + kSyncedCommit +
                                 "/1.json'; neither was changed"),
                      HasSubstr("git log --all -- 'gpu/aa/")));
  EXPECT_EQ(two.tip(), before);
  EXPECT_EQ(origin.git({"rev-parse", kSyncedRef}), one.tip());
}

// What a remote removes, or its history forgets, comes back from whoever has it.
TEST(SyncStore, LosesNothingToARemoteThatWasRewritten) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  one.add("2");
  one.sync();
  const auto empty = origin.git({"mktree"}, "");
  const auto removed = origin.git({"commit-tree", "-p", kSyncedRef, "-m", "remove all", empty});
  origin.git({"update-ref", kSyncedRef, removed});
  EXPECT_EQ(counts(one.sync()), "0 runs, 2 runs");
  EXPECT_THAT(one.store->keys(), ElementsAre(key_of("1"), key_of("2")));
  origin.git({"update-ref", kSyncedRef, origin.git({"commit-tree", "-m", "begin anew", empty})});
  EXPECT_EQ(counts(one.sync()), "0 runs, 2 runs");
  EXPECT_EQ(origin.git({"rev-parse", kSyncedRef}), one.tip());
}

TEST(SyncStore, RefusesARemoteRefThatIsNoStore) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  const auto before = one.tip();
  origin.git({"update-ref", kSyncedRef, origin.git({"hash-object", "-w", "--stdin"}, "{}")});
  EXPECT_THAT(error_of([&] { one.sync(); }), AllOf(StartsWith("4 | 'refs/tracker-remotes/origin/v1' in"),
                                                   HasSubstr("is not a store of runs")));
  EXPECT_EQ(one.tip(), before);
}

TEST(SyncStore, WorksInAShallowClone) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  one.add("2");
  one.sync();
  const Clone shallow(origin.clone("shallow", {"--depth=1"}));
  ASSERT_TRUE(shallow.repository.is_shallow());
  shallow.add("3");
  EXPECT_EQ(counts(shallow.sync()), "2 runs, 1 run");
  EXPECT_EQ(git(shallow.repository.root(), {"rev-list", "--count", "HEAD"}), "1") << "as shallow as before";
  EXPECT_EQ(counts(one.sync()), "1 run, 0 runs");
}

// Someone fetched the store itself without its past.
TEST(SyncStore, WorksWithAStoreThatWasCutOff) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  one.add("2");
  one.sync();
  const Clone cut(origin.clone("cut", {"--depth=1"}));
  git(cut.repository.root(), {"fetch", "--quiet", "--depth=1", "origin", "refs/tracker/v1:refs/tracker/v1"});
  cut.add("3");
  EXPECT_EQ(counts(cut.sync()), "0 runs, 1 run");
  one.add("4");
  EXPECT_EQ(counts(one.sync()), "1 run, 1 run");
  EXPECT_EQ(counts(cut.sync()), "1 run, 0 runs");
  EXPECT_EQ(cut.tip(), one.tip());
}

// Those of the store that are not in the clone.
std::size_t left_out(const Clone& clone) {
  const auto listed = git(clone.repository.root(), {"rev-list", "--objects", "--missing=print", kSyncedRef});
  return static_cast<std::size_t>(std::count(listed.begin(), listed.end(), '?'));
}

Synced sync_shallow(const Clone& clone, SyncWay way) {
  return sync_with(clone.repository, kSyncedRef, repo::GitRemote(clone.repository, "origin"),
                   {.way = way, .is_shallow = true});
}

// 100 commits, a run each, whose texts differ.
void fill(const Origin& origin) {
  const Clone one(origin.clone("one"));
  for (int i = 100; i < 200; ++i)
    one.store->add({{{"gpu", "aa" + std::string(35, '0') + std::to_string(i), std::to_string(i)},
                     "{\"i\": " + std::to_string(i) + "}"}});
  one.sync();
}

TEST(SyncShallow, FetchesDocumentsWhenTheyAreRead) {
  for (const auto way : {SyncWay::kFromRemote, SyncWay::kFetchOnly}) {
    const Origin origin;
    fill(origin);
    origin.git({"config", "uploadpack.allowFilter", "true"});
    const Clone ci(origin.clone("ci"));
    EXPECT_EQ(sync_shallow(ci, way).fetched.runs, 100u);
    EXPECT_EQ(git(ci.repository.root(), {"rev-list", "--count", kSyncedRef}), "1") << "without its past";
    EXPECT_EQ(left_out(ci), 100u);
    const auto newest = ci.store->newest("gpu", 100, "");
    ASSERT_EQ(newest.size(), 100u);
    EXPECT_EQ(ci.store->read(newest[1]), R"({"i": 198})");
    EXPECT_EQ(left_out(ci), 68u) << "the newest 32 came at once";
    EXPECT_EQ(ci.store->read(newest[50]), R"({"i": 149})");
    EXPECT_EQ(left_out(ci), 36u) << "and 32 more";
    for (const auto& key : newest) EXPECT_EQ(ci.store->read(key), "{\"i\": " + key.id + "}");
    EXPECT_EQ(left_out(ci), 0u);
  }
}

TEST(SyncShallow, PushesWithoutWhatItLeftOut) {
  const Origin origin;
  fill(origin);
  origin.git({"config", "uploadpack.allowFilter", "true"});
  const Clone ci(origin.clone("ci", {"--depth=1"}));
  sync_shallow(ci, SyncWay::kFromRemote);
  ci.add("ci");
  const Clone other(origin.clone("other"));
  other.add("other");
  other.sync();
  const Synced synced =
      sync_with(ci.repository, kSyncedRef, repo::GitRemote(ci.repository, "origin"),
                {.commits = {kSyncedCommit}, .check = [](const Key&, std::string_view) { return ""; }});
  EXPECT_EQ(counts(synced), "1 run, 1 run");
  EXPECT_EQ(left_out(ci), 100u) << "nothing was read for it";
  EXPECT_EQ(counts(other.sync()), "1 run, 0 runs");
  EXPECT_EQ(other.store->keys().size(), 102u);
  EXPECT_EQ(sync_shallow(ci, SyncWay::kFromRemote).fetched.runs, 0u);
  EXPECT_EQ(ci.store->keys().size(), 102u);
  origin.git({"fsck", "--strict"});
}

TEST(SyncShallow, FetchesAllWhereTheServerLeavesNothingOut) {
  const Origin origin;
  fill(origin);
  origin.git({"config", "uploadpack.allowFilter", "false"});
  const Clone ci(origin.clone("ci"));
  EXPECT_EQ(sync_shallow(ci, SyncWay::kFromRemote).fetched.runs, 100u);
  EXPECT_EQ(left_out(ci), 0u);
  fs::rename(origin.bare(), origin.seed().folder() / "gone");
  for (const auto& key : ci.store->keys()) EXPECT_EQ(ci.store->read(key), "{\"i\": " + key.id + "}");
}

TEST(SyncShallow, SaysWhereTheRemoteCannotBeReached) {
  const Origin origin;
  fill(origin);
  origin.git({"config", "uploadpack.allowFilter", "true"});
  const Clone ci(origin.clone("ci"));
  sync_shallow(ci, SyncWay::kFromRemote);
  fs::rename(origin.bare(), origin.seed().folder() / "gone");
  EXPECT_THROW(ci.store->read(ci.store->keys().back()), Unreachable);
  EXPECT_THAT(error_of([&] { ci.store->read(ci.store->keys().back()); }),
              StartsWith("4 | cannot fetch 64 documents that this clone has left out from 'origin': "));
}

std::string queue_of(const Origin& origin) {
  return origin.git({"for-each-ref", "--format=%(objectname)", "refs/tracker/queue"});
}

// What a writer leaves at the remote that others overtook, and that was killed then.
void put_into_queue(const Clone& clone) {
  git(clone.repository.root(),
      {"push", "--quiet", "origin", clone.tip() + ":refs/tracker/queue/v1/" + clone.tip()});
}

TEST(SyncQueue, IsTakenAlongByWhoeverGetsThrough) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  const Clone three(origin.clone("three"));
  one.add("1");
  one.sync();
  two.add("2");
  three.add("3");
  put_into_queue(two);
  put_into_queue(three);
  one.add("4");
  EXPECT_EQ(counts(one.sync()), "2 runs, 1 run");
  EXPECT_EQ(queue_of(origin), "");
  EXPECT_EQ(origin.git({"rev-list", "--count", kSyncedRef}), "5") << "four that record, and one of all";
  EXPECT_EQ(counts(two.sync()), "3 runs, 0 runs");
  EXPECT_EQ(two.tip(), one.tip());
}

TEST(SyncQueue, IsTakenAlongByWhoHasNothingToPush) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  one.add("1");
  one.sync();
  two.add("2");
  put_into_queue(two);
  EXPECT_EQ(one.sync(SyncWay::kFetchOnly).fetched.all(), 0u) << "it is not the store's yet";
  EXPECT_EQ(counts(one.sync()), "1 run, 0 runs");
  EXPECT_EQ(queue_of(origin), "");
  EXPECT_EQ(counts(one.sync()), "0 runs, 0 runs");
}

TEST(SyncQueue, IsTakenAlongBesideWhatIsAskedForByCommit) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  const std::string other_commit = "bb00000000000000000000000000000000000001";
  one.add("1");
  one.sync();
  two.add("2");
  put_into_queue(two);
  one.add("3");
  one.store->add({{{"gpu", other_commit, "4"}, "{}"}});
  const Synced synced = sync_with(one.repository, kSyncedRef, repo::GitRemote(one.repository, "origin"),
                                  {.commits = {kSyncedCommit}});
  EXPECT_EQ(in_words(synced.pushed), "1 run");
  EXPECT_EQ(in_words(synced.kept_back), "1 run");
  EXPECT_EQ(queue_of(origin), "");
  const Clone reader(origin.clone("reader"));
  reader.sync(SyncWay::kFetchOnly);
  EXPECT_THAT(reader.store->keys(), ElementsAre(key_of("1"), key_of("2"), key_of("3")));
}

// Where a remote knows no steps of several refs, or lets none be removed, the runs arrive all the same.
TEST(SyncQueue, StaysWhereTheRemoteRemovesNothing) {
  for (const std::string setting : {"no atomic steps", "nothing is removed"}) {
    const Origin origin;
    if (setting == "no atomic steps") {
      origin.git({"config", "receive.advertiseAtomic", "false"});
    } else {
      const auto hook = origin.bare() / "hooks" / "update";
      write_file(hook, "#!/bin/sh\ncase $3 in 0000000*) exit 1 ;; esac\n");
      fs::permissions(hook, fs::perms::owner_exec, fs::perm_options::add);
    }
    const Clone one(origin.clone("one"));
    const Clone two(origin.clone("two"));
    one.add("1");
    one.sync();
    two.add("2");
    put_into_queue(two);
    EXPECT_EQ(counts(one.sync()), "1 run, 0 runs") << setting;
    EXPECT_EQ(queue_of(origin), two.tip()) << setting;
    one.add("3");
    EXPECT_EQ(counts(one.sync()), "0 runs, 1 run") << setting;
    EXPECT_EQ(counts(two.sync()), "2 runs, 0 runs") << setting;
    EXPECT_EQ(two.tip(), one.tip()) << setting;
  }
}

// A folder that is a file, which git itself refuses to fetch.
std::string hostile_commit(const Origin& origin) {
  const auto blob = origin.git({"hash-object", "-w", "--stdin"}, "{}");
  const auto hex = [](const std::string& id) {
    std::string bytes;
    for (std::size_t i = 0; i < id.size(); i += 2)
      bytes += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    return bytes;
  };
  const auto tree = origin.git({"hash-object", "-w", "-t", "tree", "--literally", "--stdin"},
                               std::string("40000 gpu\0", 10) + hex(blob));
  return origin.git({"commit-tree", "-m", "by hand", tree});
}

TEST(SyncQueue, HoldsNobodyUpByABadObject) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  one.add("1");
  one.sync();
  two.add("2");
  put_into_queue(two);
  origin.git({"update-ref", "refs/tracker/queue/v1/bad", hostile_commit(origin)});
  one.add("3");
  const Synced synced = one.sync();
  EXPECT_EQ(counts(synced), "1 run, 1 run");
  ASSERT_EQ(synced.ignored.size(), 1u);
  EXPECT_EQ(synced.ignored[0].name, "refs/tracker/queue/v1/bad");
  EXPECT_EQ(counts(two.sync()), "2 runs, 0 runs");
}

TEST(SyncQueue, HoldsNobodyUpByEntriesOfOtherModes) {
  for (const std::string mode : {"160000", "120000", "100755"}) {
    const Origin origin;
    const Clone one(origin.clone("one"));
    one.add("1");
    one.sync();
    const Clone two(origin.clone("two"));
    two.add("2", "[]");
    const auto path = "gpu/aa/" + kSyncedCommit + "/1.json";
    const std::map<std::string, std::string> index = {
        {"GIT_INDEX_FILE", (origin.seed().folder() / "index").string()}};
    const auto& root = two.repository.root();
    git(root, {"read-tree", kSyncedRef}, index);
    const auto id = mode == "160000" ? kSyncedCommit : git(root, {"hash-object", "-w", "--stdin"}, {}, "[2]");
    git(root, {"update-index", "--add", "--cacheinfo", mode + "," + id + "," + path}, index);
    const auto tree = git(root, {"write-tree", "--missing-ok"}, index);
    git(root, {"push", "--quiet", "origin",
               git(root, {"commit-tree", "-m", "by hand", tree}) + ":refs/tracker/queue/v1/odd"});
    one.add("3");
    const Synced synced = one.sync();
    EXPECT_EQ(in_words(synced.pushed), "1 run") << mode;
    ASSERT_EQ(synced.ignored.size(), 1u) << mode;
    EXPECT_EQ(synced.ignored[0].name, "refs/tracker/queue/v1/odd");
    EXPECT_EQ(one.store->read(key_of("1")), "{}") << mode;
  }
}

// More than are taken along at once, and more that do not fit than that.
TEST(SyncQueue, TakesAlongWhatWaitsBehindManyThatDoNotFit) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  const Clone three(origin.clone("three"));
  one.add("1", "{}");
  one.sync();
  two.add("1", "[]");
  put_into_queue(two);
  for (int i = 1000; i < 1100; ++i)
    origin.git({"update-ref", "refs/tracker/queue/v1/" + std::to_string(i), two.tip()});
  three.add("3");
  git(three.repository.root(), {"push", "--quiet", "origin", three.tip() + ":refs/tracker/queue/v1/z"});
  EXPECT_EQ(counts(one.sync()), "1 run, 0 runs");
}

TEST(SyncQueue, BeginsAStoreThatTheRemoteHasLost) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  one.add("1");
  put_into_queue(one);
  const Clone two(origin.clone("two"));
  EXPECT_FALSE(two.sync().is_empty);
  EXPECT_THAT(two.store->keys(), ElementsAre(key_of("1")));
  EXPECT_EQ(origin.git({"rev-parse", kSyncedRef}), one.tip());
}

TEST(SyncStore, SaysThatTheRemoteHadAStore) {
  for (const auto way : {SyncWay::kFromRemote, SyncWay::kFetchOnly, SyncWay::kBoth}) {
    const Origin origin;
    const Clone one(origin.clone("one"));
    EXPECT_EQ(one.sync(way).had, "") << "there never was one";
    one.add("1");
    one.sync();
    const Clone two(origin.clone("two"));
    two.sync(SyncWay::kFetchOnly);
    git(two.repository.root(), {"update-ref", "-d", kSyncedRef});
    origin.git({"update-ref", "-d", kSyncedRef});
    EXPECT_EQ(two.sync(way).had, "refs/tracker-remotes/origin/v1");
    EXPECT_EQ(counts(one.sync()), "0 runs, 1 run") << "whoever has it brings it back";
  }
}

// Also when its newest step is broken, as an old tracker beside git gc could leave it.
TEST(SyncStore, TakesWhatIsLostHereFromTheRemote) {
  for (const auto way : {SyncWay::kFromRemote, SyncWay::kBoth}) {
    const Origin origin;
    const Clone one(origin.clone("one"));
    one.add("1");
    one.add("2");
    one.sync();
    const auto root = one.repository.root();
    unpack_objects(root);
    const auto id = one.tip();
    fs::remove(root / ".git" / "objects" / id.substr(0, 2) / id.substr(2));
    const Clone again(root);
    again.sync(way);
    EXPECT_THAT(again.store->keys(), ElementsAre(key_of("1"), key_of("2")));
    EXPECT_EQ(git(root, {"fsck", "--connectivity-only", "--no-dangling", "--no-reflogs"}), "");
  }
}

TEST(SyncQueue, HoldsNobodyUpByWhatDoesNotGoTogether) {
  const Origin origin;
  const Clone one(origin.clone("one"));
  const Clone two(origin.clone("two"));
  const Clone three(origin.clone("three"));
  one.add("1", "{}");
  one.sync();
  two.add("1", "[]");
  put_into_queue(two);
  three.add("3");
  put_into_queue(three);
  origin.git(
      {"update-ref", "refs/tracker/queue/v1/no-commit", origin.git({"hash-object", "-w", "--stdin"}, "{}")});
  one.add("4");
  EXPECT_EQ(counts(one.sync()), "1 run, 1 run");
  EXPECT_THAT(queue_of(origin), HasSubstr(two.tip()));
  EXPECT_THAT(error_of([&] { two.sync(); }), StartsWith("4 | the two stores have different contents at"));
}

class Writers : public testing::TestWithParam<int> {};

TEST_P(Writers, LoseNothing) {
  constexpr int kRounds = 4;
  const int writers = GetParam();
  const Origin origin;
  for (int i = 0; i < writers; ++i) origin.clone(std::to_string(i));
  run_writers(writers, [&](int writer) {
    const Clone clone(origin.seed().folder() / std::to_string(writer));
    for (int round = 0; round < kRounds; ++round) {
      clone.add(std::to_string(writer) + "-" + std::to_string(round));
      clone.sync();
    }
  });
  const Clone reader(origin.clone("reader"));
  reader.sync(SyncWay::kFetchOnly);
  EXPECT_EQ(reader.store->keys().size(), static_cast<std::size_t>(writers * kRounds));
  origin.git({"fsck", "--strict"});
  EXPECT_EQ(queue_of(origin), "");
  for (int i = 0; i < writers; ++i)
    EXPECT_EQ(git(origin.seed().folder() / std::to_string(i), {"fsck", "--unreachable", "--no-progress"}), "")
        << "nothing that was overtaken stays";
}

// All of one clone, which they also write to: their fetches meet at the ref they fetch into.
TEST_P(Writers, LoseNothingInOneClone) {
  const int writers = GetParam();
  const Origin origin;
  const Clone elsewhere(origin.clone("elsewhere"));
  elsewhere.add("elsewhere");
  elsewhere.sync();
  const auto path = origin.clone("one");
  run_writers(writers, [&](int writer) {
    const Clone clone(path);
    for (const char* round : {"a", "b"}) {
      clone.add(round + std::to_string(writer));
      clone.sync();
    }
  });
  const Clone reader(origin.clone("reader"));
  reader.sync(SyncWay::kFetchOnly);
  EXPECT_EQ(reader.store->keys().size(), static_cast<std::size_t>(2 * writers + 1));
  EXPECT_EQ(git(path, {"fsck", "--unreachable", "--no-progress"}), "");
}

INSTANTIATE_TEST_SUITE_P(SyncStore, Writers, testing::Values(2, 6));

}  // namespace
}  // namespace tracker::store
