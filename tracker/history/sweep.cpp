#include "tracker/history/sweep.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/overview.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// A benchmark that belongs to a sweep.
struct Member {
  const Benchmark* benchmark = nullptr;
  const Sweep* sweep = nullptr;
  std::vector<std::string> segments;
};

// What the rows and the columns of one family of a sweep are.
struct Axes {
  std::string rows;
  std::string columns;
};

std::string mark_of(std::size_t place) {
  return "{" + std::to_string(place) + "}";
}

std::vector<Member> members_of(const CommitRuns& commit, const std::vector<std::string>& globs,
                               const std::vector<Sweep>& sweeps) {
  std::vector<Member> members;
  std::set<std::string> known;
  for (const auto& run : commit.runs)
    for (const auto& benchmark : run.benchmarks) {
      const auto sweep = std::find_if(sweeps.rbegin(), sweeps.rend(), [&](const Sweep& one) {
        return means_benchmark(one.match, benchmark);
      });
      if (sweep == sweeps.rend() || !means_any(globs, benchmark)) continue;
      auto segments = split(benchmark.name, '/');
      if (segments.size() < 2 || !known.insert(benchmark.name).second) continue;
      members.push_back({&benchmark, &*sweep, std::move(segments)});
    }
  return members;
}

// The places, from 1, of the segments in which names of one family differ.
std::vector<std::size_t> varying_places(const std::vector<const Member*>& family) {
  std::vector<std::size_t> places;
  const auto& first = family.front()->segments;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (std::any_of(family.begin(), family.end(),
                    [&](const Member* member) { return member->segments[i] != first[i]; }))
      places.push_back(i + 1);
  return places;
}

Axes axes_of(const std::vector<const Member*>& family) {
  const Sweep& sweep = *family.front()->sweep;
  Axes axes{sweep.rows, sweep.columns};
  std::vector<std::size_t> free = varying_places(family);
  const auto drop = [&](const std::string& pattern) {
    for (const std::size_t place : segments_in(pattern)) std::erase(free, place);
  };
  drop(axes.rows);
  drop(axes.columns);
  if (axes.columns.empty()) {
    axes.columns = mark_of(free.empty() ? family.front()->segments.size() : free.back());
    drop(axes.columns);
  }
  if (axes.rows.empty()) axes.rows = mark_of(free.empty() ? 1 : free.front());
  return axes;
}

// Collects cells, and puts them into lines at the end.
class GridBuilder {
 public:
  void add(const std::string& row, const std::string& column, double threshold, std::optional<double> value) {
    if (place(grid.rows, row)) grid.thresholds.push_back(threshold);
    place(grid.columns, column);
    if (value) cells_.emplace(std::pair(row, column), *value);
  }

  bool worth_drawing() const { return !cells_.empty() && grid.rows.size() * grid.columns.size() > 1; }

  SweepGrid finish() {
    const std::vector<std::string> as_added = grid.rows;
    const std::vector<double> thresholds = grid.thresholds;
    sort_values(grid.rows);
    sort_values(grid.columns);
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
      const auto place = std::find(as_added.begin(), as_added.end(), grid.rows[i]) - as_added.begin();
      grid.thresholds[i] = thresholds[static_cast<std::size_t>(place)];
      auto& line = grid.cells.emplace_back();
      for (const auto& column : grid.columns) {
        const auto cell = cells_.find({grid.rows[i], column});
        line.push_back(cell == cells_.end() ? std::nullopt : std::optional(cell->second));
      }
    }
    return std::move(grid);
  }

  SweepGrid grid;

 private:
  // Whether the name is a new one.
  static bool place(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
    names.push_back(name);
    return true;
  }

  static void sort_values(std::vector<std::string>& names) {
    const auto is_value = [](const std::string& name) {
      return !name.empty() && name[0] >= '0' && name[0] <= '9';
    };
    if (std::all_of(names.begin(), names.end(), is_value))
      std::stable_sort(names.begin(), names.end(), natural_less);
  }

  std::map<std::pair<std::string, std::string>, double> cells_;
};

// What a name keeps when the segments of rows and columns are taken out. Empty where it lacks one of them.
std::optional<std::string> rest_of(const Member& member, const Axes& axes) {
  std::set<std::size_t> taken = segments_in(axes.rows);
  taken.merge(segments_in(axes.columns));
  if (*taken.rbegin() > member.segments.size()) return {};
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < member.segments.size(); ++i)
    if (!taken.contains(i + 1)) rest.push_back(member.segments[i]);
  return rest.empty() ? member.sweep->match : join(rest, "/");
}

class Sweeper {
 public:
  Sweeper(std::string device, const Policy& policy) : device_(std::move(device)), policy_(policy) {}

  // Those that no newer commit had: ask for the newest first.
  std::vector<SweepGrid> grids_of(const CommitRuns& commit, const std::vector<Member>& members) {
    std::vector<GridBuilder> builders;
    std::map<Key, std::size_t> places;
    for (const auto& family : families_of(members)) {
      const Axes axes = axes_of(family);
      for (const Member* member : family) {
        const auto title = rest_of(*member, axes);
        if (!title) continue;
        const Metric metric = drawn_metric(*member->benchmark, policy_);
        const Key key{*title, metric.name, member->segments.size()};
        if (drawn_.contains(key)) continue;
        const auto [found, is_new] = places.try_emplace(key, builders.size());
        if (is_new) builders.push_back(begin(*member, *title, metric, commit));
        add(builders[found->second], commit, *member, axes);
      }
    }
    for (const auto& [key, place] : places)
      if (builders[place].worth_drawing()) drawn_.insert(key);
    std::vector<SweepGrid> grids;
    for (auto& builder : builders)
      if (builder.worth_drawing()) grids.push_back(builder.finish());
    return grids;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::size_t>;  // title, metric, number of segments

  // Those of one sweep with the same first segment and number of segments, in the order they first appear.
  static std::vector<std::vector<const Member*>> families_of(const std::vector<Member>& members) {
    std::vector<std::vector<const Member*>> families;
    std::map<std::tuple<const Sweep*, std::string, std::size_t>, std::size_t> places;
    for (const Member& member : members) {
      const auto [found, is_new] = places.try_emplace(
          std::tuple(member.sweep, member.segments.front(), member.segments.size()), families.size());
      if (is_new) families.emplace_back();
      families[found->second].push_back(&member);
    }
    return families;
  }

  GridBuilder begin(const Member& member, const std::string& title, const Metric& metric,
                    const CommitRuns& commit) const {
    GridBuilder builder;
    builder.grid.device = device_;
    builder.grid.title = title;
    builder.grid.commit = commit.commit.id;
    builder.grid.metric = metric;
    builder.grid.row_title = member.sweep->row_title;
    builder.grid.column_title = member.sweep->column_title;
    return builder;
  }

  void add(GridBuilder& builder, const CommitRuns& commit, const Member& member, const Axes& axes) const {
    const std::string& name = member.benchmark->name;
    const auto point = make_point(commit, name, builder.grid.metric);
    builder.add(fill_segments(axes.rows, name), fill_segments(axes.columns, name),
                gate_for(policy_, *member.benchmark).threshold,
                point ? std::optional(point->median) : std::nullopt);
  }

  std::string device_;
  const Policy& policy_;
  std::set<Key> drawn_;
};

}  // namespace

std::vector<SweepGrid> make_sweeps(const std::vector<CommitRuns>& history, const std::string& device,
                                   const std::vector<std::string>& globs, const Policy& policy,
                                   const std::vector<Sweep>& sweeps) {
  if (!policy.renames.empty()) {
    auto renamed = history;
    for (auto& commit : renamed)
      for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
    return make_sweeps(renamed, device, globs, without_renames(policy), sweeps);
  }
  std::vector<SweepGrid> all;
  Sweeper sweeper(device, policy);
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    for (auto& grid : sweeper.grids_of(*commit, members_of(*commit, globs, sweeps)))
      all.push_back(std::move(grid));
  return all;
}

bool is_in_sweep(const std::string& benchmark, const std::vector<Sweep>& sweeps) {
  return std::any_of(sweeps.begin(), sweeps.end(),
                     [&](const Sweep& sweep) { return means_benchmark(sweep.match, benchmark); });
}

void leave_out_sweeps(std::vector<CommitRuns>& history, const std::vector<Sweep>& sweeps,
                      const std::vector<Rename>& renames) {
  if (sweeps.empty()) return;
  const auto is_swept = [&](const Benchmark& benchmark) {
    return is_in_sweep(renamed(benchmark.name, renames), sweeps);
  };
  for (auto& commit : history) {
    for (auto& run : commit.runs) std::erase_if(run.benchmarks, is_swept);
    std::erase_if(commit.runs, [](const Run& run) { return run.benchmarks.empty(); });
  }
  std::erase_if(history, [](const CommitRuns& commit) { return commit.runs.empty(); });
}

}  // namespace tracker
