// The git executable: how it is started, and what it gets in its environment towards a remote.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::repo {
namespace {

// What would point git to another repository, index or object folder. (Configuration that comes in by
// GIT_CONFIG_* stays: it may carry trust and credentials.)
constexpr std::string_view kRepositoryVariables =
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY "
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_QUARANTINE_PATH GIT_NAMESPACE GIT_PREFIX "
    "GIT_IMPLICIT_WORK_TREE GIT_INTERNAL_SUPER_PREFIX GIT_SHALLOW_FILE GIT_GRAFT_FILE "
    "GIT_REPLACE_REF_BASE GIT_CEILING_DIRECTORIES";

// A submodule that does not arrive in this time never will.
constexpr std::chrono::minutes kGitTimeout{60};

// What git gets in its environment towards a remote: GITHUB_TOKEN, as an argument could be read by every
// process of the machine; and what stands in place of the programs that the clone's own configuration names,
// as a job that used the clone before may have written it.

// RFC 4648, section 4.
std::string base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      result += at + i <= text.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return result;
}

// Whether it is visible ASCII throughout: neither a space nor a line end can begin a header of its own.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_loopback(std::string_view url) {
  const auto host = url.substr(std::string_view("http://").size());
  const auto bare = host.substr(0, host.find_first_of("/?#"));
  for (const std::string_view loopback : {"127.0.0.1", "localhost", "[::1]"})
    if (bare == loopback || (bare.starts_with(loopback) && bare[loopback.size()] == ':')) return true;
  return false;
}

using Variables = std::map<std::string, std::string>;

// One setting as git sees it, with what it includes. Keys are in lower case but for a part in the middle.
struct Setting {
  std::string key;
  std::string value;
  bool is_of_clone = false;  // .git/config, config.worktree, and what these include
};

std::vector<Setting> settings_of(const Repository& repository) {
  auto listed = run_git(repository.root(), {"config", "--list", "-z", "--includes", "--show-scope"});
  const bool has_scopes = listed.ok();  // since git 2.26; else all that is known is what the clone has
  if (!has_scopes) listed = run_git(repository.root(), {"config", "--list", "-z", "--includes", "--local"});
  const auto parts = split(listed.output, '\0');
  std::vector<Setting> settings;
  const std::size_t step = has_scopes ? 2 : 1;
  for (std::size_t at = step - 1; at < parts.size(); at += step) {
    const auto end = parts[at].find('\n');
    if (parts[at].empty()) continue;
    settings.push_back(
        {.key = std::string(parts[at].substr(0, end)),
         .value = end == std::string::npos ? "true" : std::string(parts[at].substr(end + 1)),
         .is_of_clone = !has_scopes || parts[at - 1] == "local" || parts[at - 1] == "worktree"});
  }
  return settings;
}

// Settings of a clone that are not followed: a key, or how it begins and ends; which key is set in its
// place (what the key begins with, and this), and to what where the user's own configuration says nothing of
// it.
struct NotFollowed {
  std::string_view begin;
  std::string_view end;
  std::string_view set;
  const char* otherwise;
};
constexpr NotFollowed kNotFollowed[] = {
    {"core.sshcommand", "", "", kSshCommand},
    {"core.askpass", "", "", ""},
    {"core.alternaterefscommand", "", "", "true"},  // answers no refs
    {"hook.", ".command", ".enabled", "false"},
    {"push.gpgsign", "", "", "false"},
    // Whether a server is the right one; also of one address ("http.https://host/.sslverify").
    {"http.", "sslverify", "sslverify", "true"},
    {"http.", "sslcainfo", "sslcainfo", ""},  // none: there is no way back to curl's own
    {"http.", "sslcapath", "sslcapath", ""},
    {"http.", "savecookies", "savecookies", "false"},
};

bool is_helper(std::string_view key) {
  return key.starts_with("credential.") && key.ends_with(".helper");
}

// The transports that git may use: those that run no program but git's and ssh, and what the user's own
// configuration allows always.
std::string allowed_protocols(const std::vector<Setting>& settings) {
  std::set<std::string> allowed = {"file", "git", "http", "https", "ssh"};
  constexpr std::string_view kBegin = "protocol.";
  constexpr std::string_view kEnd = ".allow";
  for (const auto& [key, value, is_of_clone] : settings) {
    if (is_of_clone || !key.starts_with(kBegin) || !key.ends_with(kEnd) ||
        key.size() <= kBegin.size() + kEnd.size())
      continue;
    const auto name = key.substr(kBegin.size(), key.size() - kBegin.size() - kEnd.size());
    if (value == "always") allowed.insert(name);
    if (value == "never") allowed.erase(name);
  }
  return join({allowed.begin(), allowed.end()}, ":");
}

// Variables that add settings, after those that are configured in this way already.
class AddedSettings {
 public:
  AddedSettings() {
    const std::string already = environment_value("GIT_CONFIG_COUNT");
    const char* end = already.data() + already.size();
    const auto read = std::from_chars(already.data(), end, count_);
    is_broken_ =
        !already.empty() && (read.ec != std::errc{} || read.ptr != end);  // git will say what is wrong
  }
  void add(const std::string& key, const std::string& value) {
    if (is_broken_) return;
    const std::string place = std::to_string(count_++);
    variables_["GIT_CONFIG_KEY_" + place] = key;
    variables_["GIT_CONFIG_VALUE_" + place] = value;
    variables_["GIT_CONFIG_COUNT"] = std::to_string(count_);
  }
  const Variables& variables() const { return variables_; }

 private:
  std::uint32_t count_ = 0;
  bool is_broken_ = false;
  Variables variables_;
};

// The last of the user's own.
std::string own_value(const std::vector<Setting>& settings, const std::string& key,
                      const std::string& otherwise) {
  std::string value = otherwise;
  for (const auto& setting : settings)
    if (!setting.is_of_clone && setting.key == key) value = setting.value;
  return value;
}

// Puts the user's own in place of what the clone names. Which of the clone's are not followed.
std::set<std::string> set_own_values(const std::vector<Setting>& settings, AddedSettings& added,
                                     Variables& variables) {
  std::set<std::string> not_followed;
  std::set<std::string> helpers;
  for (const auto& [key, value, is_of_clone] : settings) {
    if (!is_of_clone) continue;
    for (const auto& row : kNotFollowed) {
      const bool fits =
          row.end.empty() ? key == row.begin : key.starts_with(row.begin) && key.ends_with(row.end);
      if (!fits || !not_followed.insert(key).second) continue;
      const std::string set = key.substr(0, key.size() - row.end.size()) + std::string(row.set);
      std::string instead = own_value(settings, set, row.otherwise);
      if (key == "core.sshcommand" && instead == kSshCommand && !environment_value("GIT_SSH").empty())
        instead = shell_word(environment_value("GIT_SSH"));
      added.add(set, instead);
    }
    if (key.starts_with("gpg.") && not_followed.insert(key).second) added.add("push.gpgsign", "false");
    // The first that is configured counts, whatever is added behind it.
    if (key == "core.gitproxy" && std::getenv("GIT_PROXY_COMMAND") == nullptr &&
        own_value(settings, key, " for ").find(" for ") != std::string::npos &&
        not_followed.insert(key).second)
      variables["GIT_PROXY_COMMAND"] = "";
    if (is_helper(key)) helpers.insert(key);
  }
  // One for an address would go before ours for all of them.
  for (const auto& [key, value, is_of_clone] : settings) {
    const bool follows = key.starts_with("http.") && key.ends_with(".followredirects");
    if (follows && not_followed.insert(key).second) added.add(key, "false");
  }
  if (helpers.empty()) return not_followed;
  for (const auto& key : helpers) added.add(key, "");  // git forgets all before it
  for (const auto& [key, value, is_of_clone] : settings)
    if (!is_of_clone && is_helper(key)) added.add(key, value);
  not_followed.insert(helpers.begin(), helpers.end());
  return not_followed;
}

// The programs at the remote's side are named by the command line then: the first that is configured would
// count. What git fetches unasked, of a clone made with a filter, has no command line, and is not fetched.
void name_programs_there(const std::vector<Setting>& settings, const std::string& remote,
                         RemoteEnvironment& environment) {
  for (const auto& [key, value, is_of_clone] : settings) {
    const bool is_upload = key.ends_with(".uploadpack");
    if (!is_of_clone || !key.starts_with("remote.") || (!is_upload && !key.ends_with(".receivepack")))
      continue;
    environment.not_followed.insert(key);
    if (is_upload) environment.variables["GIT_NO_LAZY_FETCH"] = "1";
    const std::string own = "remote." + remote + (is_upload ? ".uploadpack" : ".receivepack");
    (is_upload ? environment.upload_pack : environment.receive_pack) =
        own_value(settings, own, is_upload ? "git-upload-pack" : "git-receive-pack");
  }
}

bool is_configured(const Repository& repository, const std::string& key, const std::string& url,
                   const Variables& variables) {
  const auto found = run_git({.directory = repository.root(),
                              .arguments = {"config", "--get-urlmatch", key, url},
                              .environment = variables});
  return found.ok() && found.output.find_first_not_of(" \n") != std::string::npos;
}

// GITHUB_SERVER_URL, which ends with a slash then; kUsage.
std::string server_of(const std::string& token) {
  std::string server = environment_value("GITHUB_SERVER_URL");
  if (server.empty()) server = "https://github.com";
  while (server.ends_with('/')) server.pop_back();
  const bool has_scheme = server.starts_with("https://") || server.starts_with("http://");
  if (!has_scheme || !is_plain(server) || server.find('@') != std::string::npos)
    throw Error(ExitCode::kUsage,
                "the variable GITHUB_SERVER_URL holds '" + without_secrets(server, {token}) + "', no address",
                "GitHub sets it: https://github.com");
  if (server.starts_with("http://") && !is_loopback(server))
    throw Error(ExitCode::kUsage,
                "the variable GITHUB_SERVER_URL holds '" + without_secrets(server, {token}) +
                    "': GITHUB_TOKEN is sent over https alone, or to this machine",
                "GitHub sets it: https://github.com");
  return server + "/";
}

// git takes schemes in lower case alone.
bool is_http(const std::string& url) {
  return url.starts_with("https://") || url.starts_with("http://");
}

}  // namespace

ProcessResult run_git(const GitCall& call) {
  ProcessSpec spec{
      .argv =
          split("git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c submodule.recurse=false", ' '),
      .directory = call.directory,
      .environment = call.environment,
      .without_environment = split(kRepositoryVariables, ' '),
      .with_tokens = call.with_tokens,
      .input = call.input,
      .timeout = kGitTimeout,
      .keep_going = call.keep_going};
  spec.environment["GIT_TERMINAL_PROMPT"] = "0";
  if (call.only_here) spec.environment["GIT_CEILING_DIRECTORIES"] = call.directory.parent_path().string();
  spec.argv.insert(spec.argv.end(), call.arguments.begin(), call.arguments.end());
  auto result = run_process(spec);
  if (!result.start_error.empty())
    throw Error(ExitCode::kEnvironment,
                "git could not be started in '" + call.directory.string() + "': " + result.start_error,
                "install git, or put it on PATH");
  return result;
}

ProcessResult run_git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                      bool only_here) {
  return run_git({.directory = directory, .arguments = arguments, .only_here = only_here});
}

RemoteEnvironment environment_towards(const Repository& repository, const std::string& remote,
                                      const std::vector<std::string>& urls) {
  const std::string token = environment_value("GITHUB_TOKEN");
  if (!token.empty() && !is_plain(token))
    throw Error(ExitCode::kUsage, "the variable GITHUB_TOKEN holds what no token has: spaces or line ends",
                "set it from the secret as it is");
  const std::string server = token.empty() ? "" : server_of(token);
  const auto settings = settings_of(repository);
  RemoteEnvironment environment;
  AddedSettings added;
  environment.not_followed = set_own_values(settings, added, environment.variables);
  name_programs_there(settings, remote, environment);
  if (std::getenv("GIT_ALLOW_PROTOCOL") == nullptr)
    environment.variables["GIT_ALLOW_PROTOCOL"] = allowed_protocols(settings);
  environment.with_tokens = std::ranges::all_of(urls, is_http);
  if (environment.with_tokens && !token.empty() &&
      !is_configured(repository, "http.extraheader", server, added.variables()) &&
      !is_configured(repository, "credential.helper", server, added.variables()))
    added.add("http." + server + ".extraheader", "Authorization: Basic " + base64("x-access-token:" + token));
  environment.variables.insert(added.variables().begin(), added.variables().end());
  return environment;
}

}  // namespace tracker::repo
