// Fetching and pushing, with real repositories; what a server would say, from git's own words.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::repo {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRef = "refs/tracker/v1";
constexpr const char* kLocal = "refs/tracker-remotes/origin/v1";

struct WithOrigin : ScratchRepository {
  fs::path bare = folder() / "origin.git";
  std::string first = commit("a", "1");
  Repository repository = Repository::open(root());

  WithOrigin() {
    git({"init", "--quiet", "--bare", bare.string()});
    git({"remote", "add", "origin", bare.string()});
  }
  std::string at_origin(const std::string& ref) const {
    return testing_support::git(bare, {"for-each-ref", "--format=%(objectname)", ref});
  }
};

TEST(GitRemote, FetchesWhatWasPushedAndNothingElse) {
  WithOrigin scratch;
  const GitRemote remote(scratch.repository, "origin");
  EXPECT_EQ(remote.fetch(kRef, kLocal), std::nullopt);
  EXPECT_TRUE(remote.push(scratch.first, kRef));
  EXPECT_EQ(scratch.at_origin(kRef), scratch.first);
  scratch.git({"tag", "v1"});
  scratch.git({"push", "--quiet", "origin", "v1", "main"});
  scratch.git({"tag", "--delete", "v1"});
  const auto before = scratch.git({"for-each-ref"});
  EXPECT_EQ(remote.fetch(kRef, kLocal), scratch.first);
  EXPECT_EQ(scratch.git({"for-each-ref"}), before + "\n" + scratch.first + " commit\t" + kLocal);
  EXPECT_FALSE(fs::exists(scratch.git_folder() / "FETCH_HEAD"));
}

TEST(GitRemote, NeverPushesOverWhatSomeoneElsePushed) {
  WithOrigin scratch;
  const GitRemote remote(scratch.repository, "origin");
  const auto second = scratch.commit("a", "2");
  scratch.git({"reset", "--quiet", "--hard", scratch.first});
  const auto other = scratch.commit("a", "3");
  EXPECT_TRUE(remote.push(second, kRef));
  EXPECT_FALSE(remote.push(other, kRef));
  EXPECT_FALSE(remote.push(scratch.first, kRef)) << "nor back";
  EXPECT_EQ(scratch.at_origin(kRef), second);
}

// The loser of a race has fetched nothing of what the winner pushed.
TEST(GitRemote, SendsToANewRefWhatIsNotThere) {
  constexpr int kCommits = 20;
  WithOrigin scratch;
  const GitRemote remote(scratch.repository, "origin");
  git(scratch.bare, {"config", "receive.unpackLimit", "1"});
  std::string shared;
  for (int i = 0; i < kCommits; ++i) shared = scratch.commit("a", "shared " + std::to_string(i));
  EXPECT_TRUE(remote.push(shared, kRef));
  const auto of_this = scratch.commit("a", "of this clone");
  ScratchRepository winner;
  winner.git({"fetch", "--quiet", scratch.bare.string(), kRef});
  winner.git({"reset", "--quiet", "--hard", shared});
  winner.commit("b", "of another clone");
  winner.git({"push", "--quiet", scratch.bare.string(), "HEAD:" + std::string(kRef)});
  const auto packed = [&] {
    const std::string counts = git(scratch.bare, {"count-objects", "--verbose"});
    const std::string_view before = "in-pack: ";
    return std::stoi(counts.substr(counts.find(before) + before.size()));
  };
  const int objects = packed();
  EXPECT_TRUE(remote.push(of_this, "refs/tracker-queue/v1/this", {.asks_first = true}));
  EXPECT_EQ(packed() - objects, 3) << "the commit, its folder and its file";
}

TEST(GitRemote, ReplacesOnlyWhatIsExpectedThere) {
  WithOrigin scratch;
  const GitRemote remote(scratch.repository, "origin");
  const auto second = scratch.commit("a", "2");
  scratch.git({"reset", "--quiet", "--hard", scratch.first});
  const auto other = scratch.commit("a", "3");
  EXPECT_TRUE(remote.replace(second, kRef, ""));
  EXPECT_FALSE(remote.replace(other, kRef, "")) << "there is something now";
  EXPECT_FALSE(remote.replace(other, kRef, scratch.first)) << "there is something else";
  EXPECT_EQ(scratch.at_origin(kRef), second);
  EXPECT_TRUE(remote.replace(other, kRef, second));
  EXPECT_EQ(scratch.at_origin(kRef), other);
}

TEST(GitRemote, FetchesACommitByItsId) {
  WithOrigin scratch;
  const GitRemote remote(scratch.repository, "file://" + scratch.bare.string());
  EXPECT_TRUE(remote.push(scratch.first, kRef));
  EXPECT_EQ(remote.fetch(scratch.first, kLocal), scratch.first);
  EXPECT_EQ(remote.fetch(std::string(40, '1'), kLocal), std::nullopt);
}

TEST(GitRemote, PushesOneRefFromAMirrorToo) {
  WithOrigin scratch;
  scratch.git({"config", "remote.origin.mirror", "true"});
  EXPECT_TRUE(GitRemote(scratch.repository, "origin").push(scratch.first, kRef));
  EXPECT_EQ(scratch.at_origin("refs"), scratch.first);
}

TEST(GitRemote, IsAConfiguredNameAUrlOrAPath) {
  WithOrigin scratch;
  EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, "orgin"); }),
              StartsWith("2 | no remote 'orgin' | did you mean 'origin'?"));
  EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, "elsewhere"); }),
              StartsWith("2 | no remote 'elsewhere' | remotes: origin"));
  for (const std::string hostile : {"--upload-pack=touch x", "-x/y", "", "a/\nb"})
    EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, hostile); }), StartsWith("2 | no remote "))
        << hostile;
  for (const std::string& name : {scratch.bare.string(), "file://" + scratch.bare.string()})
    EXPECT_TRUE(GitRemote(scratch.repository, name).push(scratch.first, kRef)) << name;
  scratch.git({"remote", "remove", "origin"});
  EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, "origin"); }),
              HasSubstr("this repository has none | name one: git remote add origin URL"));
}

TEST(GitRemote, SaysWhatIsWrong) {
  WithOrigin scratch;
  scratch.git({"remote", "add", "gone", (scratch.folder() / "gone.git").string()});
  scratch.git({"remote", "add", "closed", "https://ada:hunter2@127.0.0.1:1/x.git"});
  const auto fetch_from = [&](const std::string& name) {
    return error_of([&] { GitRemote(scratch.repository, name).fetch(kRef, kLocal); });
  };
  EXPECT_THAT(fetch_from("gone"), AllOf(StartsWith("4 | cannot fetch 'refs/tracker/v1' from 'gone': there is "
                                                   "no repository"),
                                        HasSubstr("git remote -v")));
  EXPECT_THAT(fetch_from("closed"), AllOf(StartsWith("4 | cannot fetch 'refs/tracker/v1' from 'closed': it "
                                                     "cannot be reached"),
                                          Not(HasSubstr("hunter2"))));
  EXPECT_THAT(fetch_from("https://ada:hunter2@127.0.0.1:1/x.git"),
              AllOf(HasSubstr("from 'https://127.0.0.1:1/x.git'"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(fetch_from("ext::sh -c touch% x"), HasSubstr("transport 'ext' not allowed"));
}

TEST(GitRemote, SaysThatTheRemoteRefuses) {
  WithOrigin scratch;
  write_file(scratch.bare / "hooks/pre-receive", "#!/bin/sh\necho 'no runs here' >&2\nexit 1\n");
  fs::permissions(scratch.bare / "hooks/pre-receive", fs::perms(0755));
  EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, "origin").push(scratch.first, kRef); }),
              AllOf(StartsWith("4 | cannot push 'refs/tracker/v1' to 'origin': it does not let this ref be "
                               "written"),
                    HasSubstr("no runs here")));
  EXPECT_EQ(scratch.at_origin(kRef), "");
}

// A tree that git itself would not make: two entries of one name.
TEST(GitRemote, TakesOverNothingThatIsDamaged) {
  WithOrigin scratch;
  const auto blob = testing_support::git(scratch.bare, {"hash-object", "-w", "--stdin"}, {}, "{}");
  std::string raw;
  for (std::size_t i = 0; i < blob.size(); i += 2)
    raw += static_cast<char>(std::stoi(blob.substr(i, 2), nullptr, 16));
  const std::string entry = std::string("100644 a") + '\0' + raw;
  const auto tree = testing_support::git(
      scratch.bare, {"hash-object", "-w", "-t", "tree", "--literally", "--stdin"}, {}, entry + entry);
  const auto commit = testing_support::git(scratch.bare, {"commit-tree", "-m", "x", tree});
  testing_support::git(scratch.bare, {"update-ref", kRef, commit});
  EXPECT_THAT(error_of([&] { GitRemote(scratch.repository, "origin").fetch(kRef, kLocal); }),
              AllOf(StartsWith("4 | cannot fetch"), HasSubstr("damaged or was made to harm"),
                    HasSubstr("duplicate")));
  EXPECT_EQ(scratch.git({"for-each-ref", "refs/tracker-remotes"}), "");
}

// What the programs and servers print.
TEST(RemoteFailure, NamesTheCause) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
       "cannot be reached"},
      {"fatal: could not read Username for 'https://github.com': terminal prompts disabled",
       "refuses access"},
      {"remote: Permission to a/b.git denied to github-actions[bot].\nfatal: unable to access "
       "'https://github.com/a/b/': The requested URL returned error: 403",
       "refuses access"},
      {"git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.",
       "refuses access"},
      {"remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found",
       "no repository"},
      {"Host key verification failed.\nfatal: Could not read from remote repository.", "host's key"},
      {"error: RPC failed; curl 56 recv failure\nfatal: the remote end hung up unexpectedly", "broke off"},
      {"!\ta:b\t[remote rejected] (protected branch hook declined)", "does not let this ref be written"},
      {"fatal: write error: No space left on device", "disk is full"},
      {"error: something never seen", "something never seen"},
      {"", "git says nothing of why"},
  };
  for (const auto& [words, cause] : rows) {
    const auto error = remote_failure("cannot fetch", words);
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_THAT(error.what(), AllOf(StartsWith("cannot fetch: "), HasSubstr(cause)));
    EXPECT_THAT(error.hint(), Not(IsEmpty()));
  }
  const std::string hostile = remote_failure("x", "remote: \x1b[31m" + std::string(10000, 'a')).what();
  EXPECT_LT(hostile.size(), 600u);
  EXPECT_THAT(hostile, Not(HasSubstr("\x1b")));
}

using Variables = std::map<std::string, std::string>;

TEST(GitToken, GoesToTheServerByTheEnvironmentAlone) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  ScopedEnvironment token{{"GITHUB_TOKEN", "ghs_abc"}, {"GITHUB_SERVER_URL", "https://github.example"}};
  const Variables expected = {
      {"GIT_CONFIG_COUNT", "1"},
      {"GIT_CONFIG_KEY_0", "http.https://github.example/.extraheader"},
      {"GIT_CONFIG_VALUE_0", "Authorization: Basic eC1hY2Nlc3MtdG9rZW46Z2hzX2FiYw=="}};
  const auto sent = [&](const std::vector<std::string>& urls) {
    auto variables = environment_towards(repository, "origin", urls).variables;
    variables.erase("GIT_ALLOW_PROTOCOL");
    return variables;
  };
  EXPECT_EQ(sent({"https://github.example/a/b.git"}), expected);
  EXPECT_EQ(scratch.git({"config", "--get-urlmatch", "http.extraheader", "https://github.example/a/b.git"},
                        expected),
            expected.at("GIT_CONFIG_VALUE_0"));
  ScopedEnvironment before{
      {"GIT_CONFIG_COUNT", "1"}, {"GIT_CONFIG_KEY_0", "a.b"}, {"GIT_CONFIG_VALUE_0", "c"}};
  const auto second = sent({"https://github.example/a/b.git"});
  EXPECT_EQ(second.at("GIT_CONFIG_COUNT"), "2");
  EXPECT_TRUE(second.contains("GIT_CONFIG_VALUE_1"));
}

// Answers that many requests in this way, and keeps what it was asked.
class RefusingServer {
 public:
  explicit RefusingServer(std::string answer = "403 Forbidden", int requests = 1)
      : answer_("HTTP/1.1 " + answer + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        requests_(requests) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* at = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, at, size) != 0 || ::listen(socket_, 1) != 0 || ::getsockname(socket_, at, &size) != 0)
      throw std::runtime_error("no server");
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] {
      for (int request = 0; request < requests_; ++request) serve();
    });
  }
  RefusingServer(const RefusingServer&) = delete;
  RefusingServer& operator=(const RefusingServer&) = delete;
  ~RefusingServer() {
    ::shutdown(socket_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(socket_);
  }
  const std::string& url() const { return url_; }
  std::string request() {
    thread_.join();
    return request_;
  }

 private:
  void serve() {
    const int client = ::accept(socket_, nullptr, nullptr);
    if (client < 0) return;
    char buffer[4096];
    request_.clear();
    while (request_.find("\r\n\r\n") == std::string::npos) {
      const auto got = ::read(client, buffer, sizeof buffer);
      if (got <= 0) break;
      request_.append(buffer, static_cast<std::size_t>(got));
    }
    request_ += ::write(client, answer_.data(), answer_.size()) < 0 ? "no answer" : "";
    ::close(client);
  }

  std::string answer_;
  int requests_;
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string url_;
  std::string request_;
  std::thread thread_;
};

TEST(GitToken, ReachesTheServerAndNoMessage) {
  RefusingServer server;
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  ScopedEnvironment token{{"GITHUB_TOKEN", "ghs_abc"}, {"GITHUB_SERVER_URL", server.url()}};
  scratch.git({"remote", "add", "origin", server.url() + "/a/b.git"});
  EXPECT_THAT(error_of([&] { GitRemote(repository, "origin").fetch(kRef, kLocal); }),
              AllOf(HasSubstr("it refuses access"), Not(HasSubstr("eC1hY2Nlc3M"))));
  EXPECT_THAT(server.request(), AllOf(StartsWith("GET /a/b.git/info/refs"),
                                      HasSubstr("Basic eC1hY2Nlc3MtdG9rZW46Z2hzX2FiYw==")));
}

TEST(GitToken, LeavesOtherCredentialsAlone) {
  const auto with = [](const std::vector<std::string>& setting) {
    ScratchRepository scratch;
    const auto repository = Repository::open(scratch.root());
    ScopedEnvironment token{{"GITHUB_TOKEN", "ghs_abc"}, {"GITHUB_SERVER_URL", "https://github.example"}};
    auto call = setting;
    call.insert(call.begin(), "config");
    if (!setting.empty()) scratch.git(call);
    const auto reset = [](const fs::path* file) { fs::remove(*file); };
    const fs::path own = ScratchHome::path() / ".gitconfig";
    const std::unique_ptr<const fs::path, decltype(reset)> at_end(&own, reset);
    const auto variables = environment_towards(repository, "origin", {"https://github.example/a"}).variables;
    return std::ranges::any_of(variables,
                               [](const auto& one) { return one.second.starts_with("Authorization: "); });
  };
  EXPECT_TRUE(with({}));
  EXPECT_FALSE(with({"http.https://github.example/.extraheader", "AUTHORIZATION: basic x"}));
  EXPECT_FALSE(with({"--global", "credential.helper", "store"}));
  EXPECT_TRUE(with({"credential.helper", "store"})) << "which the clone names";
  EXPECT_TRUE(with({"http.https://other.example/.extraheader", "AUTHORIZATION: basic x"}));
}

// An address of each kind; what makes another one of it counts as well.
TEST(GitToken, GoesToNoRemoteThatNeedsNone) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  ScopedEnvironment token{{"GITHUB_TOKEN", "ghs_abc"}, {"GITHUB_SERVER_URL", "https://github.example"}};
  for (const std::string url :
       {"file:///a", "/a", "./a", "ssh://git@github.example/a", "git@github.example:a",
        "git://github.example/a", "ext::https://github.example", "HTTPS://github.example/a"}) {
    const auto environment = environment_towards(repository, "origin", {url});
    EXPECT_FALSE(environment.with_tokens) << url;
    EXPECT_FALSE(environment.variables.contains("GIT_CONFIG_COUNT")) << url;
    EXPECT_FALSE(environment_towards(repository, "origin", {"https://github.example/a", url}).with_tokens)
        << url;
  }
  EXPECT_TRUE(environment_towards(repository, "origin", {"https://github.example/a"}).with_tokens);
}

// Who answers, and with whose certificate, is not for the clone to say; nor does one address follow
// redirects.
TEST(GitToken, GoesToNoServerThatOnlyTheCloneTrusts) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  const fs::path own = ScratchHome::path() / ".gitconfig";
  const std::string of_host = "http.https://github.example/";
  const auto effective = [&](const std::string& name) {
    auto variables = environment_towards(repository, "origin", {"https://github.example/a"}).variables;
    return scratch.git({"config", "--get-urlmatch", "http." + name, "https://github.example/a"}, variables);
  };
  for (const auto& [name, value, expected] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"sslVerify", "false", "true"},
                                                                      {"sslCAInfo", "/evil", ""},
                                                                      {"sslCAPath", "/evil", ""},
                                                                      {"saveCookies", "true", "false"},
                                                                      {"followRedirects", "true", "false"}}) {
    for (const std::string& key : {"http." + name, of_host + "." + name}) {
      if (key == "http.followRedirects") continue;  // by each call
      scratch.git({"config", key, value});
      EXPECT_EQ(effective(name), expected) << key;
      if (name != "followRedirects") {
        scratch.git({"config", "--global", key, "/own"});
        EXPECT_EQ(effective(name), "/own") << key;
        fs::remove(own);
      }
      scratch.git({"config", "--unset", key});
    }
  }
  scratch.git({"config", "--global", of_host + ".followRedirects", "true"});
  EXPECT_EQ(effective("followRedirects"), "false");
  fs::remove(own);
  scratch.git({"config", "http.proxy", "http://proxy.example"});
  EXPECT_EQ(effective("proxy"), "http://proxy.example") << "which learns nothing of what goes through it";
}

// A job that used the clone before wrote its configuration. No program that it names runs, whichever way it
// names it, and none of the user's tokens is in reach of what runs; what the user's own configuration names
// runs.
std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CloneSettings : public ::testing::Test {
 protected:
  CloneSettings() {
    write_file(program_, "#!/bin/sh\n{ echo ran \"$@\"; env; } >>" + ran_.string() + "\nexit 1\n");
    fs::permissions(program_, fs::perms(0755));
    scratch_.commit("a", "1");
    scratch_.git({"init", "-q", "--bare", there_.string()});
    scratch_.git({"remote", "add", "origin", "file://" + there_.string()});
    scratch_.git({"update-ref", kRef, "HEAD"});
    head_ = scratch_.git({"rev-parse", "HEAD"});
  }
  ~CloneSettings() override { fs::remove(ScratchHome::path() / ".gitconfig"); }

  // What `program_` was run with, after a push and a fetch; empty where it was not.
  std::string ran(const std::string& remote = "origin") {
    fs::remove(ran_);
    said_.clear();
    const auto repository = Repository::open(scratch_.root());
    said_ = error_of([&] { GitRemote(repository, remote).push(head_, kRef); });
    said_ += error_of([&] { GitRemote(repository, remote).fetch(kRef, kLocal); });
    return fs::exists(ran_) ? text_of_file(ran_) : "";
  }

  ScratchRepository scratch_;
  ScratchFolder folder_;
  fs::path program_ = folder_.path() / "program";
  fs::path ran_ = folder_.path() / "ran";
  fs::path there_ = folder_.path() / "there.git";
  std::string head_;
  std::string said_;
  ScopedEnvironment token_{
      {"GITHUB_TOKEN", "ghs_abc"}, {"GH_TOKEN", "ghs_def"}, {"GITHUB_SERVER_URL", "https://github.example"}};
};

struct ProgramSetting {
  const char* key;
  const char* value;   // "%": the program
  const char* remote;  // what is fetched from and pushed to
  bool is_followed_globally = true;
};

TEST_F(CloneSettings, RunNoProgram) {
  const ProgramSetting settings[] = {
      {"remote.origin.uploadpack", "%", "origin"},
      {"remote.origin.receivepack", "%", "origin"},
      {"core.sshCommand", "%", "ssh://git@host.invalid/a"},
      {"core.gitProxy", "%", "git://host.invalid/a"},
      {"core.askPass", "%", "http://127.0.0.1:1/a", false},  // is not asked where nobody listens
      {"core.fsmonitor", "%", "origin", false},
      {"core.hooksPath", "%", "origin", false},
      {"core.alternateRefsCommand", "%", "origin", false},
      {"remote.origin.url", "ext::% x", "origin", false},
      {"remote.origin.pushurl", "ext::% x", "origin", false},
      {"remote.origin.vcs", "ext", "origin", false},
      {"url.ext::% .insteadOf", "file://", "origin", false},
      {"url.ext::% .pushInsteadOf", "file://", "origin", false},
  };
  for (const auto& [key, value, remote, is_followed] : settings) {
    const auto filled = [&](std::string text) {
      if (const auto at = text.find('%'); at != std::string::npos) text.replace(at, 1, program_.string());
      return text;
    };
    const auto configuration = text_of_file(scratch_.git_folder() / "config");
    const auto reset = [&] { write_file(scratch_.git_folder() / "config", configuration); };
    const std::string file = (folder_.path() / "included").string();
    fs::remove(file);
    scratch_.git({"config", "--file", file, filled(key), filled(value)});
    if (std::string(value).starts_with("ext") || std::string(key).starts_with("url."))
      scratch_.git({"config", "--file", file, "protocol.ext.allow", "always"});
    for (const char* include : {"include.path", "includeIf.gitdir:/.path"}) {
      scratch_.git({"config", include, file});
      EXPECT_EQ(ran(remote), "") << key << " by " << include << ": " << said_;
      reset();
    }
    for (const auto& line : split(scratch_.git({"config", "--file", file, "--list"}), '\n')) {
      const auto sign = line.rfind('=');
      scratch_.git(
          {"config", "--replace-all", std::string(line.substr(0, sign)), std::string(line.substr(sign + 1))});
    }
    EXPECT_EQ(ran(remote), "") << key << ": " << said_;
    reset();
    if (!is_followed) continue;
    scratch_.git({"config", "--global", filled(key), filled(value)});
    const auto by_user = ran(remote);
    EXPECT_THAT(by_user, HasSubstr("ran")) << key << ": " << said_;
    EXPECT_THAT(by_user, Not(HasSubstr("ghs_"))) << key;
    EXPECT_THAT(by_user, Not(HasSubstr("eC1hY2Nlc3M"))) << key;
    // Both: the user's own runs.
    scratch_.git({"config", key, "/bin/false"});
    EXPECT_THAT(ran(remote), HasSubstr("ran")) << key << ": " << said_;
    reset();
    fs::remove(ScratchHome::path() / ".gitconfig");
  }
}

// The remote is somebody's repository: its hooks run, and see no token.
TEST_F(CloneSettings, GiveHooksOfTheRemoteNoToken) {
  fs::create_directories(there_ / "hooks");
  fs::copy_file(program_, there_ / "hooks/pre-receive", fs::copy_options::overwrite_existing);
  for (const std::string& remote : {std::string("origin"), there_.string()}) {
    const auto seen = ran(remote);
    EXPECT_THAT(seen, HasSubstr("ran")) << said_;
    EXPECT_THAT(seen, Not(HasSubstr("ghs_")));
    EXPECT_THAT(seen, Not(HasSubstr("eC1hY2Nlc3M")));
  }
}

TEST_F(CloneSettings, AreNamedWhereAFetchFails) {
  scratch_.git({"config", "core.sshCommand", program_.string()});
  ran("ssh://git@host.invalid/a");
  EXPECT_THAT(said_, AllOf(HasSubstr("configuration was not followed in: core.sshcommand"),
                           HasSubstr("git config --global")));
  ran("codecommit::https://host.invalid/a");
  EXPECT_THAT(said_, HasSubstr("protocol.NAME.allow"));
}

// Over http, where a login is asked for.
TEST_F(CloneSettings, LeaveTheUsersCredentialHelperAlone) {
  const auto asked = [&] {
    const RefusingServer server("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"", 20);
    return ran(server.url() + "/a/b.git");
  };
  for (const std::string key : {"credential.helper", "credential.http://127.0.0.1.helper"}) {
    scratch_.git({"config", key, program_.string()});
    EXPECT_EQ(asked(), "") << key;
    scratch_.git({"config", "--unset", key});
  }
  scratch_.git({"config", "--global", "credential.helper", program_.string()});
  EXPECT_THAT(asked(), HasSubstr("ran get"));
  EXPECT_THAT(asked(), HasSubstr("GH_TOKEN=ghs_def")) << "one may read it";
  scratch_.git({"config", "credential.helper", ""});
  EXPECT_THAT(asked(), HasSubstr("ran get")) << "the clone switches it off";
  scratch_.git({"config", "core.askPass", program_.string()});
  EXPECT_THAT(asked(), Not(HasSubstr("Username")));
}

TEST(GitToken, IsRefusedWithoutBeingTold) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  {
    ScopedEnvironment none{{"GITHUB_TOKEN", ""}};
    EXPECT_FALSE(environment_towards(repository, "origin", {"https://github.com/a"})
                     .variables.contains("GIT_CONFIG_COUNT"));
  }
  const auto refusal = [&](const std::string& token, const std::string& server) {
    ScopedEnvironment set{{"GITHUB_TOKEN", token}, {"GITHUB_SERVER_URL", server}};
    return error_of([&] { environment_towards(repository, "origin", {"https://github.com/a"}); });
  };
  EXPECT_THAT(refusal("ghs_abc\r\nX-Evil: 1", "https://github.com"),
              AllOf(StartsWith("2 | the variable GITHUB_TOKEN"), Not(HasSubstr("ghs_abc"))));
  for (const std::string server :
       {"ssh://github.com", "https://a b", "https://x@y", "https://a\n[core]", "http://github.example",
        "http://127.0.0.1.evil.example", "http://localhostile"})
    EXPECT_THAT(refusal("ghs_abc", server), StartsWith("2 | the variable GITHUB_SERVER_URL")) << server;
  EXPECT_EQ(without_secrets("https://x:ghs_abc@h/p ghs_abc ssh://git@h", {"ghs_abc"}),
            "https://h/p *** ssh://h");
}

}  // namespace
}  // namespace tracker::repo
