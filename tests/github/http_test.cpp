#include "tracker/github/http.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/support.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr HttpLimits kShort{.connecting = std::chrono::milliseconds(2000),
                            .whole = std::chrono::milliseconds(200),
                            .body_bytes_max = 1000};

TEST(Http, SendsMethodHeadersAndBody) {
  FakeApi fake;
  fake.server.answer("POST /a/b", {201, "made", {{"X-One", " 1 "}, {"X-Two", ""}}});
  HttpClient client;
  const auto answer = client.send({"POST", fake.server.url() + "/a/b?c=d", {"X-Mine: yes"}, "text"});
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.body, "made");
  EXPECT_EQ(answer.header("x-one"), "1");
  EXPECT_EQ(answer.header("x-two"), "");
  const auto requests = fake.server.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].query, "c=d");
  EXPECT_EQ(requests[0].body, "text");
  EXPECT_EQ(requests[0].headers.at("x-mine"), "yes");
  EXPECT_EQ(requests[0].headers.at("user-agent"), "tracker");
}

struct BadServer {
  const char* name;
  FakeAnswer answer;
  const char* failure;  // a regular expression: releases of libcurl word it differently
  bool may_pass;
};

class BadServerTest : public testing::TestWithParam<BadServer> {};

TEST_P(BadServerTest, IsSaidInWords) {
  FakeApi fake;
  fake.server.answer("GET /", GetParam().answer);
  HttpClient client(kShort);
  const auto answer = client.send({"GET", fake.server.url() + "/", {}, ""});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.failure, ContainsRegex(GetParam().failure));
  EXPECT_EQ(answer.may_pass, GetParam().may_pass);
  EXPECT_TRUE(answer.was_sent);
}

using Way = FakeAnswer::Way;
INSTANTIATE_TEST_SUITE_P(
    Http, BadServerTest,
    testing::Values(
        BadServer{"Hangs", {200, "", {}, Way::kNever}, "timed out", true},
        BadServer{"ClosesWithoutAWord", {200, "", {}, Way::kNone}, "Empty reply", true},
        BadServer{
            "IsCutOff", {200, std::string(500, 'x'), {}, Way::kCutOff}, "remaining to read|missing", true},
        BadServer{
            "NeverStops", {200, std::string(2000, 'x')}, "its answer is larger than 1000 bytes", false}),
    [](const auto& bad) { return bad.param.name; });

TEST(Http, ARefusedConnectionWasNotSent) {
  std::string url;
  {
    const FakeGitHub gone;
    url = gone.url();
  }
  without_proxy();
  HttpClient client(kShort);
  const auto answer = client.send({"POST", url + "/", {}, "text"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_FALSE(answer.was_sent);
  EXPECT_TRUE(answer.may_pass);
  EXPECT_THAT(answer.failure, HasSubstr("connect"));
}

TEST(Http, TheEnvironmentsProxyIsUsed) {
  FakeApi proxy;
  proxy.server.answer("GET http://nowhere.invalid/x", {200, "by proxy"});
  const ScopedEnvironment environment(
      {{"http_proxy", proxy.server.url()}, {"no_proxy", ""}, {"NO_PROXY", ""}});
  HttpClient client(kShort);
  EXPECT_EQ(client.send({"GET", "http://nowhere.invalid/x", {}, ""}).body, "by proxy");
}

TEST(Http, OnlyWebAddresses) {
  HttpClient client(kShort);
  EXPECT_THAT(client.send({"GET", "file:///etc/hostname", {}, ""}).failure,
              AnyOf(HasSubstr("not supported"), HasSubstr("disabled")));
}

TEST(Origin, IsSchemeHostAndPort) {
  EXPECT_EQ(origin_of("https://API.github.com/repos?a=b"), "https://api.github.com:443");
  EXPECT_EQ(origin_of("http://127.0.0.1:8080/x"), "http://127.0.0.1:8080");
  for (const char* none : {"", "api.github.com", "file:///etc/passwd", "https://",
                           "https://me:secret@github.com/", "https://me@github.com"})
    EXPECT_EQ(origin_of(none), "") << none;
  EXPECT_TRUE(is_private("https://api.github.com:443"));
  EXPECT_TRUE(is_private("http://127.0.0.1:8080"));
  EXPECT_FALSE(is_private("http://127.0.0.1.example:80"));
  EXPECT_FALSE(is_private("http://github.com:80"));
}

TEST(PercentEncoded, LeavesNothingThatHasAMeaning) {
  EXPECT_EQ(percent_encoded("user:a/b&c=#é"), "user%3Aa%2Fb%26c%3D%23%C3%A9");
  EXPECT_EQ(percent_encoded("A-z_0.9~"), "A-z_0.9~");
}

}  // namespace
}  // namespace tracker
