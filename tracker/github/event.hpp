// What a workflow was started by, from the file that GITHUB_EVENT_PATH names, or another service's job, from
// its variables. Their texts are strangers': branches and repositories are only taken over where GitHub could
// have made them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/git_remote.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {

// What started the workflow; kManual: somebody asked for it, by hand or by the API.
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

// What the event's file says. Parts that this kind of event does not have are empty.
struct Event {
  EventKind kind = EventKind::kManual;
  std::string default_branch;
  std::optional<PullRequest> pull_request;
  std::optional<Push> push;
  std::optional<EndedRun> ended_run;
  std::string merge_group_base;
};

// kUsage for an event that nothing can be compared for, and for a file that is not what GitHub writes.
Event read_event(const Context& context);
Event parse_event(const std::string& name, std::string_view text, const std::string& source);

// What the variables of a CI service say of the commit that is built: for any service but GitHub Actions,
// whose event file says more.

// One service: the names of its variables; empty where it has no such.
struct CiService {
  const char* name;            // "GitLab CI"
  const char* sign;            // set where it runs
  const char* request;         // the number of the pull request; "" or "false" in others
  const char* target_branch;   // that the pull request goes to
  const char* branch;          // that was pushed to
  const char* before;          // the commit that it ended in before
  const char* default_branch;  // of the repository
  const char* page;            // where people read this job
};

// The last row is of variables of our own, which hold in any service and go before its own.
const std::vector<CiService>& ci_services();

using Variables = std::function<std::string(const char* name)>;  // empty: not set

struct CiJob {
  const CiService* service = nullptr;
  Event event;
  std::string page;  // empty: not known
};

// Nothing where no service is known by its variables. kUsage for a variable that holds what it cannot.
std::optional<CiJob> read_ci_job(const Variables& variables);

// The step's surroundings, by the environment. In another service than GitHub Actions, GITHUB_REPOSITORY and
// GITHUB_TOKEN say where comments go, and in GitLab its own variables.
struct CiStep {
  Context context;
  std::optional<CiJob> job;  // none in GitHub Actions, and where no service is known

  // What started it; kUsage where the environment does not say.
  Event event() const;
};

// Reads the environment of this process. kUsage where a variable of the service has a value that it cannot
// have.
CiStep read_ci_step();

// Which two commits an event is about, and what may be done with the result.

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
WhatToCompare what_to_compare(const repo::Repository& repository, const Context& context, const Event& event,
                              bool has_baseline);

// "kind", "base", "candidate", "pull-request", "head", "record", "may-write", "fork", "skip".
Outputs outputs_of(const WhatToCompare& what);

// The pull request that an ended run was for, and whether what the run claims to have measured belongs to it.
// The run may have been of a stranger's code: nothing it left behind is believed.

// What the run of a `workflow_run` event is about: pull request, head, fork; `skip` where it was for no pull
// request, or for one that is closed or has moved on since. ApiError where the service does not tell.
WhatToCompare what_ended_run_is_about(ServiceApi& api, const std::string& repository, const Event& event,
                                      PullRequest& request);

// Takes over `claim` (text from the run) as the candidate, with its base: it must be the pull request's head,
// GitHub's own merge of it, or a merge of it into what the base branch was at `run_created_at`, as GitHub's
// was then: whoever may choose the base may choose the verdict. Fetches both, into no ref that stays. kUsage
// for anything else; `skip` where the pull request has moved on meanwhile.
void take_candidate(const repo::Repository& repository, const repo::GitRemote& remote,
                    const PullRequest& request, const std::string& run_created_at, const std::string& claim,
                    WhatToCompare& what);

}  // namespace tracker::github
