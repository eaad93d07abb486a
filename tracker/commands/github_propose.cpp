#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/github/propose.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kBodyBytesMax = 1u << 20;

struct ProposeWishes {
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

ExitCode run(const Globals& globals, ProposeWishes wishes, const Patience& patience) {
  const auto context = read_github_context();
  auto& request = wishes.request;
  request.repository = context.require_repository();
  context.require_token();
  if (!wishes.body_file.empty()) request.body = read_file(wishes.body_file, kBodyBytesMax);
  const auto repository = Repository::open(globals.directory);
  auto files = read_proposal(repository, wishes.paths);
  GitHubApi api = open_api(context, patience);
  say(context, request,
      propose(api, repository, GitRemote(repository, wishes.remote), request, std::move(files)));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_propose(CLI::App& app, const Globals& globals) {
  auto wishes = std::make_shared<ProposeWishes>();
  app.add_option("path", wishes->paths, "files and folders of the working tree")->required();
  app.add_option("--branch", wishes->request.branch, "the proposal's branch, rewritten by each proposal")
      ->required();
  app.add_option("--title", wishes->request.title, "of the commit and of the pull request")->required();
  app.add_option("--body", wishes->body_file, "a file with the pull request's text, in Markdown");
  app.add_option("--base", wishes->request.base, "the branch it goes to (default the repository's)");
  app.add_option("--remote", wishes->remote, "where it is pushed to (default origin)");
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
  return [wishes, patience, &globals] { return run(globals, *wishes, *patience); };
}

}  // namespace tracker
