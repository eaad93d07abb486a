#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/github/comment_command.hpp"

namespace tracker {
namespace {

struct CommandOptions {
  std::string remote = "origin";
  CommandRequest request;
};

ExitCode run(const Globals& globals, CommandOptions options, const Patience& patience) {
  const auto context = read_github_context();
  auto& request = options.request;
  request.repository = context.require_repository();
  request.room = kCeilingRoom;
  context.require_token();
  const auto written = read_written_comment(context);
  if (!written) {
    std::cout << "no comment that was just written in an open pull request: nothing to do\n";
    return ExitCode::kOk;
  }
  request.comment = *written;
  const auto repository = Repository::open(globals.directory);
  ServiceApi api = open_api(context, patience);
  std::cout << printable(answer_command(api, repository, GitRemote(repository, options.remote), request))
            << "\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_command(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CommandOptions>();
  app.add_option("--workflow", options->request.workflow,
                 "the file of the workflow that measures pull requests (default perf.yml)");
  app.add_option("--key", options->request.report_key, "of the report's comment (default report)");
  app.add_option("--remote", options->remote, "where the pull request's branch is (default origin)");
  const auto patience = add_patience(app);
  app.footer(
      "For a workflow on: issue_comment. Who may write to the repository asks on the first line of a "
      "comment:\n"
      "  /tracker measure [COMMIT]                 starts the workflow's run for the last commit again, or "
      "approves it\n"
      "  /tracker accept GLOB [PERCENT] REASON     commits an [[accepted]] table to the pull request's "
      "branch\n"
      "Needs actions: write, contents: write and pull-requests: write.\n"
      "Exit codes: 0 answered, or nothing was asked; 2 usage; 4 git, GitHub or the network failed.");
  return [options, patience, &globals] { return run(globals, *options, *patience); };
}

}  // namespace tracker
