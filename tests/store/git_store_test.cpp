// What the store keeps, for whom, and in which order.

#include "tracker/store/git_store.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/store/key_printer.hpp"
#include "tests/store/writers.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/base/lease.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker::store {
namespace {

using namespace testing_support;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kStoreRef = "refs/tracker/v1";
const std::string kCommitA = "aa00000000000000000000000000000000000001";
const std::string kCommitB = "bb00000000000000000000000000000000000002";

struct Opened {
  repo::Repository repository;
  std::unique_ptr<Store> store;
  explicit Opened(const fs::path& path, const std::string& ref = kStoreRef)
      : repository(repo::Repository::open(path)), store(open_git(repository, ref)) {}
  Store* operator->() const { return store.get(); }
};

TEST(GitStore, StartsEmptyAndWithoutARef) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  EXPECT_THAT(store->keys(), IsEmpty());
  EXPECT_THAT(store->keys_of(kCommitA), IsEmpty());
  store->add({});
  EXPECT_EQ(scratch.git({"for-each-ref"}), "");
  EXPECT_EQ(store->describe(), kStoreRef);
}

// TRACKER_GC_RECORDS sets how many are recorded beside each; a long run finds what a short one misses.
TEST(GitStore, LosesNothingBesideGitGc) {
  const char* asked = std::getenv("TRACKER_GC_RECORDS");
  const int count = asked != nullptr ? std::stoi(asked) : 25;
  for (const std::vector<std::string>& beside :
       std::vector<std::vector<std::string>>{{"gc", "--prune=now", "--quiet"},
                                             {"repack", "-adq"},
                                             {"prune", "--expire=now"},
                                             {"maintenance", "run", "--quiet", "--task=gc"}}) {
    ScratchRepository scratch;
    scratch.commit("a.txt", "a\n");
    scratch.git({"config", "gc.pruneExpire", "now"});
    std::atomic<bool> done = false;
    std::atomic<int> runs = 0;
    std::thread cleaner([&] {
      for (; !done; ++runs) {
        try {
          scratch.git(beside);
        } catch (const std::exception&) {  // a ref may move while git looks at it
        }
      }
    });
    std::string failure = "no error";
    for (int i = 0; i < count && failure == "no error"; ++i)
      failure = error_of([&] {
        Opened(scratch.root())
            ->add({{{"gpu", kCommitA, std::to_string(i)}, "document " + std::to_string(i)}});
      });
    done = true;
    cleaner.join();
    EXPECT_EQ(failure, "no error") << beside[0];
    EXPECT_GT(runs, 0);
    scratch.git({"gc", "--prune=now", "--quiet"});
    EXPECT_EQ(scratch.git({"fsck", "--connectivity-only", "--no-dangling"}), "") << beside[0];
    const Opened store(scratch.root());
    const auto keys = store->keys();
    EXPECT_EQ(keys.size(), static_cast<std::size_t>(count)) << beside[0];
    for (const auto& key : keys) EXPECT_EQ(store->read(key), "document " + key.id) << beside[0];
    EXPECT_EQ(scratch.git({"log", "-g", "--format=%H", "-1", kStoreRef}),
              scratch.git({"rev-parse", kStoreRef}));
    for (const auto& file : fs::recursive_directory_iterator(scratch.git_folder() / "objects"))
      EXPECT_THAT(file.path().filename().string(), Not(AnyOf(EndsWith(".keep"), HasSubstr("tracker-new"))));
  }
}

TEST(GitStore, LeavesFewPacksAndNoLooseObjects) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  constexpr int kAdds = 110;
  for (int i = 0; i < kAdds; ++i) store->add({{{"gpu", kCommitA, std::to_string(i)}, std::to_string(i)}});
  int packs = 0;
  for (const auto& file : fs::directory_iterator(scratch.git_folder() / "objects" / "pack"))
    packs += file.path().extension() == ".pack" ? 1 : 0;
  EXPECT_LE(packs, 51);
  EXPECT_THAT(scratch.git({"count-objects"}), StartsWith("0 objects"));
  EXPECT_EQ(Opened(scratch.root())->keys().size(), std::size_t{kAdds});
  EXPECT_EQ(scratch.git({"fsck", "--unreachable", "--no-progress"}), "");
}

// As a process leaves them that is killed before the ref has moved, or before it cleans up.
TEST(GitStore, RemovesWhatKilledWritersLeft) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  store->add({{{"gpu", kCommitA, "1"}, "{}"}});
  const auto objects = scratch.git_folder() / "objects";
  write_file(objects / "tracker-new-killed" / "lock", "");
  write_file(objects / "tracker-new-killed" / "pack-1.pack", "half");
  write_file(objects / "pack" / "pack-1.keep", "tracker-new-killed\n");
  write_file(objects / "pack" / "pack-2.keep", "kept by its user\n");
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  constexpr int kNoProcess = 99999999;  // more than Linux gives
  const auto by_fetch = [&](long process) {
    return "fetch-pack " + std::to_string(process) + " on " + host + "\n";
  };
  write_file(objects / "pack" / "pack-4.keep", by_fetch(kNoProcess));
  write_file(objects / "pack" / "pack-5.keep", by_fetch(::getpid()));
  const AdvisoryLock living(
      (write_file(objects / "tracker-new-alive" / "lock", ""), objects / "tracker-new-alive" / "lock"),
      std::chrono::milliseconds(0));
  write_file(objects / "pack" / "pack-3.keep", "tracker-new-alive\n");
  store->add({{{"gpu", kCommitA, "2"}, "{}"}});
  EXPECT_FALSE(fs::exists(objects / "tracker-new-killed"));
  EXPECT_FALSE(fs::exists(objects / "pack" / "pack-1.keep"));
  EXPECT_TRUE(fs::exists(objects / "pack" / "pack-2.keep"));
  EXPECT_FALSE(fs::exists(objects / "pack" / "pack-4.keep"));
  EXPECT_TRUE(fs::exists(objects / "pack" / "pack-5.keep"));
  EXPECT_TRUE(fs::exists(objects / "tracker-new-alive"));
  EXPECT_TRUE(fs::exists(objects / "pack" / "pack-3.keep"));
}

// Of two who unite the same runs, which makes the same commit: one moves the ref, the other one finds it
// there.
TEST(GitStore, RemovesNoPackOfAnotherWriter) {
  ScratchRepository scratch;
  Opened(scratch.root())->add({{{"gpu", kCommitA, "1"}, "{}"}});
  const auto repository = repo::Repository::open(scratch.root());
  const Ref one(repository, kStoreRef);
  const Ref two(repository, kStoreRef);
  const Tip before = one.tip();
  {
    const Quarantine quarantine(repository);
    git_repository* const git = quarantine.repository().handle();
    git_oid text{};
    ASSERT_EQ(git_blob_create_from_buffer(&text, git, "[]", 2), 0);
    const auto made = commit_files(git, before.tree.get(), before.commit.get(),
                                   {{"gpu/aa/" + kCommitA + "/2.json", text}}, "the same");
    ASSERT_TRUE(made);
    for (const auto* writer : {&one, &two})
      writer->take(std::make_unique<KeptPack>(quarantine.repository(), *made, before.id));
    two.update([&](const Tip& now) { return two.move(now, *made); });
    one.update([](const Tip&) { return true; });
  }
  EXPECT_EQ(Opened(scratch.root())->read({"gpu", kCommitA, "2"}), "[]");
  EXPECT_EQ(scratch.git({"fsck", "--unreachable", "--no-progress"}), "");
}

// Objects that are there already, loose, and that no ref holds: git removes those first.
TEST(GitStore, KeepsWhatWasLooseBefore) {
  ScratchRepository scratch;
  scratch.git({"hash-object", "-w", "--stdin"}, {}, "text");
  const Opened store(scratch.root());
  store->add({{{"gpu", kCommitA, "1"}, "text"}});
  const auto id = scratch.git({"rev-parse", std::string(kStoreRef) + ":gpu/aa/" + kCommitA + "/1.json"});
  fs::remove(scratch.git_folder() / "objects" / id.substr(0, 2) / id.substr(2));
  EXPECT_EQ(Opened(scratch.root())->read({"gpu", kCommitA, "1"}), "text");
}

TEST(GitStore, GivesBackWhatWasAdded) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  const Key key{"nvidia-h200", kCommitA, "20261120T124901Z-3f9a0c1e"};
  const std::string text = std::string("{\"name\": \"µ\\u0000\"}\r\n\0tail", 27);
  store->add({{key, text}});
  EXPECT_EQ(store->read(key), text);
  EXPECT_EQ(scratch.git({"ls-tree", "-r", "--name-only", kStoreRef}),
            "nvidia-h200/aa/" + kCommitA + "/20261120T124901Z-3f9a0c1e.json");
  EXPECT_EQ(scratch.git({"branch", "--list"}) + scratch.git({"status", "--porcelain"}), "");
  scratch.git({"fsck", "--strict"});
}

TEST(GitStore, ProfilesLieBesideRunsAndAreNone) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  const Key run{"gpu", kCommitA, "1"};
  const Key profile{"gpu", kCommitA, "1", DocumentKind::kProfile};
  const Key other{"cpu", kCommitA, "2", DocumentKind::kProfile};
  store->add({{run, "{}"}});
  store->add({{profile, "[1]"}, {other, "[2]"}});
  EXPECT_EQ(scratch.git({"log", "-1", "--format=%s", kStoreRef}),
            "record 2 profiles of aa00000000 on 2 devices");
  EXPECT_THAT(scratch.git({"ls-tree", "-r", "--name-only", kStoreRef}),
              testing::HasSubstr("gpu/aa/" + kCommitA + "/1.profile.json"));
  EXPECT_THAT(store->keys(), ElementsAre(run));
  EXPECT_THAT(store->keys_of(kCommitA), ElementsAre(run));
  EXPECT_THAT(store->profile_keys_of(kCommitA), ElementsAre(other, profile));
  EXPECT_THAT(store->profile_keys_of(kCommitB), IsEmpty());
  EXPECT_EQ(store->read(profile), "[1]");
  EXPECT_EQ(store->read(run), "{}");
  EXPECT_THAT(error_of([&] {
                store->add({{profile, "[3]"}});
              }),
              StartsWith("2 | profile 'gpu/aa/" + kCommitA + "/1.profile.json' is already recorded"));
}

TEST(GitStore, SaysInTheCommitWhatWasRecorded) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  const auto last = [&](const char* format) {
    return scratch.git({"log", "-1", std::string("--format=") + format, kStoreRef});
  };
  store->add({{{"gpu", kCommitA, "1"}, "{}"}});
  EXPECT_EQ(last("%an <%ae> %cn <%ce>"), "tracker <tracker@localhost> tracker <tracker@localhost>");
  EXPECT_EQ(last("%s"), "record 1 run of aa00000000 on gpu");
  store->add(
      {{{"gpu", kCommitA, "1"}, "{}"}, {{"gpu", kCommitA, "2"}, "{}"}, {{"gpu", kCommitA, "3"}, "{}"}});
  EXPECT_EQ(last("%s"), "record 2 runs of aa00000000 on gpu");
  scratch.git({"config", "user.name", "Dora"});
  scratch.git({"config", "user.email", "dora@example"});
  store->add({{{"gpu", kCommitB, "1"}, "{}"}, {{"cpu", kCommitA, "1"}, "{}"}});
  EXPECT_EQ(last("%s"), "record 2 runs of 2 commits on 2 devices");
  EXPECT_EQ(last("%an <%ae> %cn <%ce>"), "Dora <dora@example> Dora <dora@example>");
  EXPECT_EQ(scratch.git({"rev-list", "--count", kStoreRef}), "3");
}

TEST(GitStore, SeesWhatOthersWriteMeanwhile) {
  ScratchRepository scratch;
  scratch.commit("a", "1");
  const auto linked = scratch.folder() / "linked";
  scratch.git({"worktree", "add", "--quiet", "--detach", linked.string()});
  const Opened mine(scratch.root());
  const Opened theirs(linked);
  const Key first{"gpu", kCommitA, "1"};
  const Key second{"gpu", kCommitA, "2"};
  const Key third{"gpu", kCommitB, "1"};
  mine->add({{first, "{}"}});
  theirs->add({{second, "{}"}});
  mine->add({{third, "{}"}});
  for (const auto* store : {&mine, &theirs}) {
    EXPECT_THAT((*store)->keys(), ElementsAre(first, second, third));
    EXPECT_EQ((*store)->read(second), "{}");
  }
  EXPECT_THAT(error_of([&] { theirs->add({{third, "other"}}); }), HasSubstr("is already recorded"));
}

constexpr int kWriters = 6;

TEST(GitStore, LosesNothingBetweenManyWriters) {
  constexpr int kAdds = 50;
  ScratchRepository scratch;
  run_writers(kWriters, [&](int writer) {
    const Opened store(scratch.root());
    for (int i = 0; i < kAdds; ++i)
      store->add({{{"gpu-" + std::to_string(i % 3), i % 2 == 0 ? kCommitA : kCommitB,
                    std::to_string(writer) + "-" + std::to_string(i)},
                   "{\"writer\": " + std::to_string(writer) + "}"}});
  });
  const Opened store(scratch.root());
  EXPECT_EQ(store->keys().size(), std::size_t{kWriters * kAdds});
  EXPECT_EQ(scratch.git({"rev-list", "--count", kStoreRef}), std::to_string(kWriters * kAdds));
  scratch.git({"fsck", "--strict"});
  EXPECT_EQ(scratch.git({"fsck", "--unreachable", "--no-progress"}), "") << "nobody writes in vain";
}

// All begin at once on a ref that does not exist yet, again and again: one that looks before it locks
// loses runs in about one round of 250 on two cores.
TEST(GitStore, LosesNothingBetweenFirstWriters) {
  constexpr int kRounds = 150;
  ScratchRepository scratch;
  void* shared =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* ready = new (shared) std::atomic<int>(0);
  const auto ref = [](int round) { return "refs/tracker/round-" + std::to_string(round); };
  run_writers(kWriters, [&](int writer) {
    for (int round = 0; round < kRounds; ++round) {
      const Opened store(scratch.root(), ref(round));
      for (++*ready; *ready < (round + 1) * kWriters;) std::this_thread::yield();
      store->add({{{"gpu", kCommitA, std::to_string(writer)}, "{}"}});
    }
  });
  ::munmap(shared, sizeof(std::atomic<int>));
  for (int round = 0; round < kRounds; ++round)
    EXPECT_EQ(Opened(scratch.root(), ref(round))->keys().size(), std::size_t{kWriters}) << ref(round);
}

TEST(GitStore, SurvivesGarbageCollection) {
  ScratchRepository scratch;
  const Opened before(scratch.root());
  const Key first{"gpu", kCommitA, "1"};
  const Key second{"gpu", kCommitA, "2"};
  before->add({{first, "first"}});
  scratch.git({"gc", "--quiet", "--prune=now"});
  ASSERT_FALSE(fs::exists(scratch.git_folder() / kStoreRef)) << "the ref is packed now";
  EXPECT_EQ(before->read(first), "first");
  before->add({{second, "second"}});
  scratch.git({"gc", "--quiet", "--prune=now"});
  for (const auto& store : {Opened(scratch.root())}) {
    EXPECT_THAT(store->keys(), ElementsAre(first, second));
    EXPECT_EQ(store->read(first) + store->read(second), "firstsecond");
  }
  EXPECT_THAT(before->keys(), ElementsAre(first, second));
}

// By its tree: what made it is of no matter.
TEST(GitStore, KnowsItsVersionByWhatItHas) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  const Key first{"gpu", kCommitA, "1"};
  const Key second{"gpu", kCommitB, "2"};
  store->add({{first, "{}"}});
  const auto before = scratch.git({"rev-parse", kStoreRef});
  const auto version = store->version();
  EXPECT_EQ(version, scratch.git({"rev-parse", std::string(kStoreRef) + "^{tree}"}));
  store->add({{second, "{}"}});
  const auto later = store->version();
  scratch.git({"update-ref", kStoreRef, before});
  EXPECT_EQ(store->version(), version);
  EXPECT_THAT(store->changes_since(later).value().dropped, ElementsAre(second)) << "someone took it away";
  scratch.git({"reflog", "expire", "--expire=now", "--all"});
  scratch.git({"gc", "--quiet", "--prune=now"});
  EXPECT_FALSE(Opened(scratch.root())->changes_since(later)) << "the tree is gone";
}

TEST(GitStore, TellsOfATextThatSomeoneReplaced) {
  ScratchRepository scratch;
  const Opened store(scratch.root());
  const Key first{"gpu", kCommitA, "1"};
  store->add({{first, "{}"}, {{"gpu", kCommitA, "2"}, "{}"}});
  const auto version = store->version();
  scratch.git({"update-ref", "-d", kStoreRef});
  store->add({{first, "[]"}, {{"gpu", kCommitA, "2"}, "{}"}});
  const auto changes = store->changes_since(version).value();
  EXPECT_THAT(changes.added, ElementsAre(first));
  EXPECT_THAT(changes.dropped, ElementsAre(first));
}

// With the runs of another commit gone from the disk, those of this one can still be listed.
TEST(GitStore, ReadsOnlyTheCommitAskedFor) {
  ScratchRepository scratch;
  { Opened(scratch.root())->add({{{"gpu", kCommitA, "1"}, "{}"}, {{"gpu", kCommitB, "1"}, "{}"}}); }
  scratch.unpack();
  const auto tree = scratch.git({"rev-parse", std::string(kStoreRef) + ":gpu/bb"});
  fs::remove(scratch.git_folder() / "objects" / tree.substr(0, 2) / tree.substr(2));
  const Opened store(scratch.root());
  EXPECT_THAT(store->keys_of(kCommitA), ElementsAre(Key{"gpu", kCommitA, "1"}));
  EXPECT_THAT(error_of([&] { store->keys(); }), StartsWith("4 | cannot read folder 'gpu/bb' of the store: "));
}

using namespace testing_support;
using ::testing::ElementsAre;
using ::testing::EndsWith;

const std::string kSizedCommit = "aa00000000000000000000000000000000000001";

class GitSizes : public ::testing::Test {
 protected:
  ScratchRepository scratch_;
  repo::Repository repository_ = repo::Repository::open(scratch_.root());
  std::unique_ptr<Store> store_ = open_git(repository_, "refs/tracker/v1");
};

TEST_F(GitSizes, CountsEveryDocumentsText) {
  EXPECT_EQ(git_document_sizes(repository_, "refs/tracker/v1").sizes.runs, 0u) << "there is no ref";
  store_->add({{{"gpu", kSizedCommit, "1"}, std::string(1000, ' ')},
               {{"gpu", kSizedCommit, "2"}, std::string(234, 'x')},
               {{"gpu", kSizedCommit, "1", DocumentKind::kProfile}, "{}"}});
  store_->drop({"gpu", kSizedCommit, "2"}, "a long reason that is no document");
  const auto found = git_document_sizes(repository_, "refs/tracker/v1");
  EXPECT_EQ(found.sizes.runs, 2u) << "dropped, and there";
  EXPECT_EQ(found.sizes.run_bytes, 1234u);
  EXPECT_EQ(found.sizes.others, 1u);
  EXPECT_EQ(found.sizes.other_bytes, 2u);
  EXPECT_EQ(found.sizes.not_here, 0u);
}

// Packed, also as a difference from another document, and with one of them taken away.
TEST_F(GitSizes, ReadsSizesOutOfPacksAndNamesWhatIsAway) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919) + "\n";
  store_->add({{{"gpu", kSizedCommit, "1"}, text}, {{"gpu", kSizedCommit, "2"}, text + "more"}});
  scratch_.git({"repack", "-adfq"});
  const auto packed = git_document_sizes(repository_, "refs/tracker/v1");
  EXPECT_EQ(packed.sizes.run_bytes, 2 * text.size() + 4);
  store_->add({{{"gpu", kSizedCommit, "3"}, "loose"}});
  store_->add({{{"gpu", kSizedCommit, "4"}, "newest"}});
  scratch_.unpack();
  const auto id = scratch_.git({"hash-object", "--stdin"}, {}, "loose");
  fs::remove(scratch_.git_folder() / "objects" / id.substr(0, 2) / id.substr(2));
  const auto without = git_document_sizes(repo::Repository::open(scratch_.root()), "refs/tracker/v1");
  EXPECT_EQ(without.sizes.runs, 3u);
  EXPECT_EQ(without.sizes.not_here, 1u);
  EXPECT_THAT(without.not_here, ElementsAre(EndsWith("/3.json")));
}

TEST_F(GitSizes, SaysWhatGitHasOnDisk) {
  store_->add({{{"gpu", kSizedCommit, "1"}, "{}"}});
  EXPECT_EQ(git_disk(repository_).packs, 1u);
  scratch_.unpack();
  const auto loose = git_disk(repository_);
  EXPECT_EQ(loose.loose_objects, 6u) << "a blob, four folders, a commit";
  EXPECT_GT(loose.loose_bytes, 0u);
  EXPECT_EQ(loose.packs, 0u);
  scratch_.git({"repack", "-adq"});
  const auto packed = git_disk(repository_);
  EXPECT_EQ(packed.packed_objects, loose.loose_objects);
  EXPECT_EQ(packed.packs, 1u);
  EXPECT_GT(packed.packed_bytes, 0u);
}

TEST(CompressedBytes, AreThoseOfZlib) {
  EXPECT_LT(compressed_bytes(std::string(1u << 20, 'x')), 2000u);
  std::string random;  // which nothing makes smaller
  std::uint32_t state = 1;
  for (int i = 0; i < 10000; ++i) random += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  EXPECT_NEAR(static_cast<double>(compressed_bytes(random)), 10000, 40);
  EXPECT_LT(compressed_bytes(""), 20u);
}

}  // namespace

}  // namespace tracker::store
