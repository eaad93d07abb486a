// Issues about events in the history, one each: opened once, updated in place, closed when it is over.
#pragma once

#include <string>
#include <vector>

#include "tracker/github/api.hpp"

namespace tracker::github {

enum class IssueAction {
  kOpen,    // opened where there is none
  kUpdate,  // one that is open is kept up to date
  kClose    // one that is open is closed
};

// Issues of one kind are never taken for the other: a step may lie within a drift.
enum class IssueKind { kStep, kDrift };

struct EventIssue {
  // Ids of the commits that the event may have happened at: what more runs show may move it, and its issue is
  // found by any of them. The first is the one that a new issue is kept under.
  std::vector<std::string> commits;
  std::string title;
  std::string body;  // Markdown
  IssueAction action = IssueAction::kUpdate;
  IssueKind kind = IssueKind::kStep;
};

struct EventIssuesRequest {
  std::string repository;                      // "owner/name"
  std::string author = "github-actions[bot]";  // whose issues are ours: others may quote the marker
  std::vector<EventIssue> events;              // oldest first
};

// What became of an issue.
enum class IssueOutcome { kOpened, kUpdated, kUnchanged, kClosed };

// An issue that was looked at, and what became of it.
struct WrittenIssue {
  IssueOutcome outcome = IssueOutcome::kUnchanged;
  int number = 0;
  std::string title;
};

struct EventIssuesAnswer {
  std::vector<WrittenIssue> issues;
  std::string forbidden;  // why GitHub takes none: the token may only read. Empty: it took all
};

// An open issue of ours that belongs to none of the events is closed: newer runs do not show it any more.
// ApiError where GitHub cannot be reached, or refuses for another reason than a token that may only read.
EventIssuesAnswer write_event_issues(ServiceApi& api, const EventIssuesRequest& request);

// "<!-- tracker-event 1a2b… -->", of a drift "<!-- tracker-drift 1a2b… -->": the first line of the issue,
// which readers do not see.
std::string event_marker(const std::string& commit, IssueKind kind = IssueKind::kStep);

}  // namespace tracker::github
