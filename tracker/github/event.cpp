#include "tracker/github/event.hpp"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/github/publish.hpp"

namespace tracker::github {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kEventBytesMax = 32u << 20;  // GitHub's own limit is 25 MB
constexpr std::size_t kPullRequestsMax = 20;

std::string commit_at(const formats::JsonFields& fields, const char* name) {
  auto id = fields.required<std::string>(name);
  if (!is_commit_id(id)) fields.fail(name, "a commit's 40 hexadecimal digits");
  return id;
}

std::string branch_at(const formats::JsonFields& fields, const char* name) {
  auto branch = fields.required<std::string>(name);
  if (!is_branch_name(branch)) fields.fail(name, "a branch");
  return branch;
}

int positive_number(const formats::JsonFields& fields) {
  const int number = fields.required<int>("number");
  if (number <= 0) fields.fail("number", "a number above zero");
  return number;
}

// Null where the fork has been deleted.
std::string repository_at(const formats::JsonFields& fields, const json& object, const char* name) {
  if (!object.contains(name) || object[name].is_null()) return "";
  auto full_name = fields.object(name).required<std::string>("full_name");
  if (!is_repository_name(full_name)) fields.fail(name, "a repository 'owner/name'");
  return full_name;
}

// As GitHub writes it in events and answers alike.
PullRequest read_pull_request(const formats::JsonFields& request, const json& object) {
  const auto head = request.object("head");
  return {.number = positive_number(request),
          .head = commit_at(head, "sha"),
          .head_repository = repository_at(head, object["head"], "repo"),
          .base_branch = branch_at(request.object("base"), "ref")};
}

void read_pull_request_event(const json& document, const formats::JsonFields& fields, Event& event) {
  const auto request = fields.object("pull_request");  // before its text is looked at: it may not be there
  event.pull_request = read_pull_request(request, document["pull_request"]);
}

void read_push(const json&, const formats::JsonFields& fields, Event& event) {
  Push push;
  push.ref = fields.required<std::string>("ref");
  if (!push.ref.starts_with("refs/") || !is_branch_name(push.ref.substr(5))) fields.fail("ref", "a ref");
  push.before = commit_at(fields, "before");
  if (push.before.find_first_not_of('0') == std::string::npos) push.before.clear();
  fields("deleted", push.deleted);
  event.push = push;
}

void read_merge_group(const json&, const formats::JsonFields& fields, Event& event) {
  event.merge_group_base = commit_at(fields.object("merge_group"), "base_sha");
}

void read_workflow_run(const json& document, const formats::JsonFields& fields, Event& event) {
  const auto run = fields.object("workflow_run");
  const json& object = document["workflow_run"];
  EndedRun ended{.event = run.required<std::string>("event"),
                 .head = commit_at(run, "head_sha"),
                 .head_repository = repository_at(run, object, "head_repository")};
  if (object.contains("head_branch") && !object["head_branch"].is_null())
    ended.head_branch = branch_at(run, "head_branch");
  run("created_at", ended.created_at);
  if (run.has("pull_requests")) {
    const auto requests = run.objects("pull_requests");
    if (requests.size() > kPullRequestsMax)
      run.fail("pull_requests", "at most " + std::to_string(kPullRequestsMax));
    for (const auto& request : requests) ended.pull_requests.push_back(positive_number(request));
  }
  event.ended_run = ended;
}

void read_nothing_more(const json&, const formats::JsonFields&, Event&) {}

struct EventRow {
  const char* name;  // GITHUB_EVENT_NAME
  EventKind kind;
  void (*read)(const json& document, const formats::JsonFields& fields, Event& event);
};

constexpr EventRow kEvents[] = {
    {"pull_request", EventKind::kPullRequest, read_pull_request_event},
    {"push", EventKind::kPush, read_push},
    {"merge_group", EventKind::kMergeGroup, read_merge_group},
    {"schedule", EventKind::kSchedule, read_nothing_more},
    {"workflow_dispatch", EventKind::kManual, read_nothing_more},
    {"repository_dispatch", EventKind::kManual, read_nothing_more},
    {"workflow_run", EventKind::kWorkflowRun, read_workflow_run},
};

const EventRow& row_of(const std::string& name) {
  if (name == "pull_request_target")
    throw Error(ExitCode::kUsage,
                "in 'pull_request_target' a stranger's code would run with a token that writes",
                "measure in 'pull_request', and comment in 'workflow_run' (docs/github-actions.md)");
  std::vector<std::string> names;
  for (const auto& row : kEvents) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw Error(ExitCode::kUsage, "nothing can be compared for the event " + in_quotes(name),
              "events that have two sides: " + join(names, ", "));
}

// Some name the whole ref.
std::string without_prefix(const std::string& text) {
  constexpr std::string_view kBranches = "refs/heads/";
  return text.starts_with(kBranches) ? text.substr(kBranches.size()) : text;
}

// The number, which some services give as the last part of an address; nothing for "false" and the like.
std::optional<int> number_of(const std::string& text) {
  const auto number = whole_number(std::string_view(text).substr(text.rfind('/') + 1));
  if (!number || *number == 0 || *number > std::numeric_limits<int>::max()) return {};
  return static_cast<int>(*number);
}

}  // namespace

std::string word_for(EventKind kind) {
  static constexpr const char* kWords[] = {"pull-request", "push",   "merge-group",
                                           "schedule",     "manual", "workflow-run"};
  return kWords[static_cast<std::size_t>(kind)];
}

Event parse_event(const std::string& name, std::string_view text, const std::string& source) {
  const EventRow& row = row_of(name);
  Event event{.kind = row.kind};
  json document;
  try {
    document = formats::parse_json(text, source);
  } catch (const Error& error) {  // its hints speak of benchmarks
    throw error.with_hint("it is written by GitHub, and named by GITHUB_EVENT_PATH");
  }
  const formats::JsonFields fields(document, in_quotes(source));
  if (fields.has("repository")) {
    const auto repository = fields.object("repository");
    if (repository.has("default_branch")) event.default_branch = branch_at(repository, "default_branch");
  }
  row.read(document, fields, event);
  return event;
}

Event read_event(const Context& context) {
  const auto require = [](const std::string& value, const std::string& variable) {
    if (value.empty())
      throw Error(ExitCode::kUsage, variable + " is not set", "it is set in every step of a workflow");
  };
  require(context.event_name, "GITHUB_EVENT_NAME");
  row_of(context.event_name);
  require(context.event_path, "GITHUB_EVENT_PATH");
  return parse_event(context.event_name, read_file(context.event_path, kEventBytesMax), context.event_path);
}

const std::vector<CiService>& ci_services() {
  static const std::vector<CiService> table{
      {"GitLab CI", "GITLAB_CI", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
       "CI_COMMIT_BRANCH", "CI_COMMIT_BEFORE_SHA", "CI_DEFAULT_BRANCH", "CI_JOB_URL"},
      {"Jenkins", "JENKINS_URL", "CHANGE_ID", "CHANGE_TARGET", "BRANCH_NAME", "GIT_PREVIOUS_COMMIT", "",
       "BUILD_URL"},
      {"Buildkite", "BUILDKITE", "BUILDKITE_PULL_REQUEST", "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
       "BUILDKITE_BRANCH", "", "BUILDKITE_PIPELINE_DEFAULT_BRANCH", "BUILDKITE_BUILD_URL"},
      {"CircleCI", "CIRCLECI", "CIRCLE_PULL_REQUEST", "", "CIRCLE_BRANCH", "", "", "CIRCLE_BUILD_URL"},
      {"Azure Pipelines", "TF_BUILD", "SYSTEM_PULLREQUEST_PULLREQUESTID", "SYSTEM_PULLREQUEST_TARGETBRANCH",
       "BUILD_SOURCEBRANCH", "", "", ""},
      {"Bitbucket Pipelines", "BITBUCKET_BUILD_NUMBER", "BITBUCKET_PR_ID", "BITBUCKET_PR_DESTINATION_BRANCH",
       "BITBUCKET_BRANCH", "", "", ""},
      {"Drone", "DRONE", "DRONE_PULL_REQUEST", "DRONE_TARGET_BRANCH", "DRONE_BRANCH", "DRONE_COMMIT_BEFORE",
       "DRONE_REPO_BRANCH", "DRONE_BUILD_LINK"},
      {"Woodpecker", "CI_PIPELINE_FORGE_URL", "CI_COMMIT_PULL_REQUEST", "CI_COMMIT_TARGET_BRANCH",
       "CI_COMMIT_BRANCH", "CI_PREV_COMMIT_SHA", "CI_REPO_DEFAULT_BRANCH", "CI_PIPELINE_URL"},
      {"Travis CI", "TRAVIS", "TRAVIS_PULL_REQUEST", "TRAVIS_BRANCH", "TRAVIS_BRANCH", "", "",
       "TRAVIS_BUILD_WEB_URL"},
      {"a CI service", "TRACKER_CI", "TRACKER_CI_PULL_REQUEST", "TRACKER_CI_TARGET_BRANCH",
       "TRACKER_CI_BRANCH", "TRACKER_CI_BEFORE", "TRACKER_CI_DEFAULT_BRANCH", "TRACKER_CI_PAGE"},
  };
  return table;
}

std::optional<CiJob> read_ci_job(const Variables& variables) {
  CiJob job;
  for (const auto& service : ci_services())
    if (job.service == nullptr && !variables(service.sign).empty()) job.service = &service;
  if (job.service == nullptr) return {};
  const CiService& service = *job.service;
  const CiService& own = ci_services().back();
  const auto value = [&](const char* CiService::*name) {
    std::string text = variables(own.*name);
    return text.empty() && *(service.*name) != '\0' ? variables(service.*name) : text;
  };
  const auto branch = [&](const char* CiService::*name) {
    std::string text = without_prefix(value(name));
    if (!text.empty() && !is_branch_name(text))
      throw Error(ExitCode::kUsage, std::string(*(service.*name) != '\0' ? service.*name : own.*name) + " " +
                                        in_quotes(text) + " is no name of a branch");
    return text;
  };
  job.page = printable(value(&CiService::page));
  job.event.default_branch = branch(&CiService::default_branch);
  if (const auto number = number_of(value(&CiService::request))) {
    PullRequest request{.number = *number, .base_branch = branch(&CiService::target_branch)};
    if (request.base_branch.empty()) request.base_branch = job.event.default_branch;
    if (request.base_branch.empty())
      throw Error(ExitCode::kUsage,
                  std::string(service.name) + " does not say which branch pull request " +
                      std::to_string(*number) + " goes to",
                  std::string("set ") + own.target_branch + ", as in " + own.target_branch + "=main");
    job.event.kind = EventKind::kPullRequest;
    job.event.pull_request = request;
    return job;
  }
  const std::string pushed =
      value(&CiService::branch).starts_with("refs/pull/") ? "" : branch(&CiService::branch);
  if (pushed.empty()) return job;
  job.event.kind = EventKind::kPush;
  const std::string before = value(&CiService::before);
  const bool is_new = !is_commit_id(before) || before.find_first_not_of('0') == std::string::npos;
  job.event.push = Push{.ref = "refs/heads/" + pushed, .before = is_new ? "" : before};
  return job;
}

CiStep read_ci_step() {
  const Variables variables = environment_value;
  CiStep step;
  if (variables("GITHUB_EVENT_NAME").empty()) step.job = read_ci_job(variables);
  if (step.job && step.job->service->sign == std::string_view("GITLAB_CI")) {
    read_service_variables(gitlab_service(), step.context);
    step.context.repository = variables("CI_PROJECT_ID");
    if (step.context.repository.empty()) throw Error(ExitCode::kUsage, "CI_PROJECT_ID is not set");
  } else {
    step.context = read_context();
  }
  step.context.is_github = !step.job;
  if (step.job) step.context.page = step.job->page;
  return step;
}

Event CiStep::event() const {
  if (job) return job->event;
  if (context.event_name.empty())
    throw Error(ExitCode::kUsage,
                "GITHUB_EVENT_NAME is not set, and no other CI service is known by its variables",
                "it is set in every step of a workflow; elsewhere set TRACKER_CI=1 and TRACKER_CI_BRANCH, or "
                "TRACKER_CI_PULL_REQUEST and TRACKER_CI_TARGET_BRANCH (docs/ci.md)");
  return read_event(context);
}

namespace {

// Upper and lower case are the same.
bool is_fork(const PullRequest& request, const std::string& repository) {
  return lower_case(request.head_repository) != lower_case(repository);
}

// HEAD is the pull request's last commit: it is compared with where it left the base branch.
std::string branch_point(const repo::Repository& repository, const PullRequest& request,
                         const std::string& head) {
  const std::string tracking = "refs/remotes/origin/" + request.base_branch;
  std::string tip;
  try {
    tip = repository.resolve(tracking).id;
  } catch (const Error&) {
    if (repository.is_shallow())
      throw repo::shallow_failure("does not hold the branch '" + request.base_branch + "'");
    throw Error(ExitCode::kUsage,
                "this clone does not hold the branch " + in_quotes(request.base_branch) +
                    " that the pull request goes to",
                "fetch it: git fetch origin " + shell_word(request.base_branch + ":" + tracking) +
                    "; actions/checkout does so with fetch-depth: 0");
  }
  return repo::merge_base(repository, head, tip);
}

void decide_pull_request(const repo::Repository& repository, const Context& context, const Event& event,
                         WhatToCompare& what) {
  const PullRequest& request = event.pull_request.value();
  const std::string name = "pull request " + std::to_string(request.number);
  what.pull_request = request.number;
  what.head = request.head;
  if (context.is_github) {
    what.fork = is_fork(request, context.require_repository());
    // Dependabot's pull requests are of this repository, and get a token that reads alone.
    what.may_write = !what.fork && context.actor != "dependabot[bot]";
  } else {
    what.head = what.candidate;
    what.may_write = !context.token.empty();
  }
  // Elsewhere its branch is checked out, or a merge of it: both left the base branch at the same commit.
  if (!context.is_github || what.candidate == request.head) {
    what.base = branch_point(repository, request, what.candidate);
    what.reason = name + (context.is_github ? ": its last commit " : ": ") +
                  repo::short_name(what.candidate) + " against " + repo::short_name(what.base) +
                  ", where it left '" + request.base_branch + "'";
    return;
  }
  const auto parents = repo::parents_of(repository, what.candidate);
  if (parents.size() != 2 || std::find(parents.begin(), parents.end(), request.head) == parents.end())
    throw Error(ExitCode::kUsage,
                "the commit that is checked out, " + repo::short_name(what.candidate) +
                    ", is neither the merge of " + name + " nor its last commit " +
                    repo::short_name(request.head),
                "let actions/checkout take what the event is about: without 'ref'");
  what.base = parents[0] == request.head ? parents[1] : parents[0];
  what.reason = name + ": the merge " + repo::short_name(what.candidate) + " of its last commit " +
                repo::short_name(request.head) + " against " + repo::short_name(what.base) + " of '" +
                request.base_branch + "'";
}

// The first parent; nothing for a first commit.
void hold_against_parent(const repo::Repository& repository, const std::string& why, WhatToCompare& what) {
  const auto parents = repo::parents_of(repository, what.candidate);
  if (!parents.empty()) what.base = parents.front();
  const std::string name = repo::short_name(what.candidate);
  what.reason = parents.empty() ? name + " is the first commit: there is nothing to compare it with"
                                : name + " against its parent " + repo::short_name(what.base) + why;
}

void decide_push(const repo::Repository& repository, const Event& event, WhatToCompare& what) {
  const Push& push = event.push.value();
  if (push.deleted) {
    what.skip = true;
    what.reason = "'" + push.ref + "' was deleted";
    return;
  }
  what.record = !event.default_branch.empty() && push.ref == "refs/heads/" + event.default_branch;
  if (push.before.empty()) return hold_against_parent(repository, ": '" + push.ref + "' is new", what);
  if (!repo::has_commit(repository, push.before) && repository.is_shallow())
    throw repo::shallow_failure("does not hold commit " + repo::short_name(push.before) +
                                ", from before the push");
  if (!repo::has_commit(repository, push.before))
    return hold_against_parent(repository, ": what was there before the push is gone", what);
  if (push.before == what.candidate || !repo::is_ancestor(repository, push.before, what.candidate))
    return hold_against_parent(repository, ": what was there before the push is no part of its history",
                               what);
  what.base = push.before;
  what.reason = "push to '" + push.ref + "': " + repo::short_name(what.candidate) + " against " +
                repo::short_name(what.base) + ", from before the push";
}

void decide_merge_group(const repo::Repository& repository, const Event& event, WhatToCompare& what) {
  const std::string& base = event.merge_group_base;
  if (!repo::has_commit(repository, base) || !repo::is_ancestor(repository, base, what.candidate))
    return hold_against_parent(repository, "", what);
  what.base = base;
  what.reason = "merge group: " + repo::short_name(what.candidate) + " against " + repo::short_name(base);
}

std::string yes_or_no(bool value) {
  return value ? "true" : "false";
}

}  // namespace

WhatToCompare what_to_compare(const repo::Repository& repository, const Context& context, const Event& event,
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
    what.reason = repo::short_name(what.candidate) + " against the promoted baselines";
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

namespace {

using nlohmann::json;

struct Listed {
  PullRequest request;
  bool open = false;
};

Listed read_listed(const json& item) {
  try {
    const formats::JsonFields fields(item, "GitHub's pull request");
    positive_number(fields);  // what is no pull request at all has none
    return {read_pull_request(fields, item), fields.required<std::string>("state") == "open"};
  } catch (const Error& error) {
    throw ApiError(ApiFailure::kRefused, 200, error.what(), "is GITHUB_API_URL the address of GitHub's API?");
  }
}

// Why it is not the one that the run was for; nothing where it is.
std::string objection(const Listed& listed, const EndedRun& run) {
  const std::string name = "pull request " + std::to_string(listed.request.number);
  if (!listed.open) return name + " is closed";
  if (listed.request.head != run.head)
    return name + " has moved on from " + repo::short_name(run.head) + " to " +
           repo::short_name(listed.request.head);
  return "";
}

// GitHub names the pull requests of its own repository's branches, and none of a fork's: those are looked up.
std::optional<PullRequest> find_request(ServiceApi& api, const std::string& repository, const EndedRun& run,
                                        std::string& reason) {
  const std::string path = "/repos/" + repository + "/pulls";
  for (const int number : run.pull_requests) {
    const Listed listed = read_listed(api.get(path + "/" + std::to_string(number)));
    reason = objection(listed, run);
    if (reason.empty()) return listed.request;
  }
  if (!run.pull_requests.empty()) return {};
  if (run.head_branch.empty() || run.head_repository.empty()) {
    reason = "the branch that the run was for is gone";
    return {};
  }
  const std::string head =
      run.head_repository.substr(0, run.head_repository.find('/')) + ":" + run.head_branch;
  reason = "no open pull request comes from " + in_quotes(head);
  std::optional<PullRequest> found;
  api.find(path, {{"state", "open"}, {"head", head}}, [&](const json& item) {
    const Listed listed = read_listed(item);
    const std::string no = objection(listed, run);
    if (no.empty() && !is_fork(listed.request, run.head_repository)) found = listed.request;
    if (!no.empty()) reason = no;
    return found.has_value();
  });
  return found;
}

[[noreturn]] void refuse(const std::string& claim, const PullRequest& request, const std::string& why) {
  throw Error(
      ExitCode::kUsage,
      "commit '" + claim + "' is not part of pull request " + std::to_string(request.number) + ": " + why,
      "what was measured for it is not taken over");
}

// Whether the commit was the last one of the branch at that time, by the date of the commit that followed it
// there.
bool was_tip_at(const repo::Repository& repository, const std::string& commit, const std::string& tip,
                const std::string& time) {
  if (commit == tip) return true;
  constexpr std::size_t kDateBytes = std::string_view("2026-11-22T08:00:00").size();
  const auto followed = repo::git_output(repository,
                                         {"log", "--first-parent", "--format=%P %cd",
                                          "--date=format-local:%Y-%m-%dT%H:%M:%S", commit + ".." + tip},
                                         "", {{"TZ", "UTC"}});
  const std::string next = followed.substr(followed.rfind('\n') + 1);
  return next.starts_with(commit) && time.size() >= kDateBytes &&
         next.substr(next.rfind(' ') + 1) >= time.substr(0, kDateBytes);
}

}  // namespace

WhatToCompare what_ended_run_is_about(ServiceApi& api, const std::string& repository, const Event& event,
                                      PullRequest& request) {
  const EndedRun& run = event.ended_run.value();
  WhatToCompare what{.kind = event.kind, .head = run.head, .skip = true};
  if (run.event != "pull_request") {
    what.reason = "the run was for " + in_quotes(run.event) + " and no pull request";
    return what;
  }
  const auto found = find_request(api, repository, run, what.reason);
  if (!found) return what;
  request = *found;
  what.pull_request = request.number;
  what.fork = is_fork(request, repository);
  what.may_write = true;
  what.skip = false;
  what.reason = "the run was for pull request " + std::to_string(request.number) + ", whose last commit is " +
                repo::short_name(run.head);
  return what;
}

void take_candidate(const repo::Repository& repository, const repo::GitRemote& remote,
                    const PullRequest& request, const std::string& run_created_at, const std::string& claim,
                    WhatToCompare& what) {
  if (!is_commit_id(claim))
    throw Error(ExitCode::kUsage,
                "--candidate " + in_quotes(claim.substr(0, 60)) + " is not a commit's 40 hexadecimal digits");
  if (repository.is_shallow()) throw repo::shallow_failure("cannot tell which commits are on a branch");
  PassingRefs refs(repository);
  const std::string pull = "refs/pull/" + std::to_string(request.number);
  const auto head = remote.fetch(pull + "/head", refs.add("head"));
  if (head != request.head) {
    what.skip = true;
    what.reason = "pull request " + std::to_string(request.number) + " has moved on from " +
                  repo::short_name(request.head) + (head ? " to " + repo::short_name(*head) : "");
    return;
  }
  const auto tip = remote.fetch("refs/heads/" + request.base_branch, refs.add("base"));
  if (!tip)
    throw Error(ExitCode::kEnvironment,
                in_quotes(remote.name()) + " has no branch " + in_quotes(request.base_branch) + " any more");
  what.candidate = claim;
  if (claim == *head) {
    what.base = repo::merge_base(repository, claim, *tip);
    return;
  }
  if (!remote.fetch(claim, refs.add("candidate"))) refuse(claim, request, "there is no such commit");
  if (repo::git_output(repository, {"cat-file", "-t", claim}) != "commit")
    refuse(claim, request, "it is no commit");
  const auto parents = repo::parents_of(repository, claim);
  if (parents.size() != 2 || parents[1] != *head)
    refuse(claim, request, "it is neither the last commit " + repo::short_name(*head) + " nor a merge of it");
  if (!repo::is_ancestor(repository, parents[0], *tip))
    refuse(claim, request,
           "it merges the last commit into " + repo::short_name(parents[0]) + ", which is not on " +
               in_quotes(request.base_branch));
  if (remote.fetch(pull + "/merge", refs.add("merge")) != claim &&
      !was_tip_at(repository, parents[0], *tip, run_created_at))
    refuse(claim, request,
           "it is not GitHub's merge, and merges the last commit into " + repo::short_name(parents[0]) +
               ", which was not the last commit of " + in_quotes(request.base_branch) +
               " when the run began; run it again");
  what.base = parents[0];
}

}  // namespace tracker::github
