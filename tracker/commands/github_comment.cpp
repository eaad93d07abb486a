#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/secret.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/ci_service.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/event.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kFileBytesMax = 4u << 20;
constexpr const char* kTitle = "tracker github comment";

struct CommentOptions {
  std::string file;
  int pull_request = 0;
  CommentRequest request;
};

// Nothing where the run that ended was for none, and the reason has been said.
std::optional<int> pull_request_of_event(const CiStep& step, ServiceApi& api) {
  const GitHubContext& context = step.context;
  const Event event = step.event();
  if (event.pull_request) return event.pull_request->number;
  if (!event.ended_run)
    throw Error(ExitCode::kUsage,
                context.event_name.empty()
                    ? "this job is about no pull request"
                    : "the event '" + context.event_name + "' is about no pull request",
                "--pull-request NUMBER");
  PullRequest request;
  const auto what = what_ended_run_is_about(api, context.require_repository(), event, request);
  if (what.skip) std::cout << printable(what.reason) << ": no comment to write\n";
  return what.pull_request;
}

void say(const GitHubContext& context, const CommentRequest& request, const CommentAnswer& answer) {
  const std::string name =
      std::string("the comment on ") + context.service->request + " " + std::to_string(request.pull_request);
  switch (answer.outcome) {
    case CommentOutcome::kCreated:
      std::cout << "created " << name << "\n";
      break;
    case CommentOutcome::kUpdated:
      std::cout << "updated " << name << "\n";
      break;
    case CommentOutcome::kUnchanged:
      std::cout << name << " says this already\n";
      break;
    case CommentOutcome::kForbidden:
      print_warning(context, kTitle,
                    name + " is not written: the token may only read, as in a fork's pull request (" +
                        answer.reason + "); the report is in the run's summary");
      break;
  }
  if (answer.was_cut)
    print_warning(context, kTitle,
                  name + " is cut: the report is longer than " + context.service->name + " takes");
  if (!answer.author.empty())
    print_warning(context, kTitle,
                  name + " was written as '" + printable(answer.author) + "' and not as '" +
                      printable(request.author) + "': pass --author " + printable(answer.author) +
                      ", or the next run will write another one");
}

ExitCode run(CommentOptions options, const Patience& patience) {
  const CiStep step = read_ci_step();
  const GitHubContext& context = step.context;
  auto& request = options.request;
  comment_marker(request.key);
  request.body = read_file(options.file, kFileBytesMax);
  request.repository = context.require_repository();
  context.require_token();
  request.run_url = context.run_url();
  ServiceApi api = open_api(context, patience);
  try {
    const auto number = options.pull_request > 0 ? options.pull_request : pull_request_of_event(step, api);
    if (!number) return ExitCode::kOk;
    request.pull_request = *number;
    if (request.author.empty()) request.author = token_author(api);
    say(context, request, write_comment(api, request));
  } catch (const ApiError& error) {
    if (context.on_actions) print_workflow_commands(warning_command(kTitle, without_secrets(error.what())));
    throw;
  }
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_comment(CLI::App& app, const Globals&) {
  auto options = std::make_shared<CommentOptions>();
  options->request.author.clear();
  app.add_option("file", options->file, "the comment's Markdown: DIR/comment.md of compare --format github")
      ->required();
  app.add_option("--pull-request", options->pull_request, "its number (default: the event's)")
      ->check(CLI::PositiveNumber);
  app.add_option("--key", options->request.key,
                 "which of several comments in one pull request (default report)");
  app.add_option(
      "--author", options->request.author,
      "whose comments are ours (default: whom the token writes as, github-actions[bot] in a workflow)");
  const auto patience = add_patience(app);
  app.footer(
      "The comment is found by a hidden marker and its author, and updated in place; where nothing changed,\n"
      "nothing is sent. A comment that is too long for GitHub is cut, and says so. A token that may only\n"
      "read, as in a pull request from a fork, is a warning and no failure.\n"
      "Exit codes: 0 written, or the token may only read; 2 usage; 4 GitHub or the network failed.");
  return [options, patience] { return run(*options, *patience); };
}

}  // namespace tracker
