#include "tracker/events/line_causes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "tracker/events/events.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// The positions on the line that the causes of a change may be read from: `needed` values on each side of it,
// and whatever lies between them.
struct PositionsAround {
  int first = 0;  // [first, before] and [after, last]
  int before = 0;
  int after = 0;
  int last = std::numeric_limits<int>::max();

  bool contains(int position) const {
    return (first <= position && position <= before) || (after <= position && position <= last);
  }
};

PositionsAround positions_around(const ChangeEvent& event, const Series& series) {
  PositionsAround around;
  around.before = event.last_before.position;
  around.after = event.last_possible.position;
  std::size_t seen = 0;
  for (auto point = series.points.rbegin(); point != series.points.rend() && seen < kCommitsOfCauses; ++point)
    if (point->position <= around.before && ++seen == kCommitsOfCauses) around.first = point->position;
  seen = 0;
  for (auto point = series.points.begin(); point != series.points.end() && seen < kCommitsOfCauses; ++point)
    if (point->position > around.before && point->position >= around.after && ++seen == kCommitsOfCauses)
      around.last = point->position;
  return around;
}

// The commits around an event's changes on a device, with the benchmarks that changed.
std::vector<CommitRuns> load_around(const CommitLine& line, const RunSource& source,
                                    const std::string& device, const std::vector<PositionsAround>& around,
                                    const std::vector<std::string>& names, const Policy& policy) {
  auto commits = load_commits(
      line, source, device,
      [&](int position) {
        return std::any_of(around.begin(), around.end(),
                           [&](const PositionsAround& one) { return one.contains(position); });
      },
      wanted_names(names, policy));
  for (auto& commit : commits)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  return commits;
}

// By the newest run that has the benchmark, as tracker.toml has it. Benchmarks have their new names already.
bool fails_with_same_code(const std::vector<CommitRuns>& commits, const std::string& name,
                          const Policy& policy) {
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    for (const auto& run : commit->runs)
      if (const Benchmark* benchmark = find_benchmark(run, name))
        return gate_for(without_renames(policy), *benchmark).same_code == SameCode::kFail;
  return false;
}

}  // namespace

void add_causes(const Repository& repository, const RunSource& source, const std::string& from,
                const Policy& policy, const std::vector<Series>& all, std::vector<ChangeEvent>& events) {
  if (events.empty()) return;
  const auto line = repository.first_parents(from, kWholeLine);
  std::map<std::pair<std::string, std::string>, const Series*> series;
  for (const auto& one : all) series[{one.device, one.benchmark}] = &one;
  for (auto& event : events) {
    std::map<std::string, std::vector<PositionsAround>> around;  // by device
    std::map<std::string, std::vector<std::string>> names;
    for (const auto& change : event.changes) {
      around[change.device].push_back(positions_around(event, *series.at({change.device, change.benchmark})));
      names[change.device].push_back(change.benchmark);
    }
    std::vector<std::vector<EventCause>> causes(event.changes.size());
    for (const auto& [device, positions] : around) {
      const auto commits = load_around(line, source, device, positions, names[device], policy);
      for (std::size_t i = 0; i < event.changes.size(); ++i) {
        EventChange& change = event.changes[i];
        if (change.device != device) continue;
        causes[i] = causes_of_change(event, change, commits);
        change.same_code = has_same_code_around(event, change, commits);
        change.same_code_fails = change.same_code && fails_with_same_code(commits, change.benchmark, policy);
      }
    }
    put_causes(event, causes);
  }
}

}  // namespace tracker
