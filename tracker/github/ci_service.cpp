#include "tracker/github/ci_service.hpp"

#include <charconv>
#include <string_view>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/api.hpp"

namespace tracker::github {
namespace {

std::string value_of(const Variables& variables, const char* own, const char* name) {
  std::string value = variables(own);
  return value.empty() && *name != '\0' ? variables(name) : value;
}

// Some name the whole ref.
std::string without_prefix(const std::string& text) {
  constexpr std::string_view kBranches = "refs/heads/";
  return text.starts_with(kBranches) ? text.substr(kBranches.size()) : text;
}

// The number, which some services give as the last part of an address; nothing for "false" and the like.
std::optional<int> number_of(const std::string& text) {
  const std::string last = text.substr(text.rfind('/') + 1);
  int number = 0;
  const auto end = last.data() + last.size();
  const auto [stop, error] = std::from_chars(last.data(), end, number);
  if (error != std::errc{} || stop != end || number <= 0) return {};
  return number;
}

void require_branch(const std::string& branch, const char* name, const char* own) {
  if (branch.empty() || is_branch_name(branch)) return;
  throw Error(ExitCode::kUsage,
              std::string(*name != '\0' ? name : own) + " " + in_quotes(branch) + " is no name of a branch");
}

}  // namespace

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
    return value_of(variables, own.*name, service.*name);
  };
  const auto branch = [&](const char* CiService::*name) {
    std::string text = without_prefix(value(name));
    require_branch(text, service.*name, own.*name);
    return text;
  };
  job.page = printable(value(&CiService::page));
  job.event.default_branch = branch(&CiService::default_branch);
  if (const auto number = number_of(value(&CiService::request))) {
    job.event.kind = EventKind::kPullRequest;
    job.event.pull_request = PullRequest{.number = *number, .base_branch = branch(&CiService::target_branch)};
    if (job.event.pull_request->base_branch.empty())
      job.event.pull_request->base_branch = job.event.default_branch;
    if (job.event.pull_request->base_branch.empty())
      throw Error(ExitCode::kUsage,
                  std::string(service.name) + " does not say which branch pull request " +
                      std::to_string(*number) + " goes to",
                  std::string("set ") + own.target_branch + ", as in " + own.target_branch + "=main");
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

}  // namespace tracker::github
