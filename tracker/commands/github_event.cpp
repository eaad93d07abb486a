#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/github/ci_service.hpp"
#include "tracker/github/event.hpp"

namespace tracker {
namespace {

struct EventOptions {
  std::string candidate;
  bool has_candidate = false;
  std::string only;  // the output that is printed alone
  std::string remote = "origin";
};

bool has_baseline(const Workspace& workspace) {
  std::error_code missing;
  const auto folder = workspace.baseline_path("x").parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".json") return true;
  return false;
}

void print(const WhatToCompare& what) {
  std::cout << printable(what.reason) << (what.skip ? ": nothing to do\n" : "\n");
  for (const auto& [name, value] : outputs_of(what))
    std::cout << "  " << left_aligned(name, 12) << "  " << (value.empty() ? "-" : value) << "\n";
}

WhatToCompare of_ended_run(const Workspace& workspace, const GitHubContext& context, const Event& event,
                           const EventOptions& options, const Patience& patience) {
  ServiceApi api = open_api(context, patience);
  PullRequest request;
  auto what = what_ended_run_is_about(api, context.require_repository(), event, request);
  if (!what.skip && options.has_candidate)
    take_candidate(workspace.repository(), GitRemote(workspace.repository(), options.remote), request,
                   event.ended_run.value().created_at, options.candidate, what);
  return what;
}

ExitCode run(const Globals& globals, const EventOptions& options, const Patience& patience) {
  const CiStep step = read_ci_step();
  const GitHubContext& context = step.context;
  const Event event = step.event();
  if (options.has_candidate && event.kind != EventKind::kWorkflowRun)
    throw Error(ExitCode::kUsage, "--candidate is for 'workflow_run': in other events it is HEAD");
  const Workspace workspace(globals);
  const auto what = event.kind == EventKind::kWorkflowRun
                        ? of_ended_run(workspace, context, event, options, patience)
                        : what_to_compare(workspace.repository(), context, event, has_baseline(workspace));
  if (options.only.empty()) print(what);
  for (const auto& [name, value] : outputs_of(what))
    if (name == options.only) std::cout << value << "\n";
  write_outputs(context, outputs_of(what));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_event(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<EventOptions>();
  auto* candidate = app.add_option("--candidate", options->candidate,
                                   "workflow_run: the commit that the results claim to be of");
  app.add_option("--remote", options->remote,
                 "workflow_run: where pull requests are fetched from (default origin)");
  std::vector<std::string> names;
  for (const auto& [name, value] : outputs_of({})) names.push_back(name);
  app.add_option("--print", options->only, "print this output alone, for a script")
      ->check(CLI::IsMember(names));
  const auto patience = add_patience(app);
  app.footer(
      "Outputs: kind, base, candidate, pull-request, head, record, may-write, fork, skip.\n"
      "  pull_request       the merge commit that is checked out against its parent on the base branch; the "
      "head\n"
      "                     itself, where that is checked out, against where it left the base branch\n"
      "  push               HEAD against the commit before the push, or its first parent where the branch is "
      "new\n"
      "                     or was rewritten\n"
      "  merge_group        HEAD against the group's base\n"
      "  schedule, workflow_dispatch   HEAD against 'baseline' where one is promoted, else its first parent\n"
      "  workflow_run       the pull request of the run that ended, asked of GitHub; skip=true where it is "
      "closed\n"
      "                     or has moved on. --candidate is refused unless it is the pull request's head or "
      "a\n"
      "                     merge of it with a commit of the base branch\n"
      "record=true where what is measured is of the default branch: pushed to it, scheduled, or started on\n"
      "it. What else is measured belongs to its job alone (TRACKER_RECORD_INTO).\n"
      "In other CI services (docs/ci.md) a pull request's HEAD is compared with where it left the target "
      "branch,\n"
      "and a push with the commit before it.\n"
      "base is empty where there is nothing before HEAD. Needs the history: fetch-depth: 0.\n"
      "Exit codes: 0 said; 2 usage, or a commit that does not belong; 4 git or GitHub failed.");
  return [options, patience, candidate, &globals] {
    options->has_candidate = candidate->count() > 0;
    return run(globals, *options, *patience);
  };
}

}  // namespace tracker
