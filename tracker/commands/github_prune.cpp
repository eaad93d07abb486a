#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/github/publish.hpp"

namespace tracker {
namespace {

struct PruneOptions {
  std::string remote = "origin";
  PruneRequest request;
};

ExitCode run_prune(const Globals& globals, PruneOptions options, const Patience& patience) {
  const auto context = read_github_context();
  auto& request = options.request;
  const std::string& name = context.require_repository();
  context.require_token();
  const auto repository = Repository::open(globals.directory);
  const GitRemote remote(repository, options.remote);
  ServiceApi api = open_api(context, patience);
  request.open = open_pull_requests(api, name);
  request.now_s =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const auto answer = prune_charts(repository, remote, request);
  if (!answer.was_branch) {
    std::cout << "no branch '" << request.branch << "': nothing to remove\n";
    return ExitCode::kOk;
  }
  for (const auto& folder : answer.removed) std::cout << printable(folder) << "\n";
  std::cout << (request.dry_run ? "would remove " : "removed ") << count_of(answer.removed.size(), "folder")
            << " (" << format_bytes(static_cast<double>(answer.removed_bytes)) << ") from '" << request.branch
            << "', kept " << answer.kept << "\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_prune(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<PruneOptions>();
  app.add_option("--branch", options->request.branch, "where publish puts pictures (default tracker-charts)");
  app.add_option("--keep-days", options->request.keep_days,
                 "keep what was published in the last DAYS days (default 90)")
      ->check(CLI::Range(1, 36500));
  app.add_option("--remote", options->remote, "where the branch is (default origin)");
  app.add_flag("--dry-run", options->request.dry_run, "say what would be removed, and remove nothing");
  const auto patience = add_patience(app);
  app.footer(
      "Kept are the pictures of open pull requests, whatever their age, what was published in the last "
      "days,\n"
      "and folders of other names than publish gives. The links of what is kept go on working. The branch "
      "is\n"
      "replaced by force, unless somebody publishes meanwhile: then it starts over.\n"
      "Needs contents: write, pull-requests: read and GITHUB_TOKEN.\n"
      "Exit codes: 0 removed, or nothing to remove; 2 usage; 4 GitHub, git or the network failed.");
  return [options, patience, &globals] { return run_prune(globals, *options, *patience); };
}

}  // namespace tracker
