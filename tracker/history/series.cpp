#include "tracker/history/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/column_series.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/point_conditions.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

constexpr double kPointConfidence = 0.95;

// The interval of the mean that the invocations themselves support; their range where it would be wider
// than they are, as with two or three of them.
Interval spread_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
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

// Every benchmark of the history, in the order of the newest run that has it.
std::vector<const Benchmark*> all_benchmarks(const std::vector<CommitRuns>& history) {
  std::vector<const Benchmark*> all;
  std::unordered_set<std::string_view> names;
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    for (auto run = commit->runs.rbegin(); run != commit->runs.rend(); ++run)
      for (const auto& benchmark : run->benchmarks)
        if (names.insert(benchmark.name).second) all.push_back(&benchmark);
  return all;
}

std::vector<ReferenceLine> references_of(const std::vector<CommitRuns>& history, const Gate& gate,
                                         const std::string& benchmark) {
  std::vector<ReferenceLine> lines;
  const CommitRuns& newest = history.back();
  const Run& run = newest.runs.back();
  if (const auto peak = metric_peak(gate.metric, run.device, find_benchmark(run, benchmark)))
    lines.push_back({"theoretical peak", *peak});
  if (!gate.bound || *gate.bound == benchmark) return lines;
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    if (const auto point = make_point(*commit, *gate.bound, gate.metric)) {
      lines.push_back({*gate.bound, point->median});
      break;
    }
  return lines;
}

std::vector<CommitRuns> with_new_names(std::vector<CommitRuns> history, const std::vector<Rename>& renames) {
  for (auto& commit : history)
    for (auto& run : commit.runs) rename_benchmarks(run, renames);
  return history;
}

// The least time stands for all: it is kept of every invocation.
PointRepetitions repetitions_in(const Run& run, const std::string& name) {
  PointRepetitions repetitions;
  const bool of_cpu = find_benchmark(run, name)->time_base == TimeBase::kCpu;
  double least_ns = std::numeric_limits<double>::max();
  for (const auto& invocation : run.invocations) {
    const auto found = invocation.samples.find(name);
    if (found == invocation.samples.end() || invocation.excluded) continue;
    const Samples& samples = found->second;
    const auto& times = of_cpu ? samples.cpu_time_ns : samples.real_time_ns;
    least_ns = std::min(least_ns, *std::min_element(times.begin(), times.end()));
    repetitions.count = rough(static_cast<double>(repetition_count(samples)));
  }
  const IterationRange iterations = iterations_in(run, name);
  repetitions.fewest = rough(static_cast<double>(iterations.fewest));
  repetitions.most = rough(static_cast<double>(iterations.most));
  if (repetitions.most > 0) repetitions.time_ps = rough(least_ns * kPsPerNs);
  return repetitions;
}

std::string method_in(const Run& run, const std::string& benchmark, const Metric& metric) {
  return method_of(*find_benchmark(run, benchmark), library_of(run), metric);
}

}  // namespace

std::string library_of(const Run& run) {
  if (run.software.library || run.binary_software.empty()) return run.software.library.value_or("");
  return run.binary_software.begin()->second.library.value_or("");
}

std::vector<const Run*> runs_of_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric) {
  auto runs = calmest_runs(commit.runs, benchmark);
  if (runs.size() < 2) return runs;
  const std::string method = method_in(*runs.back(), benchmark, metric);
  const PointRepetitions repetitions = repetitions_in(*runs.back(), benchmark);
  std::erase_if(runs, [&](const Run* run) {
    return method_in(*run, benchmark, metric) != method ||
           repetitions_apart(repetitions_in(*run, benchmark), repetitions, metric);
  });
  return runs;
}

std::optional<SeriesPoint> make_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric, std::vector<std::string>* methods,
                                      const Sentinel& sentinel) {
  std::vector<double> values;
  auto runs = runs_of_point(commit, benchmark, metric);
  const std::uint16_t era = runs.empty() ? kNoEra : sentinel.era_of(*runs.back());
  if (runs.size() > 1) std::erase_if(runs, [&](const Run* run) { return sentinel.era_of(*run) != era; });
  for (const Run* run : runs)
    for (const double value : metric_values(metric, *find_benchmark(*run, benchmark), *run))
      if (value > 0 && std::isfinite(value)) values.push_back(value);
  if (values.empty()) return {};
  const bool disturbed =
      std::any_of(runs.begin(), runs.end(), [](const Run* run) { return is_disturbed(*run); });
  auto point =
      point_of(point_at(commit.commit, commit.position), values, disturbed, conditions_of(runs, benchmark));
  point.repetitions = repetitions_in(*runs.back(), benchmark);
  if (methods != nullptr)
    point.method = place_of_method(*methods, method_in(*runs.back(), benchmark, metric));
  point.era = era;
  return point;
}

SeriesPoint point_at(const Commit& commit, int position) {
  return {commit.id, commit.subject, commit.date, position};
}

SeriesPoint point_of(SeriesPoint point, const std::vector<double>& values, bool disturbed,
                     const Shared<PointConditions>& conditions) {
  point.median = stats::median(values);
  point.spread = spread_of(values);
  point.spread.low = std::min(point.spread.low, point.median);
  point.spread.high = std::max(point.spread.high, point.median);
  point.invocations = static_cast<int>(values.size());
  point.disturbed = disturbed;
  point.conditions = conditions;
  return point;
}

std::vector<Series> make_series(const std::vector<CommitRuns>& history, const std::string& device,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base, const Sentinel& sentinel) {
  const auto wanted = [&](const std::string& name) { return means_any(globs, name); };
  if (policy.renames.empty()) return make_series_of(history, device, wanted, policy, base, sentinel);
  return make_series_of(with_new_names(history, policy.renames), device, wanted, without_renames(policy),
                        base, sentinel);
}

std::vector<Series> make_series_of(const std::vector<CommitRuns>& history, const std::string& device,
                                   const std::function<bool(const std::string& name)>& wanted,
                                   const Policy& policy, const std::string& base, const Sentinel& sentinel) {
  std::vector<Series> all;
  for (const Benchmark* benchmark : all_benchmarks(history)) {
    if (!wanted(benchmark->name)) continue;
    const Gate gate = gate_for(policy, *benchmark);
    Series series;
    series.device = device;
    series.benchmark = benchmark->name;
    series.metric = gate.metric;
    series.threshold = gate.threshold;
    series.references = references_of(history, gate, benchmark->name);
    for (const auto& commit : history)
      if (auto point = make_point(commit, benchmark->name, gate.metric, &series.methods, sentinel))
        series.points.push_back(*point);
    const bool has_base = std::any_of(series.points.begin(), series.points.end(),
                                      [&](const SeriesPoint& point) { return point.commit == base; });
    if (has_base) series.base = base;
    if (!series.points.empty())
      series.threshold = threshold_at(gate, benchmark->name, series.points.back().median);
    find_changes(series, history.back().runs.back().device.kind, sentinel);
    if (!series.points.empty()) all.push_back(std::move(series));
  }
  return all;
}

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

void pass_over(std::vector<CommitRuns>& history, const LineQuestion& question, const Policy& policy) {
  if (!question.passed_over) return;
  const auto is_passed_over = [&](const Benchmark& benchmark) {
    return question.passed_over(renamed(benchmark.name, policy.renames));
  };
  for (auto& commit : history) {
    for (auto& run : commit.runs)
      if (std::erase_if(run.benchmarks, is_passed_over) > 0) index_benchmarks(run);
    std::erase_if(commit.runs, [](const Run& run) { return run.benchmarks.empty(); });
  }
  std::erase_if(history, [](const CommitRuns& commit) { return commit.runs.empty(); });
}

void add_origin(const CommitRuns& commit, const Series& series, const LineQuestion& question,
                LineSeries& line, SeriesOrigins& origins) {
  const std::string& benchmark = series.benchmark;
  PointOrigin& origin = origins.points.emplace_back();
  const auto runs = runs_of_point(commit, benchmark, series.metric);
  for (const Run* run : runs)
    for (const auto& invocation : run->invocations) {
      const auto samples = invocation.samples.find(benchmark);
      if (!invocation.excluded && samples != invocation.samples.end())
        origin.repetitions += static_cast<int>(repetition_count(samples->second));
    }
  const auto& counters = find_benchmark(*runs.back(), benchmark)->counters;
  for (const auto& name : question.counters) {
    const auto found = counters.find(name);
    origins.counters.push_back(found == counters.end() ? kNotANumber : found->second);
  }
  const std::string words = question.describe(*runs.back());
  const auto known = std::find(line.descriptions.begin(), line.descriptions.end(), words);
  origin.description = static_cast<std::uint32_t>(known - line.descriptions.begin());
  if (known == line.descriptions.end()) line.descriptions.push_back(words);
}

}  // namespace

std::optional<LineSeries> make_line(std::vector<CommitRuns> history, const std::string& device,
                                    const LineQuestion& question, const Policy& policy) {
  pass_over(history, question, policy);
  if (history.empty()) return {};
  for (auto& commit : history)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  LineSeries line;
  line.newest_device = history.back().runs.back().device;
  std::unordered_map<int, const CommitRuns*> by_position;
  for (const auto& commit : history) {
    line.commits.emplace(commit.position, commit.commit);
    by_position[commit.position] = &commit;
  }
  line.series =
      make_series(history, device, question.globs, without_renames(policy), question.base, question.sentinel);
  for (auto& series : line.series) {
    if (question.describe) {
      auto& origins = line.origins.emplace_back();
      for (const auto& point : series.points)
        add_origin(*by_position.at(point.position), series, question, line, origins);
    }
    if (question.finish) question.finish(series);
  }
  return line;
}

std::optional<LineSeries> load_line(const Repository& repository, const RunSource& source,
                                    const std::string& device, const std::string& from,
                                    const LineQuestion& asked, const Policy& policy) {
  const auto commits = repository.first_parents(from, kWholeLine);
  LineQuestion question = asked;
  question.sentinel = load_sentinel(repository, source, device, policy);
  if (auto line = column_line(commits, source, device, question, policy)) {
    if (line->commits.empty()) return {};
    mark_ended(line->series);
    line->sentinel = std::move(question.sentinel);
    return line;
  }
  auto made =
      make_line(load_commits(
                    commits, source, device, [](int) { return true; }, wanted_names(question.globs, policy)),
                device, question, policy);
  if (made) {
    mark_ended(made->series);
    made->sentinel = std::move(question.sentinel);
  }
  return made;
}

std::optional<Error> why_no_sentinel(const Repository& repository, const Policy& policy) {
  if (policy.sentinel.commit.empty())
    return Error(ExitCode::kUsage, "tracker.toml has no [sentinel]",
                 "name a commit that stays the same: [sentinel] commit = \"v1.0\"");
  try {
    repository.resolve(policy.sentinel.commit);
    return {};
  } catch (const Error&) {
    const bool is_shallow = repository.is_shallow();
    return Error(
        is_shallow ? ExitCode::kEnvironment : ExitCode::kUsage,
        "[sentinel] names '" + printable(policy.sentinel.commit) + "', which is no commit of this clone",
        std::string(is_shallow ? "git fetch --unshallow --tags (fetch-depth: 0 in actions/checkout)"
                               : "fetch it: git fetch --tags") +
            "; or name another commit in [sentinel] of tracker.toml");
  }
}

Sentinel load_sentinel(const Repository& repository, const RunSource& source, const std::string& device,
                       const Policy& policy) {
  if (policy.sentinel.commit.empty() || why_no_sentinel(repository, policy)) return {};
  const std::string commit = repository.resolve(policy.sentinel.commit).id;
  auto runs = source.summaries() == nullptr
                  ? std::nullopt
                  : source.summaries()->runs_on(
                        device, [&](const std::string& one) { return one == commit; }, source.wanted());
  if (!runs) {
    auto keys = source.store().keys_of(commit);
    std::erase_if(keys, [&](const StoredKey& key) { return key.device != device; });
    runs = read_all_runs(source.store(), std::move(keys));
  }
  std::erase_if(*runs, [](const Run& run) { return !run.sentinel; });
  for (auto& run : *runs) rename_benchmarks(run, policy.renames);
  return Sentinel(*runs);
}

std::vector<Series> load_series(const Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const LineQuestion& question, const Policy& policy) {
  auto line = load_line(repository, source, device, from, question, policy);
  return line ? std::move(line->series) : std::vector<Series>();
}

}  // namespace tracker
