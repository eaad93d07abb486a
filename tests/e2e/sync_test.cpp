// tracker sync between clones of a bare origin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kRunsRef = "refs/tracker/v1";

// A scratch repository with one run, pushed to a bare origin, and a clone of that.
class Sync : public testing::Test {
 protected:
  Sync() {
    scratch_.commit_speeds("copy/a/8 10000 0.001 1000000\n");
    EXPECT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
    scratch_.git({"clone", "-q", "--bare", ".", origin().string()});
    scratch_.git({"remote", "add", "origin", origin().string()});
    scratch_.git({"clone", "-q", origin().string(), clone().string()});
  }
  fs::path origin() const { return scratch_.folder() / "origin.git"; }
  fs::path clone() const { return scratch_.folder() / "clone"; }
  ProcessResult in_clone(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", clone().string()});
    return scratch_.tracker(arguments);
  }
  std::string at_origin() const {
    return scratch_.git({"-C", origin().string(), "for-each-ref", "--format=%(objectname)", kRunsRef});
  }
  std::string here() const { return scratch_.git({"rev-parse", kRunsRef}); }
  void hook(const std::string& name, const std::string& script) const {
    const auto path = origin() / "hooks" / name;
    write_file(path, "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms(0755));
  }
  Scratch scratch_;
};

TEST_F(Sync, CarriesRunsFromOneCloneToAnother) {
  EXPECT_EQ(in_clone({"sync", "--fetch"}).output,
            "nothing is recorded in refs/tracker/v1, here or in 'origin'\n");
  const auto pushed = scratch_.tracker({"sync"});
  EXPECT_EQ(pushed.exit_code, 0) << pushed.errors;
  EXPECT_EQ(pushed.output, "0 runs fetched, 1 pushed: refs/tracker/v1 is the same here and in 'origin'\n");
  EXPECT_EQ(in_clone({"sync", "--fetch"}).output,
            "1 run fetched: refs/tracker/v1 has all that 'origin' has\n");
  EXPECT_EQ(in_clone({"log"}).output, scratch_.tracker({"log"}).output);
  EXPECT_EQ(in_clone({"run", "-n", "3"}).exit_code, 0);
  EXPECT_EQ(in_clone({"sync"}).output,
            "0 runs fetched, 1 pushed: refs/tracker/v1 is the same here and in 'origin'\n");
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("1 run fetched, 0 pushed"));
}

TEST_F(Sync, TakesTheRefOfTheConfiguration) {
  const auto config = scratch_.folder() / "other.toml";
  write_file(config, plain_config() + "[store]\nref = \"refs/tracker/perf/team-a\"\n");
  const std::vector<std::string> with_config = {"--config", config.string()};
  const auto tracker = [&](const std::vector<std::string>& arguments) {
    auto all = with_config;
    all.insert(all.end(), arguments.begin(), arguments.end());
    return scratch_.tracker(all);
  };
  EXPECT_EQ(tracker({"run", "-n", "1"}).exit_code, 0);
  EXPECT_THAT(tracker({"sync"}).output,
              HasSubstr("refs/tracker/perf/team-a is the same here and in 'origin'"));
  EXPECT_EQ(scratch_.git({"-C", origin().string(), "for-each-ref", "--format=%(refname)", "refs/tracker"}),
            "refs/tracker/perf/team-a");
  EXPECT_EQ(scratch_.git({"for-each-ref", "--format=%(refname)", "refs/tracker-remotes"}), "")
      << "nothing was there to fetch";
}

TEST_F(Sync, AnswersWithTheRightCode) {
  const std::vector<std::tuple<std::vector<std::string>, int, std::string>> rows = {
      {{"sync", "upstream"}, 2, "no remote 'upstream'"},
      {{"sync", "--", "--upload-pack=x"}, 2, "no remote '--upload-pack=x'"},
      {{"sync", "../nowhere"}, 4, "there is no repository"},
      {{"sync", "https://127.0.0.1:1/x.git"}, 4, "it cannot be reached"},
      {{"sync", "--force"}, 2, "--force"},
  };
  const auto before = here();
  for (const auto& [arguments, code, message] : rows) {
    const auto result = scratch_.tracker(arguments);
    EXPECT_EQ(result.exit_code, code) << arguments.back();
    EXPECT_THAT(result.errors,
                AllOf(StartsWith("tracker: error: "), HasSubstr(message), HasSubstr("\n  next: ")));
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(here(), before);
  EXPECT_EQ(at_origin(), "");
}

TEST_F(Sync, KeepsWhatItHasWhereTheRemoteRefuses) {
  hook("pre-receive", "echo 'only on Mondays' >&2\nexit 1\n");
  const auto before = here();
  const auto refused = scratch_.tracker({"sync"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr("cannot push 'refs/tracker/v1' to 'origin'"), HasSubstr("only on Mondays")));
  EXPECT_EQ(here(), before);
  fs::remove(origin() / "hooks/pre-receive");
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("0 runs fetched, 1 pushed"));
}

// The remote's ref moves after it was fetched and before it is pushed: its hook records another run, once.
TEST_F(Sync, UnitesAgainWhereSomeonePushedMeanwhile) {
  EXPECT_EQ(in_clone({"run", "-n", "1"}).exit_code, 0);
  hook("pre-receive",
       "test -e moved && exit 0\ntouch moved\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY "
       "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_DIR\ngit fetch -q '" +
           clone().string() + "' +refs/tracker/v1:refs/tracker/v1\n");
  const auto result = scratch_.tracker({"sync"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "1 run fetched, 1 pushed: refs/tracker/v1 is the same here and in 'origin'\n");
  EXPECT_EQ(here(), at_origin());
}

// Ctrl-C while the remote takes its time.
TEST_F(Sync, CanBeInterruptedAndGoneOnWith) {
  const auto started = scratch_.folder() / "started";
  hook("pre-receive", "touch '" + started.string() + "'\nexec sleep 600\n");
  const auto before = here();
  ProcessSpec spec{.argv = {TRACKER_BINARY, "sync"}, .directory = scratch_.root()};
  spec.environment = {{"HOME", scratch_.folder().string()}};
  spec.timeout = std::chrono::minutes(2);
  spec.keep_going = [&] { return !fs::exists(started); };
  const auto result = run_process(spec);
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("interrupted"));
  EXPECT_EQ(here(), before);
  EXPECT_EQ(at_origin(), "");
  fs::remove(origin() / "hooks/pre-receive");
  EXPECT_THAT(scratch_.tracker({"sync"}).output, StartsWith("0 runs fetched, 1 pushed"));
}

TEST_F(Sync, TellsNoToken) {
  for (const std::string token : {"ghs_secret", "ghs_secret\nX: y"}) {
    const auto result = scratch_.tracker_with(
        {{"GITHUB_TOKEN", token}, {"GITHUB_SERVER_URL", "http://127.0.0.1:1"}, {"GIT_TRACE", "1"}},
        {"sync", "http://127.0.0.1:1/a/b.git"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.errors, Not(AnyOf(HasSubstr("ghs_secret"), HasSubstr("Z2hzX3NlY3JldA"))));
  }
}

}  // namespace
}  // namespace tracker::e2e
