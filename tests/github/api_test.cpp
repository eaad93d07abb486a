#include "tracker/github/api.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/support.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Way = FakeAnswer::Way;

FakeAnswer refusal(int status, const std::string& message,
                   std::vector<std::pair<std::string, std::string>> headers = {}) {
  return {status, json{{"message", message}}.dump(), std::move(headers)};
}

TEST(ServiceApi, SaysWhoItIsAndWhichVersionItSpeaks) {
  FakeApi fake;
  fake.server.answer("GET /repos/o/r", {200, R"({"id": 7})"});
  ServiceApi api(fake.options());
  EXPECT_EQ(api.get("/repos/o/r", {{"head", "a b&c"}})["id"], 7);
  const auto request = fake.server.requests().at(0);
  EXPECT_EQ(request.headers.at("authorization"), std::string("Bearer ") + kToken);
  EXPECT_EQ(request.headers.at("accept"), "application/vnd.github+json");
  EXPECT_EQ(request.headers.at("x-github-api-version"), "2022-11-28");
  EXPECT_EQ(request.query, "head=a%20b%26c");
}

TEST(ServiceApi, TextThatIsNoUtf8IsRepairedAndNotRefused) {
  FakeApi fake;
  fake.server.answer("POST /x", {201, "{}"});
  ServiceApi(fake.options()).post("/x", {{"body", "a\xff"}});
  EXPECT_EQ(json::parse(fake.server.requests().at(0).body)["body"], "a\uFFFD");
}

// What a message shows is cut: not within the token, which would leave most of it to be read.
TEST(ServiceApi, ATokenThatIsEchoedIsHiddenBeforeTheMessageIsCut) {
  const std::string token = kToken;
  for (std::size_t before : {80u, 95u, 285u, 295u}) {
    FakeApi fake;
    const std::string text = std::string(before, 'x') + token;
    fake.server.answer("GET /x", refusal(404, text));
    fake.server.answer("GET /x", {404, text});
    fake.server.answer("GET /x", {404, text.substr(0, text.size() - 1)});
    fake.server.answer("GET /x", {302, "", {{"Location", "https://evil.example/" + text}}});
    ServiceApi api(fake.options());
    for (int i = 0; i < 4; ++i)
      EXPECT_THAT(error_of([&] { api.get("/x"); }), Not(HasSubstr(token.substr(0, 8)))) << before << " " << i;
  }
}

TEST(ServiceApi, ASickServerIsAskedAgainWithLongerPauses) {
  FakeApi fake;
  fake.server.answer("GET /x", {502, "<html>Bad gateway</html>"});
  fake.server.answer("GET /x", {200, "", {}, Way::kNone});
  fake.server.answer("GET /x", {503, ""});
  fake.server.answer("GET /x", {200, "[]"});
  ServiceApi api(fake.options());
  EXPECT_EQ(api.get("/x"), json::array());
  EXPECT_THAT(fake.pauses_ms, ElementsAre(1000, 2000, 4000));
  EXPECT_THAT(fake.notes.at(0),
              StartsWith("GitHub answers 502 to 'GET /x': <html>Bad gateway</html>: waiting 1 s"));
}

TEST(ServiceApi, PatienceEnds) {
  FakeApi fake;
  fake.server.handle("GET /x", [](const FakeRequest&) { return FakeAnswer{500, "{}"}; });
  auto options = fake.options();
  options.patience = std::chrono::seconds(5);
  ServiceApi api(options);
  EXPECT_THAT(error_of([&] { api.get("/x"); }), StartsWith("4 | GitHub answers 500 to 'GET /x'"));
  EXPECT_THAT(fake.pauses_ms, ElementsAre(1000, 2000));
}

TEST(ServiceApi, WithoutPatienceItTriesOnce) {
  FakeApi fake;
  auto options = fake.options();
  options.patience = std::chrono::seconds(0);
  options.limits.whole = std::chrono::milliseconds(200);
  fake.server.answer("GET /x", {200, "", {}, Way::kNever});
  ServiceApi api(options);
  EXPECT_THAT(error_of([&] { api.get("/x"); }),
              AllOf(StartsWith("4 | no answer to 'GET /x' from 'http://127.0.0.1:"), HasSubstr("timed out")));
  EXPECT_THAT(fake.server.calls(), SizeIs(1));
}

TEST(ServiceApi, APostThatMayHaveBeenDoneIsNotRepeated) {
  for (const auto& answer : {FakeAnswer{502, ""}, FakeAnswer{200, "", {}, Way::kNone}}) {
    FakeApi fake;
    fake.server.answer("POST /x", answer);
    ServiceApi api(fake.options());
    try {
      api.post("/x", json::object());
      ADD_FAILURE() << "no error";
    } catch (const ApiError& error) {
      EXPECT_EQ(error.failure(), ApiFailure::kUnknown);
    }
    EXPECT_THAT(fake.server.calls(), SizeIs(1));
    EXPECT_THAT(fake.pauses_ms, IsEmpty());
  }
}

TEST(ServiceApi, APostThatWasNeverSentIsRepeated) {
  FakeApi fake;
  auto options = fake.options();
  {
    const FakeGitHub gone;
    options.url = gone.url();
  }
  ServiceApi api(options);
  EXPECT_THAT(error_of([&] { api.post("/x", json::object()); }), HasSubstr("no answer to 'POST /x'"));
  EXPECT_THAT(fake.pauses_ms, ElementsAre(1000, 2000, 4000, 8000, 16000));
}

struct Limit {
  const char* name;
  FakeAnswer answer;
  long long pause_ms;
};

class LimitTest : public testing::TestWithParam<Limit> {};

TEST_P(LimitTest, IsWaitedForWhereItIsShort) {
  FakeApi fake;
  fake.server.answer("POST /x", GetParam().answer);
  fake.server.answer("POST /x", {201, "{}"});
  ServiceApi api(fake.options());
  EXPECT_EQ(api.post("/x", json::object()), json::object());
  EXPECT_THAT(fake.pauses_ms, ElementsAre(GetParam().pause_ms));
}

INSTANTIATE_TEST_SUITE_P(
    ServiceApi, LimitTest,
    testing::Values(Limit{"RetryAfter", refusal(403, "secondary rate limit", {{"Retry-After", "7"}}), 7000},
                    Limit{"TooMany", refusal(429, "slow down"), 60000},
                    Limit{"Secondary", refusal(403, "You have exceeded a secondary rate limit."), 60000},
                    Limit{"Reset",
                          refusal(403, "API rate limit exceeded",
                                  {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1795176030"}}),
                          30000},
                    Limit{"ResetIsPast",
                          refusal(403, "API rate limit exceeded",
                                  {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1795170000"}}),
                          1000}),
    [](const auto& limit) { return limit.param.name; });

TEST(ServiceApi, ALimitThatIsFarAwayIsSaid) {
  for (const char* reset : {"1795179600", "4000000000", "99999999999999999999"}) {
    FakeApi fake;
    fake.server.handle("GET /x", [&](const FakeRequest&) {
      return refusal(403, "API rate limit exceeded",
                     {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", reset}});
    });
    ServiceApi api(fake.options());
    const std::string error = error_of([&] { api.get("/x"); });
    EXPECT_THAT(error, HasSubstr("rate limit is used up until 20")) << reset;
    if (std::string(reset) == "1795179600") {
      EXPECT_THAT(error, HasSubstr("2026-11-20T13:00:00Z"));
    }
  }
}

TEST(ServiceApi, WhatGitHubSaysIsSaid) {
  FakeApi fake;
  fake.server.answer("POST /x", {422, R"json({"message": "Validation Failed", "errors":
      [{"resource": "IssueComment", "message": "body is too long (maximum is 65536 characters)"}]})json"});
  fake.server.answer("POST /x", {422, R"({"message": "Validation Failed", "errors": ["one", "two"]})"});
  fake.server.answer("POST /x", {404, R"({"message": "Not\u001b[31m Found"})"});
  fake.server.answer("POST /x", {418, "tea\x1b"});
  ServiceApi api(fake.options());
  const auto post = [&] { api.post("/x", json::object()); };
  EXPECT_THAT(error_of(post),
              StartsWith("4 | GitHub answers 422 to 'POST /x': Validation Failed: body is too long "
                         "(maximum is 65536 characters)"));
  EXPECT_THAT(error_of(post), HasSubstr("Validation Failed: one"));
  EXPECT_THAT(error_of(post), HasSubstr("Not [31m Found"));
  EXPECT_THAT(error_of(post), HasSubstr("418 to 'POST /x': tea "));
}

TEST(ServiceApi, AnAnswerThatIsNoJsonIsSaid) {
  FakeApi fake;
  for (const char* body : {"", "<html>", "{\"a\": ", "\xff\xfe"}) {
    fake.server.answer("GET /x", {200, body});
    ServiceApi api(fake.options());
    EXPECT_THAT(error_of([&] { api.get("/x"); }),
                AllOf(StartsWith("4 | 'answer to GET /x': not valid JSON"), HasSubstr("GITHUB_API_URL")))
        << body;
  }
}

TEST(ServiceApi, AHugeAnswerIsRefused) {
  FakeApi fake;
  fake.server.answer("GET /x", {200, std::string(100'000, ' ')});
  auto options = fake.options();
  options.limits.body_bytes_max = 10'000;
  ServiceApi api(options);
  EXPECT_THAT(error_of([&] { api.get("/x"); }), HasSubstr("its answer is larger than 9.77 KiB"));
  EXPECT_THAT(fake.pauses_ms, IsEmpty());
}

TEST(ServiceApi, TheTokenIsNeverSaid) {
  FakeApi fake;
  fake.server.handle("GET /x", [](const FakeRequest& request) {
    return refusal(400, "you sent " + request.headers.at("authorization") + " and " +
                            request.headers.at("authorization"));
  });
  fake.server.answer("GET /y", {503, kToken});
  fake.server.answer("GET /y", {302, "", {{"Location", std::string("https://evil.example/?") + kToken}}});
  ServiceApi api(fake.options());
  const std::string errors = error_of([&] { api.get("/x"); }) + error_of([&] { api.get("/y"); });
  EXPECT_THAT(errors, HasSubstr("you sent Bearer *** and Bearer ***"));
  EXPECT_THAT(errors + fake.notes.at(0), Not(HasSubstr(kToken)));
}

TEST(ServiceApi, AMovedRepositoryIsFollowedWithMethodAndBody) {
  FakeApi fake;
  fake.server.answer("PATCH /repos/old/r", {307, "", {{"Location", fake.server.url() + "/repositories/7"}}});
  fake.server.answer("PATCH /repositories/7", {301, "", {{"Location", "/repos/new/r"}}});
  fake.server.answer("PATCH /repos/new/r", {200, R"({"ok": true})"});
  ServiceApi api(fake.options());
  EXPECT_EQ(api.send("PATCH", "/repos/old/r", {{"a", 1}})["ok"], true);
  EXPECT_EQ(fake.server.requests().at(2).body, R"({"a":1})");
  EXPECT_EQ(fake.server.requests().at(2).headers.at("authorization"), std::string("Bearer ") + kToken);
}

TEST(ServiceApi, NoOtherServerSeesTheToken) {
  FakeApi fake;
  const FakeGitHub other;
  const std::string port = fake.server.url().substr(fake.server.url().rfind(':'));
  for (const auto& to :
       {other.url() + "/x", "http://localhost" + port + "/x", std::string("//evil.example/x"),
        "https://127.0.0.1" + port + "/x", "http://user@127.0.0.1" + port + "/x"}) {
    fake.server.answer("GET /x", {302, "", {{"Location", to}}});
    ServiceApi api(fake.options());
    EXPECT_THAT(error_of([&] { api.get("/x"); }),
                HasSubstr("redirected to another server, and not followed"));
  }
  EXPECT_THAT(other.calls(), IsEmpty());
}

TEST(ServiceApi, RedirectsInACircleEnd) {
  FakeApi fake;
  fake.server.handle("GET /x", [](const FakeRequest&) { return FakeAnswer{302, "", {{"Location", "/x"}}}; });
  ServiceApi api(fake.options());
  EXPECT_THAT(error_of([&] { api.get("/x"); }), HasSubstr("redirected more than 5 times"));
}

TEST(ServiceApi, ReadsPagesUntilItFinds) {
  FakeApi fake;
  const auto page = [&](const char* number) {
    return "<" + fake.server.url() + "/x?page=1>; rel=\"prev\", <" + fake.server.url() + "/x?page=" + number +
           ">; rel=\"next\"";
  };
  fake.server.answer("GET /x", {200, "[1, 2]", {{"Link", page("2")}}});
  fake.server.answer("GET /x", {200, "[3]", {{"Link", page("3")}}});
  ServiceApi api(fake.options());
  EXPECT_EQ(api.find("/x", {{"state", "open"}}, [](const json& item) { return item == 3; }), json(3));
  EXPECT_EQ(fake.server.requests().at(0).query, "state=open&per_page=100");
  EXPECT_EQ(fake.server.requests().at(1).query, "page=2");
  EXPECT_THAT(fake.server.calls(), SizeIs(2));
}

TEST(ServiceApi, PagesOfAnotherServerAreNotAskedFor) {
  FakeApi fake;
  const FakeGitHub other;
  fake.server.answer("GET /x", {200, "[]", {{"Link", "<" + other.url() + "/x>; rel=\"next\""}}});
  ServiceApi api(fake.options());
  EXPECT_THAT(error_of([&] { api.find("/x", {}, [](const json&) { return false; }); }),
              HasSubstr("is on another server, and not fetched"));
  EXPECT_THAT(other.calls(), IsEmpty());
}

TEST(ServiceApi, EndlessPagesEnd) {
  FakeApi fake;
  fake.server.handle("GET /x", [&](const FakeRequest&) {
    return FakeAnswer{200, "[]", {{"Link", "<" + fake.server.url() + "/x>; rel=\"next\""}}};
  });
  ServiceApi api(fake.options());
  EXPECT_THAT(error_of([&] { api.find("/x", {}, [](const json&) { return false; }); }),
              HasSubstr("more than 100 pages"));
}

TEST(ServiceApi, AListThatIsNoneIsSaid) {
  FakeApi fake;
  fake.server.answer("GET /x", {200, "{}"});
  ServiceApi api(fake.options());
  EXPECT_THAT(error_of([&] { api.find("/x", {}, [](const json&) { return false; }); }),
              HasSubstr("'GET /x' is not a list"));
}

TEST(NextPage, IsFoundInAnyOrder) {
  EXPECT_EQ(next_page(R"(<https://a/1>; rel="prev", <https://a/3>; rel="next", <https://a/9>; rel="last")"),
            "https://a/3");
  for (const char* none : {"", "<https://a/1>; rel=\"last\"", "<https://a/1", "rel=\"next\""})
    EXPECT_EQ(next_page(none), "") << none;
}

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

}  // namespace

}  // namespace tracker::github
