// github and ci: the steps of a workflow that speak to GitHub or GitLab, one below the other.
#include <algorithm>
#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/sides.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/event.hpp"
#include "tracker/github/event_issues.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/history/history.hpp"
#include "tracker/model/run.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker::commands {
namespace {

// Of a step that waits for the network, and may work on the repository of a remote.
template <typename Request>
struct StepOptions {
  Request request;
  std::string remote = "origin";
  std::string patience = "60s";
};

// How long to wait for a network that fails, or for a rate limit.
void add_patience(CLI::App& app, std::string& patience) {
  app.add_option(
      "--patience", patience,
      "wait at most this long in all, for a failing network or a rate limit (default 60s; 0: try once)");
}

// The interface to the repository of the environment; it says on standard error why it waits.
github::ServiceApi open_api(const github::Context& context, const std::string& patience) {
  const auto seconds = patience == "0" ? 0.0 : parse_duration(patience);
  if (!seconds)
    throw Error(ExitCode::kUsage, "--patience " + in_quotes(patience) + " is not a length of time",
                "write it as 30s, 5m or 0");
  return github::ServiceApi({.service = context.service,
                             .url = context.api_url,
                             .token = context.token,
                             .patience = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 std::chrono::duration<double>(*seconds)),
                             .note = [](const std::string& text) { print_note(text); }});
}

// On Actions also an annotation, which people see without opening the log.
void print_warning(const github::Context& context, const std::string& title, const std::string& text) {
  if (context.on_actions) print_workflow_commands(github::warning_command(title, text));
  print_note("warning: " + text);
}

using CommandOptions = StepOptions<github::CommandRequest>;

ExitCode run(const Globals& globals, CommandOptions options) {
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
  github::ServiceApi api = open_api(context, options.patience);
  print_line(github::answer_command(api, repository, repo::GitRemote(repository, options.remote), request));
  return ExitCode::kOk;
}

Action declare_github_command(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CommandOptions>();
  app.add_option("--workflow", options->request.workflow,
                 "the file of the workflow that measures pull requests (default perf.yml)");
  app.add_option("--key", options->request.report_key, "of the report's comment (default report)");
  app.add_option("--remote", options->remote, "where the pull request's branch is (default origin)");
  add_patience(app, options->patience);
  app.footer(
      "For a workflow on: issue_comment. Who may write to the repository asks on the first line of a "
      "comment:\n"
      "  /tracker measure [COMMIT]                 starts the workflow's run for the last commit again, or "
      "approves it\n"
      "  /tracker accept GLOB [PERCENT] REASON     commits an [[accepted]] table to the pull request's "
      "branch\n"
      "Needs actions: write, contents: write and pull-requests: write.\n"
      "Exit codes: 0 answered, or nothing was asked; 2 usage; 4 git, GitHub or the network failed.");
  return [options, &globals] { return run(globals, *options); };
}

constexpr std::uintmax_t kCommentFileBytesMax = 4u << 20;
constexpr const char* kTitle = "tracker github comment";

struct CommentOptions : StepOptions<github::CommentRequest> {
  std::string file;
  int pull_request = 0;
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
  if (answer.outcome == github::CommentOutcome::kForbidden)
    print_warning(context, kTitle,
                  name + " is not written: the token may only read, as in a fork's pull request (" +
                      answer.reason + "); the report is in the run's summary");
  else
    std::cout << (answer.outcome == github::CommentOutcome::kCreated   ? "created " + name
                  : answer.outcome == github::CommentOutcome::kUpdated ? "updated " + name
                                                                       : name + " says this already")
              << "\n";
  if (answer.was_cut)
    print_warning(context, kTitle,
                  name + " is cut: the report is longer than " + context.service->name + " takes");
  if (!answer.author.empty())
    print_warning(context, kTitle,
                  name + " was written as " + in_quotes(answer.author) + " and not as " +
                      in_quotes(request.author) + ": pass --author " + answer.author +
                      ", or the next run will write another one");
}

ExitCode run(CommentOptions options) {
  const github::CiStep step = github::read_ci_step();
  const github::Context& context = step.context;
  auto& request = options.request;
  github::comment_marker(request.key);
  request.body = read_file(options.file, kCommentFileBytesMax);
  request.repository = context.require_repository();
  context.require_token();
  request.run_url = context.run_url();
  github::ServiceApi api = open_api(context, options.patience);
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

Action declare_github_comment(CLI::App& app, const Globals&) {
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
  add_patience(app, options->patience);
  app.footer(
      "The comment is found by a hidden marker and its author, and updated in place; where nothing changed,\n"
      "nothing is sent. A comment that is too long for GitHub is cut, and says so. A token that may only\n"
      "read, as in a pull request from a fork, is a warning and no failure.\n"
      "Exit codes: 0 written, or the token may only read; 2 usage; 4 GitHub or the network failed.");
  return [options] { return run(*options); };
}

struct EventOptions {
  std::string candidate;
  bool has_candidate = false;
  std::string only;  // the output that is printed alone
  std::string remote = "origin";
  std::string patience = "60s";
};

github::WhatToCompare of_ended_run(const app::Workspace& workspace, const github::Context& context,
                                   const github::Event& event, const EventOptions& options) {
  github::ServiceApi api = open_api(context, options.patience);
  github::PullRequest request;
  auto what = github::what_ended_run_is_about(api, context.require_repository(), event, request);
  if (!what.skip && options.has_candidate)
    github::take_candidate(workspace.repository(), repo::GitRemote(workspace.repository(), options.remote),
                           request, event.ended_run.value().created_at, options.candidate, what);
  return what;
}

ExitCode run(const Globals& globals, const EventOptions& options) {
  const github::CiStep step = github::read_ci_step();
  const github::Context& context = step.context;
  const github::Event event = step.event();
  if (options.has_candidate && event.kind != github::EventKind::kWorkflowRun)
    throw Error(ExitCode::kUsage, "--candidate is for 'workflow_run': in other events it is HEAD");
  const app::Workspace workspace(globals);
  const auto what = event.kind == github::EventKind::kWorkflowRun
                        ? of_ended_run(workspace, context, event, options)
                        : github::what_to_compare(workspace.repository(), context, event,
                                                  !app::devices_of(workspace, app::kBaselineWord).empty());
  const auto outputs = github::outputs_of(what);
  if (options.only.empty()) print_line(what.reason + (what.skip ? ": nothing to do" : ""));
  for (const auto& [name, value] : outputs)
    if (options.only.empty())
      std::cout << "  " << left_aligned(name, 12) << "  " << (value.empty() ? "-" : value) << "\n";
    else if (name == options.only)
      std::cout << value << "\n";
  github::write_outputs(context, outputs);
  return ExitCode::kOk;
}

Action declare_github_event(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<EventOptions>();
  auto* candidate = app.add_option("--candidate", options->candidate,
                                   "workflow_run: the commit that the results claim to be of");
  app.add_option("--remote", options->remote,
                 "workflow_run: where pull requests are fetched from (default origin)");
  std::vector<std::string> names;
  for (const auto& [name, value] : github::outputs_of({})) names.push_back(name);
  app.add_option("--print", options->only, "print this output alone, for a script")
      ->check(CLI::IsMember(names));
  add_patience(app, options->patience);
  app.footer(R"(Outputs: kind, base, candidate, pull-request, head, record, may-write, fork, skip.
  pull_request       the merge commit that is checked out against its parent on the base branch; the head
                     itself, where that is checked out, against where it left the base branch
  push               HEAD against the commit before the push, or its first parent where the branch is new
                     or was rewritten
  merge_group        HEAD against the group's base
  schedule, workflow_dispatch   HEAD against 'baseline' where one is promoted, else its first parent
  workflow_run       the pull request of the run that ended, asked of GitHub; skip=true where it is closed
                     or has moved on. --candidate is refused unless it is the pull request's head or a
                     merge of it with a commit of the base branch
record=true where what is measured is of the default branch: pushed to it, scheduled, or started on
it. What else is measured belongs to its job alone (TRACKER_RECORD_INTO).
In other CI services (docs/ci.md) a pull request's HEAD is compared with where it left the target branch,
and a push with the commit before it.
base is empty where there is nothing before HEAD. Needs the history: fetch-depth: 0.
Exit codes: 0 said; 2 usage, or a commit that does not belong; 4 git or GitHub failed.)");
  return [options, candidate, &globals] {
    options->has_candidate = candidate->count() > 0;
    return run(globals, *options);
  };
}

constexpr const char* kIssueTitle = "tracker github issue";

struct IssueOptions {
  app::LineRequest line;
  std::size_t newest = events::kNewestCommits;
  std::string author = "github-actions[bot]";
  std::string patience = "60s";
};

github::IssueAction action_for(const ChangeEvent& event, const std::vector<ChangeEvent>& alarms) {
  if (std::ranges::any_of(alarms, [&](const ChangeEvent& alarm) {
        return alarm.first_seen.id == event.first_seen.id &&
               alarm.changes.front().benchmark == event.changes.front().benchmark;
      }))
    return github::IssueAction::kOpen;
  const bool is_over = std::ranges::none_of(event.changes, [](const EventChange& change) {
    return change.worse && !change.undone_by && change.accepted.empty();
  });
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

ExitCode run(const Globals& globals, const IssueOptions& options) {
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
  github::ServiceApi api = open_api(context, options.patience);
  say_issues(context, github::write_event_issues(api, request));
  return ExitCode::kOk;
}

Action declare_github_issue(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<IssueOptions>();
  add_line_options(app, options->line);
  app.add_option("--newest", options->newest, "as tracker check has it (default 20)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--author", options->author, "whose issues are ours (default github-actions[bot])");
  add_patience(app, options->patience);
  app.footer(
      "Opens an issue for each regression and drift that tracker check fails for, keeps those that are open "
      "up to date,\n"
      "and closes them once the regression is mended or accepted, or newer runs do not show it any more.\n"
      "Ours are found by a hidden marker and their author. A token that may only read is a warning.\n"
      "Exit codes: 0 written, or the token may only read; 2 usage; 3 nothing is recorded, or runs cannot be "
      "read\n"
      "and nothing was changed; 4 the clone is shallow, or GitHub, git or the network failed.");
  return [options, &globals] { return run(globals, *options); };
}

constexpr std::uintmax_t kBodyBytesMax = 1u << 20;

struct ProposeOptions : StepOptions<github::ProposeRequest> {
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

ExitCode run(const Globals& globals, ProposeOptions options) {
  const auto context = github::read_context();
  auto& request = options.request;
  request.repository = context.require_repository();
  context.require_token();
  if (!options.body_file.empty()) request.body = read_file(options.body_file, kBodyBytesMax);
  const auto repository = repo::Repository::open(globals.directory);
  auto files = github::read_proposal(repository, options.paths);
  github::ServiceApi api = open_api(context, options.patience);
  say(context, request,
      github::propose(api, repository, repo::GitRemote(repository, options.remote), request,
                      std::move(files)));
  return ExitCode::kOk;
}

Action declare_github_propose(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ProposeOptions>();
  app.add_option("path", options->paths, "files and folders of the working tree")->required();
  app.add_option("--branch", options->request.branch, "the proposal's branch, rewritten by each proposal")
      ->required();
  app.add_option("--title", options->request.title, "of the commit and of the pull request")->required();
  app.add_option("--body", options->body_file, "a file with the pull request's text, in Markdown");
  app.add_option("--base", options->request.base, "the branch it goes to (default the repository's)");
  app.add_option("--remote", options->remote, "where it is pushed to (default origin)");
  add_patience(app, options->patience);
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
  return [options, &globals] { return run(globals, *options); };
}

using PruneOptions = StepOptions<github::PruneRequest>;

ExitCode run(const Globals& globals, PruneOptions options) {
  const auto context = github::read_context();
  auto& request = options.request;
  const std::string& name = context.require_repository();
  context.require_token();
  const auto repository = repo::Repository::open(globals.directory);
  const repo::GitRemote remote(repository, options.remote);
  github::ServiceApi api = open_api(context, options.patience);
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

Action declare_github_prune(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<PruneOptions>();
  app.add_option("--branch", options->request.branch, "where publish puts pictures (default tracker-charts)");
  app.add_option("--keep-days", options->request.keep_days,
                 "keep what was published in the last DAYS days (default 90)")
      ->check(CLI::Range(1, 36500));
  app.add_option("--remote", options->remote, "where the branch is (default origin)");
  app.add_flag("--dry-run", options->request.dry_run, "say what would be removed, and remove nothing");
  add_patience(app, options->patience);
  app.footer(
      R"(Kept are the pictures of open pull requests, whatever their age, what was published in the last days,
and folders of other names than publish gives. The links of what is kept go on working. The branch is
replaced by force, unless somebody publishes meanwhile: then it starts over.
Needs contents: write, pull-requests: read and GITHUB_TOKEN.
Exit codes: 0 removed, or nothing to remove; 2 usage; 4 GitHub, git or the network failed.)");
  return [options, &globals] { return run(globals, *options); };
}

struct PublishOptions : StepOptions<github::PublishRequest> {
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

Action declare_github_publish(CLI::App& app, const Globals& globals) {
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

}  // namespace

Action declare_github(CLI::App& app, const Globals& globals) {
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
  app.footer(
      "Reads GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_API_URL, GITHUB_SERVER_URL and\n"
      "GITHUB_TOKEN as Actions sets them, and appends what later steps need to GITHUB_OUTPUT.");
  return declare_below(app, globals, table);
}

Action declare_ci(CLI::App& app, const Globals& globals) {
  static const std::vector<Command> table{
      {"event", "say what to compare in this job", declare_github_event},
      {"comment", "write the merge request's or pull request's comment, or update it in place",
       declare_github_comment},
  };
  auto names = names_of(github::ci_services());
  names.pop_back();  // of our own variables
  app.footer("Knows by their variables: GitHub Actions, " + join(names, ", ") +
             ";\nany other where TRACKER_CI=1 and its own variables are set (docs/ci.md).");
  return declare_below(app, globals, table);
}

}  // namespace tracker::commands
