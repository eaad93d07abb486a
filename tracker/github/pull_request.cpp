#include "tracker/github/pull_request.hpp"

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/github/branch_commit.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
namespace {

using nlohmann::json;

struct Listed {
  PullRequest request;
  bool open = false;
};

Listed read_fields(const json& item) {
  const JsonFields fields(item, "GitHub's pull request");
  Listed listed;
  listed.request.number = fields.required<int>("number");
  listed.open = fields.required<std::string>("state") == "open";
  const auto head = fields.object("head");
  listed.request.head = head.required<std::string>("sha");
  if (item.at("head").contains("repo") && !item.at("head").at("repo").is_null())
    listed.request.head_repository = head.object("repo").required<std::string>("full_name");
  listed.request.base_branch = fields.object("base").required<std::string>("ref");
  if (listed.request.number <= 0 || !is_commit_id(listed.request.head) ||
      !is_branch_name(listed.request.base_branch))
    fields.fail("number", "a pull request");
  return listed;
}

Listed read_listed(const json& item) {
  try {
    return read_fields(item);
  } catch (const Error& error) {
    throw ApiError(ApiFailure::kRefused, 200, error.what(), "is GITHUB_API_URL the address of GitHub's API?");
  }
}

// Why it is not the one that the run was for; nothing where it is.
std::string objection(const Listed& listed, const EndedRun& run) {
  const std::string name = "pull request " + std::to_string(listed.request.number);
  if (!listed.open) return name + " is closed";
  if (listed.request.head != run.head)
    return name + " has moved on from " + short_name(run.head) + " to " + short_name(listed.request.head);
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
  reason = "no open pull request comes from '" + printable(head) + "'";
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
bool was_tip_at(const Repository& repository, const std::string& commit, const std::string& tip,
                const std::string& time) {
  if (commit == tip) return true;
  constexpr std::size_t kDateBytes = std::string_view("2026-11-22T08:00:00").size();
  const auto followed = git_output(repository,
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
    what.reason = "the run was for '" + printable(run.event) + "' and no pull request";
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
                short_name(run.head);
  return what;
}

void take_candidate(const Repository& repository, const GitRemote& remote, const PullRequest& request,
                    const std::string& run_created_at, const std::string& claim, WhatToCompare& what) {
  if (!is_commit_id(claim))
    throw Error(ExitCode::kUsage, "--candidate '" + printable(claim.substr(0, 60)) +
                                      "' is not a commit's 40 hexadecimal digits");
  if (repository.is_shallow()) throw shallow_failure("cannot tell which commits are on a branch");
  PassingRefs refs(repository);
  const std::string pull = "refs/pull/" + std::to_string(request.number);
  const auto head = remote.fetch(pull + "/head", refs.add("head"));
  if (head != request.head) {
    what.skip = true;
    what.reason = "pull request " + std::to_string(request.number) + " has moved on from " +
                  short_name(request.head) + (head ? " to " + short_name(*head) : "");
    return;
  }
  const auto tip = remote.fetch("refs/heads/" + request.base_branch, refs.add("base"));
  if (!tip)
    throw Error(ExitCode::kEnvironment, "'" + printable(remote.name()) + "' has no branch '" +
                                            printable(request.base_branch) + "' any more");
  what.candidate = claim;
  if (claim == *head) {
    what.base = merge_base(repository, claim, *tip);
    return;
  }
  if (!remote.fetch(claim, refs.add("candidate"))) refuse(claim, request, "there is no such commit");
  if (git_output(repository, {"cat-file", "-t", claim}) != "commit")
    refuse(claim, request, "it is no commit");
  const auto parents = parents_of(repository, claim);
  if (parents.size() != 2 || parents[1] != *head)
    refuse(claim, request, "it is neither the last commit " + short_name(*head) + " nor a merge of it");
  if (!is_ancestor(repository, parents[0], *tip))
    refuse(claim, request,
           "it merges the last commit into " + short_name(parents[0]) + ", which is not on '" +
               printable(request.base_branch) + "'");
  if (remote.fetch(pull + "/merge", refs.add("merge")) != claim &&
      !was_tip_at(repository, parents[0], *tip, run_created_at))
    refuse(claim, request,
           "it is not GitHub's merge, and merges the last commit into " + short_name(parents[0]) +
               ", which was not the last commit of '" + printable(request.base_branch) +
               "' when the run began; run it again");
  what.base = parents[0];
}

}  // namespace tracker
