// What is recorded, with documents in it that cannot be used: they are named and left out, and the rest
// works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kRef = "refs/tracker/v1";
constexpr const char* kSpeeds = "copy/a/8 10000 0.001 1000000\n";

// A scratch repository with a run for each of two commits, pushed to a bare origin.
class StoreCommand : public testing::Test {
 protected:
  StoreCommand() {
    for (int i = 0; i < 2; ++i) {
      scratch_.commit_speeds(kSpeeds);
      EXPECT_EQ(scratch_.tracker({"run", "-n", "5"}).exit_code, 0);
    }
    scratch_.git({"clone", "-q", "--bare", ".", origin().string()});
    scratch_.git({"-C", origin().string(), "config", "uploadpack.allowFilter", "true"});
    scratch_.git({"-C", origin().string(), "config", "uploadpack.allowAnySHA1InWant", "true"});
    scratch_.git({"remote", "add", "origin", "file://" + origin().string()});
    EXPECT_EQ(scratch_.tracker({"sync"}).exit_code, 0);
  }

  fs::path origin() const { return scratch_.folder() / "origin.git"; }
  fs::path clone(const std::string& name, const std::vector<std::string>& options = {}) const {
    const auto path = scratch_.folder() / name;
    std::vector<std::string> arguments = {"clone", "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"file://" + origin().string(), path.string()});
    scratch_.git(arguments);
    return path;
  }
  ProcessResult in(const fs::path& clone, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", clone.string()});
    return scratch_.tracker(arguments);
  }

  // Puts a file into the store of the repository at `where`, as git's plumbing can; the path is below the
  // folder of HEAD's runs.
  std::string plant(const fs::path& where, const std::string& name, const std::string& text) const {
    const std::string path = folder_of_head(where) + name;
    write_file(scratch_.folder() / "planted", text);
    const auto git = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), {"-C", where.string()});
      return scratch_.git(arguments);
    };
    const auto blob = git({"hash-object", "-w", (scratch_.folder() / "planted").string()});
    const auto index = (scratch_.folder() / "index").string();
    fs::remove(index);
    const auto with_index = [&](const std::vector<std::string>& arguments) {
      ProcessSpec spec{.argv = {"git", "-C", where.string()}};
      spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
      spec.environment = {{"GIT_INDEX_FILE", index}, {"HOME", scratch_.folder().string()}};
      auto result = run_process(spec);
      EXPECT_TRUE(result.ok()) << result.errors;
      while (result.output.ends_with('\n')) result.output.pop_back();
      return result.output;
    };
    with_index({"read-tree", kRef});
    with_index({"update-index", "--add", "--cacheinfo", "100644," + blob + "," + path});
    const auto tree = with_index({"write-tree"});
    const auto commit = git({"-c", "user.name=a", "-c", "user.email=a@example.org", "commit-tree", tree, "-p",
                             kRef, "-m", "plant"});
    git({"update-ref", kRef, commit});
    return path;
  }
  std::string folder_of_head(const fs::path& where) const {
    const auto head = scratch_.git({"rev-parse", "HEAD"});
    const auto all = paths(where);
    for (std::size_t begin = 0; begin < all.size();) {
      const auto end = std::min(all.find('\n', begin), all.size());
      const auto path = all.substr(begin, end - begin);
      if (path.find(head) != std::string::npos) return path.substr(0, path.rfind('/') + 1);
      begin = end + 1;
    }
    ADD_FAILURE() << "no run of HEAD";
    return "";
  }
  std::string paths(const fs::path& where) const {
    return scratch_.git({"-C", where.string(), "ls-tree", "-r", "--name-only", kRef});
  }
  std::string tip(const fs::path& where) const {
    return scratch_.git({"-C", where.string(), "rev-parse", kRef});
  }

  // The text of HEAD's run.
  std::string good_document() const {
    const auto folder = folder_of_head(scratch_.root());
    const auto all = paths(scratch_.root());
    const auto at = all.find(folder);
    return scratch_.git({"show", std::string(kRef) + ":" + all.substr(at, all.find('\n', at) - at)}) + "\n";
  }

  Scratch scratch_;
};

// Row by row: what is planted, and what is said of it.
TEST_F(StoreCommand, ABrokenDocumentCostsItselfAlone) {
  const std::vector<std::tuple<std::string, std::string, std::string>> rows = {
      {"empty.json", "", "it is empty"},
      {"cut.json", "{\"schema\": \"tracker.run/1\", \"id\": ", "cut.json"},
      {"list.json", "[]", "list.json"},
      {"newer.json", "{\"schema\": \"tracker.run/3\"}", "tracker.run/3"},
      {"other.json", good_document(), "it lies at id 'other', and is of '"},
  };
  for (const auto& [name, text, why] : rows) plant(scratch_.root(), name, text);
  plant(scratch_.root(), "x.profile.json", "{");
  const auto out = (scratch_.folder() / "exported").string();
  const std::vector<std::vector<std::string>> commands = {
      {"log"}, {"compare", "HEAD~1"}, {"plot", "--out", out + "-charts"}, {"export", "--out", out}};
  for (const auto& command : commands) {
    const auto result = scratch_.tracker(command);
    EXPECT_EQ(result.exit_code, 0) << command.front() << ": " << result.errors;
    for (const auto& [name, text, why] : rows)
      EXPECT_THAT(result.errors, AllOf(HasSubstr(name), HasSubstr(why))) << command.front();
    EXPECT_THAT(result.errors, HasSubstr("tracker store drop"));
  }
  EXPECT_EQ(scratch_.tracker({"import", out}).exit_code, 0);
}

TEST_F(StoreCommand, VerifyNamesWhatCannotBeUsed) {
  const auto good = scratch_.tracker({"store", "verify"});
  EXPECT_EQ(good.exit_code, 0) << good.errors;
  EXPECT_THAT(good.output, AllOf(StartsWith("ok       "), HasSubstr("refs/tracker/v1: 2 fine\n")));
  plant(scratch_.root(), "empty.json", "");
  plant(scratch_.root(), "newer.json", "{\"schema\": \"tracker.run/3\"}");
  plant(scratch_.root(), "notes.txt", "mine");
  const auto all = scratch_.tracker({"store", "verify"});
  EXPECT_EQ(all.exit_code, 4);
  EXPECT_THAT(all.output, AllOf(HasSubstr("/empty.json: it is empty\n"), HasSubstr("\nnewer    "),
                                HasSubstr("\nother    "),
                                HasSubstr("2 fine, 1 broken, 1 of a newer tracker, 1 not of tracker\n")));
  const auto problems = scratch_.tracker({"store", "verify", "--problems"});
  EXPECT_THAT(problems.output, AllOf(StartsWith("BROKEN   "), Not(HasSubstr("\nnewer"))));
}

TEST_F(StoreCommand, StatsSayWhatItHoldsAndTakes) {
  const auto text = scratch_.tracker({"store", "stats"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_THAT(text.output,
              AllOf(StartsWith("store      refs/tracker/v1\nruns       2 runs of 2 commits on 1 device\n"),
                    HasSubstr("\ndocuments  "), HasSubstr("(newest 2 runs)"), HasSubstr("\ngit        "),
                    HasSubstr("\nsummaries  none yet\n\ndevice ")));
  for (const auto& line : split(text.output, '\n')) EXPECT_LE(display_width(line), 80u) << line;
  EXPECT_EQ(scratch_.tracker({"log", "copy/a/8"}).exit_code, 0);
  EXPECT_THAT(scratch_.tracker({"store", "stats"}).output, Not(HasSubstr("none yet")));
  const auto as_json = scratch_.tracker({"store", "stats", "--format", "json"});
  EXPECT_THAT(as_json.output,
              AllOf(StartsWith("{\n  \"schema\": \"tracker.store/1\""), HasSubstr("\"runs\": 2,")));
  EXPECT_EQ(scratch_.tracker({"store", "stats", "--format", "xml"}).exit_code, 2);

  // A clone without the documents says so, and fetches none.
  const auto job = clone("job");
  EXPECT_EQ(in(job, {"sync", "--from-remote", "--shallow"}).exit_code, 0);
  EXPECT_THAT(in(job, {"store", "stats"}).output, HasSubstr("2 documents not fetched yet"));
  EXPECT_THAT(in(job, {"store", "stats"}).output, HasSubstr("2 documents not fetched yet"));
}

TEST_F(StoreCommand, WhatIsDroppedStaysDroppedInEveryClone) {
  const auto other = clone("other");
  EXPECT_EQ(in(other, {"sync", "--fetch"}).exit_code, 0);
  plant(scratch_.root(), "empty.json", "");
  EXPECT_EQ(scratch_.tracker({"store", "drop", "nothing", "--reason", "x"}).exit_code, 2);
  const auto dropped = scratch_.tracker({"store", "drop", "empty", "--reason", "a full disk"});
  EXPECT_EQ(dropped.exit_code, 0) << dropped.errors;
  EXPECT_THAT(dropped.output, StartsWith("dropped run "));
  EXPECT_THAT(scratch_.tracker({"store", "drop", "empty", "--reason", "again"}).output,
              StartsWith("was dropped before"));
  const auto verified = scratch_.tracker({"store", "verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("empty.dropped.json: a full disk\n"));
  EXPECT_EQ(scratch_.tracker({"log"}).errors, "");

  // A good run of the other clone, dropped here by its path and there no more seen.
  EXPECT_EQ(scratch_.tracker({"sync"}).exit_code, 0);
  EXPECT_THAT(paths(origin()), AllOf(HasSubstr("empty.dropped.json"), Not(HasSubstr("/empty.json"))));
  const auto good = paths(other).substr(0, paths(other).find('\n'));
  EXPECT_EQ(scratch_.tracker({"store", "drop", good, "--reason", "the wrong machine"}).exit_code, 0);
  EXPECT_EQ(scratch_.tracker({"sync"}).exit_code, 0);
  EXPECT_EQ(in(other, {"sync"}).exit_code, 0);
  EXPECT_THAT(in(other, {"store", "verify"}).output, HasSubstr("the wrong machine"));
  EXPECT_EQ(in(other, {"log"}).output, scratch_.tracker({"log"}).output);
}

TEST_F(StoreCommand, TwoWhoDropTheSameForTheirOwnReasonsAgree) {
  const auto other = clone("other");
  EXPECT_EQ(in(other, {"sync", "--fetch"}).exit_code, 0);
  const auto path = paths(other).substr(0, paths(other).find('\n'));
  EXPECT_EQ(scratch_.tracker({"store", "drop", path, "--reason", "mine"}).exit_code, 0);
  EXPECT_EQ(in(other, {"store", "drop", path, "--reason", "yours"}).exit_code, 0);
  EXPECT_EQ(scratch_.tracker({"sync"}).exit_code, 0);
  EXPECT_EQ(in(other, {"sync"}).exit_code, 0);
  EXPECT_EQ(scratch_.tracker({"sync"}).exit_code, 0);
  EXPECT_EQ(in(other, {"store", "verify"}).output, scratch_.tracker({"store", "verify"}).output);
  EXPECT_EQ(paths(other), paths(scratch_.root()));
}

TEST_F(StoreCommand, SyncTakesNoBrokenDocumentAndPushesNone) {
  const auto other = clone("other");
  plant(origin(), "empty.json", "");
  const auto fetched = in(other, {"sync"});
  EXPECT_EQ(fetched.exit_code, 0) << fetched.errors;
  EXPECT_THAT(fetched.output, StartsWith("2 runs fetched, 0 pushed"));
  EXPECT_THAT(fetched.errors, AllOf(HasSubstr("empty.json' of 'origin' is not taken: it is empty"),
                                    HasSubstr("tracker store drop")));
  EXPECT_THAT(paths(other), Not(HasSubstr("empty.json")));
  EXPECT_EQ(in(other, {"store", "verify"}).exit_code, 0);

  // What is recorded meanwhile gets through, and nothing is taken away there.
  plant(other, "cut.json", "{");
  EXPECT_EQ(in(other, {"run", "-n", "1"}).exit_code, 0);
  const auto pushed = in(other, {"sync"});
  EXPECT_EQ(pushed.exit_code, 0) << pushed.errors;
  EXPECT_THAT(pushed.output, StartsWith("0 runs fetched, 1 pushed"));
  EXPECT_THAT(pushed.errors, AllOf(HasSubstr("empty.json' of 'origin' is not taken"),
                                   HasSubstr("cut.json' of this clone is not pushed")));
  EXPECT_THAT(paths(origin()), AllOf(HasSubstr("empty.json"), Not(HasSubstr("cut.json"))));
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("1 run fetched, 0 pushed"));
  const auto settled = tip(origin());
  EXPECT_THAT(in(other, {"sync"}).output, StartsWith("0 runs fetched, 0 pushed"));
  EXPECT_EQ(tip(origin()), settled) << "nothing new, nothing pushed";

  // Dropped without being here, it is named no more.
  const auto drop = in(other, {"store", "drop", folder_of_head(other) + "empty.json", "--reason", "planted"});
  EXPECT_EQ(drop.exit_code, 0) << drop.errors;
  EXPECT_THAT(in(other, {"sync"}).errors, Not(HasSubstr("empty.json")));
  EXPECT_EQ(scratch_.tracker({"sync"}).errors, "");
}

TEST_F(StoreCommand, ANewerTrackersDocumentTravels) {
  plant(origin(), "newer.json", "{\"schema\": \"tracker.run/3\"}");
  EXPECT_EQ(scratch_.tracker({"sync"}).errors, "");
  EXPECT_THAT(paths(scratch_.root()), HasSubstr("newer.json"));
}

// In a clone that is kept from job to job: what an earlier job planted there counts no more, and does not
// leave.
TEST_F(StoreCommand, FromRemoteSetsAsideWhatOnlyThisCloneHas) {
  const auto kept = clone("kept");
  EXPECT_EQ(in(kept, {"sync", "--fetch"}).exit_code, 0);
  EXPECT_EQ(in(kept, {"run", "-n", "1"}).exit_code, 0);  // as a build of an earlier job may have
  const auto planted = tip(kept);
  const auto result = in(kept, {"sync", "--from-remote"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(tip(kept), tip(origin()));
  EXPECT_THAT(result.errors, HasSubstr("what only this clone had (1 run) is kept on refs/tracker-aside/v1/"));
  EXPECT_EQ(
      scratch_.git({"-C", kept.string(), "for-each-ref", "--format=%(objectname)", "refs/tracker-aside"}),
      planted);
  EXPECT_THAT(in(kept, {"sync"}).output, StartsWith("0 runs fetched, 0 pushed"));
  EXPECT_EQ(in(kept, {"sync", "--from-remote"}).errors, "") << "nothing more to set aside";

  // Where the remote has no store any more, there is none here either, and that is no success.
  scratch_.git({"-C", origin().string(), "update-ref", "-d", kRef});
  const auto lost = in(kept, {"sync", "--from-remote"});
  EXPECT_EQ(lost.exit_code, 4);
  EXPECT_THAT(lost.errors, HasSubstr("'origin' has no refs/tracker/v1 any more"));
  EXPECT_EQ(scratch_.git({"-C", kept.string(), "for-each-ref", "refs/tracker"}), "");
}

TEST_F(StoreCommand, PushesOnlyTheCommitsThatAreAskedFor) {
  const auto kept = clone("kept");
  EXPECT_EQ(in(kept, {"sync", "--fetch"}).exit_code, 0);
  EXPECT_EQ(in(kept, {"run", "-n", "1"}).exit_code, 0);
  scratch_.git({"-C", kept.string(), "checkout", "-q", "HEAD~1"});
  EXPECT_EQ(in(kept, {"run", "-n", "1"}).exit_code, 0);
  scratch_.git({"-C", kept.string(), "checkout", "-q", "main"});
  const auto result = in(kept, {"sync", "--commit", "HEAD"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, StartsWith("0 runs fetched, 1 pushed"));
  EXPECT_THAT(result.errors, HasSubstr("1 run of other commits stay here"));
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("1 run fetched"));
  EXPECT_THAT(in(kept, {"sync"}).output, StartsWith("0 runs fetched, 1 pushed"));
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("1 run fetched"));
  EXPECT_EQ(tip(origin()), tip(scratch_.root()));
}

// Clones that leave contents, or folders as well, for later: what a command needs is fetched.
TEST_F(StoreCommand, ClonesMadeWithAFilterHaveAllThatIsNeeded) {
  const auto expected = scratch_.tracker({"log"}).output;
  for (const std::string filter : {"blob:none", "tree:0"}) {
    const std::string name = filter.substr(0, 4);
    const auto partial = clone(name, {"--filter=" + filter});
    EXPECT_EQ(in(partial, {"sync", "--fetch"}).exit_code, 0);
    EXPECT_EQ(in(partial, {"log"}).output, expected) << filter;
    const auto compared = in(partial, {"compare", "HEAD~1"});
    EXPECT_EQ(compared.exit_code, 0) << filter << compared.errors;

    // Fetched by hand, with the clone's own filter, and by an older tracker: what is missing is fetched.
    const auto by_hand = clone(name + "-by-hand", {"--filter=" + filter});
    scratch_.git({"-C", by_hand.string(), "fetch", "-q", "origin", "+refs/tracker/v1:refs/tracker/v1"});
    const auto log = in(by_hand, {"log"});
    EXPECT_EQ(log.output, expected) << filter << log.errors;
    EXPECT_EQ(in(by_hand, {"sync"}).exit_code, 0);
    EXPECT_EQ(in(by_hand, {"store", "verify"}).exit_code, 0);
  }
}

}  // namespace
}  // namespace tracker::e2e
