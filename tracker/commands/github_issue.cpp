#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/app/line_references.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/github.hpp"
#include "tracker/commands/line_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/drift_alarms.hpp"
#include "tracker/github/event_issues.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker {
namespace {

constexpr const char* kIssueTitle = "tracker github issue";

struct IssueOptions {
  LineRequest line;
  std::size_t newest = kNewestCommits;
  std::string author = "github-actions[bot]";
};

bool is_among(const ChangeEvent& event, const std::vector<ChangeEvent>& events) {
  return std::any_of(events.begin(), events.end(), [&](const ChangeEvent& one) {
    return one.first_seen.id == event.first_seen.id &&
           one.changes.front().benchmark == event.changes.front().benchmark;
  });
}

IssueAction action_for(const ChangeEvent& event, const std::vector<ChangeEvent>& alarms) {
  if (is_among(event, alarms)) return IssueAction::kOpen;
  const bool is_over = std::none_of(
      event.changes.begin(), event.changes.end(),
      [](const EventChange& change) { return change.worse && !change.undone_by && change.accepted.empty(); });
  return is_over ? IssueAction::kClose : IssueAction::kUpdate;
}

// Its own commit first, then the others that it may have happened at, and a few beside them.
std::vector<std::string> possible_commits(const ChangeEvent& event, const CommitLine& line) {
  constexpr int kBeside = 2;
  std::vector<std::string> ids{event.first_seen.id};
  const int newest = static_cast<int>(line.size()) - 1;
  const int from = std::max(0, event.last_before.position + 1 - kBeside);
  const int to = std::min(newest, event.last_possible.position + kBeside);
  for (int position = from; position <= to; ++position)
    ids.push_back(line[static_cast<std::size_t>(newest - position)].id);
  return ids;
}

void say_issues(const GitHubContext& context, const EventIssuesAnswer& answer) {
  for (const auto& issue : answer.issues) {
    const char* done = issue.outcome == IssueOutcome::kOpened    ? "opened"
                       : issue.outcome == IssueOutcome::kUpdated ? "updated"
                       : issue.outcome == IssueOutcome::kClosed  ? "closed"
                                                                 : "says this already:";
    std::cout << done << " issue " << issue.number << ": " << printable(issue.title) << "\n";
  }
  if (!answer.forbidden.empty())
    print_warning(context, kIssueTitle,
                  "no issue is written: the token may only read (" + answer.forbidden +
                      "); the job needs the permission issues: write");
  else if (answer.issues.empty())
    std::cout << "no issue to write\n";
}

ExitCode run_issue(const Globals& globals, const IssueOptions& options, const Patience& patience) {
  const auto context = read_github_context();
  EventIssuesRequest request;
  request.repository = context.require_repository();
  request.author = options.author;
  context.require_token();
  const Workspace workspace(globals);
  const LineEvents line = load_line_events(workspace, options.line);
  require_whole(line.gaps);  // what was not seen is no reason to close an issue, or to open one
  const NewestCheck check = check_newest(line.events, line.series, options.newest);
  std::vector<ChangeEvent> drifting;
  const DriftPolicy& policy = workspace.config().drift;
  if (policy.action == DriftAction::kFail)
    for (auto& alarm :
         drift_alarms(line.events, line.series, options.newest,
                      line_references(workspace, options.line.from, line.series), policy.threshold))
      drifting.push_back(std::move(alarm.event));
  const auto walk = workspace.repository().first_parents(options.line.from, kWholeLine);
  const std::string url = context.server_url + "/" + request.repository + "/commit/{commit}";
  for (const auto& event : line.events) {
    if (event.together || event.slower.changes == 0) continue;
    const bool drifts = event.shape == EventShape::kDrift;
    request.events.push_back({possible_commits(event, walk), event_issue_title(event),
                              event_issue_body(event, url),
                              action_for(event, drifts ? drifting : check.regressions),
                              drifts ? IssueKind::kDrift : IssueKind::kStep});
  }
  ServiceApi api = open_api(context, patience);
  say_issues(context, write_event_issues(api, request));
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

}  // namespace tracker
