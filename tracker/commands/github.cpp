#include "tracker/commands/github.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/github/ci_service.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/event.hpp"
#include "tracker/github/event_issues.hpp"
#include "tracker/history/history.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker::commands {
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

github::ServiceApi open_api(const github::Context& context, const Patience& patience) {
  const auto seconds = patience.text == "0" ? 0.0 : parse_duration(patience.text);
  if (!seconds)
    throw Error(ExitCode::kUsage, "--patience " + in_quotes(patience.text) + " is not a length of time",
                "write it as 30s, 5m or 0");
  return github::ServiceApi({.service = context.service,
                             .url = context.api_url,
                             .token = context.token,
                             .patience = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 std::chrono::duration<double>(*seconds)),
                             .note = [](const std::string& text) { print_note(text); }});
}

void print_warning(const github::Context& context, const std::string& title, const std::string& text) {
  if (context.on_actions) print_workflow_commands(github::warning_command(title, text));
  print_note("warning: " + text);
}

std::function<ExitCode()> declare_github(CLI::App& app, const Globals& globals) {
  app.footer(
      "Reads GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_API_URL, GITHUB_SERVER_URL and\n"
      "GITHUB_TOKEN as Actions sets them, and appends what later steps need to GITHUB_OUTPUT.");
  return declare_below(app, globals, github_commands());
}

std::function<ExitCode()> declare_ci(CLI::App& app, const Globals& globals) {
  static const std::vector<Command> table{
      {"event", "say what to compare in this job", declare_github_event},
      {"comment", "write the merge request's or pull request's comment, or update it in place",
       declare_github_comment},
  };
  std::vector<std::string> names;
  for (const auto& service : github::ci_services())
    if (&service != &github::ci_services().back()) names.emplace_back(service.name);
  app.footer("Knows by their variables: GitHub Actions, " + join(names, ", ") +
             ";\nany other where TRACKER_CI=1 and its own variables are set (docs/ci.md).");
  return declare_below(app, globals, table);
}

namespace {

using CommandOptions = RemoteOptions<github::CommandRequest>;

ExitCode run(const Globals& globals, CommandOptions options, const Patience& patience) {
  const auto context = github::read_context();
  auto& request = options.request;
  request.repository = context.require_repository();
  request.room = events::kCeilingRoom;
  context.require_token();
  const auto written = github::read_written_comment(context);
  if (!written) {
    std::cout << "no comment that was just written in an open pull request: nothing to do\n";
    return ExitCode::kOk;
  }
  request.comment = *written;
  const auto repository = repo::Repository::open(globals.directory);
  github::ServiceApi api = open_api(context, patience);
  print_line(github::answer_command(api, repository, repo::GitRemote(repository, options.remote), request));
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

namespace {

constexpr std::uintmax_t kFileBytesMax = 4u << 20;
constexpr const char* kTitle = "tracker github comment";

struct CommentOptions {
  std::string file;
  int pull_request = 0;
  github::CommentRequest request;
};

// Nothing where the run that ended was for none, and the reason has been said.
std::optional<int> pull_request_of_event(const github::CiStep& step, github::ServiceApi& api) {
  const github::Context& context = step.context;
  const github::Event event = step.event();
  if (event.pull_request) return event.pull_request->number;
  if (!event.ended_run)
    throw Error(ExitCode::kUsage,
                context.event_name.empty()
                    ? "this job is about no pull request"
                    : "the event '" + context.event_name + "' is about no pull request",
                "--pull-request NUMBER");
  github::PullRequest request;
  const auto what = github::what_ended_run_is_about(api, context.require_repository(), event, request);
  if (what.skip) print_line(what.reason + ": no comment to write");
  return what.pull_request;
}

void say(const github::Context& context, const github::CommentRequest& request,
         const github::CommentAnswer& answer) {
  const std::string name =
      std::string("the comment on ") + context.service->request + " " + std::to_string(request.pull_request);
  switch (answer.outcome) {
    case github::CommentOutcome::kCreated:
      std::cout << "created " << name << "\n";
      break;
    case github::CommentOutcome::kUpdated:
      std::cout << "updated " << name << "\n";
      break;
    case github::CommentOutcome::kUnchanged:
      std::cout << name << " says this already\n";
      break;
    case github::CommentOutcome::kForbidden:
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
                  name + " was written as " + in_quotes(answer.author) + " and not as " +
                      in_quotes(request.author) + ": pass --author " + answer.author +
                      ", or the next run will write another one");
}

ExitCode run(CommentOptions options, const Patience& patience) {
  const github::CiStep step = github::read_ci_step();
  const github::Context& context = step.context;
  auto& request = options.request;
  github::comment_marker(request.key);
  request.body = read_file(options.file, kFileBytesMax);
  request.repository = context.require_repository();
  context.require_token();
  request.run_url = context.run_url();
  github::ServiceApi api = open_api(context, patience);
  try {
    const auto number = options.pull_request > 0 ? options.pull_request : pull_request_of_event(step, api);
    if (!number) return ExitCode::kOk;
    request.pull_request = *number;
    if (request.author.empty()) request.author = github::token_author(api);
    say(context, request, github::write_comment(api, request));
  } catch (const github::ApiError& error) {
    if (context.on_actions)
      print_workflow_commands(github::warning_command(kTitle, without_secrets(error.what())));
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

namespace {

struct EventOptions {
  std::string candidate;
  bool has_candidate = false;
  std::string only;  // the output that is printed alone
  std::string remote = "origin";
};

bool has_baseline(const app::Workspace& workspace) {
  std::error_code missing;
  const auto folder = workspace.baseline_path("x").parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".json") return true;
  return false;
}

void print(const github::WhatToCompare& what) {
  print_line(what.reason + (what.skip ? ": nothing to do" : ""));
  for (const auto& [name, value] : github::outputs_of(what))
    std::cout << "  " << left_aligned(name, 12) << "  " << (value.empty() ? "-" : value) << "\n";
}

github::WhatToCompare of_ended_run(const app::Workspace& workspace, const github::Context& context,
                                   const github::Event& event, const EventOptions& options,
                                   const Patience& patience) {
  github::ServiceApi api = open_api(context, patience);
  github::PullRequest request;
  auto what = github::what_ended_run_is_about(api, context.require_repository(), event, request);
  if (!what.skip && options.has_candidate)
    github::take_candidate(workspace.repository(), repo::GitRemote(workspace.repository(), options.remote),
                           request, event.ended_run.value().created_at, options.candidate, what);
  return what;
}

ExitCode run(const Globals& globals, const EventOptions& options, const Patience& patience) {
  const github::CiStep step = github::read_ci_step();
  const github::Context& context = step.context;
  const github::Event event = step.event();
  if (options.has_candidate && event.kind != github::EventKind::kWorkflowRun)
    throw Error(ExitCode::kUsage, "--candidate is for 'workflow_run': in other events it is HEAD");
  const app::Workspace workspace(globals);
  const auto what =
      event.kind == github::EventKind::kWorkflowRun
          ? of_ended_run(workspace, context, event, options, patience)
          : github::what_to_compare(workspace.repository(), context, event, has_baseline(workspace));
  if (options.only.empty()) print(what);
  for (const auto& [name, value] : github::outputs_of(what))
    if (name == options.only) std::cout << value << "\n";
  github::write_outputs(context, github::outputs_of(what));
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
  for (const auto& [name, value] : github::outputs_of({})) names.push_back(name);
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

namespace {

constexpr const char* kIssueTitle = "tracker github issue";

struct IssueOptions {
  app::LineRequest line;
  std::size_t newest = events::kNewestCommits;
  std::string author = "github-actions[bot]";
};

bool is_among(const ChangeEvent& event, const std::vector<ChangeEvent>& events) {
  return std::any_of(events.begin(), events.end(), [&](const ChangeEvent& one) {
    return one.first_seen.id == event.first_seen.id &&
           one.changes.front().benchmark == event.changes.front().benchmark;
  });
}

github::IssueAction action_for(const ChangeEvent& event, const std::vector<ChangeEvent>& alarms) {
  if (is_among(event, alarms)) return github::IssueAction::kOpen;
  const bool is_over = std::none_of(
      event.changes.begin(), event.changes.end(),
      [](const EventChange& change) { return change.worse && !change.undone_by && change.accepted.empty(); });
  return is_over ? github::IssueAction::kClose : github::IssueAction::kUpdate;
}

// Its own commit first, then the others that it may have happened at, and a few beside them.
std::vector<std::string> possible_commits(const ChangeEvent& event, const repo::CommitLine& line) {
  constexpr int kBeside = 2;
  std::vector<std::string> ids{event.first_seen.id};
  const int newest = static_cast<int>(line.size()) - 1;
  const int from = std::max(0, event.last_before.position + 1 - kBeside);
  const int to = std::min(newest, event.last_possible.position + kBeside);
  for (int position = from; position <= to; ++position)
    ids.push_back(line[static_cast<std::size_t>(newest - position)].id);
  return ids;
}

void say_issues(const github::Context& context, const github::EventIssuesAnswer& answer) {
  for (const auto& issue : answer.issues) {
    const char* done = issue.outcome == github::IssueOutcome::kOpened    ? "opened"
                       : issue.outcome == github::IssueOutcome::kUpdated ? "updated"
                       : issue.outcome == github::IssueOutcome::kClosed  ? "closed"
                                                                         : "says this already:";
    print_line(std::string(done) + " issue " + std::to_string(issue.number) + ": " + issue.title);
  }
  if (!answer.forbidden.empty())
    print_warning(context, kIssueTitle,
                  "no issue is written: the token may only read (" + answer.forbidden +
                      "); the job needs the permission issues: write");
  else if (answer.issues.empty())
    std::cout << "no issue to write\n";
}

ExitCode run_issue(const Globals& globals, const IssueOptions& options, const Patience& patience) {
  const auto context = github::read_context();
  github::EventIssuesRequest request;
  request.repository = context.require_repository();
  request.author = options.author;
  context.require_token();
  const app::Workspace workspace(globals);
  const app::LineEvents line = app::load_line_events(workspace, options.line);
  app::require_whole(line.gaps);  // what was not seen is no reason to close an issue, or to open one
  const events::NewestCheck check = events::check_newest(line.events, line.series, options.newest);
  std::vector<ChangeEvent> drifting;
  const DriftPolicy& policy = workspace.config().drift;
  if (policy.action == DriftAction::kFail)
    for (auto& alarm : events::drift_alarms(line.events, line.series, options.newest,
                                            app::line_references(workspace, options.line.from, line.series),
                                            policy.threshold))
      drifting.push_back(std::move(alarm.event));
  const auto walk = workspace.repository().first_parents(options.line.from, history::kWholeLine);
  const std::string url = context.server_url + "/" + request.repository + "/commit/{commit}";
  for (const auto& event : line.events) {
    if (event.together || event.slower.changes == 0) continue;
    const bool drifts = event.shape == EventShape::kDrift;
    request.events.push_back({possible_commits(event, walk), report::event_issue_title(event),
                              report::event_issue_body(event, url),
                              action_for(event, drifts ? drifting : check.regressions),
                              drifts ? github::IssueKind::kDrift : github::IssueKind::kStep});
  }
  github::ServiceApi api = open_api(context, patience);
  say_issues(context, github::write_event_issues(api, request));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_github_issue(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<IssueOptions>();
  add_line_options(app, options->line);
  app.add_option("--newest", options->newest, "as tracker check has it (default 20)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--author", options->author, "whose issues are ours (default github-actions[bot])");
  const auto patience = add_patience(app);
  app.footer(
      "Opens an issue for each regression and drift that tracker check fails for, keeps those that are open "
      "up to "
      "date,\n"
      "and closes them once the regression is mended or accepted, or newer runs do not show it any more.\n"
      "Ours are found by a hidden marker and their author. A token that may only read is a warning.\n"
      "Exit codes: 0 written, or the token may only read; 2 usage; 3 nothing is recorded, or runs cannot be "
      "read\n"
      "and nothing was changed; 4 the clone is shallow, or GitHub, git or the network failed.");
  return [options, patience, &globals] { return run_issue(globals, *options, *patience); };
}

}  // namespace tracker::commands
