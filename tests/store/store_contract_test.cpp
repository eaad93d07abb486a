#include "tests/store/store_contract.hpp"

#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/store/key_printer.hpp"
#include "tests/store/writers.hpp"
#include "tests/support/scratch_repository.hpp"

namespace tracker::testing_support {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kA = "aa00000000000000000000000000000000000001";
const std::string kB = "bb00000000000000000000000000000000000002";
constexpr auto kProfile = store::DocumentKind::kProfile;

std::vector<std::pair<store::Key, std::string>> with_text(const std::vector<store::Key>& keys,
                                                          const std::string& text = "{}") {
  std::vector<std::pair<store::Key, std::string>> documents;
  documents.reserve(keys.size());
  for (const auto& key : keys) documents.emplace_back(key, text);
  return documents;
}

store::KeyChanges changes(const store::Store& store, const std::string& version) {
  const auto found = store.changes_since(version);
  EXPECT_TRUE(found) << "version '" << version << "' is not known";
  return found.value_or(store::KeyChanges{});
}

TEST_P(StoreContract, StartsEmpty) {
  EXPECT_THAT(store().keys(), IsEmpty());
  EXPECT_THAT(store().keys_on("gpu"), IsEmpty());
  EXPECT_THAT(store().keys_of(kA), IsEmpty());
  EXPECT_THAT(store().profile_keys_of(kA), IsEmpty());
  EXPECT_THAT(store().newest("gpu", 5, ""), IsEmpty());
  EXPECT_THAT(store().devices(), IsEmpty());
  EXPECT_THAT(store().files(), IsEmpty());
  EXPECT_EQ(store().run_count(), 0u);
  EXPECT_EQ(store().version(), "");
  EXPECT_THAT(changes(store(), "").added, IsEmpty());
  store().add({});
  EXPECT_EQ(store().version(), "");
  EXPECT_NE(store().describe(), "");
}

TEST_P(StoreContract, GivesBackEveryByte) {
  std::string every_byte;
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
  const std::vector<std::pair<store::Key, std::string>> documents = {
      {{"nvidia-h200-140gib-700w", kA, "20261120T124901Z-3f9a0c1e"}, "{\"name\": \"µ\"}\r\n" + every_byte},
      {{"nvidia-h200-140gib-700w", kA, "20261120T124901Z-3f9a0c1e", kProfile}, ""},
      {{"x.y-z", kB, std::string(100, 'z')}, std::string(3'000'000, 'x') + every_byte}};
  store().add(documents);
  const auto again = home().open();
  for (const auto& [key, text] : documents) {
    EXPECT_TRUE(again->read(key) == text) << store::path_of(key);
    EXPECT_TRUE(again->read_file(store::path_of(key)) == text) << store::path_of(key);
  }
}

TEST_P(StoreContract, TakesManyDocumentsInOneStep) {
  std::vector<std::pair<store::Key, std::string>> documents;
  for (int i = 0; i < 100; ++i)
    documents.emplace_back(store::Key{"gpu", kA, std::to_string(i)},
                           std::string(1000, 'x') + std::to_string(i));
  store().add({documents[3], documents[70]});
  store().add(documents);
  EXPECT_EQ(store().run_count(), 100u);
  for (const auto& [key, text] : documents) EXPECT_EQ(store().read(key), text);
  auto other = documents;
  other.emplace_back(store::Key{"gpu", kA, "new"}, "{}");
  other[50].second = "another";
  EXPECT_THAT(error_of([&] { store().add(other); }), HasSubstr("is already recorded, with other contents"));
  EXPECT_EQ(store().run_count(), 100u);
}

TEST_P(StoreContract, ListsInOrder) {
  // Not the order of the paths ("gpu-b/" before "gpu/"), nor of a language ("1-x" after "1", "B" before "a").
  const std::vector<store::Key> keys = {{"cpu", kB, "2"},   {"gpu", kA, "1"},   {"gpu", kA, "1-x"},
                                        {"gpu", kA, "B"},   {"gpu", kA, "a"},   {"gpu", kB, "1"},
                                        {"gpu-b", kA, "1"}, {"gpu.c", kA, "1"}, {"gpu1", kA, "1"}};
  store().add(with_text({keys.rbegin(), keys.rend()}));
  EXPECT_EQ(store().keys(), keys);
  EXPECT_EQ(store().keys_on("gpu"), std::vector<store::Key>(keys.begin() + 1, keys.begin() + 6));
  EXPECT_THAT(store().keys_of(kB), ElementsAre(keys[0], keys[5]));
  EXPECT_THAT(store().devices(), ElementsAre("cpu", "gpu", "gpu-b", "gpu.c", "gpu1"));
  EXPECT_EQ(store().run_count(), keys.size());
  for (const std::string nothing : {"", "../x", "gp", "gpu/", "no such"}) {
    EXPECT_THAT(store().keys_of(nothing), IsEmpty()) << nothing;
    EXPECT_THAT(store().keys_on(nothing), IsEmpty()) << nothing;
    EXPECT_THAT(store().newest(nothing, 5, ""), IsEmpty()) << nothing;
  }
}

TEST_P(StoreContract, GivesTheNewestFirst) {
  const std::vector<store::Key> keys = {{"gpu", kB, "20260101T000000Z-a"},
                                        {"gpu", kA, "20260102T000000Z-a"},
                                        {"gpu", kB, "20260103T000000Z-a"},
                                        {"gpu", kA, "20260103T000000Z-b"},
                                        {"gpu", kB, "20260104T000000Z-a"}};
  store().add(with_text(keys));
  store().add(with_text({{"cpu", kA, "20270101T000000Z-a"}, {"gpu", kA, "20270101T000000Z-a", kProfile}}));
  EXPECT_THAT(store().newest("gpu", 2, ""), ElementsAre(keys[4], keys[3]));
  EXPECT_THAT(store().newest("gpu", 3, kA), ElementsAre(keys[4], keys[2], keys[0]));
  EXPECT_THAT(store().newest("gpu", 100, ""), ElementsAreArray(keys.rbegin(), keys.rend()));
  EXPECT_THAT(store().newest("gpu", 0, ""), IsEmpty());
  store().drop(keys[4], "{}");
  EXPECT_THAT(store().newest("gpu", 2, ""), ElementsAre(keys[3], keys[2]));
}

TEST_P(StoreContract, KeepsProfilesApartFromRuns) {
  const store::Key run{"gpu", kA, "1"};
  const store::Key profile{"gpu", kA, "1", kProfile};
  const store::Key other{"cpu", kA, "2", kProfile};
  store().add({{run, "run"}, {profile, "profile"}, {other, "other"}});
  EXPECT_THAT(store().keys(), ElementsAre(run));
  EXPECT_THAT(store().keys_of(kA), ElementsAre(run));
  EXPECT_THAT(store().profile_keys_of(kA), ElementsAre(other, profile));
  EXPECT_THAT(store().profile_keys_of(kB), IsEmpty());
  EXPECT_THAT(store().devices(), ElementsAre("gpu")) << "that have a run";
  EXPECT_EQ(store().run_count(), 1u);
  EXPECT_EQ(store().read(run) + store().read(profile), "runprofile");
}

TEST_P(StoreContract, TakesTheSameAgainAndNothingElseInItsPlace) {
  const store::Key key{"gpu", kA, "1"};
  const store::Key fresh{"gpu", kA, "2"};
  store().add({{key, "{}"}});
  const auto version = store().version();
  store().add({{key, "{}"}});
  store().add({{key, "{}"}, {key, "{}"}});
  EXPECT_EQ(store().version(), version);
  EXPECT_THAT(error_of([&] {
                store().add({{fresh, "{}"}, {key, "[]"}});
              }),
              StartsWith("2 | run 'gpu/aa/" + kA + "/1.json' is already recorded, with other contents"));
  EXPECT_THAT(error_of([&] {
                store().add({{fresh, "{}"}, {fresh, "[]"}});
              }),
              StartsWith("2 | run 'gpu/aa/" + kA + "/2.json' is given twice, with different contents"));
  EXPECT_THAT(store().keys(), ElementsAre(key)) << "all or nothing";
  EXPECT_EQ(store().version(), version);
  EXPECT_EQ(store().read(key), "{}");
  store().add({{key, "{}"}, {fresh, "{}"}});
  EXPECT_THAT(store().keys(), ElementsAre(key, fresh));
}

TEST_P(StoreContract, RefusesKeysThatAreNoNames) {
  const store::Key good{"gpu", kA, "1"};
  for (const store::Key& bad :
       {store::Key{"", kA, "1"}, store::Key{"GPU", kA, "1"}, store::Key{"a/b", kA, "1"},
        store::Key{"gpu", kA.substr(1), "1"}, store::Key{"gpu", "AA" + kA.substr(2), "1"},
        store::Key{"gpu", kA, ""}, store::Key{"gpu", kA, "-1"}, store::Key{"gpu", kA, "a_b"},
        store::Key{"gpu", kA, std::string("1\0", 2)}, store::Key{"gpu", kA, std::string(101, '1')}}) {
    EXPECT_THAT(error_of([&] { store().add({{good, "{}"}, {bad, "{}"}}); }), StartsWith("2 | "));
    EXPECT_THAT(error_of([&] { store().read(bad); }), StartsWith("2 | "));
    EXPECT_THAT(error_of([&] { store().drop(bad, "{}"); }), StartsWith("2 | "));
  }
  EXPECT_THAT(store().keys(), IsEmpty());
  EXPECT_EQ(store().version(), "");
}

TEST_P(StoreContract, SaysWhatIsNotThere) {
  store().add({{{"gpu", kA, "1"}, "{}"}});
  EXPECT_THAT(error_of([&] {
                store().read({"gpu", kA, "2"});
              }),
              StartsWith("4 | there is no run 'gpu/aa/" + kA + "/2.json' in '" + store().describe() + "'"));
  EXPECT_THAT(error_of([&] { store().read_file("gpu/aa/x"); }), StartsWith("4 | there is no 'gpu/aa/x' in "));
}

TEST_P(StoreContract, PassesOverWhatWasDropped) {
  const store::Key run{"gpu", kA, "1"};
  const store::Key kept{"gpu", kA, "2"};
  const store::Key profile{"gpu", kA, "1", kProfile};
  store().add(with_text({run, kept, profile}));
  EXPECT_TRUE(store().drop(run, "why"));
  EXPECT_FALSE(store().drop(run, "why else")) << "it has one";
  EXPECT_THAT(store().keys(), ElementsAre(kept));
  EXPECT_THAT(store().keys_of(kA), ElementsAre(kept));
  EXPECT_THAT(store().keys_on("gpu"), ElementsAre(kept));
  EXPECT_THAT(store().profile_keys_of(kA), ElementsAre(profile));
  EXPECT_EQ(store().run_count(), 1u);
  EXPECT_EQ(store().read(run), "{}") << "it is kept";
  store().add({{run, "{}"}});
  EXPECT_THAT(store().keys(), ElementsAre(kept)) << "and does not come back";
  EXPECT_TRUE(store().drop(profile, "profile"));
  EXPECT_THAT(store().profile_keys_of(kA), IsEmpty());
  EXPECT_TRUE(store().drop(kept, "kept"));
  EXPECT_THAT(store().devices(), IsEmpty());
}

TEST_P(StoreContract, ReplacesDocumentsInOneStep) {
  const store::Key first{"gpu", kA, "1"};
  const store::Key second{"gpu", kA, "2"};
  const store::Key dropped{"gpu", kB, "3"};
  const auto compact = [](store::Key key) {
    key.id += "-compact";
    return key;
  };
  store().add(with_text({first, second, dropped}, "whole"));
  store().drop(dropped, "why");
  const auto version = store().version();
  const std::vector<store::Replacement> all{{first, "1 was", compact(first), "less of 1"},
                                            {second, "2 was", compact(second), "less of 2"},
                                            {dropped, "3 was", compact(dropped), "less of 3"}};
  store().replace(all);
  EXPECT_THAT(store().keys(), ElementsAre(compact(first), compact(second)))
      << "what was dropped does not come back";
  EXPECT_EQ(store().read(compact(first)), "less of 1");
  EXPECT_EQ(store().read(first), "whole") << "it is kept";
  EXPECT_EQ(store().read_file(store::tombstone_path_of(second)), "2 was");
  EXPECT_EQ(store().read_file(store::tombstone_path_of(dropped)), "why");
  const auto changed = changes(store(), version);
  EXPECT_THAT(changed.added, ElementsAre(compact(first), compact(second)));
  EXPECT_THAT(changed.dropped, ElementsAre(first, second));
  const auto now = store().version();
  store().replace(all);
  store().replace({});
  EXPECT_EQ(store().version(), now) << "the same again changes nothing";
  const store::Key bad{"gpu", kA, "../x"};
  EXPECT_THAT(error_of([&] { store().replace({{bad, "", first, ""}}); }), StartsWith("2 | "));
}

TEST_P(StoreContract, KeepsATombstoneForWhatIsNotThereYet) {
  const store::Key key{"gpu", kA, "1"};
  EXPECT_TRUE(store().drop(key, "why"));
  const auto version = store().version();
  EXPECT_NE(version, "");
  EXPECT_EQ(store().read_file(store::tombstone_path_of(key)), "why");
  store().add({{key, "{}"}});
  EXPECT_THAT(store().keys(), IsEmpty());
  EXPECT_EQ(store().read(key), "{}");
  EXPECT_THAT(changes(store(), version).added, IsEmpty());
}

TEST_P(StoreContract, DropsSeveralInOneStep) {
  const store::Key first{"gpu", kA, "1"};
  const store::Key second{"gpu", kB, "2"};
  const store::Key never{"gpu", kB, "3"};
  store().add(with_text({first, second}));
  EXPECT_TRUE(store().drop_all({first, never}, "why"));
  EXPECT_THAT(store().keys(), ElementsAre(second));
  const auto now = store().version();
  EXPECT_FALSE(store().drop_all({first, never}, "again"));
  EXPECT_EQ(store().version(), now);
  EXPECT_TRUE(store().drop_all({first, second}, "too"));
  EXPECT_EQ(store().read_file(store::tombstone_path_of(first)) +
                store().read_file(store::tombstone_path_of(second)),
            "whytoo");
  const store::Key bad{"gpu", kA, "../x"};
  EXPECT_THAT(error_of([&] { store().drop_all({second, bad}, "why"); }), StartsWith("2 | "));
}

TEST_P(StoreContract, ListsAllFilesInOrderOfTheirPaths) {
  const store::Key run{"gpu", kA, "1"};
  const store::Key profile{"gpu", kA, "1", kProfile};
  const store::Key other{"gpu-b", kA, "1"};
  store().add(with_text({run, profile, other}));
  store().drop(run, "why");
  const auto files = store().files();
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.path);
  ASSERT_THAT(paths, ElementsAre(store::path_of(other), store::tombstone_path_of(run), store::path_of(run),
                                 store::path_of(profile)));
  EXPECT_EQ(files[1].what, store::StoredFile::What::kTombstone);
  EXPECT_EQ(files[1].key, run);
  EXPECT_EQ(files[2].what, store::StoredFile::What::kDocument);
  EXPECT_TRUE(files[2].is_dropped);
  EXPECT_FALSE(files[0].is_dropped || files[3].is_dropped);
  EXPECT_EQ(files[3].key, profile);
  EXPECT_EQ(store().read_file(files[1].path) + store().read_file(files[2].path), "why{}");
}

TEST_P(StoreContract, TellsWhatChanged) {
  const store::Key first{"gpu", kA, "1"};
  const store::Key second{"cpu", kB, "2"};
  const store::Key third{"gpu", kB, "3", kProfile};
  store().add({{first, "{}"}});
  const auto one = store().version();
  store().add(with_text({second, third}));
  const auto two = store().version();
  store().drop(first, "why");
  const auto three = store().version();
  EXPECT_EQ((std::set<std::string>{"", one, two, three}).size(), 4u);
  EXPECT_EQ(home().open()->version(), three) << "the same for everybody";

  EXPECT_EQ(changes(store(), one).version, three);
  EXPECT_THAT(changes(store(), three).added, IsEmpty());
  EXPECT_THAT(changes(store(), three).dropped, IsEmpty());
  EXPECT_THAT(changes(store(), two).added, IsEmpty());
  EXPECT_THAT(changes(store(), two).dropped, ElementsAre(first));
  EXPECT_THAT(changes(store(), one).added, ElementsAre(second, third)) << "in order of their paths";
  EXPECT_THAT(changes(store(), one).dropped, ElementsAre(first));
  EXPECT_THAT(changes(store(), "").added, ElementsAre(second, third)) << "what came and went is in neither";
  EXPECT_THAT(changes(store(), "").dropped, IsEmpty());
  for (const std::string unknown : {"x", "0123456789012345678901234567890123456789", "'", "-1"})
    EXPECT_FALSE(store().changes_since(unknown)) << unknown;
}

TEST_P(StoreContract, TellsWhatAReaderLacks) {
  const store::Key first{"gpu", kA, "1"};
  const store::Key second{"cpu", kB, "2"};
  const store::Key gone{"gpu", kB, "3"};
  store().add(with_text({first, second, {"gpu", kB, "3", kProfile}}));
  const auto found = store::run_changes_from(store(), {first, gone});
  EXPECT_THAT(found.added, ElementsAre(second)) << "profiles are no runs";
  EXPECT_THAT(found.dropped, ElementsAre(gone));
}

TEST_P(StoreContract, SeesWhatOthersWriteMeanwhile) {
  const auto other = home().open();
  const store::Key first{"gpu", kA, "1"};
  const store::Key second{"gpu", kB, "2"};
  store().add({{first, "{}"}});
  other->add({{second, "{}"}});
  for (const auto* view : {&store(), other.get()}) {
    EXPECT_THAT(view->keys(), ElementsAre(first, second));
    EXPECT_EQ(view->read(second), "{}");
  }
  other->drop(first, "why");
  EXPECT_THAT(store().keys(), ElementsAre(second));
  EXPECT_THAT(error_of([&] { store().add({{second, "other"}}); }), HasSubstr("is already recorded"));
}

TEST_P(StoreContract, LosesNothingBetweenManyWriters) {
  constexpr int kWriters = 6;
  constexpr int kAdds = 20;
  run_writers(kWriters, [&](int writer) {
    const auto mine = home().open();
    for (int i = 0; i < kAdds; ++i) {
      const store::Key key{"gpu-" + std::to_string(i % 3), i % 2 == 0 ? kA : kB,
                           std::to_string(writer) + "-" + std::to_string(i)};
      mine->add({{key, std::to_string(writer)}});
    }
  });
  EXPECT_EQ(store().run_count(), std::size_t{kWriters * kAdds});
  for (const auto& key : store().keys()) EXPECT_EQ(store().read(key), key.id.substr(0, key.id.find('-')));
}

TEST_P(StoreContract, CanBeReadAtOnceWhereItSaysSo) {
  constexpr int kRuns = 60;
  for (int i = 0; i < kRuns; ++i)
    store().add(
        {{{"gpu", i % 2 == 0 ? kA : kB, std::to_string(i)}, std::string(5000, 'x') + std::to_string(i)}});
  const auto keys = store().keys();
  if (!store().can_read_at_once()) return;
  std::vector<std::thread> readers;
  std::atomic<int> wrong = 0;
  for (int reader = 0; reader < 4; ++reader)
    readers.emplace_back([&] {
      for (const auto& key : keys)
        if (store().read(key) != std::string(5000, 'x') + key.id) ++wrong;
    });
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

// All record the same: one of them does, and the others find it there.
TEST_P(StoreContract, TakesOneDocumentOfManyWriters) {
  const store::Key key{"gpu", kA, "1"};
  for (int round = 0; round < 5; ++round) {
    const store::Key at{"gpu", kA, std::to_string(round)};
    run_writers(4, [&](int) { home().open()->add({{at, "{}"}}); });
  }
  EXPECT_EQ(store().run_count(), 5u);
}

// No reader ever misses a change, whatever order writers finish in.
TEST_P(StoreContract, MissesNoChangeBesideWriters) {
  constexpr int kWriters = 4;
  constexpr int kAdds = 20;
  std::set<std::string> seen;
  std::string version;
  const auto look = [&] {
    const auto now = changes(*home().open(), version);
    for (const auto& key : now.added) EXPECT_TRUE(seen.insert(store::path_of(key)).second) << "told once";
    version = now.version;
  };
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    run_writers(kWriters, [&](int writer) {
      const auto mine = home().open();
      for (int i = 0; i < kAdds; ++i)
        mine->add({{{"gpu", kA, std::to_string(writer) + "-" + std::to_string(i)}, "{}"}});
    });
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) look();
  EXPECT_EQ(status, 0);
  look();
  EXPECT_EQ(seen.size(), std::size_t{kWriters * kAdds});
}

// Each step adds two documents. A step that was told to be done is there, and one that was cut off is there
// with both or with none.
TEST_P(StoreContract, KeepsWhatKilledWritersHaveDone) {
  constexpr int kKills = 8;
  for (int kill = 0; kill < kKills; ++kill) {
    int pipe[2] = {};
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto mine = home().open();
      for (int i = 0;; ++i) {
        const std::string id = std::to_string(kill) + "-" + std::to_string(i);
        mine->add(with_text({{"gpu", kA, id}, {"gpu", kA, id, kProfile}}, std::string(100'000, 'x')));
        if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    int done = 0;
    for (char step = 0; done <= kill && ::read(pipe[0], &step, 1) == 1;) ++done;
    ::usleep(static_cast<useconds_t>(kill * 700));  // somewhere within a step
    ::kill(child, SIGKILL);
    for (char step = 0; ::read(pipe[0], &step, 1) == 1;) ++done;
    ::close(pipe[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    home().clean_up_after_kill();

    const auto reader = home().open();
    for (int i = 0; i < done; ++i)
      EXPECT_EQ(reader->read({"gpu", kA, std::to_string(kill) + "-" + std::to_string(i)}).size(), 100'000u);
    const auto profiles = reader->profile_keys_of(kA);
    EXPECT_EQ(reader->run_count(), profiles.size());
    for (const auto& key : profiles) EXPECT_EQ(reader->read(key).size(), 100'000u);
    reader->add({{{"cpu", kB, std::to_string(kill)}, "{}"}});
    reader->drop({"cpu", kB, std::to_string(kill)}, "why");
  }
}

}  // namespace
}  // namespace tracker::testing_support
