// GITHUB_TOKEN, given to git by its environment: an argument could be read by every process of the machine.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tracker/repo/git_command.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

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

bool is_configured(const Repository& repository, const std::string& key, const std::string& url) {
  const auto found = run_git(repository.root(), {"config", "--get-urlmatch", key, url});
  return found.ok() && found.output.find_first_not_of(" \n") != std::string::npos;
}

}  // namespace

std::map<std::string, std::string> token_environment(const Repository& repository) {
  const std::string token = variable("GITHUB_TOKEN");
  if (token.empty()) return {};
  if (!is_plain(token))
    throw Error(ExitCode::kUsage, "the variable GITHUB_TOKEN holds what no token has: spaces or line ends",
                "set it from the secret as it is");
  std::string server = variable("GITHUB_SERVER_URL");
  if (server.empty()) server = "https://github.com";
  while (server.ends_with('/')) server.pop_back();
  const bool is_http = server.starts_with("https://") || server.starts_with("http://");
  if (!is_http || !is_plain(server) || server.find('@') != std::string::npos)
    throw Error(ExitCode::kUsage,
                "the variable GITHUB_SERVER_URL holds '" + without_secrets(server, {token}) + "', no address",
                "GitHub sets it: https://github.com");
  if (server.starts_with("http://") && !is_loopback(server))
    throw Error(ExitCode::kUsage,
                "the variable GITHUB_SERVER_URL holds '" + without_secrets(server, {token}) +
                    "': GITHUB_TOKEN is sent over https alone, or to this machine",
                "GitHub sets it: https://github.com");
  server += '/';
  if (is_configured(repository, "http.extraheader", server) ||
      is_configured(repository, "credential.helper", server))
    return {};
  // Appended to what is configured in this way already.
  const std::string already = variable("GIT_CONFIG_COUNT");
  std::uint32_t count = 0;
  const char* end = already.data() + already.size();
  if (const auto read = std::from_chars(already.data(), end, count);
      !already.empty() && (read.ec != std::errc{} || read.ptr != end))
    return {};  // git itself will say what is wrong with it
  const std::string place = std::to_string(count);
  return {{"GIT_CONFIG_COUNT", std::to_string(count + 1)},
          {"GIT_CONFIG_KEY_" + place, "http." + server + ".extraheader"},
          {"GIT_CONFIG_VALUE_" + place, "Authorization: Basic " + base64("x-access-token:" + token)}};
}

}  // namespace tracker
