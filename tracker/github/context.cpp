#include "tracker/github/context.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/api.hpp"

namespace tracker::github {
namespace {

constexpr std::size_t kNameLengthMax = 244;  // the longest branch that GitHub takes

// ASCII that leaves a mark.
bool is_visible(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

std::string url_variable(const char* name, const char* otherwise) {
  std::string url = environment_value(name);
  if (url.empty()) url = otherwise;
  if (url.empty())
    throw Error(ExitCode::kUsage, std::string(name) + " is not set", "it holds the address of the API");
  while (url.ends_with('/')) url.pop_back();
  const bool is_plain = is_visible(url) && url.find_first_of("?#\"<>\\^`{|}") == std::string::npos;
  if (!is_plain || origin_of(url).empty())
    throw Error(ExitCode::kUsage, std::string(name) + " is no address of a server",
                *otherwise == '\0' ? "" : "it looks like " + std::string(otherwise));
  if (!is_private(origin_of(url)))
    throw Error(
        ExitCode::kUsage,
        std::string(name) + " '" + url + "' is not https: a token that goes there can be read on the way",
        "name it by https://");
  return url;
}

std::string token_variable(const char* name) {
  const std::string token = environment_value(name);
  if (!is_visible(token) || token.size() > 4096)
    throw Error(ExitCode::kUsage, std::string(name) + " holds characters that no token has",
                "is there a line end in the secret?");
  return token;
}

}  // namespace

const std::string& Context::require_repository() const {
  if (repository.empty())
    throw Error(ExitCode::kUsage, "GITHUB_REPOSITORY is not set",
                "set it to OWNER/NAME; in a workflow it always is");
  return repository;
}

const std::string& Context::require_token() const {
  if (token.empty())
    throw Error(ExitCode::kUsage, std::string(service->token_variable) + " is not set", service->token_hint);
  return token;
}

std::string Context::run_url() const {
  if (run_id <= 0 || repository.empty()) return page;
  return server_url + "/" + repository + "/actions/runs/" + std::to_string(run_id);
}

void read_service_variables(const ApiService& service, Context& context) {
  context.service = &service;
  context.api_url = url_variable(service.url_variable, service.default_url);
  context.token = token_variable(service.token_variable);
}

Context read_context() {
  Context context;
  read_service_variables(github_service(), context);
  context.server_url = url_variable("GITHUB_SERVER_URL", "https://github.com");
  context.repository = environment_value("GITHUB_REPOSITORY");
  if (!context.repository.empty() && !is_repository_name(context.repository))
    throw Error(ExitCode::kUsage,
                "GITHUB_REPOSITORY " + in_quotes(context.repository) + " is not OWNER/NAME");
  context.event_name = environment_value("GITHUB_EVENT_NAME");
  context.event_path = environment_value("GITHUB_EVENT_PATH");
  context.ref = environment_value("GITHUB_REF");
  context.actor = environment_value("GITHUB_ACTOR");
  context.output_path = environment_value("GITHUB_OUTPUT");
  context.on_actions = environment_value("GITHUB_ACTIONS") == "true";
  context.run_id = whole_number(environment_value("GITHUB_RUN_ID")).value_or(0);
  return context;
}

std::string output_lines(const Outputs& outputs) {
  std::string text;
  for (const auto& [name, value] : outputs) {
    if (value.find_first_of("\r\n") != std::string::npos)
      throw std::logic_error("output '" + name + "' has more than one line");
    text += name + "=" + value + "\n";
  }
  return text;
}

void write_outputs(const Context& context, const Outputs& outputs) {
  if (context.output_path.empty()) return;
  std::ofstream file(context.output_path, std::ios::app);
  file << output_lines(outputs) << std::flush;
  if (!file)
    throw Error(ExitCode::kEnvironment,
                "cannot append to " + in_quotes(context.output_path) + ", which GITHUB_OUTPUT names");
}

std::string warning_command(const std::string& title, const std::string& message) {
  const auto escaped = [](const std::string& text, std::string_view more) {
    std::string out;
    for (const char c : printable(text)) {
      if (c == '%')
        out += "%25";
      else if (more.find(c) != std::string_view::npos)
        out += c == ':' ? "%3A" : "%2C";
      else
        out += c;
    }
    return out;
  };
  return "::warning title=" + escaped(title, ":,") + "::" + escaped(message, "") + "\n";
}

bool is_repository_name(const std::string& text) {
  const auto parts = split(text, '/');
  return parts.size() == 2 && std::ranges::all_of(parts, [](const std::string& part) {
           return is_plain_name(part) && part.size() <= 100 && part != "." && part != "..";
         });
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.');
  });
}

// The rules of git check-ref-format, and no leading '-'.
bool is_branch_name(const std::string& text) {
  if (text.empty() || text.size() > kNameLengthMax || text.starts_with('-') || text == "@" ||
      text.ends_with('.') || text.find("..") != std::string::npos || text.find("@{") != std::string::npos ||
      text.find_first_of(" ~^:?*[\\\x7f") != std::string::npos)
    return false;
  if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20; })) return false;
  return std::ranges::all_of(split(text, '/'), [](const std::string& part) {
    return !part.empty() && !part.starts_with('.') && !part.ends_with(".lock");
  });
}

bool is_commit_id(const std::string& text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace tracker::github
