#include "tracker/app/trend_line.hpp"

#include <algorithm>
#include <optional>

#include "tracker/history/whole_line.hpp"

namespace tracker {
namespace {

// Oldest first; nothing for a commit that this clone does not have.
std::vector<Commit> walk_to(const Workspace& workspace, const std::string& commit) {
  try {
    const auto line = workspace.repository().first_parents(commit, kWholeLine);
    return {std::reverse_iterator(line.end()), std::reverse_iterator(line.begin())};
  } catch (const Error&) {
    return {};
  }
}

// Its place on the walk.
std::optional<int> position_on(const std::vector<Commit>& walk, const std::string& commit) {
  const auto found =
      std::find_if(walk.begin(), walk.end(), [&](const Commit& one) { return one.id == commit; });
  if (found == walk.end()) return {};
  return static_cast<int>(found - walk.begin());
}

Commit commit_of(const Workspace& workspace, const SideRuns& side) {
  try {
    return workspace.repository().resolve(side.side.commit);
  } catch (const Error&) {
    return {side.side.commit, side.side.subject, {}, side.runs.back().started_at};
  }
}

// Puts a side into the line where the store has no runs of it.
void ensure(const Workspace& workspace, const SideRuns& side, int position, std::vector<CommitRuns>& line) {
  const auto at =
      std::find_if(line.begin(), line.end(), [&](const CommitRuns& one) { return one.position >= position; });
  if (at != line.end() && at->commit.id == side.side.commit) return;
  line.insert(at, {commit_of(workspace, side), position, side.runs});
}

}  // namespace

std::vector<CommitRuns> trend_line(const Workspace& workspace, const std::string& device,
                                   const SideRuns& base, const SideRuns& candidate) {
  const std::string& from = base.side.commit;
  const std::string& to = candidate.side.commit;
  if (!workspace.has_repository() || from.empty() || to.empty()) return {};
  // Which line it is must not depend on what a device has runs of: pictures show several devices.
  auto walk = walk_to(workspace, to);
  if (!position_on(walk, from)) {
    auto other = walk_to(workspace, from);
    if (!other.empty() && !position_on(other, to)) walk = std::move(other);
  }
  std::vector<CommitRuns> line;
  if (!walk.empty())
    line = load_history(workspace.repository(), workspace.history(), device, walk.back().id, kWholeLine);
  if (const auto position = position_on(walk, from)) ensure(workspace, base, *position, line);
  ensure(workspace, candidate, position_on(walk, to).value_or(static_cast<int>(walk.size())), line);
  return line;
}

}  // namespace tracker
