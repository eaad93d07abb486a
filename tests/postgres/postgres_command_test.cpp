// The real `tracker` with its runs in a database: the same commands, the same answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tests/support/postgres_server.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::PostgresServer;

constexpr const char* kFast = "copy/a/8 10000 0.001 1000000\ncopy/b/8 20000 0.001 1000000\n";
constexpr const char* kSlow = "copy/a/8 12000 0.001 1000000\ncopy/b/8 20000 0.001 1000000\n";

class PostgresCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = testing_support::why_no_postgres(); !why.empty()) GTEST_SKIP() << why;
    server_.emplace();
    url_ = server_->create("perf");
  }
  void prepare() const {
    EXPECT_THAT(scratch_.tracker({"--store", url_, "store", "prepare", "--roles"}).output,
                AllOf(HasSubstr("made the tables (schema 2)"), HasSubstr("GRANT tracker_recorder TO"),
                      HasSubstr("GRANT tracker_dropper TO")));
  }
  // Two commits, the second slower, each with a run on the ref of git.
  void run_two() const {
    for (const char* speeds : {kFast, kSlow}) {
      scratch_.commit_speeds(speeds);
      EXPECT_EQ(scratch_.tracker({"run"}).exit_code, 0);
    }
  }
  ProcessResult in_database(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--store", url_});
    return scratch_.tracker(arguments);
  }

  Scratch scratch_;
  std::optional<PostgresServer> server_;
  std::string url_;
};

TEST_F(PostgresCommand, AnswersAsTheRefDoes) {
  prepare();
  run_two();
  const auto copied = scratch_.tracker({"store", "copy", "refs/tracker/v1", url_});
  EXPECT_EQ(copied.exit_code, 0) << copied.errors;
  EXPECT_THAT(copied.output, StartsWith("2 runs copied: postgresql://owner@/perf"));
  for (const auto& question : std::vector<std::vector<std::string>>{{"compare", "HEAD~1"},
                                                                    {"compare", "HEAD~1", "--format", "json"},
                                                                    {"log"},
                                                                    {"log", "copy/a/8"},
                                                                    {"top"},
                                                                    {"explain", "copy/a/8", "HEAD~1"},
                                                                    {"store", "export"}}) {
    const auto from_ref = scratch_.tracker(question);
    const auto from_database = in_database(question);
    EXPECT_EQ(from_database.output, from_ref.output) << question[0];
    EXPECT_EQ(from_database.exit_code, from_ref.exit_code) << question[0];
  }
  EXPECT_EQ(in_database({"compare", "HEAD~1"}).exit_code, 1);
  EXPECT_THAT(in_database({"store", "verify"}).output, HasSubstr("2 fine"));
  EXPECT_THAT(in_database({"store", "stats"}).output,
              AllOf(HasSubstr("runs       2 runs of 2 commits on 1 device\n"),
                    HasSubstr("compressed in the database\n"), HasSubstr("(newest 2 runs)"),
                    Not(HasSubstr("\ngit "))));
  // And back, into another ref: the same tree.
  EXPECT_EQ(scratch_.tracker({"store", "copy", url_, "refs/tracker/back"}).exit_code, 0);
  EXPECT_EQ(scratch_.git({"rev-parse", "refs/tracker/back^{tree}"}),
            scratch_.git({"rev-parse", "refs/tracker/v1^{tree}"}));
}

TEST_F(PostgresCommand, RecordsTheRunsOfARewrittenHistoryAgain) {
  prepare();
  run_two();
  ASSERT_EQ(scratch_.tracker({"store", "copy", "refs/tracker/v1", url_}).exit_code, 0);
  scratch_.write("more.txt", "1");
  scratch_.git({"add", "-A"});
  scratch_.git({"commit", "-q", "--amend", "--no-edit"});
  EXPECT_EQ(in_database({"compare", "HEAD~1"}).exit_code, 3);
  const auto planned = in_database({"remap", "--dry-run"});
  EXPECT_THAT(planned.output, AllOf(HasSubstr("1 run of 1 commit belongs to no commit of this history"),
                                    HasSubstr("by author date and subject"),
                                    HasSubstr("would be recorded for their new commits in postgresql://")));
  EXPECT_THAT(in_database({"store", "verify"}).output, HasSubstr("2 fine")) << "nothing was written";
  EXPECT_EQ(in_database({"remap"}).exit_code, 0);
  EXPECT_EQ(in_database({"compare", "HEAD~1"}).exit_code, 1);
  EXPECT_THAT(in_database({"store", "verify"}).output, HasSubstr("3 fine")) << "the old run stays";
}

// Ended at any moment, a copy goes on where it was, and in the end all of it is there, byte for byte.
TEST_F(PostgresCommand, CopiesOnAfterItWasKilled) {
  constexpr int kDocuments = 1500;
  prepare();
  scratch_.commit_speeds(kFast);
  const std::string commit(40, 'a');
  std::string lines = "{\"schema\":\"tracker.history/1\"}\n";
  for (int i = 0; i < kDocuments; ++i)
    lines += "{\"path\":\"gpu/aa/" + commit + "/" + std::to_string(i) + ".json\",\"text\":\"" +
             std::string(5000, static_cast<char>('a' + i % 26)) + "\"}\n";
  lines += "{\"end\":" + std::to_string(kDocuments) + "}\n";
  scratch_.write("../history", lines);
  const auto history = (scratch_.folder() / "history").string();
  ASSERT_EQ(scratch_.tracker({"store", "import", history}).exit_code, 0);
  for (int kill = 0; kill < 4; ++kill) {
    ProcessSpec spec{.argv = {TRACKER_BINARY, "store", "copy", "refs/tracker/v1", url_},
                     .directory = scratch_.root()};
    spec.environment = {{"HOME", scratch_.folder().string()}};
    int calls = 0;
    spec.keep_going = [&] { return ++calls <= kill; };  // asked ten times a second
    run_process(spec);
  }
  const auto copied = scratch_.tracker({"store", "copy", "refs/tracker/v1", url_});
  EXPECT_EQ(copied.exit_code, 0) << copied.errors;
  EXPECT_THAT(copied.output, HasSubstr("the same byte for byte"));
  EXPECT_EQ(in_database({"store", "export"}).output, scratch_.tracker({"store", "export"}).output);
}

TEST_F(PostgresCommand, RecordsWhereTrackerTomlSays) {
  prepare();
  scratch_.write("tracker.toml",
                 plain_config() + "\n[store]\nurl = \"" + url_ + "\"\nrepository = \"kernels\"\n");
  run_two();
  EXPECT_EQ(scratch_.git({"for-each-ref", "refs/tracker"}), "") << "nothing is recorded in git";
  const auto compared = scratch_.tracker({"compare", "HEAD~1"});
  EXPECT_EQ(compared.exit_code, 1) << compared.errors;
  EXPECT_THAT(scratch_.tracker({}).output, HasSubstr("2 runs on 1 device, HEAD among them"));
  const auto synced = scratch_.tracker({"sync"});
  EXPECT_EQ(synced.exit_code, 0) << synced.errors;
  EXPECT_THAT(synced.output, StartsWith("nothing to sync: all share postgresql://owner@/perf"));
  // The ref can still be named, before the command and after it.
  EXPECT_THAT(scratch_.tracker({"log", "--store", "refs/tracker/v1"}).output, Not(HasSubstr("Set speeds")));
  // Another repository in the same database.
  scratch_.write("tracker.toml",
                 plain_config() + "\n[store]\nurl = \"" + url_ + "\"\nrepository = \"other\"\n");
  EXPECT_THAT(scratch_.tracker({}).output, HasSubstr("nothing yet"));
}

TEST_F(PostgresCommand, TakesTheUrlFromAVariable) {
  prepare();
  scratch_.commit_speeds(kFast);
  EXPECT_EQ(scratch_.tracker_with({{"TRACKER_STORE_URL", url_}}, {"run"}).exit_code, 0);
  EXPECT_EQ(scratch_.git({"for-each-ref", "refs/tracker"}), "");
  EXPECT_THAT(in_database({"log"}).output, HasSubstr("Set speeds"));
  const auto refused = scratch_.tracker({"log", "--store", "postgresql://ada:s3cret@host/perf"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("a password on the command line"), HasSubstr("~/.pgpass"),
                                    Not(HasSubstr("s3cret"))));
}

TEST_F(PostgresCommand, SaysWhatIsMissing) {
  scratch_.commit_speeds(kFast);
  const auto unprepared = in_database({"log"});
  EXPECT_EQ(unprepared.exit_code, 4);
  EXPECT_THAT(unprepared.errors, AllOf(HasSubstr("has no tables of tracker"), HasSubstr("store prepare")));
  prepare();
  // One who may only read is told before anything is measured.
  testing_support::write_file(scratch_.folder() / "unused", "");
  postgres::Connection(url_).run_script("CREATE ROLE rita LOGIN; GRANT tracker_reader TO rita");
  const auto refused = scratch_.tracker({"--store", server_->url("perf", "rita"), "run"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr("user 'rita' may not record in"), HasSubstr("GRANT tracker_recorder TO")));
  server_->stop();
  const auto unreachable = in_database({"log"});
  EXPECT_EQ(unreachable.exit_code, 4);
  EXPECT_THAT(unreachable.errors, HasSubstr("cannot reach the server at"));
}

TEST_F(PostgresCommand, AsksAShallowCloneForAName) {
  prepare();
  run_two();
  scratch_.git({"clone", "-q", "--depth", "1", "file://" + scratch_.root().string(),
                (scratch_.folder() / "shallow").string()});
  const auto asked =
      scratch_.tracker({"-C", (scratch_.folder() / "shallow").string(), "--store", url_, "log"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.errors, AllOf(HasSubstr("is a shallow clone"), HasSubstr("[store] repository")));
}

// libpq is loaded when it is first used: without it, everything else works. A broken one stands for a missing
// one.
TEST(PostgresLibrary, IsNeededByDatabasesAlone) {
  const Scratch scratch;
  scratch.write("../libraries/libpq.so.5", "");
  const std::map<std::string, std::string> environment = {
      {"LD_LIBRARY_PATH", (scratch.folder() / "libraries").string()}};
  scratch.commit_speeds(kFast);
  EXPECT_EQ(scratch.tracker_with(environment, {"run"}).exit_code, 0);
  const auto refused = scratch.tracker_with(environment, {"--store", "postgresql://host/perf"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("cannot load what PostgreSQL needs: "), HasSubstr("libpq.so.5"),
                                    HasSubstr("\n  next: apt-get install libpq5, or dnf install libpq\n")));
}

}  // namespace
}  // namespace tracker::e2e
