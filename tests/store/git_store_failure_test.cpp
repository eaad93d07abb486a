// What the store refuses, and what it says when the repository will not be written.
#include <chrono>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/store/key_printer.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::store {

namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kRef = "refs/tracker/v1";
const std::string kCommit = "aa00000000000000000000000000000000000001";
const Key kFirst{"gpu", kCommit, "1"};
const Key kSecond{"gpu", kCommit, "2"};

// Puts `blob` under each path into a commit on the store's ref, as a foreign hand may.
void plant(const ScratchRepository& scratch,
           const std::vector<std::pair<std::string, std::string>>& modes_and_paths, const std::string& blob) {
  const std::map<std::string, std::string> index = {
      {"GIT_INDEX_FILE", (scratch.folder() / "index").string()}};
  for (const auto& [mode, path] : modes_and_paths)
    scratch.git({"update-index", "--add", "--cacheinfo", mode + "," + blob + "," + path}, index);
  const auto tree = scratch.git({"write-tree", "--missing-ok"}, index);
  scratch.git({"update-ref", kRef, scratch.git({"commit-tree", "-m", "by hand", tree})});
}

TEST(GitStoreRefs, AreBelowRefsTrackerAlone) {
  ScratchRepository scratch;
  const auto repository = repo::Repository::open(scratch.root());
  for (const std::string ref : {"",
                                "HEAD",
                                "tracker",
                                "refs/",
                                "refs/a b",
                                "refs/../x",
                                "refs/x.lock",
                                "refs/x~1",
                                "refs/heads/main",
                                "refs/tags/v1",
                                "refs/remotes/origin/x",
                                "refs/stash",
                                "refs/HEAD",
                                "refs/replace/v1",
                                "refs/notes/commits",
                                "refs/bisect/bad",
                                "refs/perf/team-a",
                                "refs/tracker/",
                                "refs/tracker",
                                "refs/Tracker/v1",
                                "refs/tracker-aside/v1",
                                "refs/tracker/queue/v1",
                                "/etc/passwd",
                                "-x"})
    EXPECT_THAT(error_of([&] { open_git(repository, ref); }), StartsWith("2 | store ref '" + ref + "' "))
        << ref;
  for (const std::string ref : {"refs/tracker/v1", "refs/tracker/perf/team-a"})
    EXPECT_EQ(error_of([&] { open_git(repository, ref); }), "no error") << ref;
}

TEST(GitStoreKeys, AreRefusedWhenHostile) {
  ScratchRepository scratch;
  const auto repository = repo::Repository::open(scratch.root());
  const auto store = open_git(repository, kRef);
  const std::vector<std::pair<Key, std::string>> rows = {
      {{"", kCommit, "1"}, "device ''"},
      {{"..", kCommit, "1"}, "device '..'"},
      {{".git", kCommit, "1"}, "device '.git'"},
      {{"-gpu", kCommit, "1"}, "device '-gpu'"},
      {{"GPU", kCommit, "1"}, "device 'GPU'"},
      {{"a/b", kCommit, "1"}, "device 'a/b'"},
      {{"a b", kCommit, "1"}, "device 'a b'"},
      {{"a\n", kCommit, "1"}, "device 'a '"},
      {{std::string(300, 'a'), kCommit, "1"}, "device 'aaa"},
      {{"gpu", "", "1"}, "commit ''"},
      {{"gpu", kCommit.substr(1), "1"}, "commit '"},
      {{"gpu", "AA" + kCommit.substr(2), "1"}, "commit 'AA"},
      {{"gpu", "../" + kCommit.substr(3), "1"}, "commit '../"},
      {{"gpu", kCommit, ""}, "run id ''"},
      {{"gpu", kCommit, "../1"}, "run id '../1'"},
      {{"gpu", kCommit, "1.json"}, "run id '1.json'"},
      {{"gpu", kCommit, "-1"}, "run id '-1'"},
      {{"gpu", kCommit, "1\n"}, "run id '1 '"},
  };
  for (const auto& [key, message] : rows) {
    EXPECT_THAT(error_of([&, &bad = key] {
                  store->add({{kFirst, "{}"}, {bad, "{}"}});
                }),
                AllOf(StartsWith("2 | " + message), HasSubstr("is not allowed")));
    EXPECT_THAT(error_of([&, &bad = key] { store->read(bad); }), StartsWith("2 | " + message));
  }
  EXPECT_TRUE(store->keys().empty());
}

TEST(GitStoreTree, PassesOverWhatIsNotOurs) {
  ScratchRepository scratch;
  const auto blob = scratch.git({"hash-object", "-w", "--stdin"}, {}, "{}");
  const auto runs = "gpu/aa/" + kCommit + "/";
  plant(scratch,
        {{"100644", runs + "1.json"},
         {"100644", "README"},
         {"100644", "gpu/README.json"},
         {"100644", "gpu/aa/notes.json"},
         {"100644", "Gpu/aa/" + kCommit + "/1.json"},
         {"100644", "gpu/ab/" + kCommit + "/1.json"},
         {"100644", "gpu/aa/short/1.json"},
         {"100644", "-x/aa/" + kCommit + "/1.json"},
         {"100644", runs + "1.txt"},
         {"100644", runs + ".json"},
         {"100644", runs + "a b.json"},
         {"100644", runs + "folder.json/1.json"},
         {"120000", runs + "link.json"},
         {"160000", runs + "submodule.json"},
         {"160000", "submodule"},
         {"100644", "file"}},
        blob);
  const auto repository = repo::Repository::open(scratch.root());
  const auto store = open_git(repository, kRef);
  EXPECT_THAT(store->keys(), ElementsAre(kFirst));
  EXPECT_THAT(store->keys_of(kCommit), ElementsAre(kFirst));
  for (const std::string id : {"link", "submodule", "folder", "3"})
    EXPECT_THAT(error_of([&] {
                  store->read({"gpu", kCommit, id});
                }),
                StartsWith("4 | there is no run 'gpu/aa/" + kCommit + "/" + id + ".json'"));
  store->add({{kSecond, "{}"}});
  EXPECT_THAT(store->keys(), ElementsAre(kFirst, kSecond));
  EXPECT_EQ(scratch.git({"show", kRef + ":README"}), "{}") << "what is not ours stays";
  // A file where a folder must be is in the way, and is not removed.
  EXPECT_THAT(error_of([&] {
                store->add({{{"file", kCommit, "1"}, "{}"}});
              }),
              StartsWith("4 | cannot write to"));
  EXPECT_THAT(error_of([&] {
                store->add({{{"gpu", kCommit, "link"}, "other"}});
              }),
              HasSubstr("is already recorded, with other contents"));
}

TEST(GitStoreTree, RefusesARunThatIsTooLarge) {
  ScratchRepository scratch;
  const auto file = scratch.folder() / "large";
  write_file(file, "");
  fs::resize_file(file, (256u << 20) + 1);
  plant(scratch, {{"100644", "gpu/aa/" + kCommit + "/1.json"}},
        scratch.git({"hash-object", "-w", file.string()}));
  const auto repository = repo::Repository::open(scratch.root());
  const auto store = open_git(repository, kRef);
  EXPECT_THAT(error_of([&] { store->read(kFirst); }), HasSubstr("has 268435457 bytes, more than 268435456"));
  EXPECT_THAT(error_of([&] {
                store->add({{kSecond, std::string((256u << 20) + 1, ' ')}});
              }),
              StartsWith("2 | run '2' has 268435457 bytes"));
}

TEST(GitStoreRefs, MustHoldCommits) {
  ScratchRepository scratch;
  scratch.git({"update-ref", kRef, scratch.git({"hash-object", "-w", "--stdin"}, {}, "{}")});
  scratch.commit("a", "1");
  scratch.git({"symbolic-ref", "refs/tracker/alias", "refs/heads/main"});
  const auto repository = repo::Repository::open(scratch.root());
  for (const auto& ref : std::vector<std::string>{kRef, "refs/tracker/alias"}) {
    const auto store = open_git(repository, ref);
    EXPECT_THAT(error_of([&] { store->keys(); }), HasSubstr("is not a store of runs"));
    EXPECT_THAT(error_of([&] { store->add({{kFirst, "{}"}}); }), HasSubstr("is not a store of runs"));
  }
}

// A repository with one run, which each failing write must leave as it was.
struct Recorded : ScratchRepository {
  repo::Repository repository = repo::Repository::open(root());
  std::unique_ptr<Store> store = open_git(repository, kRef);
  Recorded() { store->add({{kFirst, "{}"}}); }
  std::string failure() const {
    return error_of([&] { store->add({{kSecond, "{\"other\": 1}"}}); });
  }
};

TEST(GitStoreWriting, SaysThatTheRepositoryIsReadOnly) {
  Recorded recorded;
  for (const auto& file : fs::recursive_directory_iterator(recorded.git_folder()))
    fs::permissions(file.path(), fs::perms(0222), fs::perm_options::remove);
  EXPECT_THAT(
      in_child_bound_by_permissions([&] { return recorded.failure(); }),
      AllOf(StartsWith("4 | cannot write to '" + (recorded.git_folder() / "objects").string() + "': "),
            HasSubstr("Permission denied"), HasSubstr("nothing was recorded")));
  EXPECT_THAT(in_child_bound_by_permissions([&] { return recorded.store->read(kFirst); }), "{}");
  EXPECT_THAT(recorded.store->keys(), ElementsAre(kFirst));
  for (const auto& file : fs::recursive_directory_iterator(recorded.git_folder()))
    fs::permissions(file.path(), fs::perms(0755), fs::perm_options::add);
}

// A limit on file sizes refuses the write itself, as a full disk does.
TEST(GitStoreWriting, SaysThatNothingCanBeWritten) {
  Recorded recorded;
  EXPECT_THAT(
      in_child([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit none{0, 0};
        if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return std::string("no limit set");
        return recorded.failure();
      }),
      AllOf(StartsWith("4 | cannot write to"), HasSubstr("File too large"), HasSubstr("the disk has room")));
  EXPECT_THAT(recorded.store->keys(), ElementsAre(kFirst));
  recorded.git({"fsck", "--strict"});
}

// What zlib's checksum cannot see: a whole object in the place of another.
TEST(GitStoreReading, HashesWhatItReadsOnlyWhereAStoreIsChecked) {
  Recorded recorded;
  recorded.store->add({{kSecond, "{\"other\": 1}"}});
  recorded.unpack();
  const auto object_of = [&](const Key& key) {
    const std::string id = recorded.git({"rev-parse", kRef + ":" + path_of(key)});
    return recorded.git_folder() / "objects" / id.substr(0, 2) / id.substr(2);
  };
  fs::permissions(object_of(kFirst), fs::perms(0644));
  fs::copy_file(object_of(kSecond), object_of(kFirst), fs::copy_options::overwrite_existing);
  const repo::Repository repository = repo::Repository::open(recorded.root());
  const auto store = open_git(repository, kRef);
  EXPECT_THAT(error_of([&] {
                const HashedReads hashed;
                store->read(kFirst);
              }),
              HasSubstr("cannot read"));
  EXPECT_EQ(store->read(kFirst), "{\"other\": 1}");
}

TEST(GitStoreWriting, SaysThatALockWasLeftBehind) {
  Recorded recorded;
  const auto lock = recorded.git_folder() / "refs/tracker/v1.lock";
  write_file(lock, "");
  EXPECT_THAT(recorded.failure(), AllOf(StartsWith("4 | cannot write to"), HasSubstr("left its lock behind"),
                                        HasSubstr("remove '" + lock.string() + "'")));
  fs::remove(lock);
  EXPECT_EQ(recorded.failure(), "no error");
  EXPECT_THAT(recorded.store->keys(), ElementsAre(kFirst, kSecond));
}

// By its lock, whatever wrote it.
TEST(GitStoreWriting, RemovesALockThatNoProcessNeedsSoLong) {
  Recorded recorded;
  const auto lock = recorded.git_folder() / "refs/tracker/v1.lock";
  write_file(lock, "");
  fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::minutes(11));
  EXPECT_EQ(recorded.failure(), "no error");
  EXPECT_FALSE(fs::exists(lock));
}

TEST(GitStoreWriting, TakesOverTheLockOfAKilledWriter) {
  Recorded recorded;
  const auto lock = recorded.git_folder() / "refs/tracker/v1.lock";
  write_file(lock, "");
  write_file(recorded.git_folder() / "tracker" / "turn", kRef);  // as a killed process leaves it
  EXPECT_EQ(recorded.failure(), "no error");
  EXPECT_FALSE(fs::exists(lock));
  write_file(lock, "");
  EXPECT_THAT(error_of([&] {
                recorded.store->add({{{"gpu", kCommit, "3"}, "{}"}});
              }),
              HasSubstr("left its lock behind"))
      << "no writer of ours was killed since";
}

// Objects of the newest step are gone, one of each kind in turn.
TEST(GitStoreBroken, StepsBackOverWhatIsLost) {
  for (const auto& lost : std::vector<std::string>{"", "^{tree}", ":gpu", ":gpu/aa/" + kCommit,
                                                   ":gpu/aa/" + kCommit + "/2.json"}) {
    Recorded recorded;
    const auto before = recorded.git({"rev-parse", kRef});
    ASSERT_EQ(recorded.failure(), "no error");
    const auto broken = recorded.git({"rev-parse", kRef});
    recorded.unpack();
    const auto id = recorded.git({"rev-parse", kRef + lost});
    fs::remove(recorded.git_folder() / "objects" / id.substr(0, 2) / id.substr(2));
    const repo::Repository repository = repo::Repository::open(recorded.root());
    const auto store = open_git(repository, kRef);
    EXPECT_THAT(store->keys(), ElementsAre(kFirst)) << lost;
    ASSERT_TRUE(store->lost_step()) << lost;
    EXPECT_THAT(store->lost_step()->what,
                AllOf(HasSubstr(broken.substr(0, 10)), HasSubstr(before.substr(0, 10))));
    EXPECT_EQ(recorded.git({"rev-parse", kRef}), broken) << "who reads changes nothing";
    store->add({{kSecond, "{\"other\": 1}"}});  // what was measured, recorded again
    EXPECT_FALSE(store->lost_step()) << lost;
    EXPECT_THAT(store->keys(), ElementsAre(kFirst, kSecond)) << lost;
    EXPECT_EQ(store->read(kSecond), "{\"other\": 1}");
    EXPECT_EQ(recorded.git({"fsck", "--connectivity-only", "--no-dangling", "--no-reflogs"}), "") << lost;
  }
}

TEST(GitStoreBroken, SaysWhatToDoWhereNothingIsLeft) {
  Recorded recorded;
  recorded.unpack();
  const auto id = recorded.git({"rev-parse", kRef});
  fs::remove(recorded.git_folder() / "objects" / id.substr(0, 2) / id.substr(2));
  const repo::Repository repository = repo::Repository::open(recorded.root());
  const auto store = open_git(repository, kRef);
  EXPECT_THAT(error_of([&] { store->keys(); }),
              AllOf(StartsWith("4 | 'refs/tracker/v1' in"), HasSubstr("is broken"),
                    HasSubstr("sync --from-remote"), HasSubstr("git update-ref -d refs/tracker/v1")));
}

}  // namespace
}  // namespace tracker::store
