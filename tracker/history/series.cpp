#include "tracker/history/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/line_runs.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::history {
namespace {

constexpr double kPointConfidence = 0.95;

// The interval of the mean that the invocations themselves support; their range where it would be wider
// than they are, as with two or three of them.
Interval spread_of(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax_element(values);
  thread_local std::vector<std::vector<double>> logs(1);  // made once: a history has millions of points
  logs.front().clear();
  for (const double value : values) logs.front().push_back(std::log(value));
  const auto side = stats::side_noise(logs);
  if (side.per_invocation.degrees <= 0) return {*low, *high};
  stats::Variance sampling = side.per_invocation;
  sampling.value *= side.sampling_factor;
  const double half = stats::half_width({side.mean, sampling, {}}, kPointConfidence);
  return {std::max(*low, std::exp(side.mean - half)), std::min(*high, std::exp(side.mean + half))};
}

SeriesPoint point_at(const Commit& commit, int position) {
  SeriesPoint point;
  point.commit = commit.id;
  point.subject = commit.subject;
  point.date = commit.date;
  point.position = position;
  return point;
}

// Makes the values of commits, one after the other.
class PointMaker {
 public:
  explicit PointMaker(const Metric& metric) : metric_(metric) {}

  // A run of the commit that has the benchmark, in the order of time.
  struct Having {
    const LineRun* run = nullptr;
    const RunValues* own = nullptr;
  };
  void begin() { having_.clear(); }
  void add(const Having& one) { having_.push_back(one); }
  // The runs that make the value: those that were measured under the best conditions, and of several
  // machines, methods or eras those of one. Of them the newest is the last.
  const std::vector<Having>& having() const { return having_; }

  // Sets the median of these runs' invocations, and what it is of, in a point that has its commit. False
  // where there is no value.
  bool fill(SeriesPoint& point, const std::vector<double>& all_values) {
    choose();
    values_.clear();
    for (const auto& [run, own] : having_)
      values_.insert(values_.end(), all_values.begin() + static_cast<std::ptrdiff_t>(own->first),
                     all_values.begin() + static_cast<std::ptrdiff_t>(own->first + own->count));
    if (values_.empty()) return false;
    point.median = stats::median(values_);
    point.spread = spread_of(values_);
    point.spread.low = std::min(point.spread.low, point.median);
    point.spread.high = std::max(point.spread.high, point.median);
    point.invocations = static_cast<int>(values_.size());
    point.disturbed =
        std::ranges::any_of(having_, [](const Having& one) { return one.run->facts.disturbed; });
    point.conditions = conditions_of(sampled_);
    point.repetitions = having_.back().own->made_of;
    point.era = having_.back().run->era;
    return true;
  }

 private:
  void choose() {
    const auto sample = [&] {
      sampled_.clear();
      for (const auto& [run, own] : having_) sampled_.push_back({&run->facts, own->invocations});
    };
    sample();
    if (having_.size() < 2) return;
    const auto chosen = calmest_of(sampled_);
    const Having newest = having_[chosen.back()];
    std::vector<Having> of_calm;
    for (const std::size_t i : chosen) {
      const auto& [run, own] = having_[i];
      if (own->method == newest.own->method && run->era == newest.run->era &&
          !repetitions_apart(own->made_of, newest.own->made_of, metric_))
        of_calm.push_back(having_[i]);
    }
    having_ = std::move(of_calm);
    sample();
  }

  const Metric& metric_;
  std::vector<Having> having_;
  std::vector<SampledRun> sampled_;
  std::vector<double> values_;
};

struct LineCommit {
  const Commit* commit = nullptr;
  int position = 0;
  std::vector<std::size_t> runs = {};  // in the order of time
  SeriesPoint at = {};                 // its point, without a value
};

// A list of benchmarks that runs share: their new names, and the series that they lie in.
struct BenchmarkList {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> series;
};

constexpr std::int64_t kNoSeries = -1;

std::int64_t series_in(const BenchmarkList& list, const std::string& name) {
  const auto found = list.series.find(name);
  return found == list.series.end() ? kNoSeries : found->second;
}

class SeriesLine {
 public:
  // `commits`: of the line, oldest first, as LineRuns counts them.
  SeriesLine(const LineRuns& runs, std::vector<LineCommit> commits, const LineQuestion& question,
             const Policy& policy)
      : line_runs_(runs),
        question_(question),
        policy_(without_renames(policy)),
        renames_(policy.renames),
        commits_(std::move(commits)) {
    runs.for_each(
        [&](const Run& frame, std::int64_t commit, std::int64_t list) { add_run(frame, commit, list); });
    choose_clean();
    for (auto commit = commits_.rbegin(); commit != commits_.rend(); ++commit)
      newest_first_.insert(newest_first_.end(), commit->runs.rbegin(), commit->runs.rend());
    if (!commits_.empty()) newest_device_ = runs.device_of(newest_first_.front());
  }

  // Nothing where no run counts.
  std::optional<LineSeries> all_series(const std::string& device) {
    if (commits_.empty()) return {};
    LineSeries all;
    all.descriptions = descriptions_;
    for (const auto& commit : commits_) all.commits.emplace(commit.position, *commit.commit);
    all.newest_device = newest_device_;
    auto wanted = names();
    std::erase_if(wanted, [&](const std::string& name) { return !means_any(question_.globs, name); });
    std::vector<std::optional<OneSeries>> found(wanted.size());
    for_each_in_parallel(wanted.size(), [&](std::size_t i) { found[i] = series_of(wanted[i], device); });
    for (auto& one : found) {
      if (!one) continue;
      all.series.push_back(std::move(one->series));
      if (question_.describe) all.origins.push_back(std::move(one->origins));
    }
    return all;
  }

 private:
  struct OneSeries {
    Series series;
    SeriesOrigins origins;
  };
  using Rows = std::map<std::int64_t, SeriesRows>;  // by series
  struct Newest {                                   // the newest run that has a benchmark
    Benchmark benchmark;
    bool is_of_newest_run = false;
  };

  BenchmarkList benchmarks_of(std::int64_t list) const {
    auto series = line_runs_.series_in(list);
    if (question_.passed_over)
      std::erase_if(series, [&](std::int64_t id) {
        return question_.passed_over(renamed(line_runs_.name_of(id), renames_));
      });
    Run run;
    for (const std::int64_t id : series) run.benchmarks.emplace_back().name = line_runs_.name_of(id);
    rename_benchmarks(run, renames_);
    BenchmarkList benchmarks;
    for (std::size_t i = 0; i < series.size(); ++i) {
      benchmarks.names.push_back(run.benchmarks[i].name);
      benchmarks.series.emplace(benchmarks.names.back(), series[i]);
    }
    return benchmarks;
  }

  void add_run(const Run& frame, std::int64_t commit, std::int64_t list) {
    const auto [place, is_new] = known_lists_.try_emplace(list, lists_.size());
    if (is_new) lists_.push_back(benchmarks_of(list));
    const std::size_t number = runs_.size();
    runs_.push_back({conditions_in(frame), place->second, 0, frame.dirty, library_of(frame),
                     question_.sentinel.era_of(frame)});
    if (frame.sentinel) return;
    if (frame.same_program && line_runs_.series_in(list).empty()) return;  // it measured nothing
    if (question_.describe) {
      const auto [known, is_first] = known_descriptions_.try_emplace(
          question_.describe(frame), static_cast<std::uint32_t>(descriptions_.size()));
      if (is_first) descriptions_.push_back(known->first);
      runs_.back().description = known->second;
    }
    if (commit >= 0) commits_[static_cast<std::size_t>(commit)].runs.push_back(number);
  }

  // Of each commit only clean runs, unless all are dirty.
  void choose_clean() {
    for (auto& [commit, position, runs, at] : commits_) {
      const auto is_dirty = [&](std::size_t run) { return runs_[run].is_dirty; };
      if (!std::ranges::all_of(runs, is_dirty)) std::erase_if(runs, is_dirty);
      if (question_.passed_over)
        std::erase_if(runs, [&](std::size_t run) { return lists_[runs_[run].list].names.empty(); });
      if (!runs.empty()) at = point_at(*commit, position);
    }
    std::erase_if(commits_, [](const LineCommit& commit) { return commit.runs.empty(); });
  }

  // In the order of the newest run that has them.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    std::set<std::string_view> seen;
    std::set<std::size_t> seen_lists;
    for (const std::size_t run : newest_first_) {
      if (!seen_lists.insert(runs_[run].list).second) continue;
      for (const auto& name : lists_[runs_[run].list].names)
        if (seen.insert(name).second) names.push_back(name);
    }
    return names;
  }

  // More than one where the benchmark was renamed.
  Rows rows_of(const std::string& name) const {
    Rows rows;
    for (const auto& list : lists_)
      if (const std::int64_t series = series_in(list, name); series != kNoSeries)
        if (const auto [place, is_new] = rows.try_emplace(series); is_new)
          place->second = line_runs_.rows_of(series);
    return rows;
  }

  Newest newest(const std::string& name, const Rows& rows) const {
    for (const std::size_t run : newest_first_) {
      const std::int64_t series = series_in(lists_[runs_[run].list], name);
      if (series == kNoSeries) continue;
      Newest found{line_runs_.benchmark_in(run, rows.at(series)), run == newest_first_.front()};
      found.benchmark.name = name;
      return found;
    }
    return {};
  }

  std::vector<SeriesPoint> points_of(const std::string& name, const Metric& metric, const Rows& rows,
                                     std::vector<std::string>& methods, SeriesOrigins* origins) const {
    static const std::vector<std::string> no_counters;
    const auto& counters = origins == nullptr ? no_counters : question_.counters;
    LineValues values;
    values.runs.resize(runs_.size());
    values.counters.assign(runs_.size() * counters.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<std::int64_t> series_of_lists;
    for (const auto& list : lists_) series_of_lists.push_back(series_in(list, name));
    for (const auto& [series, own] : rows)
      line_runs_.add_values(own, {metric, counters, runs_, series_of_lists}, values);
    std::vector<SeriesPoint> points;
    points.reserve(commits_.size());
    if (origins != nullptr) {
      origins->points.reserve(commits_.size());
      origins->counters.reserve(commits_.size() * counters.size());
    }
    PointMaker maker(metric);
    for (const auto& commit : commits_) {
      maker.begin();
      for (const std::size_t run : commit.runs)
        if (values.runs[run].has_benchmark) maker.add({&runs_[run], &values.runs[run]});
      points.push_back(commit.at);
      if (!maker.fill(points.back(), values.values)) {
        points.pop_back();
        continue;
      }
      points.back().method = place_of_method(methods, maker.having().back().own->method);
      if (origins != nullptr) add_origin(maker, values, *origins);
    }
    return points;
  }

  void add_origin(const PointMaker& maker, const LineValues& values, SeriesOrigins& origins) const {
    PointOrigin& origin = origins.points.emplace_back();
    for (const auto& [run, own] : maker.having()) origin.repetitions += static_cast<int>(own->repetitions);
    const LineRun* newest = maker.having().back().run;
    origin.description = newest->description;
    const std::size_t count = question_.counters.size();
    const auto first = values.counters.begin() + (newest - runs_.data()) * static_cast<std::ptrdiff_t>(count);
    origins.counters.insert(origins.counters.end(), first, first + static_cast<std::ptrdiff_t>(count));
  }

  std::optional<double> newest_value(const std::string& name, const Metric& metric) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] =
        bounds_.try_emplace({name, metric.name + ", " + row_of(metric.statistic).name});
    if (!is_new) return known->second;
    std::vector<std::string> methods;
    if (const auto points = points_of(name, metric, rows_of(name), methods, nullptr); !points.empty())
      known->second = points.back().median;
    return known->second;
  }

  std::optional<OneSeries> series_of(const std::string& name, const std::string& device) {
    const auto rows = rows_of(name);
    const Newest newest_run = newest(name, rows);
    const Gate gate = gate_for(policy_, newest_run.benchmark);
    OneSeries one;
    Series& series = one.series;
    series.device = device;
    series.benchmark = name;
    series.metric = gate.metric;
    series.threshold = gate.threshold;
    if (const auto peak = metric_peak(gate.metric, newest_device_,
                                      newest_run.is_of_newest_run ? &newest_run.benchmark : nullptr))
      series.references.push_back({"theoretical peak", *peak});
    if (gate.bound && *gate.bound != name)
      if (const auto value = newest_value(*gate.bound, gate.metric))
        series.references.push_back({*gate.bound, *value});
    series.points =
        points_of(name, gate.metric, rows, series.methods, question_.describe ? &one.origins : nullptr);
    if (series.points.empty()) return {};
    series.threshold = threshold_at(gate, name, series.points.back().median);
    const SharedText base = question_.base;
    if (std::ranges::find(series.points, base, &SeriesPoint::commit) != series.points.end())
      series.base = question_.base;
    find_changes(series, newest_device_.kind, question_.sentinel);
    if (question_.finish) question_.finish(series);
    return one;
  }

  const LineRuns& line_runs_;
  const LineQuestion& question_;
  Policy policy_;  // for the new names
  const std::vector<Rename>& renames_;
  std::vector<LineCommit> commits_;
  std::vector<LineRun> runs_;
  std::vector<std::size_t> newest_first_;  // of the runs that count
  std::unordered_map<std::int64_t, std::size_t> known_lists_;
  std::vector<BenchmarkList> lists_;
  Device newest_device_;
  std::vector<std::string> descriptions_;
  std::unordered_map<std::string, std::uint32_t> known_descriptions_;
  std::mutex mutex_;  // of the values that bounds have
  std::map<std::pair<std::string, std::string>, std::optional<double>> bounds_;
};

// Whether the summaries answered.
bool load_from_columns(const repo::CommitLine& line, const RunSource& source, const std::string& device,
                       const LineQuestion& question, const Policy& policy,
                       std::optional<LineSeries>& answer) {
  if (source.summaries() == nullptr) return false;
  std::unordered_set<std::string_view> commits;
  for (const auto& commit : line) commits.insert(commit.id);
  return source.summaries()->ask_columns(
      device, [&](const std::string& commit) { return commits.contains(commit); },
      [&](const summary::RunColumns& columns) {
        std::vector<LineCommit> oldest_first;
        for (std::size_t i = line.size(); i-- > 0;)
          oldest_first.push_back({&line[i], static_cast<int>(oldest_first.size())});
        const auto runs = runs_in_columns(columns, line);
        answer = SeriesLine(*runs, std::move(oldest_first), question, policy).all_series(device);
      });
}

}  // namespace

std::optional<SeriesPoint> make_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric) {
  LineValues values;
  for (const auto& run : commit.runs) {
    const Benchmark* found = find_benchmark(run, benchmark);
    values.runs.push_back(found == nullptr || found->error ? RunValues{}
                                                           : values_in(run, *found, metric, values));
  }
  std::vector<LineRun> runs(commit.runs.size());
  PointMaker maker(metric);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!values.runs[i].has_benchmark) continue;
    runs[i].facts = conditions_in(commit.runs[i]);
    maker.add({&runs[i], &values.runs[i]});
  }
  SeriesPoint point = point_at(commit.commit, commit.position);
  return maker.fill(point, values.values) ? std::optional(point) : std::nullopt;
}

std::optional<LineSeries> make_line(const std::vector<CommitRuns>& history, const std::string& device,
                                    const LineQuestion& question, const Policy& policy) {
  std::vector<LineCommit> commits;
  for (const auto& commit : history) commits.push_back({&commit.commit, commit.position});
  const auto runs = runs_at_hand(history);
  return SeriesLine(*runs, std::move(commits), question, policy).all_series(device);
}

std::vector<Series> make_series(const std::vector<CommitRuns>& history, const std::string& device,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base) {
  auto line = make_line(history, device, {.globs = globs, .base = base}, policy);
  return line ? std::move(line->series) : std::vector<Series>();
}

std::optional<LineSeries> load_line(const repo::Repository& repository, const RunSource& source,
                                    const std::string& device, const std::string& from,
                                    const LineQuestion& asked, const Policy& policy) {
  const auto commits = repository.first_parents(from, kWholeLine);
  LineQuestion question = asked;
  question.sentinel = load_sentinel(repository, source, device, policy);
  std::optional<LineSeries> line;
  if (!load_from_columns(commits, source, device, question, policy, line))
    line = make_line(
        load_commits(
            commits, source, device, [](int) { return true; }, wanted_names(question.globs, policy)),
        device, question, policy);
  if (!line) return {};
  mark_ended(line->series);
  line->sentinel = std::move(question.sentinel);
  return line;
}

std::optional<Error> why_no_sentinel(const repo::Repository& repository, const Policy& policy) {
  if (policy.sentinel.commit.empty()) return {};
  try {
    repository.resolve(policy.sentinel.commit);
    return {};
  } catch (const Error&) {
    const bool is_shallow = repository.is_shallow();
    return Error(
        is_shallow ? ExitCode::kEnvironment : ExitCode::kUsage,
        "[sentinel] names " + in_quotes(policy.sentinel.commit) + ", which is no commit of this clone",
        std::string(is_shallow ? "git fetch --unshallow --tags (fetch-depth: 0 in actions/checkout)"
                               : "fetch it: git fetch --tags") +
            "; or name another commit in [sentinel] of tracker.toml");
  }
}

Sentinel load_sentinel(const repo::Repository& repository, const RunSource& source, const std::string& device,
                       const Policy& policy) {
  if (policy.sentinel.commit.empty() || why_no_sentinel(repository, policy)) return {};
  const std::string commit = repository.resolve(policy.sentinel.commit).id;
  auto runs = source.summaries() == nullptr
                  ? std::nullopt
                  : source.summaries()->runs_on(
                        device, [&](const std::string& one) { return one == commit; }, source.wanted());
  if (!runs) {
    auto keys = source.store().keys_of(commit);
    std::erase_if(keys, [&](const store::Key& key) { return key.device != device; });
    runs = read_all_runs(source.store(), std::move(keys));
  }
  std::erase_if(*runs, [](const Run& run) { return !run.sentinel; });
  for (auto& run : *runs) rename_benchmarks(run, policy.renames);
  return Sentinel(*runs);
}

std::vector<Series> load_series(const repo::Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const LineQuestion& question, const Policy& policy) {
  auto line = load_line(repository, source, device, from, question, policy);
  return line ? std::move(line->series) : std::vector<Series>();
}

}  // namespace tracker::history
