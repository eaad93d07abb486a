#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/github/propose.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kBodyBytesMax = 1u << 20;

struct ProposeOptions {
  std::vector<std::string> paths;
  std::string body_file;
  std::string remote = "origin";
  ProposeRequest request;
};

void say(const GitHubContext& context, const ProposeRequest& request, const ProposeAnswer& answer) {
  if (answer.outcome == ProposeOutcome::kNothingNew) {
    std::cout << "nothing to propose: '" << answer.base << "' has these files as they are\n";
    write_outputs(context, {{"pull-request", ""}, {"url", ""}});
    return;
  }
  const char* done = answer.outcome == ProposeOutcome::kCreated   ? "opened"
                     : answer.outcome == ProposeOutcome::kUpdated ? "updated"
                                                                  : "open already:";
  std::cout << done << " pull request " << answer.pull_request << " from '" << request.branch << "' to '"
            << answer.base << "' " << printable(answer.url) << "\n";
  write_outputs(context,
                {{"pull-request", std::to_string(answer.pull_request)}, {"url", printable(answer.url)}});
}

ExitCode run(const Globals& globals, ProposeOptions options, const Patience& patience) {
  const auto context = read_github_context();
  auto& request = options.request;
  request.repository = context.require_repository();
  context.require_token();
  if (!options.body_file.empty()) request.body = read_file(options.body_file, kBodyBytesMax);
  const auto repository = Repository::open(globals.directory);
  auto files = read_proposal(repository, options.paths);
  ServiceApi api = open_api(context, patience);
  say(context, request,
      propose(api, repository, GitRemote(repository, options.remote), request, std::move(files)));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_propose(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ProposeOptions>();
  app.add_option("path", options->paths, "files and folders of the working tree")->required();
  app.add_option("--branch", options->request.branch, "the proposal's branch, rewritten by each proposal")
      ->required();
  app.add_option("--title", options->request.title, "of the commit and of the pull request")->required();
  app.add_option("--body", options->body_file, "a file with the pull request's text, in Markdown");
  app.add_option("--base", options->request.base, "the branch it goes to (default the repository's)");
  app.add_option("--remote", options->remote, "where it is pushed to (default origin)");
  const auto patience = add_patience(app);
  app.footer(
      "Commits the files onto the tip of the base branch, pushes that as the proposal's branch, and opens a "
      "pull\n"
      "request or brings the open one up to date. The checkout stays as it is. A branch that ends in a "
      "commit of\n"
      "somebody else is left alone. Needs contents: write and pull-requests: write, and the repository's "
      "setting\n"
      "that lets Actions create pull requests. Outputs: pull-request, url.\n"
      "Exit codes: 0 proposed, or nothing is new; 2 usage, or a branch that is not ours; 4 git or GitHub "
      "failed.");
  return [options, patience, &globals] { return run(globals, *options, *patience); };
}

}  // namespace tracker
