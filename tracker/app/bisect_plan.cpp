// The ends of a search, and what it would take.
#include <algorithm>
#include <cmath>

#include "tracker/app/bisecting.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/verdict/not_measured.hpp"
#include "tracker/model/method_suffix.hpp"
#include "tracker/stats/bisection_effort.hpp"

namespace tracker {
namespace {

constexpr std::size_t kRunsForTime = 5;

// By the newest stored runs of any commit of the range: of one pair, and of which device.
std::optional<double> pair_length_s(const Workspace& workspace, const BisectRequest& request) {
  std::vector<std::string> ids{request.good.id};
  for (const auto& one : request.range) ids.push_back(one.commit.id);
  std::vector<Run> runs;
  for (const auto& id : ids) {
    if (runs.size() >= kRunsForTime) break;
    for (auto& run : read_runs(workspace.store(), workspace.store().keys_of(id)))
      runs.push_back(std::move(run));
  }
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (means_any(request.globs, benchmark)) names.insert(benchmark.name);
  return measuring_time_s(names, runs, 1);
}

}  // namespace

void set_range(const Workspace& workspace, const std::string& good, const std::string& bad,
               BisectRequest& request) {
  const auto& repository = workspace.repository();
  request.good = repository.resolve(good);
  const Commit last = repository.resolve(bad);
  if (request.good.id == last.id)
    throw Error(ExitCode::kUsage, "both ends are " + describe(last),
                "name a commit from before the change first");
  const auto base = common_ancestor(repository, request.good.id, last.id);
  if (!base)
    throw Error(repository.is_shallow() ? ExitCode::kEnvironment : ExitCode::kUsage,
                "'" + printable(good) + "' and '" + printable(bad) + "' have no common ancestor here",
                repository.is_shallow() ? "the clone is shallow: git fetch --unshallow"
                                        : "name two commits of one history");
  if (*base == last.id)
    throw Error(
        ExitCode::kUsage,
        "'" + printable(good) + "' comes after '" + printable(bad) + "': the older commit has to be first",
        "tracker bisect " + printable(bad) + " " + printable(good) +
            " (with --faster, to find what made it faster)");
  if (*base != request.good.id) {
    workspace.note("'" + printable(good) + "' is no ancestor of '" + printable(bad) +
                   "': the search begins at their common ancestor " + describe(repository.resolve(*base)));
    request.good = repository.resolve(*base);
  }
  request.range = commit_range(repository, request.good.id, last.id);
}

BisectPlan plan_bisect(const Workspace& workspace, const BisectRequest& request,
                       const LocalEnvironment& environment) {
  Bisecting search(workspace, request, environment);
  BisectPlan plan;
  plan.stored_pairs = search.load_stored();
  const auto known = search.known();
  stats::BisectionOptions how;
  how.confidence = request.confidence;
  how.smallest = known ? known->smallest : std::log1p(gate_for(request.policy, Benchmark{}).threshold);
  plan.noise_is_recorded = known && known->noise > 0;
  const double noise = plan.noise_is_recorded ? known->noise : how.smallest / 2;
  const double size = known && known->size > how.smallest ? known->size : 1.5 * how.smallest;
  plan.good = request.good;
  plan.bad = request.range.back().commit;
  plan.commits = static_cast<int>(request.range.size());
  plan.merges =
      static_cast<int>(std::count_if(request.range.begin(), request.range.end(),
                                     [](const RangeCommit& one) { return one.parents.size() > 1; }));
  const auto effort = stats::expected_effort(plan.commits, how, size, noise);
  plan.measurements = effort.measurements;
  plan.measurements_high = effort.measurements_high;
  plan.pairs = effort.pairs;
  plan.pairs_high = effort.pairs_high;
  plan.builds = effort.commits + 1;
  plan.change = std::expm1(size);
  plan.noise = std::expm1(noise);
  if (const auto pair_s = pair_length_s(workspace, request)) plan.measuring_s = *pair_s * effort.pairs;
  return plan;
}

}  // namespace tracker
