#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/event.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/model/run.hpp"

namespace tracker::commands {
namespace {

constexpr std::uintmax_t kBodyBytesMax = 1u << 20;

struct ProposeOptions : RemoteOptions<github::ProposeRequest> {
  std::vector<std::string> paths;
  std::string body_file;
};

void say(const github::Context& context, const github::ProposeRequest& request,
         const github::ProposeAnswer& answer) {
  if (answer.outcome == github::ProposeOutcome::kNothingNew) {
    std::cout << "nothing to propose: '" << answer.base << "' has these files as they are\n";
    github::write_outputs(context, {{"pull-request", ""}, {"url", ""}});
    return;
  }
  const char* done = answer.outcome == github::ProposeOutcome::kCreated   ? "opened"
                     : answer.outcome == github::ProposeOutcome::kUpdated ? "updated"
                                                                          : "open already:";
  print_line(std::string(done) + " pull request " + std::to_string(answer.pull_request) + " from '" +
             request.branch + "' to '" + answer.base + "' " + answer.url);
  github::write_outputs(
      context, {{"pull-request", std::to_string(answer.pull_request)}, {"url", printable(answer.url)}});
}

ExitCode run(const Globals& globals, ProposeOptions options, const Patience& patience) {
  const auto context = github::read_context();
  auto& request = options.request;
  request.repository = context.require_repository();
  context.require_token();
  if (!options.body_file.empty()) request.body = read_file(options.body_file, kBodyBytesMax);
  const auto repository = repo::Repository::open(globals.directory);
  auto files = github::read_proposal(repository, options.paths);
  github::ServiceApi api = open_api(context, patience);
  say(context, request,
      github::propose(api, repository, repo::GitRemote(repository, options.remote), request,
                      std::move(files)));
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

namespace {

using PruneOptions = RemoteOptions<github::PruneRequest>;

ExitCode run_prune(const Globals& globals, PruneOptions options, const Patience& patience) {
  const auto context = github::read_context();
  auto& request = options.request;
  const std::string& name = context.require_repository();
  context.require_token();
  const auto repository = repo::Repository::open(globals.directory);
  const repo::GitRemote remote(repository, options.remote);
  github::ServiceApi api = open_api(context, patience);
  request.open = github::open_pull_requests(api, name);
  request.now_s =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const auto answer = github::prune_charts(repository, remote, request);
  if (!answer.was_branch) {
    std::cout << "no branch '" << request.branch << "': nothing to remove\n";
    return ExitCode::kOk;
  }
  for (const auto& folder : answer.removed) print_line(folder);
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

namespace {

struct PublishOptions : RemoteOptions<github::PublishRequest> {
  std::string folder;
};

// A folder that tells the pull request, where there is one, and the commit.
std::string folder_of(const repo::Repository& repository, const github::Context& context) {
  std::string commit = repository.resolve("HEAD").id;
  std::string parent = "commit/";
  if (!context.event_name.empty() && !context.event_path.empty()) {
    const github::Event event = github::read_event(context);
    if (event.ended_run) commit = event.ended_run->head;
    if (event.pull_request) {
      commit = event.pull_request->head;
      parent = "pull/" + std::to_string(event.pull_request->number) + "/";
    }
  }
  return parent + lasting_id(commit);
}

ExitCode run(const Globals& globals, PublishOptions options) {
  const auto context = github::read_context();
  const std::string repository_name = context.require_repository();
  const auto pictures = github::read_pictures(options.folder);
  if (pictures.empty()) {
    print_line("no pictures in " + in_quotes(options.folder) + ": nothing to publish");
    github::write_outputs(context, {{"charts-url", ""}, {"charts-commit", ""}});
    return ExitCode::kOk;
  }
  const auto repository = repo::Repository::open(globals.directory);
  auto& request = options.request;
  if (request.path.empty()) request.path = folder_of(repository, context);
  const auto answer =
      github::publish(repository, repo::GitRemote(repository, options.remote), request, pictures);
  const std::string url =
      github::picture_url(context.server_url, repository_name, answer.commit, request.path);
  std::cout << count_of(pictures.size(), "picture") << (answer.was_there ? " there already, " : " published ")
            << "on '" << request.branch << "'\n"
            << url << "\n";
  github::write_outputs(context, {{"charts-url", url}, {"charts-commit", answer.commit}});
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_publish(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<PublishOptions>();
  app.add_option("folder", options->folder, "what tracker compare --charts has drawn into: its *.png")
      ->required();
  app.add_option("--branch", options->request.branch,
                 "a branch of their own, made where there is none (default tracker-charts)");
  app.add_option(
      "--path", options->request.path,
      "the folder on it (default pull/NUMBER/COMMIT in a pull request's event, else commit/COMMIT)");
  app.add_option("--remote", options->remote, "where it is pushed to (default origin)");
  app.footer(
      "Prints, and outputs as charts-url, what compare --charts-url takes: it names the commit, so that what "
      "is\n"
      "seen there never changes. Neither the working tree nor the index is touched. Needs contents: write; "
      "git's\n"
      "own credentials are used, or GITHUB_TOKEN where git has none.\n"
      "Exit codes: 0 published, or nothing to publish; 2 usage, or a file that is no PNG; 4 git failed.");
  return [options, &globals] { return run(globals, *options); };
}

}  // namespace tracker::commands
