#include "tracker/github/event.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kEventBytesMax = 32u << 20;  // GitHub's own limit is 25 MB
constexpr std::size_t kPullRequestsMax = 20;

std::string commit_at(const JsonFields& fields, const char* name) {
  auto id = fields.required<std::string>(name);
  if (!is_commit_id(id)) fields.fail(name, "a commit's 40 hexadecimal digits");
  return id;
}

std::string branch_at(const JsonFields& fields, const char* name) {
  auto branch = fields.required<std::string>(name);
  if (!is_branch_name(branch)) fields.fail(name, "a branch");
  return branch;
}

int number_at(const JsonFields& fields) {
  const int number = fields.required<int>("number");
  if (number <= 0) fields.fail("number", "a number above zero");
  return number;
}

// Null where the fork has been deleted.
std::string repository_at(const JsonFields& fields, const json& object, const char* name) {
  if (!object.contains(name) || object[name].is_null()) return "";
  auto full_name = fields.object(name).required<std::string>("full_name");
  if (!is_repository_name(full_name)) fields.fail(name, "a repository 'owner/name'");
  return full_name;
}

void read_pull_request(const json& document, const JsonFields& fields, Event& event) {
  const auto request = fields.object("pull_request");
  const auto head = request.object("head");
  event.pull_request = PullRequest{
      .number = number_at(request),
      .head = commit_at(head, "sha"),
      .head_repository = repository_at(head, document["pull_request"]["head"], "repo"),
      .base_branch = branch_at(request.object("base"), "ref"),
  };
}

void read_push(const json&, const JsonFields& fields, Event& event) {
  Push push;
  push.ref = fields.required<std::string>("ref");
  if (!push.ref.starts_with("refs/") || !is_branch_name(push.ref.substr(5))) fields.fail("ref", "a ref");
  push.before = commit_at(fields, "before");
  if (push.before.find_first_not_of('0') == std::string::npos) push.before.clear();
  fields("deleted", push.deleted);
  event.push = push;
}

void read_merge_group(const json&, const JsonFields& fields, Event& event) {
  event.merge_group_base = commit_at(fields.object("merge_group"), "base_sha");
}

void read_workflow_run(const json& document, const JsonFields& fields, Event& event) {
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
    for (const auto& request : requests) ended.pull_requests.push_back(number_at(request));
  }
  event.ended_run = ended;
}

void read_nothing_more(const json&, const JsonFields&, Event&) {}

struct EventRow {
  const char* name;  // GITHUB_EVENT_NAME
  EventKind kind;
  void (*read)(const json& document, const JsonFields& fields, Event& event);
};

constexpr EventRow kEvents[] = {
    {"pull_request", EventKind::kPullRequest, read_pull_request},
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
  throw Error(ExitCode::kUsage, "nothing can be compared for the event '" + printable(name) + "'",
              "events that have two sides: " + join(names, ", "));
}

}  // namespace

std::string word_for(EventKind kind) {
  switch (kind) {
    case EventKind::kPullRequest:
      return "pull-request";
    case EventKind::kPush:
      return "push";
    case EventKind::kMergeGroup:
      return "merge-group";
    case EventKind::kSchedule:
      return "schedule";
    case EventKind::kManual:
      return "manual";
    case EventKind::kWorkflowRun:
      return "workflow-run";
  }
  return "";
}

Event parse_event(const std::string& name, std::string_view text, const std::string& source) {
  const EventRow& row = row_of(name);
  Event event{.kind = row.kind};
  json document;
  try {
    document = parse_json(text, source);
  } catch (const Error& error) {  // its hints speak of benchmarks
    throw Error(error.code(), error.what(), "it is written by GitHub, and named by GITHUB_EVENT_PATH");
  }
  const JsonFields fields(document, "'" + printable(source) + "'");
  if (fields.has("repository")) {
    const auto repository = fields.object("repository");
    if (repository.has("default_branch")) event.default_branch = branch_at(repository, "default_branch");
  }
  row.read(document, fields, event);
  return event;
}

Event read_event(const GitHubContext& context) {
  if (context.event_name.empty())
    throw Error(ExitCode::kUsage, "GITHUB_EVENT_NAME is not set", "it is set in every step of a workflow");
  row_of(context.event_name);
  if (context.event_path.empty())
    throw Error(ExitCode::kUsage, "GITHUB_EVENT_PATH is not set", "it is set in every step of a workflow");
  return parse_event(context.event_name, read_file(context.event_path, kEventBytesMax), context.event_path);
}

}  // namespace tracker
