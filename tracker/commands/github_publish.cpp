#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/github/event.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/model/run.hpp"

namespace tracker {
namespace {

struct PublishOptions {
  std::string folder;
  std::string remote = "origin";
  PublishRequest request;
};

// A folder that tells the pull request, where there is one, and the commit.
std::string folder_of(const Repository& repository, const GitHubContext& context) {
  std::string commit = repository.resolve("HEAD").id;
  std::string parent = "commit/";
  if (!context.event_name.empty() && !context.event_path.empty()) {
    const Event event = read_event(context);
    if (event.ended_run) commit = event.ended_run->head;
    if (event.pull_request) {
      commit = event.pull_request->head;
      parent = "pull/" + std::to_string(event.pull_request->number) + "/";
    }
  }
  return parent + lasting_id(commit);
}

ExitCode run(const Globals& globals, PublishOptions options) {
  const auto context = read_github_context();
  const std::string repository_name = context.require_repository();
  const auto pictures = read_pictures(options.folder);
  if (pictures.empty()) {
    std::cout << "no pictures in '" << printable(options.folder) << "': nothing to publish\n";
    write_outputs(context, {{"charts-url", ""}, {"charts-commit", ""}});
    return ExitCode::kOk;
  }
  const auto repository = Repository::open(globals.directory);
  auto& request = options.request;
  if (request.path.empty()) request.path = folder_of(repository, context);
  const auto answer = publish(repository, GitRemote(repository, options.remote), request, pictures);
  const std::string url = picture_url(context.server_url, repository_name, answer.commit, request.path);
  std::cout << count_of(pictures.size(), "picture") << (answer.was_there ? " there already, " : " published ")
            << "on '" << request.branch << "'\n"
            << url << "\n";
  write_outputs(context, {{"charts-url", url}, {"charts-commit", answer.commit}});
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

}  // namespace tracker
