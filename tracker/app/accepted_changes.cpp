#include "tracker/app/accepted_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/line_series.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
namespace {

// Empty for what is no commit of this clone.
std::string known_commit(const Repository& repository, const std::string& revision) {
  try {
    return repository.resolve(revision).id;
  } catch (const Error&) {
    return "";
  }
}

// The commits that made accepted changes, as the history up to `from` has them. There may be thousands: the
// history of tracker.toml is read once, and the first of those that it has not are told.
class AcceptedCommits {
 public:
  AcceptedCommits(const Workspace& workspace, std::string from)
      : workspace_(workspace), from_(std::move(from)) {}

  // The one named or, where a squash, a rebase or a cherry-pick left that behind, the one that the entry
  // itself came in with. Empty, with a note, where neither is part of it.
  std::string of(const Waiver& accepted) {
    const Repository& repository = workspace_.repository();
    const std::string named = known_commit(repository, accepted.granted);
    if (!named.empty() && is_ancestor(repository, named, from_)) return named;
    if (!entries_) entries_ = repository.commits_of_quoted(from_, "tracker.toml");
    if (const auto entry = entries_->find(accepted.granted); entry != entries_->end()) return entry->second;
    if (named.empty()) note(accepted);
    return "";
  }

 private:
  void note(const Waiver& accepted) {
    constexpr int kToldMax = 10;
    if (++told_ == kToldMax + 1)
      workspace_.note("more [[accepted]] are of commits that are not in this history");
    if (told_ > kToldMax) return;
    workspace_.note("[[accepted]] '" + printable(accepted.match) + "' is of commit " +
                    printable(accepted.granted) +
                    ", which is not in this history: it accepts nothing (tracker accept names another)");
  }

  const Workspace& workspace_;
  std::string from_;
  std::optional<std::map<std::string, std::string>> entries_;
  int told_ = 0;
};

// The commits that a side may stand for: of the baseline one a device.
std::vector<std::string> commits_of_side(const Workspace& workspace, const std::string& side) {
  std::vector<std::string> commits;
  if (side == kBaselineWord) {
    for (const auto& device : devices_of(workspace, side))
      if (const auto baseline = load_side(workspace, side, device)) commits.push_back(baseline->side.commit);
  } else {
    commits.push_back(known_commit(workspace.repository(), side));
  }
  std::erase_if(commits,
                [&](const std::string& id) { return known_commit(workspace.repository(), id).empty(); });
  return commits;
}

}  // namespace

Policy policy_between(const Workspace& workspace, Policy policy, const std::string& base,
                      const std::string& candidate) {
  if (policy.accepted.empty() || !workspace.has_repository()) return policy;
  const Repository& repository = workspace.repository();
  const auto bases = commits_of_side(workspace, base);
  const auto candidates = commits_of_side(workspace, candidate);
  if (bases.empty() || candidates.empty()) return policy;
  AcceptedCommits commits(workspace, candidates.front());
  for (const auto& accepted : policy.accepted) {
    const std::string commit = commits.of(accepted);
    const auto has_it = [&](const std::string& side) { return is_ancestor(repository, commit, side); };
    if (commit.empty() || !std::any_of(candidates.begin(), candidates.end(), has_it) ||
        std::any_of(bases.begin(), bases.end(), has_it))
      continue;
    (accepted.machine ? policy.machine_changes : policy.waivers).push_back(accepted);
  }
  return policy;
}

std::vector<Waiver> machine_moved(const Workspace& workspace, const std::string& device, const Policy& policy,
                                  const std::vector<Run>& base, const std::vector<Run>& candidate) {
  constexpr double kLeast = 0.002;  // a smaller move changes no verdict
  constexpr double kDeviations = 3;
  if (!workspace.has_repository() || base.empty() || candidate.empty()) return {};
  if (policy.sentinel.commit.empty()) return {};
  if (known_commit(workspace.repository(), policy.sentinel.commit).empty()) {
    workspace.note("[sentinel] names '" + printable(policy.sentinel.commit) +
                   "', which is no commit of this clone: nothing is known of what the machine did between " +
                   "both sides' jobs");
    return {};
  }
  const Sentinel sentinel = load_sentinel(workspace.repository(), workspace.history(), device, policy);
  const auto from = sentinel.era_of(base.back());
  const auto to = sentinel.era_of(candidate.back());
  std::vector<Waiver> moved;
  for (const auto& benchmark : candidate.back().benchmarks) {
    const std::string name = renamed(benchmark.name, policy.renames);
    const auto shift = sentinel.shift(from, to, name);
    if (!shift || std::abs(shift->log_time) < std::max(kLeast, kDeviations * shift->error)) continue;
    Waiver& change = moved.emplace_back();
    change.match = name;
    change.reason = sentinel.in_words(from, to, name);
    change.machine = true;
  }
  return moved;
}

std::optional<int> position_on_line(const Repository& repository, const CommitLine& line,
                                    const std::string& commit) {
  const std::string id = known_commit(repository, commit);
  if (id.empty() || line.empty() || !is_ancestor(repository, id, line.front().id)) return {};
  // Newest first: the last that has it.
  const auto first_without = std::partition_point(
      line.begin(), line.end(), [&](const Commit& one) { return is_ancestor(repository, id, one.id); });
  return static_cast<int>(line.end() - first_without);
}

std::vector<Acceptance> acceptances_on(const Workspace& workspace, const std::string& from,
                                       const std::string& today,
                                       const std::vector<std::string>& report_only) {
  constexpr double kAnySize = 1e9;
  const Policy& policy = workspace.config().policy;
  std::vector<Acceptance> all;
  for (const auto& waiver : policy.waivers)
    if (today <= waiver.expires) all.push_back({waiver.match, waiver.reason, waiver.ceiling, {}});
  if (!policy.accepted.empty()) {
    const auto line = workspace.repository().first_parents(from, kWholeLine);
    AcceptedCommits commits(workspace, line.empty() ? "" : line.front().id);
    for (const auto& accepted : policy.accepted) {
      if (line.empty()) break;
      if (const auto position = position_on_line(workspace.repository(), line, commits.of(accepted)))
        all.push_back({accepted.match, accepted.reason, accepted.ceiling, position, accepted.machine});
    }
  }
  for (const auto& benchmark : report_only)
    all.push_back({benchmark, "only reported, by tracker.toml", kAnySize, {}});
  return all;
}

}  // namespace tracker
