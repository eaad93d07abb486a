#include "tracker/github/event_issues.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tracker/base/text.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"

namespace tracker::github {
namespace {

using IssueJson = nlohmann::json;

// By IssueKind.
constexpr const char* kMarkerStarts[] = {"<!-- tracker-event ", "<!-- tracker-drift "};
constexpr const char* kMarkerEnd = " -->";
constexpr std::size_t kIdLength = 40;

struct OpenIssue {
  int number = 0;
  std::string commit;  // of its marker
  IssueKind kind = IssueKind::kStep;
  std::string title;
  std::string body;
  bool is_taken = false;  // by one of the events
};

// What the first line of its body says; none where it is no issue of ours.
std::optional<OpenIssue> read_ours(const IssueJson& issue, std::int64_t number) {
  const std::string body = text_at(issue, "body");
  for (const IssueKind kind : {IssueKind::kStep, IssueKind::kDrift}) {
    const std::string commit = body.substr(
        std::min(body.size(), std::string_view(kMarkerStarts[static_cast<int>(kind)]).size()), kIdLength);
    if (is_commit_id(commit) && body.starts_with(event_marker(commit, kind)))
      return OpenIssue{static_cast<int>(number), commit, kind, text_at(issue, "title"), body};
  }
  return {};
}

std::string issues_path(const EventIssuesRequest& request) {
  return "/repos/" + request.repository + "/issues";
}

// Pull requests are listed among the issues, and are none of ours.
std::vector<OpenIssue> open_issues(ServiceApi& api, const EventIssuesRequest& request) {
  std::vector<OpenIssue> ours;
  api.find(issues_path(request), {{"state", "open"}}, [&](const IssueJson& issue) {
    if (!issue.is_object() || issue.contains("pull_request") || !issue.contains("user")) return false;
    if (lower_case(text_at(issue["user"], "login")) != lower_case(request.author)) return false;
    const auto number = number_at(issue, "number");
    if (auto found = number ? read_ours(issue, *number) : std::nullopt) ours.push_back(std::move(*found));
    return false;
  });
  return ours;
}

OpenIssue* issue_of(std::vector<OpenIssue>& issues, const EventIssue& event) {
  for (const auto& commit : event.commits)
    for (auto& issue : issues)
      if (!issue.is_taken && issue.kind == event.kind && issue.commit == commit) {
        issue.is_taken = true;
        return &issue;
      }
  return nullptr;
}

// As it is kept: under the commit that it was opened with, and no longer than GitHub takes.
std::string body_under(const std::string& commit, IssueKind kind, const std::string& body) {
  std::string text = event_marker(commit, kind) + "\n" + body;
  if (character_count(text) <= kCommentLengthMax) return text;
  text.resize(kCommentLengthMax / 4);  // bytes: no fewer than characters
  text.resize(std::max(text.rfind('\n'), commit.size()));
  return text + "\n\n(cut: longer than GitHub takes)\n";
}

WrittenIssue change_issue(ServiceApi& api, const EventIssuesRequest& request, const OpenIssue& issue,
                          const std::string& title, const std::string& body, bool close) {
  const std::string text = body_under(issue.commit, issue.kind, body);
  if (!close && issue.title == title && is_kept_alike(issue.body, text))
    return {IssueOutcome::kUnchanged, issue.number, title};
  IssueJson change{{"title", title}, {"body", text}};
  if (close) {
    change["state"] = "closed";
    change["state_reason"] = "completed";
  }
  api.send("PATCH", issues_path(request) + "/" + std::to_string(issue.number), change);
  return {close ? IssueOutcome::kClosed : IssueOutcome::kUpdated, issue.number, title};
}

WrittenIssue open_issue(ServiceApi& api, const EventIssuesRequest& request, const EventIssue& event) {
  const std::string body = body_under(event.commits.front(), event.kind, event.body);
  try {
    const auto answer = api.post(issues_path(request), {{"title", event.title}, {"body", body}});
    return {IssueOutcome::kOpened, static_cast<int>(number_at(answer, "number").value_or(0)), event.title};
  } catch (const ApiError& error) {
    // The answer got lost, and the issue may be there.
    if (!api.may_look_again(error, 1)) throw;
    auto issues = open_issues(api, request);
    if (const OpenIssue* found = issue_of(issues, event))
      return {IssueOutcome::kOpened, found->number, event.title};
    throw;
  }
}

}  // namespace

std::string event_marker(const std::string& commit, IssueKind kind) {
  return kMarkerStarts[static_cast<int>(kind)] + commit + kMarkerEnd;
}

EventIssuesAnswer write_event_issues(ServiceApi& api, const EventIssuesRequest& request) {
  EventIssuesAnswer answer;
  try {
    auto issues = open_issues(api, request);
    for (const auto& event : request.events) {
      if (const OpenIssue* found = issue_of(issues, event))
        answer.issues.push_back(
            change_issue(api, request, *found, event.title, event.body, event.action == IssueAction::kClose));
      else if (event.action == IssueAction::kOpen)
        answer.issues.push_back(open_issue(api, request, event));
    }
    for (const auto& issue : issues)
      if (!issue.is_taken)
        answer.issues.push_back(change_issue(api, request, issue, issue.title,
                                             "Newer runs do not show this change any more.\n", true));
  } catch (const ApiError& error) {
    if (!error.is_forbidden()) throw;
    answer.forbidden = error.what();
  }
  return answer;
}

}  // namespace tracker::github
