// What a workflow was started by, from the file that GITHUB_EVENT_PATH names. Its texts are strangers':
// branches and repositories are only taken over where GitHub could have made them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/github/context.hpp"

namespace tracker {

enum class EventKind { kPullRequest, kPush, kMergeGroup, kSchedule, kManual, kWorkflowRun };

// "pull-request", "push", …
std::string word_for(EventKind kind);

struct PullRequest {
  int number = 0;
  std::string head;             // the commit
  std::string head_repository;  // "owner/name"; empty where it is gone
  std::string base_branch;
};

struct Push {
  std::string ref;
  std::string before;  // empty: the ref is new
  bool deleted = false;
};

// The run of another workflow, which has ended.
struct EndedRun {
  std::string event;  // what that one was started by
  std::string head;
  std::string head_branch;  // empty where it is gone, as the two below
  std::string head_repository;
  std::string created_at;          // UTC, ISO 8601; empty where GitHub does not say
  std::vector<int> pull_requests;  // of this repository's own branches; GitHub names none of a fork's
};

struct Event {
  EventKind kind = EventKind::kManual;
  std::string default_branch;
  std::optional<PullRequest> pull_request;
  std::optional<Push> push;
  std::optional<EndedRun> ended_run;
  std::string merge_group_base;
};

// kUsage for an event that nothing can be compared for, and for a file that is not what GitHub writes.
Event read_event(const GitHubContext& context);
Event parse_event(const std::string& name, std::string_view text, const std::string& source);

}  // namespace tracker
