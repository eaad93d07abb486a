// What the environment of a workflow's step says, and what a step says back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracker::github {

struct ApiService;  // api.hpp
// The row of GitHub.
const ApiService& github_service();

struct Context {
  const ApiService* service = &github_service();  // whose API is spoken to
  std::string api_url;                            // without '/' at its end
  std::string server_url;                         // the same
  std::string repository;                         // "owner/name"; empty where it is not set
  std::string event_name;
  std::string event_path;
  std::string ref;  // the workflow's, as in "refs/heads/main"
  std::string actor;
  std::string token;  // never part of a message
  std::string output_path;
  std::int64_t run_id = 0;
  bool on_actions = false;
  bool is_github = true;  // or another CI service (event.hpp)
  std::string page;       // where people read this run, where `run_id` does not say

  // Each is kUsage where the variable is not set.
  const std::string& require_repository() const;
  const std::string& require_token() const;
  // Where people read this run; empty where it is not known.
  std::string run_url() const;
};

// Reads GITHUB_API_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, …; kUsage for what is set, and
// cannot be.
Context read_context();

// Fills in the API's address and the token by the service's variables; kUsage as above.
void read_service_variables(const ApiService& service, Context& context);

// Names and values of a step's outputs.
using Outputs = std::vector<std::pair<std::string, std::string>>;

// "name=value", a line each, for $GITHUB_OUTPUT. A value is one line of text: anything else throws
// std::logic_error, as a mistake of ours.
std::string output_lines(const Outputs& outputs);

// Appends them there; nothing where the variable is not set. kEnvironment where the file cannot be written.
void write_outputs(const Context& context, const Outputs& outputs);

// "::warning title=…::…": what Actions shows beside the step. Text of any kind is inert in it.
std::string warning_command(const std::string& title, const std::string& message);

// Names that GitHub and git accept, and no more.
bool is_repository_name(const std::string& text);  // "owner/name"
bool is_branch_name(const std::string& text);
// Letters, digits, '.', '-' and '_', of which there is one at least.
bool is_plain_name(std::string_view text);
bool is_commit_id(const std::string& text);  // 40 hexadecimal digits in lower case

}  // namespace tracker::github
