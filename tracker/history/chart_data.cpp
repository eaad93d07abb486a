#include "tracker/history/chart_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::history {
namespace {

// With the policy's renames done, which its own rules then need no more: without_renames().
std::vector<CommitRuns> renamed_history(std::vector<CommitRuns> history, const Policy& policy) {
  for (auto& commit : history)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  return history;
}

FamilyPanel& panel_of(FamilyOverview& overview, const std::string& shape) {
  const auto known = std::ranges::find(overview.panels, shape, &FamilyPanel::shape);
  return known == overview.panels.end() ? overview.panels.emplace_back(FamilyPanel{shape, {}, {}}) : *known;
}

FamilyOverview& overview_of(std::vector<FamilyOverview>& all, const std::string& family,
                            const Metric& metric) {
  for (auto& overview : all)
    if (overview.family == family && overview.metric.name == metric.name) return overview;
  all.push_back({.family = family, .metric = metric});
  return all.back();
}

// The device's peak, and the benchmark of the same shape that the policy names as bound.
std::vector<ReferenceLine> references_of(const CommitRuns& commit, const Run& run, const Benchmark& benchmark,
                                         const Metric& metric, const Policy& policy) {
  std::vector<ReferenceLine> lines;
  if (const auto peak = metric_peak(metric, run.device, &benchmark))
    lines.push_back({"theoretical peak", *peak});
  const auto bound = gate_for(policy, benchmark).bound;
  const auto place = bound ? place_of(*bound) : std::nullopt;
  if (!place) return lines;
  if (const auto point = make_point(commit, *bound, metric)) lines.push_back({place->variant, point->median});
  return lines;
}

// How well it uses the hardware, so that rates come before times.
Metric drawn_metric(const Benchmark& benchmark, const Policy& policy) {
  if (benchmark.flops_per_iteration) return find_metric("flops");
  return gate_for(policy, benchmark).metric;
}

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
    if (std::ranges::any_of(family, [&](const Member* member) { return member->segments[i] != first[i]; }))
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
    place(grid.rows, row);
    place(grid.columns, column);
    thresholds_.try_emplace(row, threshold);
    if (value) cells_.emplace(std::pair(row, column), *value);
  }

  bool worth_drawing() const { return !cells_.empty() && grid.rows.size() * grid.columns.size() > 1; }

  SweepGrid finish() {
    sort_values(grid.rows);
    sort_values(grid.columns);
    for (const auto& row : grid.rows) {
      grid.thresholds.push_back(thresholds_.at(row));
      auto& line = grid.cells.emplace_back();
      for (const auto& column : grid.columns) {
        const auto cell = cells_.find({row, column});
        line.push_back(cell == cells_.end() ? std::nullopt : std::optional(cell->second));
      }
    }
    return std::move(grid);
  }

  SweepGrid grid;

 private:
  static void place(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }

  static void sort_values(std::vector<std::string>& names) {
    const auto is_value = [](const std::string& name) {
      return !name.empty() && name[0] >= '0' && name[0] <= '9';
    };
    if (std::ranges::all_of(names, is_value)) std::ranges::stable_sort(names, natural_less);
  }

  std::map<std::pair<std::string, std::string>, double> cells_;
  std::map<std::string, double> thresholds_;  // of the rows
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
        if (is_new)
          builders.emplace_back().grid = {.device = device_,
                                          .title = *title,
                                          .commit = commit.commit.id,
                                          .metric = metric,
                                          .row_title = member->sweep->row_title,
                                          .column_title = member->sweep->column_title};
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

struct Work {
  std::optional<double> bytes;  // of one iteration
  std::optional<double> flops;
};

Work work_per_iteration(const Benchmark& benchmark, const std::vector<WorkRule>& rules) {
  Work work{benchmark.bytes_per_iteration, benchmark.flops_per_iteration};
  for (const auto& rule : rules) {
    if (!means_benchmark(rule.match, benchmark)) continue;
    if (!rule.bytes.empty()) work.bytes = work_of(rule.bytes, benchmark.name);
    if (!rule.flops.empty()) work.flops = work_of(rule.flops, benchmark.name);
  }
  const auto none = [](const std::optional<double>& value) { return value && !(*value > 0); };
  if (none(work.bytes)) work.bytes.reset();
  if (none(work.flops)) work.flops.reset();
  return work;
}

BenchmarkPlace drawn_place(const std::string& name) {
  if (const auto place = place_of(name)) return *place;
  const auto cut = name.find('/');
  const std::string first = name.substr(0, cut);
  return {first, first, cut == std::string::npos ? "" : name.substr(cut + 1)};
}

// The time of one iteration.
std::optional<double> time_s(const CommitRuns& commit, const Benchmark& benchmark) {
  const char* const clock = benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time";
  const auto point = make_point(commit, benchmark.name, find_metric(clock));
  return point ? std::optional(point->median) : std::nullopt;
}

std::vector<const Benchmark*> benchmarks_of(const CommitRuns& commit) {
  std::vector<const Benchmark*> all;
  std::set<std::string> seen;
  for (const auto& run : commit.runs)
    for (const auto& benchmark : run.benchmarks)
      if (!benchmark.error && seen.insert(benchmark.name).second) all.push_back(&benchmark);
  return all;
}

// All that can be drawn of one commit; what others are compared with is not yet marked.
void add_points(Roofline& roofline, const CommitRuns& commit, const std::vector<std::string>& globs,
                const std::vector<WorkRule>& rules) {
  const Device& device = commit.runs.back().device;
  for (const Benchmark* benchmark : benchmarks_of(commit)) {
    if (!means_any(globs, *benchmark)) continue;
    const Work work = work_per_iteration(*benchmark, rules);
    if (!work.bytes && work.flops) roofline.unplaced.push_back(benchmark->name);
    if (!work.bytes) continue;
    const auto seconds = time_s(commit, *benchmark);
    if (!seconds) continue;
    const BenchmarkPlace place = drawn_place(benchmark->name);
    RooflinePoint point{benchmark->name, place.family, place.variant, place.shape, *work.bytes / *seconds};
    if (work.flops) {
      point.flops_per_second = *work.flops / *seconds;
      point.peak_flops = metric_peak(find_metric("flops"), device, benchmark);
    }
    roofline.points.push_back(point);
  }
  roofline.commit = commit.commit.id;
  roofline.peak_bytes_per_second = device.peak_bytes_per_second;
  roofline.peak_flops = device.peak_flops;
  roofline.core_clock_mhz = device.core_clock_mhz;
  roofline.memory_clock_mhz = device.memory_clock_mhz;
}

std::set<std::string> bounds_of(const CommitRuns& commit, const Policy& policy) {
  std::set<std::string> bounds;
  for (const Benchmark* benchmark : benchmarks_of(commit))
    if (const auto bound = gate_for(policy, *benchmark).bound) bounds.insert(*bound);
  return bounds;
}

std::optional<ReferenceLine> measured_bandwidth(const CommitRuns& commit, const std::set<std::string>& bounds,
                                                const std::vector<WorkRule>& rules) {
  if (commit.runs.empty()) return {};
  Roofline all;
  add_points(all, commit, {}, rules);
  std::optional<ReferenceLine> best_bound;
  std::optional<ReferenceLine> best;
  const auto raise = [](std::optional<ReferenceLine>& line, const RooflinePoint& point) {
    if (!line || point.bytes_per_second > line->value)
      line = {point.variant + (point.shape.empty() ? "" : " " + point.shape), point.bytes_per_second};
  };
  for (const auto& point : all.points) {
    const bool possible = !all.peak_bytes_per_second || point.bytes_per_second <= *all.peak_bytes_per_second;
    if (point.flops_per_second > 0 || !possible) continue;
    raise(best, point);
    if (bounds.contains(point.benchmark)) raise(best_bound, point);
  }
  return best_bound ? best_bound : best;
}

using RunPointers = std::vector<const Run*>;

// The name that a run has for the benchmark: its own, or an old one.
const Benchmark* find_renamed(const Run& run, const std::string& name, const Policy& policy) {
  if (const Benchmark* found = find_benchmark(run, name)) return found;
  for (const auto& benchmark : run.benchmarks)
    if (renamed(benchmark.name, policy.renames) == name) return &benchmark;
  return nullptr;
}

std::vector<InvocationSamples> samples_of(const RunPointers& runs, const Comparison& comparison,
                                          const Policy& policy) {
  std::vector<InvocationSamples> all;
  std::map<std::string, int> jobs;
  for (const Run* run : runs) {
    const Benchmark* benchmark = find_renamed(*run, comparison.benchmark, policy);
    if (benchmark == nullptr || benchmark->error) continue;
    int place = 0;
    for (const auto& invocation : run->invocations) {
      const auto found = invocation.samples.find(benchmark->name);
      if (found == invocation.samples.end()) continue;
      InvocationSamples one;
      one.round = invocation.round > 0 ? invocation.round : place + 1;
      ++place;
      one.values = metric_samples(comparison.metric, *benchmark, found->second);
      std::erase_if(one.values, [](double value) { return !std::isfinite(value); });
      if (one.values.empty()) continue;
      one.job = jobs.try_emplace(job_or_id(*run), jobs.size()).first->second;
      one.median = stats::median(one.values);
      one.excluded = invocation.excluded;
      one.disturbed = invocation.conditions.disturbed();
      all.push_back(std::move(one));
    }
  }
  return all;
}

// The newest two runs that one job made of both sides and that have the benchmark.
std::pair<const Run*, const Run*> newest_pair(const std::vector<Run>& base, const std::vector<Run>& candidate,
                                              const Comparison& comparison, const Policy& policy) {
  for (auto of_candidate = candidate.rbegin(); of_candidate != candidate.rend(); ++of_candidate)
    for (auto of_base = base.rbegin(); of_base != base.rend(); ++of_base) {
      if (of_base->job.empty() || of_base->job != of_candidate->job || of_base->id == of_candidate->id)
        continue;
      if (find_renamed(*of_base, comparison.benchmark, policy) != nullptr &&
          find_renamed(*of_candidate, comparison.benchmark, policy) != nullptr)
        return {&*of_base, &*of_candidate};
    }
  return {};
}

// All where the side names none of them. A job that measured some benchmarks of both sides side by side is
// behind those that it confirmed alone.
RunPointers named_by(const Side& side, const std::vector<Run>& runs, const std::vector<Run>& others) {
  const auto confirms = [&](const Run& run) {
    return !run.selection.is_all() && !run.job.empty() && std::ranges::any_of(others, [&](const Run& other) {
      return other.job == run.job && other.id != run.id;
    });
  };
  RunPointers all;
  RunPointers named;
  for (const auto& run : runs) {
    all.push_back(&run);
    const bool is_named = std::ranges::find(side.runs, run.id) != side.runs.end();
    if (is_named && !confirms(run)) named.push_back(&run);
  }
  return named.empty() ? all : named;
}

}  // namespace

std::vector<FamilyOverview> make_overviews(const CommitRuns& commit, const std::string& device,
                                           const std::vector<std::string>& globs, const Policy& policy) {
  if (!policy.renames.empty())
    return make_overviews(renamed_history({commit}, policy)[0], device, globs, without_renames(policy));
  std::vector<FamilyOverview> all;
  for (const auto& run : commit.runs)
    for (const auto& benchmark : run.benchmarks) {
      const auto place = place_of(benchmark.name);
      if (!place || !means_any(globs, benchmark)) continue;
      const Metric metric = drawn_metric(benchmark, policy);
      const auto point = make_point(commit, benchmark.name, metric);
      if (!point) continue;
      FamilyOverview& overview = overview_of(all, place->family, metric);
      overview.device = device;
      overview.commit = commit.commit.id;
      FamilyPanel& panel = panel_of(overview, place->shape);
      if (std::ranges::find(panel.bars, place->variant, &FamilyBar::variant) != panel.bars.end())
        continue;  // in an earlier run of the same commit already
      panel.bars.push_back({place->variant, point->median, point->spread});
      if (panel.references.empty()) panel.references = references_of(commit, run, benchmark, metric, policy);
    }
  std::erase_if(all, [](const FamilyOverview& overview) {
    return std::ranges::all_of(overview.panels,
                               [](const FamilyPanel& panel) { return panel.bars.size() < 2; });
  });
  return all;
}

std::vector<SweepGrid> make_sweeps(const std::vector<CommitRuns>& history, const std::string& device,
                                   const std::vector<std::string>& globs, const Policy& policy,
                                   const std::vector<Sweep>& sweeps) {
  if (!policy.renames.empty())
    return make_sweeps(renamed_history(history, policy), device, globs, without_renames(policy), sweeps);
  std::vector<SweepGrid> all;
  Sweeper sweeper(device, policy);
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    for (auto& grid : sweeper.grids_of(*commit, members_of(*commit, globs, sweeps)))
      all.push_back(std::move(grid));
  return all;
}

bool is_in_sweep(const std::string& benchmark, const std::vector<Sweep>& sweeps) {
  return std::ranges::any_of(sweeps,
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

std::optional<Roofline> make_roofline(const std::vector<CommitRuns>& history, const std::string& device,
                                      const std::vector<std::string>& globs, const Policy& policy,
                                      const std::vector<WorkRule>& rules) {
  if (!policy.renames.empty())
    return make_roofline(renamed_history(history, policy), device, globs, without_renames(policy), rules);
  Roofline roofline;
  roofline.device = device;
  for (auto commit = history.rbegin(); commit != history.rend() && roofline.points.empty(); ++commit) {
    if (commit->runs.empty()) continue;
    roofline.unplaced.clear();
    add_points(roofline, *commit, globs, rules);
    const auto bounds = bounds_of(*commit, policy);
    for (auto& point : roofline.points) point.is_bound = bounds.contains(point.benchmark);
  }
  for (auto commit = history.rbegin(); commit != history.rend() && !roofline.measured; ++commit)
    roofline.measured = measured_bandwidth(*commit, bounds_of(*commit, policy), rules);
  if (roofline.points.empty() && roofline.unplaced.empty()) return {};
  return roofline;
}

BenchmarkSamples make_samples(const ComparisonReport& report, const Comparison& comparison,
                              const std::vector<Run>& base, const std::vector<Run>& candidate,
                              const Policy& policy) {
  BenchmarkSamples samples{.device = report.device,
                           .comparison = comparison,
                           .base_side = report.base,
                           .candidate_side = report.candidate};
  RunPointers of_base = named_by(report.base, base, candidate);
  RunPointers of_candidate = named_by(report.candidate, candidate, base);
  if (report.interleaved || comparison.confirmed) {
    const auto [base_run, candidate_run] = newest_pair(base, candidate, comparison, policy);
    samples.paired = base_run != nullptr;
    if (samples.paired) {
      of_base = {base_run};
      of_candidate = {candidate_run};
    }
  }
  samples.base = samples_of(of_base, comparison, policy);
  samples.candidate = samples_of(of_candidate, comparison, policy);
  return samples;
}

}  // namespace tracker::history
