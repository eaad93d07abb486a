#include "tracker/github/what_to_compare.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/http.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
namespace {

// HEAD is the pull request's last commit: it is compared with where it left the base branch.
std::string branch_point(const Repository& repository, const PullRequest& request, const std::string& head) {
  const std::string tracking = "refs/remotes/origin/" + request.base_branch;
  std::string tip;
  try {
    tip = repository.resolve(tracking).id;
  } catch (const Error&) {
    if (repository.is_shallow())
      throw shallow_failure("does not hold the branch '" + request.base_branch + "'");
    throw Error(ExitCode::kUsage,
                "this clone does not hold the branch '" + printable(request.base_branch) +
                    "' that the pull request goes to",
                "fetch it: git fetch origin " + shell_word(request.base_branch + ":" + tracking) +
                    "; actions/checkout does so with fetch-depth: 0");
  }
  return merge_base(repository, head, tip);
}

void decide_pull_request(const Repository& repository, const GitHubContext& context, const Event& event,
                         WhatToCompare& what) {
  const PullRequest& request = event.pull_request.value();
  const std::string name = "pull request " + std::to_string(request.number);
  what.pull_request = request.number;
  what.head = request.head;
  if (!context.is_github) {
    // Its branch, or a merge of it: both left the base branch at what is compared with.
    what.head = what.candidate;
    what.base = branch_point(repository, request, what.candidate);
    what.may_write = !context.token.empty();
    what.reason = name + ": " + short_name(what.candidate) + " against " + short_name(what.base) +
                  ", where it left '" + request.base_branch + "'";
    return;
  }
  what.fork = is_fork(request, context.require_repository());
  // Dependabot's pull requests are of this repository, and get a token that reads alone.
  what.may_write = !what.fork && context.actor != "dependabot[bot]";
  if (what.candidate == request.head) {
    what.base = branch_point(repository, request, request.head);
    what.reason = name + ": its last commit " + short_name(what.candidate) + " against " +
                  short_name(what.base) + ", where it left '" + request.base_branch + "'";
    return;
  }
  const auto parents = parents_of(repository, what.candidate);
  if (parents.size() != 2 || std::find(parents.begin(), parents.end(), request.head) == parents.end())
    throw Error(ExitCode::kUsage,
                "the commit that is checked out, " + short_name(what.candidate) +
                    ", is neither the merge of " + name + " nor its last commit " + short_name(request.head),
                "let actions/checkout take what the event is about: without 'ref'");
  what.base = parents[0] == request.head ? parents[1] : parents[0];
  what.reason = name + ": the merge " + short_name(what.candidate) + " of its last commit " +
                short_name(request.head) + " against " + short_name(what.base) + " of '" +
                request.base_branch + "'";
}

// The first parent; nothing for a first commit.
void hold_against_parent(const Repository& repository, const std::string& why, WhatToCompare& what) {
  const auto parents = parents_of(repository, what.candidate);
  if (!parents.empty()) what.base = parents.front();
  what.reason = parents.empty()
                    ? short_name(what.candidate) + " is the first commit: there is nothing to compare it with"
                    : short_name(what.candidate) + " against its parent " + short_name(what.base) + why;
}

void decide_push(const Repository& repository, const Event& event, WhatToCompare& what) {
  const Push& push = event.push.value();
  if (push.deleted) {
    what.skip = true;
    what.reason = "'" + push.ref + "' was deleted";
    return;
  }
  what.record = !event.default_branch.empty() && push.ref == "refs/heads/" + event.default_branch;
  if (push.before.empty()) return hold_against_parent(repository, ": '" + push.ref + "' is new", what);
  if (!has_commit(repository, push.before)) {
    if (repository.is_shallow())
      throw shallow_failure("does not hold commit " + short_name(push.before) + ", from before the push");
    return hold_against_parent(repository, ": what was there before the push is gone", what);
  }
  if (push.before == what.candidate || !is_ancestor(repository, push.before, what.candidate))
    return hold_against_parent(repository, ": what was there before the push is no part of its history",
                               what);
  what.base = push.before;
  what.reason = "push to '" + push.ref + "': " + short_name(what.candidate) + " against " +
                short_name(what.base) + ", from before the push";
}

void decide_merge_group(const Repository& repository, const Event& event, WhatToCompare& what) {
  const std::string& base = event.merge_group_base;
  if (!has_commit(repository, base) || !is_ancestor(repository, base, what.candidate))
    return hold_against_parent(repository, "", what);
  what.base = base;
  what.reason = "merge group: " + short_name(what.candidate) + " against " + short_name(base);
}

std::string yes_or_no(bool value) {
  return value ? "true" : "false";
}

}  // namespace

bool is_fork(const PullRequest& request, const std::string& repository) {
  return lower_case(request.head_repository) != lower_case(repository);
}

WhatToCompare what_to_compare(const Repository& repository, const GitHubContext& context, const Event& event,
                              bool has_baseline) {
  WhatToCompare what{.kind = event.kind, .candidate = repository.resolve("HEAD").id};
  // A schedule runs on the default branch alone; a person may start a workflow on any branch.
  what.record = event.kind == EventKind::kSchedule ||
                (event.kind == EventKind::kManual && !event.default_branch.empty() &&
                 context.ref == "refs/heads/" + event.default_branch);
  if (event.kind == EventKind::kPullRequest) {
    decide_pull_request(repository, context, event, what);
  } else if (event.kind == EventKind::kPush) {
    decide_push(repository, event, what);
  } else if (event.kind == EventKind::kMergeGroup) {
    decide_merge_group(repository, event, what);
  } else if (has_baseline) {
    what.base = "baseline";
    what.reason = short_name(what.candidate) + " against the promoted baselines";
  } else {
    hold_against_parent(repository, ": no baseline is promoted", what);
  }
  return what;
}

Outputs outputs_of(const WhatToCompare& what) {
  return {{"kind", word_for(what.kind)},
          {"base", what.base},
          {"candidate", what.candidate},
          {"pull-request", what.pull_request ? std::to_string(*what.pull_request) : ""},
          {"head", what.head},
          {"record", yes_or_no(what.record)},
          {"may-write", yes_or_no(what.may_write)},
          {"fork", yes_or_no(what.fork)},
          {"skip", yes_or_no(what.skip)}};
}

}  // namespace tracker
