// Which two commits an event is about, and what may be done with the result.
#pragma once

#include <optional>
#include <string>

#include "tracker/github/event.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

struct WhatToCompare {
  EventKind kind = EventKind::kManual;
  std::string base;       // a commit, "baseline", or empty where there is nothing before the candidate
  std::string candidate;  // a commit; empty where it is not known
  std::optional<int> pull_request;
  std::string head;        // the last commit of the pull request, which the candidate may be a merge of
  bool record = false;     // of the default branch: what is measured goes into the store
  bool may_write = false;  // the token may comment on the pull request
  bool fork = false;
  bool skip = false;   // there is nothing to do
  std::string reason;  // one sentence
};

// Of an event that has its commits checked out: HEAD is the candidate. kEnvironment where the clone is
// shallow; kUsage where HEAD has nothing to do with the event.
WhatToCompare what_to_compare(const Repository& repository, const GitHubContext& context, const Event& event,
                              bool has_baseline);

// "kind", "base", "candidate", "pull-request", "head", "record", "may-write", "fork", "skip".
Outputs outputs_of(const WhatToCompare& what);

bool is_fork(const PullRequest& request, const std::string& repository);

}  // namespace tracker
