#include "tracker/history/line_runs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tracker/judge/not_comparable.hpp"
#include "tracker/summary/chunk.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker::history {
namespace {

constexpr std::int64_t kNoCommit = -1;

void add_value(const std::optional<double>& value, LineValues& to) {
  if (value && *value > 0 && std::isfinite(*value)) to.values.push_back(*value);
}

// How a metric's values are made of the rows with this text.
struct RowReader {
  bool has_error = false;
  TimeBase base = TimeBase::kNone;
  std::optional<MetricTimes> times;
  std::optional<std::size_t> constant;               // its place among those of the row
  std::vector<std::optional<std::size_t>> counters;  // likewise, of those that are asked for
};

RowReader reader_of(const Metric& metric, const Benchmark& benchmark,
                    const std::vector<std::string>& counters) {
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
  for (const auto& name : counters) reader.counters.push_back(place_of(name));
  return reader;
}

// The columns of a chunk that one metric needs, read when the first row needs them.
class ChunkColumns {
 public:
  ChunkColumns(const summary::Chunk& chunk, const Metric& metric) : chunk_(chunk), metric_(metric) {}

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
    if (!counter_) counter_ = chunk_.counter(metric_.name);
    const auto& counts = counter_->counts[row];
    if (sampled >= counts.size()) return {};
    std::size_t at = counter_->first[row];
    for (std::size_t i = 0; i < sampled; ++i) at += counts[i];
    const auto begin = counter_->values.begin() + static_cast<std::ptrdiff_t>(at);
    return {begin, begin + static_cast<std::ptrdiff_t>(counts[sampled])};
  }

 private:
  const summary::Chunk& chunk_;
  const Metric& metric_;
  std::optional<std::vector<double>> real_times_;
  std::optional<std::vector<double>> cpu_times_;
  std::optional<std::vector<double>> constants_;
  std::optional<summary::Chunk::CounterColumn> counter_;
};

class RunsInColumns final : public LineRuns {
 public:
  RunsInColumns(const summary::RunColumns& columns, const repo::CommitLine& line) : columns_(columns) {
    for (std::size_t i = 0; i < line.size(); ++i)
      commits_.emplace(line[i].id, static_cast<std::int64_t>(line.size() - 1 - i));
  }

  void for_each(const Visit& visit) const override {
    columns_.for_each_frame([&](std::size_t, const Run& frame, std::int64_t layout) {
      const auto found = commits_.find(frame.commit);
      visit(frame, found == commits_.end() ? kNoCommit : found->second, layout);
    });
  }
  Device device_of(std::size_t run) const override { return columns_.frame_of(run).device; }
  std::vector<std::int64_t> series_in(std::int64_t list) const override { return columns_.series_in(list); }
  const std::string& name_of(std::int64_t series) const override { return columns_.name_of(series); }
  SeriesRows rows_of(std::int64_t series) const override { return {series, columns_.chunks_of(series)}; }
  Benchmark benchmark_in(std::size_t run, const SeriesRows& rows) const override {
    for (auto bytes = rows.chunks.rbegin(); bytes != rows.chunks.rend(); ++bytes) {
      const summary::Chunk chunk(*bytes);
      for (const auto& row : chunk.rows()) {
        if (columns_.run_of(row) != static_cast<std::int32_t>(run)) continue;
        Benchmark benchmark = columns_.text_of(row)->benchmark;
        const auto constants = chunk.constants();
        std::size_t constant = row.first_constant;
        for (auto& [counter, value] : benchmark.counters) value = constants[constant++];
        return benchmark;
      }
    }
    throw summary::Damaged{"values are missing"};
  }
  void add_values(const SeriesRows& rows, const Asked& asked, LineValues& to) const override {
    Readers readers;
    for (const auto& bytes : rows.chunks) add_chunk(summary::Chunk(bytes), rows.series, asked, readers, to);
  }

 private:
  using Readers = std::unordered_map<std::int64_t, RowReader>;  // by text

  void add_chunk(const summary::Chunk& chunk, std::int64_t series, const Asked& asked, Readers& readers,
                 LineValues& to) const {
    ChunkColumns chunk_columns(chunk, asked.metric);
    std::vector<std::span<const std::uint32_t>> shapes;
    std::map<std::pair<std::int64_t, std::string_view>, SharedText> methods;  // by text and library
    std::int64_t text = 0;  // of the row before, which mostly has the same, and with it these
    const std::string* library = nullptr;
    const SharedText* method = nullptr;
    for (std::size_t i = 0; i < chunk.rows().size(); ++i) {
      const summary::Chunk::Row& row = chunk.rows()[i];
      while (shapes.size() <= row.shape) {
        auto& places = *to.places.emplace_back(std::make_unique<std::vector<std::uint32_t>>());
        for (const auto& one : chunk.shapes()[shapes.size()]) places.push_back(one.invocation);
        shapes.emplace_back(places);
      }
      const std::int32_t number = columns_.run_of(row);
      if (number < 0) continue;
      const auto run = static_cast<std::size_t>(number);
      const LineRun& facts = asked.runs[run];
      if (asked.series_of_lists[facts.list] != series) continue;
      const auto [known, is_new] = readers.try_emplace(row.text);
      if (is_new) known->second = reader_of(asked.metric, columns_.text_of(row)->benchmark, asked.counters);
      const RowReader& reader = known->second;
      if (reader.has_error) continue;
      if (method == nullptr || row.text != text || facts.library != *library) {
        const auto [found, is_other] = methods.try_emplace({row.text, facts.library});
        if (is_other)
          found->second = judge::method_of(columns_.text_of(row)->benchmark, facts.library, asked.metric);
        text = row.text;
        library = &facts.library;
        method = &found->second;
      }
      RunValues& own = to.runs[run];
      own.invocations = shapes[row.shape];
      own.method = *method;
      own.made_of = {row.iterations.fewest, row.iterations.most, 0, 0};
      for (std::size_t k = 0; k < reader.counters.size(); ++k)
        if (reader.counters[k])
          to.counters[run * asked.counters.size() + k] =
              chunk_columns.constant(row.first_constant + *reader.counters[k]);
      add_row(chunk, chunk_columns, i, reader, asked, facts, own, to);
    }
  }

  static void add_row(const summary::Chunk& chunk, ChunkColumns& columns, std::size_t place,
                      const RowReader& reader, const Asked& asked, const LineRun& run, RunValues& own,
                      LineValues& to) {
    own.has_benchmark = true;
    own.first = to.values.size();
    own.repetitions = 0;
    const bool has_iterations = own.made_of.most > 0;
    double least_ns = std::numeric_limits<double>::max();
    const summary::Chunk::Row& row = chunk.rows()[place];
    std::size_t at = row.first_time;
    const auto& sampled = chunk.sampled(row);
    for (std::size_t k = 0; k < sampled.size(); ++k) {
      const std::size_t repetitions = sampled[k].repetitions;
      const std::size_t own_time = at;
      at += kept_times(repetitions);
      if (sampled[k].invocation >= run.facts.invocations.size())
        throw summary::Damaged{"values of no invocation"};
      if (!run.facts.invocations[sampled[k].invocation].counts) continue;
      own.repetitions += repetitions;
      own.made_of.count = rough(static_cast<double>(repetitions));
      if (has_iterations)
        least_ns = std::min(least_ns, *columns.times(reader.base == TimeBase::kCpu, own_time));
      if (reader.times) {
        add_value(value_of_kept(asked.metric, *reader.times, columns.times(reader.times->of_cpu, own_time),
                                repetitions),
                  to);
        continue;
      }
      auto samples = columns.counter(place, k);
      if (samples.empty() && reader.constant)
        samples.assign(repetitions, columns.constant(row.first_constant + *reader.constant));
      add_value(value_of_repetitions(asked.metric, std::move(samples)), to);
    }
    own.count = to.values.size() - own.first;
    if (has_iterations) own.made_of.time_ps = rough(least_ns * kPsPerNs);
  }

  const summary::RunColumns& columns_;
  std::unordered_map<std::string_view, std::int64_t> commits_;
};

// The series are the names, and a list of benchmarks is one of names.
class RunsAtHand final : public LineRuns {
 public:
  explicit RunsAtHand(const std::vector<CommitRuns>& history) {
    for (std::size_t i = 0; i < history.size(); ++i)
      for (const auto& run : history[i].runs)
        runs_.push_back({&run, static_cast<std::int64_t>(i), list_of(run)});
  }

  void for_each(const Visit& visit) const override {
    for (const auto& [run, commit, list] : runs_) visit(*run, commit, list);
  }
  Device device_of(std::size_t run) const override { return runs_[run].run->device; }
  std::vector<std::int64_t> series_in(std::int64_t list) const override {
    return lists_[static_cast<std::size_t>(list)];
  }
  const std::string& name_of(std::int64_t series) const override {
    return names_[static_cast<std::size_t>(series)];
  }
  SeriesRows rows_of(std::int64_t series) const override { return {series, {}}; }
  Benchmark benchmark_in(std::size_t run, const SeriesRows& rows) const override {
    return *find_benchmark(*runs_[run].run, name_of(rows.series));
  }
  void add_values(const SeriesRows& rows, const Asked& asked, LineValues& to) const override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (asked.series_of_lists[asked.runs[i].list] != rows.series) continue;
      const Run& run = *runs_[i].run;
      const Benchmark& benchmark = *find_benchmark(run, name_of(rows.series));
      if (benchmark.error) continue;
      to.runs[i] = values_in(run, benchmark, asked.metric, to);
      for (std::size_t k = 0; k < asked.counters.size(); ++k)
        if (const auto found = benchmark.counters.find(asked.counters[k]); found != benchmark.counters.end())
          to.counters[i * asked.counters.size() + k] = found->second;
    }
  }

 private:
  struct OneRun {
    const Run* run = nullptr;
    std::int64_t commit = 0;
    std::int64_t list = 0;
  };

  std::int64_t list_of(const Run& run) {
    std::vector<std::int64_t> list;
    for (const auto& benchmark : run.benchmarks) {
      const auto [found, is_new] =
          series_.try_emplace(benchmark.name, static_cast<std::int64_t>(names_.size()));
      if (is_new) names_.push_back(benchmark.name);
      list.push_back(found->second);
    }
    const auto [found, is_new] =
        known_lists_.try_emplace(std::move(list), static_cast<std::int64_t>(lists_.size()));
    if (is_new) lists_.push_back(found->first);
    return found->second;
  }

  std::vector<OneRun> runs_;
  std::unordered_map<std::string_view, std::int64_t> series_;
  std::vector<std::string> names_;
  std::map<std::vector<std::int64_t>, std::int64_t> known_lists_;
  std::vector<std::vector<std::int64_t>> lists_;
};

}  // namespace

// The least time stands for all: it is kept of every invocation.
RunValues values_in(const Run& run, const Benchmark& benchmark, const Metric& metric, LineValues& to) {
  const bool of_cpu = benchmark.time_base == TimeBase::kCpu;
  auto& places = *to.places.emplace_back(std::make_unique<std::vector<std::uint32_t>>());
  RunValues own;
  own.has_benchmark = true;
  own.first = to.values.size();
  double least_ns = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < run.invocations.size(); ++i) {
    const auto found = run.invocations[i].samples.find(benchmark.name);
    if (found == run.invocations[i].samples.end()) continue;
    places.push_back(static_cast<std::uint32_t>(i));
    if (run.invocations[i].excluded) continue;
    const Samples& samples = found->second;
    const auto& times = of_cpu ? samples.cpu_time_ns : samples.real_time_ns;
    if (!times.empty()) least_ns = std::min(least_ns, *std::ranges::min_element(times));
    own.repetitions += repetition_count(samples);
    own.made_of.count = rough(static_cast<double>(repetition_count(samples)));
  }
  for (const double value : metric_values(metric, benchmark, run)) add_value(value, to);
  own.count = to.values.size() - own.first;
  own.invocations = places;
  own.method = judge::method_of(benchmark, library_of(run), metric);
  const IterationRange iterations = iterations_in(run, benchmark.name);
  own.made_of.fewest = rough(static_cast<double>(iterations.fewest));
  own.made_of.most = rough(static_cast<double>(iterations.most));
  if (own.made_of.most > 0) own.made_of.time_ps = rough(least_ns * kPsPerNs);
  return own;
}

std::unique_ptr<LineRuns> runs_in_columns(const summary::RunColumns& columns, const repo::CommitLine& line) {
  return std::make_unique<RunsInColumns>(columns, line);
}

std::unique_ptr<LineRuns> runs_at_hand(const std::vector<CommitRuns>& history) {
  return std::make_unique<RunsAtHand>(history);
}

std::string library_of(const Run& run) {
  if (run.software.library || run.binary_software.empty()) return run.software.library.value_or("");
  return run.binary_software.begin()->second.library.value_or("");
}

}  // namespace tracker::history
