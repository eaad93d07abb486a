// A server that sends git elsewhere: its login goes nowhere but to the server that it is for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/support.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(GitRemote, FollowsNoRedirectToAnotherServer) {
  without_proxy();
  FakeGitHub server;
  FakeGitHub other;
  for (const int status : {301, 302, 307, 308})
    server.answer("GET /o/r.git/info/refs",
                  {status, "", {{"Location", other.url() + "/o/r.git/info/refs?service=git-upload-pack"}}});
  const ScratchRepository scratch;
  const ScopedEnvironment token{{"GITHUB_TOKEN", kToken}, {"GITHUB_SERVER_URL", server.url()}};
  const auto repository = repo::Repository::open(scratch.root());
  const repo::GitRemote remote(repository, server.url() + "/o/r.git");
  for (int i = 0; i < 4; ++i)
    EXPECT_THAT(error_of([&] { remote.fetch("refs/tracker/v1", "refs/x"); }),
                AllOf(HasSubstr("it redirects to another address"), HasSubstr("git remote set-url")));
  EXPECT_THAT(other.calls(), IsEmpty());
  ASSERT_EQ(server.requests().size(), 4u);
  EXPECT_TRUE(server.requests().front().headers.contains("authorization"))
      << "there was something to send along";
}

}  // namespace
}  // namespace tracker::github
