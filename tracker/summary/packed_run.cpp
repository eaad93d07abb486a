#include "tracker/summary/packed_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "tracker/summary/packed.hpp"

namespace tracker::summary {
namespace {

// Appends the least of the values, the one or two in the middle, and where `greatest` is asked for, the
// greatest. All that fits into as many stays as it is. How many they are.
std::size_t append_order_statistics(const std::vector<double>& values, bool greatest,
                                    std::vector<double>& to) {
  thread_local std::vector<double> sorted;  // made once: a run has tens of thousands of such lists
  sorted.clear();
  for (const double value : values)
    if (!greatest || !std::isnan(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t size = sorted.size();
  if (size <= 2) {
    to.insert(to.end(), sorted.begin(), sorted.end());
    return size;
  }
  const std::size_t before = to.size();
  to.push_back(sorted.front());
  if (size % 2 == 0) to.push_back(sorted[size / 2 - 1]);
  to.push_back(sorted[size / 2]);
  if (greatest) to.push_back(sorted.back());
  return to.size() - before;
}

// Of those that are there; one NaN where none is.
std::size_t append_counters(const std::vector<double>& values, std::vector<double>& to) {
  if (const std::size_t count = append_order_statistics(values, true, to); count > 0) return count;
  to.push_back(std::numeric_limits<double>::quiet_NaN());
  return 1;
}

// The names of all fields, with those of the records in them.
class FieldNames {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    names_.append(name).append(1, ',');
    if constexpr (RunRecord<T>) fields_of(value, *this);
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>&) {
    (*this)(name, T{});
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>&) {
    (*this)(name, T{});
  }
  template <typename T>
  void operator()(const char* name, const std::map<std::string, T>&) {
    (*this)(name, T{});
  }
  const std::string& names() const { return names_; }

 private:
  std::string names_;
};

template <typename AnyRun, typename Visit>
void environment_fields(AnyRun& run, Visit& visit) {
  visit("kind", run.device.kind);
  formats::device_fields(run.device, visit);
  formats::software_fields(run.software, visit);
  formats::host_fields(run.host, visit);
  visit("binary_software", run.binary_software);
}

template <typename AnyRun, typename Visit>
void frame_fields(AnyRun& run, Visit& visit) {
  formats::run_fields(run, visit);
  visit("failures", run.failures);
  visit("same_program", run.same_program);
  visit("programs", run.programs);
  visit("invocations", run.invocations);
}

template <typename AnyBenchmark, typename AnyNames, typename Visit>
void text_fields(AnyBenchmark& benchmark, AnyNames& counters, Visit& visit) {
  visit("time_base", benchmark.time_base);
  formats::benchmark_fields(benchmark, visit);
  visit("counters", counters);
  visit("code", benchmark.code);
}

// The values of one benchmark in one run. Who calls it sets the number and the text.
ChunkRun chunk_run(const Run& run, const Benchmark& benchmark) {
  ChunkRun row;
  row.constants.reserve(benchmark.counters.size());
  for (const auto& [name, value] : benchmark.counters) row.constants.push_back(value);
  std::vector<const Samples*> all;
  IterationRange iterations;  // as iterations_in() has them
  for (std::size_t i = 0; i < run.invocations.size(); ++i) {
    const auto found = run.invocations[i].samples.find(benchmark.name);
    if (found == run.invocations[i].samples.end()) continue;
    const Samples& samples = found->second;
    all.push_back(&samples);
    row.sampled.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(repetition_count(samples))});
    for (const std::int64_t count : samples.iterations)
      iterations = {iterations.most == 0 ? count : std::min(iterations.fewest, count),
                    std::max(iterations.most, count)};
  }
  row.iterations = {rough(static_cast<double>(iterations.fewest)),
                    rough(static_cast<double>(iterations.most))};
  constexpr std::size_t kMostKept = 4;
  row.real_times.reserve(all.size() * kMostKept);
  row.cpu_times.reserve(all.size() * kMostKept);
  for (std::size_t i = 0; i < all.size(); ++i) {
    append_order_statistics(all[i]->real_time_ns, false, row.real_times);
    append_order_statistics(all[i]->cpu_time_ns, false, row.cpu_times);
    for (const auto& [name, values] : all[i]->counters) {
      CounterValues& counter = row.counters[name];
      counter.counts.resize(all.size());  // none of those that lack it
      counter.values.reserve(all.size() * kMostKept);
      counter.counts[i] = static_cast<std::uint32_t>(append_counters(values, counter.values));
    }
  }
  return row;
}

}  // namespace

bool can_be_packed(const Run& run) {
  const auto is_rate = [](const std::optional<double>& work) { return !work || *work >= 0; };
  return std::all_of(run.benchmarks.begin(), run.benchmarks.end(),
                     [&](const Benchmark& b) {
                       return is_rate(b.bytes_per_iteration) && is_rate(b.flops_per_iteration) &&
                              is_rate(b.items_per_iteration);
                     }) &&
         std::all_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& invocation) {
           return std::all_of(invocation.samples.begin(), invocation.samples.end(),
                              [](const auto& one) { return !one.second.real_time_ns.empty(); });
         });
}

std::string packed_format() {
  FieldNames fields;
  const Run run;
  const Benchmark benchmark;
  const std::vector<std::string> counters;
  environment_fields(run, fields);
  frame_fields(run, fields);
  text_fields(benchmark, counters, fields);
  return "7," + fields.names();
}

void unpack_environment(std::string_view bytes, Run& run) {
  Unpacker unpacker(bytes);
  environment_fields(run, unpacker);
}

void unpack_frame(std::string_view bytes, Run& run) {
  Unpacker unpacker(bytes);
  frame_fields(run, unpacker);
}

BenchmarkText unpack_text(std::string_view bytes) {
  Unpacker unpacker(bytes);
  BenchmarkText text;
  text_fields(text.benchmark, text.counters, unpacker);
  text.constants = text.benchmark.counters.size();
  text.places.resize(text.constants);
  std::iota(text.places.begin(), text.places.end(), std::size_t{0});
  return text;
}

void keep_summary(Run& run) {
  const auto keep = [](std::vector<double>& times) {
    std::vector<double> kept;
    const std::size_t count = times.size();
    append_order_statistics(times, false, kept);
    if (count > 2) kept.push_back(kept.back());  // for the greatest
    times = std::move(kept);
  };
  std::map<std::string, IterationRange> iterations;  // the first invocation keeps those of all
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples)
      if (!samples.iterations.empty() && !iterations.contains(name))
        iterations[name] = iterations_in(run, name);
  for (auto& invocation : run.invocations)
    for (auto& [name, samples] : invocation.samples) {
      samples.repetitions = repetition_count(samples);
      keep(samples.real_time_ns);
      keep(samples.cpu_time_ns);
      samples.iterations.clear();
      if (const auto of_all = iterations.extract(name)) {
        samples.iterations = {of_all.mapped().fewest};
        if (of_all.mapped().most > of_all.mapped().fewest) samples.iterations.push_back(of_all.mapped().most);
      }
      for (auto& [counter, values] : samples.counters) {
        std::vector<double> kept;
        append_counters(values, kept);
        values = std::move(kept);
      }
    }
}

std::optional<PackedRun> pack_run(const Run& run) {
  if (!can_be_packed(run)) return {};
  Packer environment;
  environment_fields(run, environment);
  Packer frame;
  frame_fields(run, frame);
  PackedRun packed{environment.bytes(), frame.bytes(), {}};
  for (const auto& benchmark : run.benchmarks) {
    ChunkRun values = chunk_run(run, benchmark);
    std::vector<std::string> counters;
    for (const auto& [name, counter] : values.counters) counters.push_back(name);
    Packer text;
    text_fields(benchmark, counters, text);
    packed.benchmarks.push_back({benchmark.name, text.bytes(), std::move(values)});
  }
  return packed;
}

UnpackedChunk::UnpackedChunk(std::string bytes, const WantedCounters& wanted, std::int64_t from_number)
    : bytes_(std::move(bytes)), chunk_(bytes_) {
  const auto& rows = chunk_.rows();
  while (first_row_ < rows.size() && rows[first_row_].number < from_number) ++first_row_;
  real_times_ = chunk_.real_times(first_row_);
  cpu_times_ = chunk_.cpu_times(first_row_);
  for (const auto& name : chunk_.counter_names())
    if (!wanted || wanted->contains(name)) counters_.emplace_back(name, chunk_.counter(name));
}

BenchmarkTimes UnpackedChunk::times_of(std::span<const RowOfRun> rows, const BenchmarkText& text,
                                       const std::vector<Run>& runs) const {
  BenchmarkTimes times;
  times.benchmark = text.benchmark;
  times.shapes = chunk_.shapes();
  times.in_runs.reserve(rows.size());
  std::size_t count = 0;
  for (const auto& [row, place] : rows) count += chunk_.times_of(chunk_.rows()[row]);
  times.real_time_ns.reserve(count);
  times.cpu_time_ns.reserve(count);
  for (const auto& one_row : rows) {
    const std::size_t row = one_row.row;
    const std::uint32_t place = one_row.place;
    const Chunk::Row& own = chunk_.rows()[row];
    for (const auto& one : times.shapes[own.shape])
      if (one.invocation >= runs[place].invocations.size()) throw Damaged{"values of no invocation"};
    times.in_runs.push_back({place, own.shape, static_cast<std::uint32_t>(times.real_time_ns.size())});
    const auto append = [&](const std::vector<double>& from, std::vector<double>& to) {
      const auto first = from.begin() + static_cast<std::ptrdiff_t>(first_time(own));
      to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(chunk_.times_of(own)));
    };
    append(real_times_, times.real_time_ns);
    append(cpu_times_, times.cpu_time_ns);
  }
  return times;
}

void UnpackedChunk::put(std::size_t row, const BenchmarkText& text, Run& run, Benchmark& benchmark) const {
  const Chunk::Row& own = chunk_.rows()[row];
  if (own.constants != text.constants) throw Damaged{"counters are missing"};
  benchmark = text.benchmark;
  const std::size_t first_constant = own.first_constant - chunk_.rows()[first_row_].first_constant;
  std::size_t kept = 0;
  for (auto& [name, value] : benchmark.counters) value = constants_.at(first_constant + text.places[kept++]);
  const auto times = [](const std::vector<double>& from, std::size_t at, std::size_t repetitions) {
    const std::size_t count = kept_times(repetitions);
    std::vector<double> all;
    all.reserve(count + 1);
    all.assign(from.begin() + static_cast<std::ptrdiff_t>(at),
               from.begin() + static_cast<std::ptrdiff_t>(at + count));
    // The middle stands for the greatest.
    if (repetitions > 2) all.push_back(all.back());
    return all;
  };
  const auto& sampled = chunk_.sampled(own);
  std::vector<Samples*> places;
  places.reserve(sampled.size());
  std::size_t time = first_time(own);
  for (const auto& one : sampled) {
    if (one.invocation >= run.invocations.size()) throw Damaged{"values of no invocation"};
    auto& all = run.invocations[one.invocation].samples;
    Samples& samples = all.try_emplace(all.end(), benchmark.name)->second;
    samples.repetitions = one.repetitions;
    if (own.iterations.most > 0 && places.empty())
      for (const std::uint8_t count : {own.iterations.fewest, own.iterations.most})
        samples.iterations.push_back(std::llround(from_rough(count)));
    samples.real_time_ns = times(real_times_, time, one.repetitions);
    samples.cpu_time_ns = times(cpu_times_, time, one.repetitions);
    time += kept_times(one.repetitions);
    places.push_back(&samples);
  }
  for (const auto& [name, column] : counters_) {
    const auto& counts = column.counts[row];
    auto begin = column.values.begin() + static_cast<std::ptrdiff_t>(column.first[row]);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const auto end = begin + static_cast<std::ptrdiff_t>(counts[k]);
      if (counts[k] > 0) places[k]->counters.try_emplace(name, begin, end);
      begin = end;
    }
  }
}

}  // namespace tracker::summary
