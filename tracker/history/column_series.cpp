#include "tracker/history/column_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/point_conditions.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker {
namespace {

constexpr std::int64_t kNoSeries = -1;

struct LineRun {
  RunConditions facts;
  std::size_t list = 0;  // of its benchmarks
  std::uint32_t description = 0;
  bool is_dirty = false;
  std::uint32_t library = 0;  // its place among libraries_
  std::uint16_t era = kNoEra;
};

struct LineCommit {
  const Commit* commit = nullptr;
  int position = 0;
  std::vector<std::uint32_t> runs;  // in the order of time
  SeriesPoint at;                   // its point, without a value
};

// A list of benchmarks that runs share: their new names, and the series that they lie in.
struct BenchmarkList {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> series;
};

BenchmarkList list_of(const RunColumns& columns, std::int64_t layout, const LineQuestion& question,
                      const std::vector<Rename>& renames) {
  auto series = columns.series_in(layout);
  if (question.passed_over)
    std::erase_if(
        series, [&](std::int64_t id) { return question.passed_over(renamed(columns.name_of(id), renames)); });
  Run run;
  for (const std::int64_t id : series) run.benchmarks.emplace_back().name = columns.name_of(id);
  rename_benchmarks(run, renames);
  BenchmarkList list;
  for (std::size_t i = 0; i < series.size(); ++i) {
    list.names.push_back(run.benchmarks[i].name);
    list.series.emplace(list.names.back(), series[i]);
  }
  return list;
}

std::int64_t series_in(const BenchmarkList& list, const std::string& name) {
  const auto found = list.series.find(name);
  return found == list.series.end() ? kNoSeries : found->second;
}

// How a metric's values are made of the rows with this text.
struct RowReader {
  bool has_error = false;
  TimeBase base = TimeBase::kNone;
  std::optional<MetricTimes> times;
  std::optional<std::size_t> constant;               // its place among those of the row
  std::vector<std::optional<std::size_t>> counters;  // likewise, of those that are asked for
};

RowReader reader_of(const Metric& metric, const Benchmark& benchmark, const LineQuestion& question) {
  const auto place_of = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = benchmark.counters.find(name);
    if (found == benchmark.counters.end()) return {};
    return static_cast<std::size_t>(std::distance(benchmark.counters.begin(), found));
  };
  RowReader reader{benchmark.error.has_value(),
                   benchmark.time_base,
                   metric_times(metric, benchmark),
                   place_of(metric.name),
                   {}};
  if (question.describe)
    for (const auto& name : question.counters) reader.counters.push_back(place_of(name));
  return reader;
}

// The values of one benchmark over the line, by one metric.
struct LineValues {
  struct OfRun {
    bool has_benchmark = false;  // and no error
    std::size_t first = 0;       // of `values`
    std::size_t count = 0;
    std::size_t repetitions = 0;
    std::span<const std::uint32_t> invocations;
    SharedText method;
    PointRepetitions made_of;
  };
  std::vector<std::int64_t> series;  // that it lies in, by list of benchmarks
  std::vector<OfRun> runs;
  std::vector<double> values;
  std::vector<double> counters;  // run after run, where they are asked for; absent ones are not a number
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>> places;  // that the runs' invocations lie in
};

// The columns of a chunk that one metric needs, read when the first row needs them.
class ChunkColumns {
 public:
  ChunkColumns(const Chunk& chunk, const Metric& metric) : chunk_(chunk), metric_(metric) {}

  const double* times(bool of_cpu, std::size_t at) {
    auto& column = of_cpu ? cpu_times_ : real_times_;
    if (!column) column = of_cpu ? chunk_.cpu_times() : chunk_.real_times();
    return column->data() + at;
  }
  double constant(std::size_t at) {
    if (!constants_) constants_ = chunk_.constants();
    return (*constants_)[at];
  }
  // The values of the counter in a sampled invocation of a row; empty where it lacks it.
  std::vector<double> counter(std::size_t row, std::size_t sampled) {
    if (!counter_) {
      counter_ = chunk_.counter(metric_.name);
      std::size_t at = 0;
      for (const auto& counts : counter_->counts) {
        counter_starts_.push_back(at);
        for (const std::uint32_t count : counts) at += count;
      }
    }
    const auto& counts = counter_->counts[row];
    if (sampled >= counts.size()) return {};
    std::size_t at = counter_starts_[row];
    for (std::size_t i = 0; i < sampled; ++i) at += counts[i];
    const auto begin = counter_->values.begin() + static_cast<std::ptrdiff_t>(at);
    return {begin, begin + static_cast<std::ptrdiff_t>(counts[sampled])};
  }

 private:
  const Chunk& chunk_;
  const Metric& metric_;
  std::optional<std::vector<double>> real_times_;
  std::optional<std::vector<double>> cpu_times_;
  std::optional<std::vector<double>> constants_;
  std::optional<Chunk::CounterColumn> counter_;
  std::vector<std::size_t> counter_starts_;
};

class ColumnLine {
 public:
  ColumnLine(const RunColumns& columns, const CommitLine& line, const LineQuestion& question,
             const Policy& policy);

  // All but the series.
  LineSeries outline() const;
  // In the order of the newest run that has them.
  std::vector<std::string> names() const;
  struct OneSeries {
    Series series;
    SeriesOrigins origins;
  };
  std::optional<OneSeries> series_of(const std::string& name, const std::string& device);

 private:
  struct Newest {  // the newest run that has a benchmark
    Benchmark benchmark;
    bool is_of_newest_run = false;
  };

  void add_run(std::size_t run, const Run& frame, std::int64_t layout);
  void choose_clean();
  Newest newest(const std::string& name, std::map<std::int64_t, std::vector<std::string>>& chunks) const;
  std::map<std::int64_t, std::vector<std::string>> chunks_of(const std::string& name) const;
  void add_values(const Chunk& chunk, std::int64_t series, const Metric& metric,
                  std::unordered_map<std::int64_t, RowReader>& readers, LineValues& line) const;
  std::vector<SeriesPoint> points_of(const std::string& name, const Metric& metric,
                                     const std::map<std::int64_t, std::vector<std::string>>& chunks,
                                     std::vector<std::string>& methods, SeriesOrigins* origins) const;
  std::optional<double> newest_value(const std::string& name, const Metric& metric);

  const RunColumns& columns_;
  const LineQuestion& question_;
  Policy policy_;  // for the new names
  const std::vector<Rename>& renames_;
  std::unordered_map<std::string_view, std::size_t> line_;  // places on it, newest first
  const CommitLine& commits_of_line_;
  std::vector<LineRun> runs_;
  std::vector<std::string> libraries_;  // releases of Google Benchmark
  std::vector<LineCommit> commits_;     // oldest first
  std::map<std::size_t, std::vector<std::uint32_t>> by_place_;
  std::unordered_map<std::int64_t, std::size_t> lists_of_layouts_;
  std::vector<BenchmarkList> lists_;
  Device newest_device_;
  std::vector<std::string> descriptions_;
  std::unordered_map<std::string, std::uint32_t> known_descriptions_;
  std::mutex mutex_;  // of the values that bounds have
  std::map<std::pair<std::string, std::string>, std::optional<double>> bounds_;
};

ColumnLine::ColumnLine(const RunColumns& columns, const CommitLine& line, const LineQuestion& question,
                       const Policy& policy)
    : columns_(columns),
      question_(question),
      policy_(without_renames(policy)),
      renames_(policy.renames),
      commits_of_line_(line) {
  for (std::size_t i = 0; i < line.size(); ++i) line_.emplace(line[i].id, i);
  columns.for_each_frame(
      [&](std::size_t run, const Run& frame, std::int64_t layout) { add_run(run, frame, layout); });
  choose_clean();
  if (commits_.empty()) return;
  newest_device_ = columns.frame_of(commits_.back().runs.back()).device;
}

void ColumnLine::add_run(std::size_t run, const Run& frame, std::int64_t layout) {
  const auto [place, is_new] = lists_of_layouts_.try_emplace(layout, lists_.size());
  if (is_new) lists_.push_back(list_of(columns_, layout, question_, renames_));
  const std::string library = library_of(frame);
  const auto at = std::find(libraries_.begin(), libraries_.end(), library);
  runs_.push_back({conditions_in(frame), place->second, 0, frame.dirty,
                   static_cast<std::uint32_t>(at - libraries_.begin())});
  if (at == libraries_.end()) libraries_.push_back(library);
  runs_.back().era = question_.sentinel.era_of(frame);
  if (frame.sentinel) return;
  if (frame.same_program && columns_.series_in(layout).empty()) return;  // it measured nothing
  if (question_.describe) {
    const auto [known, is_first] = known_descriptions_.try_emplace(
        question_.describe(frame), static_cast<std::uint32_t>(descriptions_.size()));
    if (is_first) descriptions_.push_back(known->first);
    runs_.back().description = known->second;
  }
  if (const auto found = line_.find(frame.commit); found != line_.end())
    by_place_[found->second].push_back(static_cast<std::uint32_t>(run));
}

// Of each commit only clean runs, unless all are dirty.
void ColumnLine::choose_clean() {
  for (auto entry = by_place_.rbegin(); entry != by_place_.rend(); ++entry) {
    auto& [place, runs] = *entry;
    const auto is_dirty = [&](std::uint32_t run) { return runs_[run].is_dirty; };
    if (!std::all_of(runs.begin(), runs.end(), is_dirty)) std::erase_if(runs, is_dirty);
    if (question_.passed_over)
      std::erase_if(runs, [&](std::uint32_t run) { return lists_[runs_[run].list].names.empty(); });
    if (runs.empty()) continue;
    const auto position = static_cast<int>(commits_of_line_.size() - 1 - place);
    const Commit& commit = commits_of_line_[place];
    commits_.push_back({&commit, position, std::move(runs), point_at(commit, position)});
  }
  by_place_.clear();
}

LineSeries ColumnLine::outline() const {
  LineSeries line;
  line.descriptions = descriptions_;
  for (const auto& commit : commits_) line.commits.emplace(commit.position, *commit.commit);
  line.newest_device = newest_device_;
  return line;
}

std::vector<std::string> ColumnLine::names() const {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  std::set<std::size_t> seen_lists;
  for (auto commit = commits_.rbegin(); commit != commits_.rend(); ++commit)
    for (auto run = commit->runs.rbegin(); run != commit->runs.rend(); ++run) {
      if (!seen_lists.insert(runs_[*run].list).second) continue;
      for (const auto& name : lists_[runs_[*run].list].names)
        if (seen.insert(name).second) names.push_back(name);
    }
  return names;
}

// By the series that the benchmark lies in: more than one where it was renamed.
std::map<std::int64_t, std::vector<std::string>> ColumnLine::chunks_of(const std::string& name) const {
  std::map<std::int64_t, std::vector<std::string>> chunks;
  for (const auto& list : lists_)
    if (const std::int64_t series = series_in(list, name); series != kNoSeries)
      if (const auto [place, is_new] = chunks.try_emplace(series); is_new)
        place->second = columns_.chunks_of(series);
  return chunks;
}

ColumnLine::Newest ColumnLine::newest(const std::string& name,
                                      std::map<std::int64_t, std::vector<std::string>>& chunks) const {
  for (auto commit = commits_.rbegin(); commit != commits_.rend(); ++commit)
    for (auto run = commit->runs.rbegin(); run != commit->runs.rend(); ++run) {
      const std::int64_t series = series_in(lists_[runs_[*run].list], name);
      if (series == kNoSeries) continue;
      auto& bytes = chunks.at(series);
      for (auto one = bytes.rbegin(); one != bytes.rend(); ++one) {
        const Chunk chunk(*one);
        std::size_t constant = 0;
        for (const auto& row : chunk.rows()) {
          if (columns_.run_of(row) != static_cast<std::int32_t>(*run)) {
            constant += row.constants;
            continue;
          }
          Newest found{columns_.text_of(row)->benchmark, *run == commits_.back().runs.back()};
          found.benchmark.name = name;
          const auto constants = chunk.constants();
          for (auto& [counter, value] : found.benchmark.counters) value = constants[constant++];
          return found;
        }
      }
      throw SummaryDamaged{"values are missing"};
    }
  throw SummaryDamaged{"values are missing"};
}

void ColumnLine::add_values(const Chunk& chunk, std::int64_t series, const Metric& metric,
                            std::unordered_map<std::int64_t, RowReader>& readers, LineValues& line) const {
  ChunkColumns chunk_columns(chunk, metric);
  std::vector<std::span<const std::uint32_t>> shapes;
  std::map<std::pair<std::int64_t, std::uint32_t>, SharedText> methods;  // by text and library
  std::size_t time = 0;
  std::size_t constant = 0;
  for (std::size_t i = 0; i < chunk.rows().size(); ++i) {
    const Chunk::Row& row = chunk.rows()[i];
    const std::size_t first_time = time;
    const std::size_t first_constant = constant;
    time += chunk.times_of(row);
    constant += row.constants;
    while (shapes.size() <= row.shape) {
      auto& places = *line.places.emplace_back(std::make_unique<std::vector<std::uint32_t>>());
      for (const auto& one : chunk.sampled_in(shapes.size())) places.push_back(one.invocation);
      shapes.emplace_back(places);
    }
    const std::int32_t run = columns_.run_of(row);
    if (run < 0 || line.series[runs_[static_cast<std::size_t>(run)].list] != series) continue;
    const auto [known, is_new] = readers.try_emplace(row.text);
    if (is_new) known->second = reader_of(metric, columns_.text_of(row)->benchmark, question_);
    const RowReader& reader = known->second;
    if (reader.has_error) continue;
    const RunConditions& facts = runs_[static_cast<std::size_t>(run)].facts;
    LineValues::OfRun& own = line.runs[static_cast<std::size_t>(run)];
    const std::uint32_t library = runs_[static_cast<std::size_t>(run)].library;
    const auto [method, is_other] = methods.try_emplace({row.text, library});
    if (is_other) method->second = method_of(columns_.text_of(row)->benchmark, libraries_[library], metric);
    own = {true,
           line.values.size(),
           0,
           0,
           shapes[row.shape],
           method->second,
           {row.iterations.fewest, row.iterations.most, 0, 0}};
    double least_ns = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < reader.counters.size(); ++k)
      if (reader.counters[k])
        line.counters[static_cast<std::size_t>(run) * question_.counters.size() + k] =
            chunk_columns.constant(first_constant + *reader.counters[k]);
    std::size_t at = first_time;
    const auto& sampled = chunk.sampled(row);
    for (std::size_t k = 0; k < sampled.size(); ++k) {
      const std::size_t repetitions = sampled[k].repetitions;
      const std::size_t own_time = at;
      at += kept_times(repetitions);
      if (sampled[k].invocation >= facts.invocations.size()) throw SummaryDamaged{"values of no invocation"};
      if (!facts.invocations[sampled[k].invocation].counts) continue;
      own.repetitions += repetitions;
      own.made_of.count = rough(static_cast<double>(repetitions));
      if (row.iterations.most > 0)
        least_ns = std::min(least_ns, *chunk_columns.times(reader.base == TimeBase::kCpu, own_time));
      std::optional<double> value;
      if (reader.times) {
        value = value_of_kept(metric, *reader.times, chunk_columns.times(reader.times->of_cpu, own_time),
                              repetitions);
      } else {
        auto samples = chunk_columns.counter(i, k);
        if (samples.empty() && reader.constant)
          samples.assign(repetitions, chunk_columns.constant(first_constant + *reader.constant));
        value = value_of_repetitions(metric, std::move(samples));
      }
      if (value && *value > 0 && std::isfinite(*value)) line.values.push_back(*value);
    }
    own.count = line.values.size() - own.first;
    if (row.iterations.most > 0) own.made_of.time_ps = rough(least_ns * kPsPerNs);
  }
}

std::vector<SeriesPoint> ColumnLine::points_of(const std::string& name, const Metric& metric,
                                               const std::map<std::int64_t, std::vector<std::string>>& chunks,
                                               std::vector<std::string>& methods,
                                               SeriesOrigins* origins) const {
  LineValues line;
  line.runs.resize(runs_.size());
  if (question_.describe)
    line.counters.assign(runs_.size() * question_.counters.size(), std::numeric_limits<double>::quiet_NaN());
  for (const auto& list : lists_) line.series.push_back(series_in(list, name));
  std::unordered_map<std::int64_t, RowReader> readers;
  for (const auto& [series, all] : chunks)
    for (const auto& bytes : all) add_values(Chunk(bytes), series, metric, readers, line);
  std::vector<SeriesPoint> points;
  points.reserve(commits_.size());
  if (origins != nullptr) {
    origins->points.reserve(commits_.size());
    origins->counters.reserve(commits_.size() * question_.counters.size());
  }
  std::vector<SampledRun> sampled;
  std::vector<const LineValues::OfRun*> having;
  std::vector<double> values;
  for (const auto& commit : commits_) {
    sampled.clear();
    having.clear();
    values.clear();
    for (const std::uint32_t run : commit.runs) {
      const auto& own = line.runs[run];
      if (!own.has_benchmark) continue;
      having.push_back(&own);
      sampled.push_back({&runs_[run].facts, own.invocations});
    }
    if (having.size() > 1) {
      std::vector<SampledRun> calm;
      std::vector<const LineValues::OfRun*> of_calm;
      auto chosen = calmest_of(sampled);
      const LineValues::OfRun& newest = *having[chosen.back()];
      const auto era_of = [&](std::size_t i) {
        return runs_[static_cast<std::size_t>(having[i] - line.runs.data())].era;
      };
      const std::uint16_t newest_era = era_of(chosen.back());
      std::erase_if(chosen, [&](std::size_t i) {
        return !(having[i]->method == newest.method) || era_of(i) != newest_era ||
               repetitions_apart(having[i]->made_of, newest.made_of, metric);
      });
      for (const std::size_t i : chosen) {
        calm.push_back(sampled[i]);
        of_calm.push_back(having[i]);
      }
      sampled = std::move(calm);
      having = std::move(of_calm);
    }
    for (const auto* own : having)
      values.insert(values.end(), line.values.begin() + static_cast<std::ptrdiff_t>(own->first),
                    line.values.begin() + static_cast<std::ptrdiff_t>(own->first + own->count));
    if (values.empty()) continue;
    const bool disturbed = std::any_of(sampled.begin(), sampled.end(),
                                       [](const SampledRun& run) { return run.facts->disturbed; });
    points.push_back(point_of(commit.at, values, disturbed, conditions_of(sampled)));
    points.back().repetitions = having.back()->made_of;
    points.back().method = place_of_method(methods, having.back()->method);
    points.back().era = runs_[static_cast<std::size_t>(having.back() - line.runs.data())].era;
    if (origins == nullptr) continue;
    const auto newest = static_cast<std::size_t>(having.back() - line.runs.data());
    PointOrigin& origin = origins->points.emplace_back();
    for (const auto* own : having) origin.repetitions += static_cast<int>(own->repetitions);
    origin.description = runs_[newest].description;
    const auto first =
        line.counters.begin() + static_cast<std::ptrdiff_t>(newest * question_.counters.size());
    origins->counters.insert(origins->counters.end(), first,
                             first + static_cast<std::ptrdiff_t>(question_.counters.size()));
  }
  return points;
}

std::optional<double> ColumnLine::newest_value(const std::string& name, const Metric& metric) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      bounds_.try_emplace({name, metric.name + ", " + row_of(metric.statistic).name});
  if (!is_new) return known->second;
  std::vector<std::string> methods;
  if (const auto points = points_of(name, metric, chunks_of(name), methods, nullptr); !points.empty())
    known->second = points.back().median;
  return known->second;
}

std::optional<ColumnLine::OneSeries> ColumnLine::series_of(const std::string& name,
                                                           const std::string& device) {
  auto chunks = chunks_of(name);
  const Newest newest_run = newest(name, chunks);
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
      points_of(name, gate.metric, chunks, series.methods, question_.describe ? &one.origins : nullptr);
  if (!series.points.empty()) series.threshold = threshold_at(gate, name, series.points.back().median);
  const SharedText base = question_.base;
  const bool has_base = std::any_of(series.points.begin(), series.points.end(),
                                    [&](const SeriesPoint& point) { return point.commit == base; });
  if (has_base) series.base = question_.base;
  find_changes(series, newest_device_.kind, question_.sentinel);
  if (series.points.empty()) return {};
  if (question_.finish) question_.finish(series);
  return one;
}

}  // namespace

std::optional<LineSeries> column_line(const CommitLine& line, const RunSource& source,
                                      const std::string& device, const LineQuestion& question,
                                      const Policy& policy) {
  if (source.summaries() == nullptr) return {};
  std::unordered_set<std::string_view> commits;
  for (const auto& commit : line) commits.insert(commit.id);
  LineSeries all;
  const bool answered = source.summaries()->ask_columns(
      device, [&](const std::string& commit) { return commits.contains(commit); },
      [&](const RunColumns& columns) {
        ColumnLine column_line(columns, line, question, policy);
        all = column_line.outline();
        if (all.commits.empty()) return;
        auto names = column_line.names();
        std::erase_if(names, [&](const std::string& name) { return !means_any(question.globs, name); });
        std::vector<std::optional<ColumnLine::OneSeries>> found(names.size());
        for_each_in_parallel(names.size(),
                             [&](std::size_t i) { found[i] = column_line.series_of(names[i], device); });
        for (auto& one : found) {
          if (!one) continue;
          all.series.push_back(std::move(one->series));
          if (question.describe) all.origins.push_back(std::move(one->origins));
        }
      });
  if (!answered) return {};
  return all;
}

}  // namespace tracker
