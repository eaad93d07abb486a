#include "tracker/commands/compare_range.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/commands/sides.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/git_facts.hpp"

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
              "tracker compare " + from + " " + to + ", or " + from + "..." + to + " for what " + to +
                  " changed since it left " + from);
}

void take_merge_base(const Workspace& workspace, CompareOptions& options) {
  refuse_two_dots(options.base);
  const auto dots = options.base.find("...");
  if (dots == std::string::npos || is_path_like(options.base)) return;
  if (options.candidate_named)
    throw Error(ExitCode::kUsage,
                "'" + printable(options.base) + "' names both sides, and '" + printable(options.candidate) +
                    "' is one more",
                "write A...B alone, or two commits");
  const std::string from = options.base.substr(0, dots);
  const std::string to = options.base.substr(dots + 3);
  if (!to.empty()) options.candidate = to;
  options.candidate_named = true;
  const Repository& repository = workspace.repository();
  const Commit base = repository.resolve(
      merge_base(repository, repository.resolve(from).id, repository.resolve(options.candidate).id));
  print_note("the base is " + describe(base) + ", where " + printable(options.candidate) + " left " +
             printable(from));
  options.base = base.id;
}

void take_newest_of_branch(const Workspace& workspace, CompareOptions& options) {
  const bool measures =
      options.measure || options.worktree || options.confirm.wanted || (in_ci() && !options.confirm.unwanted);
  if (measures || options.base == kBaselineWord || is_path_like(options.base)) return;
  const bool is_branch = is_commit_here(workspace, "refs/heads/" + options.base) ||
                         is_commit_here(workspace, "refs/remotes/" + options.base);
  if (!is_branch || !is_commit_here(workspace, options.candidate)) return;
  const auto devices = matching_devices(devices_of(workspace, options.candidate), options.device);
  if (devices.empty()) return;
  const auto base = newest_with_run(workspace, options.base, devices);
  if (!base || base->id == workspace.repository().resolve(options.base).id) return;
  print_note("no run is stored for the newest commit of " + printable(options.base) + ": the base is " +
             describe(*base) + ", the newest one before it that has one");
  options.base = base->id;
}

}  // namespace

CompareOptions with_meant_commits(const Workspace& workspace, CompareOptions options) {
  if (!workspace.has_repository()) return options;
  take_merge_base(workspace, options);
  take_newest_of_branch(workspace, options);
  return options;
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
