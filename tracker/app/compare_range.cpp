#include "tracker/app/compare_range.hpp"

#include <algorithm>

#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {
namespace {

constexpr int kLookedBackMax = 1000;  // commits

bool is_path_like(const std::string& text) {
  std::error_code ignored;
  return text.starts_with(".") || text.starts_with("/") || std::filesystem::exists(text, ignored);
}

bool is_commit_here(const Workspace& workspace, const std::string& revision) {
  try {
    workspace.repository().resolve(revision);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// git diff takes A..B for the two commits, and git log for those between them.
void refuse_two_dots(const std::string& base) {
  const auto dots = base.find("..");
  if (dots == std::string::npos || base.find("...") != std::string::npos || is_path_like(base)) return;
  const std::string from = printable(base.substr(0, dots));
  const std::string to = base.size() > dots + 2 ? printable(base.substr(dots + 2)) : "HEAD";
  throw Error(ExitCode::kUsage, "'" + printable(base) + "' is a range, and compare takes two commits",
              "tracker compare " + from + " " + to + "; or " + from + "..." + to + " for what " + to +
                  " changed since it left " + from);
}

void take_merge_base(const Workspace& workspace, CompareRequest& request) {
  refuse_two_dots(request.base);
  const auto dots = request.base.find("...");
  if (dots == std::string::npos || is_path_like(request.base)) return;
  if (request.candidate_named)
    throw Error(ExitCode::kUsage,
                "'" + printable(request.base) + "' names both sides, and '" + printable(request.candidate) +
                    "' is one more",
                "write A...B alone, or two commits");
  const std::string from = request.base.substr(0, dots);
  const std::string to = request.base.substr(dots + 3);
  if (!to.empty()) request.candidate = to;
  request.candidate_named = true;
  const Repository& repository = workspace.repository();
  const Commit base = repository.resolve(
      merge_base(repository, repository.resolve(from).id, repository.resolve(request.candidate).id));
  workspace.note("the base is " + describe(base) + ", where " + printable(request.candidate) + " left " +
                 printable(from));
  request.base = base.id;
}

void take_newest_of_branch(const Workspace& workspace, CompareRequest& request) {
  const bool measures = request.measure || request.worktree || request.confirm.wanted ||
                        (workspace.in_ci() && !request.confirm.unwanted);
  if (measures || request.base == kBaselineWord || is_path_like(request.base)) return;
  const bool is_branch = is_commit_here(workspace, "refs/heads/" + request.base) ||
                         is_commit_here(workspace, "refs/remotes/" + request.base);
  if (!is_branch || !is_commit_here(workspace, request.candidate)) return;
  const auto devices = matching_devices(devices_of(workspace, request.candidate), request.device);
  if (devices.empty()) return;
  const auto base = newest_with_run(workspace, request.base, devices);
  if (!base || base->id == workspace.repository().resolve(request.base).id) return;
  workspace.note("no run is stored for the newest commit of " + printable(request.base) + ": the base is " +
                 describe(*base) + ", the newest one before it that has one");
  request.base = base->id;
}

}  // namespace

CompareRequest with_meant_commits(const Workspace& workspace, CompareRequest request) {
  if (!workspace.has_repository()) return request;
  take_merge_base(workspace, request);
  take_newest_of_branch(workspace, request);
  return request;
}

std::optional<Commit> newest_with_run(const Workspace& workspace, const std::string& revision,
                                      const std::vector<std::string>& devices) {
  for (const auto& commit : workspace.repository().first_parents(revision, kLookedBackMax))
    for (const auto& key : workspace.store().keys_of(commit.id)) {
      const bool is_wanted =
          devices.empty() || std::find(devices.begin(), devices.end(), key.device) != devices.end();
      if (key.kind == DocumentKind::kRun && is_wanted) return commit;
    }
  return {};
}

}  // namespace tracker
