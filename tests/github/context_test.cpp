#include "tracker/github/context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/support.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_with(const std::string& name, const std::string& value) {
  const ScopedEnvironment environment({{name, value}});
  return error_of([] { read_context(); });
}

TEST(GitHubContext, IsGitHubsWhereNothingIsSet) {
  const ScopedEnvironment environment(
      {{"GITHUB_API_URL", ""}, {"GITHUB_SERVER_URL", ""}, {"GITHUB_REPOSITORY", ""}});
  const auto context = read_context();
  EXPECT_EQ(context.api_url, "https://api.github.com");
  EXPECT_EQ(context.server_url, "https://github.com");
  EXPECT_EQ(error_of([&] { context.require_repository(); }).substr(0, 32),
            "2 | GITHUB_REPOSITORY is not set");
}

TEST(GitHubContext, ReadsTheRun) {
  const ScopedEnvironment environment({{"GITHUB_SERVER_URL", "https://ghe.example/"},
                                       {"GITHUB_REPOSITORY", "team/kernels"},
                                       {"GITHUB_RUN_ID", "77"}});
  const auto context = read_context();
  EXPECT_EQ(context.run_url(), "https://ghe.example/team/kernels/actions/runs/77");
}

TEST(GitHubContext, RefusesWhatCannotBe) {
  EXPECT_THAT(error_with("GITHUB_API_URL", "http://api.example"),
              HasSubstr("2 | GITHUB_API_URL 'http://api.example' is not https"));
  EXPECT_THAT(error_with("GITHUB_API_URL", "https://me:pass@api.example"),
              AllOf(HasSubstr("is no address"), Not(HasSubstr("pass"))));
  EXPECT_THAT(error_with("GITHUB_SERVER_URL", "https://x/\n::error::"), HasSubstr("is no address"));
  EXPECT_THAT(error_with("GITHUB_REPOSITORY", "a/b/c"), HasSubstr("'a/b/c' is not OWNER/NAME"));
  EXPECT_THAT(error_with("GITHUB_TOKEN", "abc\r\nX-Evil: 1"),
              AllOf(HasSubstr("GITHUB_TOKEN holds"), Not(HasSubstr("abc"))));
}

TEST(Outputs, AreAppendedALineEach) {
  const ScratchFolder folder;
  Context context;
  context.output_path = (folder.path() / "output").string();
  write_file(context.output_path, "before=1\n");
  write_outputs(context, {{"kind", "push"}, {"base", ""}});
  EXPECT_EQ(read_file(context.output_path), "before=1\nkind=push\nbase=\n");
  EXPECT_THROW(output_lines({{"kind", "push\nbase=evil"}}), std::logic_error);
  context.output_path = (folder.path() / "none" / "output").string();
  EXPECT_THAT(error_of([&] { write_outputs(context, {}); }), HasSubstr("4 | cannot append to"));
}

TEST(WarningCommand, HoldsWhateverItIsGiven) {
  EXPECT_EQ(warning_command("a:b,c\n::error::x", "100%\r\n::error::y\x1b"),
            "::warning title=a%3Ab%2Cc %3A%3Aerror%3A%3Ax::100%25  ::error::y \n");
}

TEST(Names, AreThoseOfGitHubAndGit) {
  for (const char* good : {"o/r", "A-b/c.d_e"}) EXPECT_TRUE(is_repository_name(good)) << good;
  for (const char* bad : {"", "o", "o/", "/r", "o/r/x", "o/..", "o/r?x", "o/é", "o r/x"})
    EXPECT_FALSE(is_repository_name(bad)) << bad;
  for (const char* good : {"main", "feature/a-b", "a@b", "é"}) EXPECT_TRUE(is_branch_name(good)) << good;
  for (const char* bad : {"",   "-x",   "a..b",   "a b", "a:b", "a^",    "a~1",  "a\nb", "/a", "a/", "a//b",
                          ".a", "a/.b", "a.lock", "a.",  "@",   "a@{1}", "a\\b", "a*",   "a?", "a["})
    EXPECT_FALSE(is_branch_name(bad)) << bad;
  EXPECT_FALSE(is_branch_name(std::string(245, 'a')));
  EXPECT_TRUE(is_commit_id(std::string(40, 'a')));
  EXPECT_FALSE(is_commit_id(std::string(40, 'A')));
  EXPECT_FALSE(is_commit_id(std::string(39, 'a')));
  EXPECT_FALSE(is_commit_id(std::string(39, 'a') + "\n"));
}

}  // namespace
}  // namespace tracker::github
