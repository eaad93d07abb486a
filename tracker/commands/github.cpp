#include "tracker/commands/github.hpp"

#include <chrono>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/ci_service.hpp"

namespace tracker {
namespace {

const std::vector<Command>& github_commands() {
  static const std::vector<Command> table{
      {"event", "say what to compare in the event that started this workflow", declare_github_event},
      {"comment", "write the pull request's comment, or update it in place", declare_github_comment},
      {"command", "do what a comment asks for: /tracker measure, /tracker accept", declare_github_command},
      {"issue", "open, update and close an issue for each regression of the newest commits",
       declare_github_issue},
      {"publish", "put pictures on a branch of their own, and say where they are seen",
       declare_github_publish},
      {"prune", "take old pictures off that branch, those of open pull requests excepted",
       declare_github_prune},
      {"propose", "propose files of the working tree as a pull request", declare_github_propose},
  };
  return table;
}

}  // namespace

std::shared_ptr<Patience> add_patience(CLI::App& app) {
  auto patience = std::make_shared<Patience>();
  app.add_option(
      "--patience", patience->text,
      "wait at most this long in all, for a failing network or a rate limit (default 60s; 0: try once)");
  return patience;
}

ServiceApi open_api(const GitHubContext& context, const Patience& patience) {
  const auto seconds = patience.text == "0" ? 0.0 : parse_duration(patience.text);
  if (!seconds)
    throw Error(ExitCode::kUsage, "--patience '" + printable(patience.text) + "' is not a length of time",
                "write it as 30s, 5m or 0");
  return ServiceApi({.service = context.service,
                     .url = context.api_url,
                     .token = context.token,
                     .patience = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::duration<double>(*seconds)),
                     .note = print_note});
}

void print_warning(const GitHubContext& context, const std::string& title, const std::string& text) {
  if (context.on_actions) print_workflow_commands(warning_command(title, text));
  print_note("warning: " + text);
}

namespace {

std::function<ExitCode()> declare_all(CLI::App& app, const Globals& globals,
                                      const std::vector<Command>& table) {
  auto actions = std::make_shared<std::map<const CLI::App*, std::function<ExitCode()>>>();
  for (const auto& command : table) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    (*actions)[sub] = command.declare(*sub, globals);
  }
  app.require_subcommand(1);
  return [actions, &app] { return actions->at(app.get_subcommands().front())(); };
}

}  // namespace

std::function<ExitCode()> declare_github(CLI::App& app, const Globals& globals) {
  app.footer(
      "Reads GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_API_URL, GITHUB_SERVER_URL and\n"
      "GITHUB_TOKEN as Actions sets them, and appends what later steps need to GITHUB_OUTPUT.");
  return declare_all(app, globals, github_commands());
}

std::function<ExitCode()> declare_ci(CLI::App& app, const Globals& globals) {
  static const std::vector<Command> table{
      {"event", "say what to compare in this job", declare_github_event},
      {"comment", "write the merge request's or pull request's comment, or update it in place",
       declare_github_comment},
  };
  std::vector<std::string> names;
  for (const auto& service : ci_services())
    if (&service != &ci_services().back()) names.emplace_back(service.name);
  app.footer("Knows by their variables: GitHub Actions, " + join(names, ", ") +
             ";\nany other where TRACKER_CI=1 and its own variables are set (docs/ci.md).");
  return declare_all(app, globals, table);
}

}  // namespace tracker
