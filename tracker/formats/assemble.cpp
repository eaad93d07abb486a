#include "tracker/formats/assemble.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "tracker/base/error.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::formats {
namespace {

using Values = std::vector<const std::vector<double>*>;

// A benchmark's samples in each invocation that has it.
using SamplesOf = std::vector<Samples*>;

// Every list of values of this counter: one of each invocation that has the benchmark, or none where one of
// them lacks the counter.
Values counter_values(const SamplesOf& all, const std::string& counter) {
  Values found;
  for (const auto* samples : all) {
    const auto values = samples->counters.find(counter);
    if (values == samples->counters.end()) return {};
    found.push_back(&values->second);
  }
  return found;
}

// The one value that all have, within `tolerance` of it.
std::optional<double> common_value(const Values& lists, double tolerance) {
  std::optional<double> common;
  for (const auto* list : lists)
    for (const double value : *list) {
      if (!std::isfinite(value)) return {};
      if (!common) common = value;
      if (std::abs(value - *common) > tolerance * std::abs(*common)) return {};
    }
  return common;
}

// Work of zero or less is none: its rate could not be judged.
std::optional<double> above_zero(std::optional<double> work) {
  return work && *work > 0 ? work : std::nullopt;
}

std::set<std::string> counter_names(const SamplesOf& all) {
  std::set<std::string> names;
  for (const auto* samples : all)
    for (const auto& [name, values] : samples->counters) names.insert(name);
  return names;
}

void drop_counter(const SamplesOf& all, const std::string& counter) {
  for (auto* samples : all) samples->counters.erase(counter);
}

// A rate that Google Benchmark printed is work / time: where the work comes out the same for every
// sample, the work is kept, and the rate is derived from it again when it is asked for.
std::optional<double> work_behind_rate(const SamplesOf& all, const Benchmark& benchmark,
                                       const std::string& rate) {
  constexpr double kPrintedPrecision = 1e-6;
  std::vector<std::vector<double>> works;
  for (const auto* samples : all) {
    const auto rates = samples->counters.find(rate);
    if (rates == samples->counters.end()) return {};
    const auto& times = times_of_base(*samples, benchmark.time_base);
    works.emplace_back();
    for (std::size_t i = 0; i < times.size(); ++i) works.back().push_back(rates->second[i] * times[i] * 1e-9);
  }
  Values lists;
  for (const auto& work : works) lists.push_back(&work);
  auto work = above_zero(common_value(lists, kPrintedPrecision));
  if (work && std::abs(*work - std::round(*work)) < kPrintedPrecision * *work) work = std::round(*work);
  return work;
}

void keep_once(const SamplesOf& all, Benchmark& benchmark) {
  for (const auto& [per_iteration, per_second, member] : kStatedWorks) {
    auto& kept = benchmark.*member;
    kept = above_zero(common_value(counter_values(all, per_iteration), 0));
    if (kept) drop_counter(all, per_iteration);
    if (!kept) kept = work_behind_rate(all, benchmark, per_second);
    if (kept) drop_counter(all, per_second);
  }
  for (const auto& name : counter_names(all)) {
    const auto value = common_value(counter_values(all, name), 0);
    if (!value) continue;
    benchmark.counters[name] = *value;
    drop_counter(all, name);
  }
}

// Where a run has a benchmark, and which file's executable brought it.
struct Place {
  std::size_t at = 0;
  std::string executable;
};

// What a run has so far, by name: a run of many benchmarks has many files of them.
using Places = std::unordered_map<std::string, Place>;

// Whether two files may be of one executable. One may be named from its own folder: "./bench".
bool may_be_one(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto path = [](const std::string& text) { return std::filesystem::path(text).lexically_normal(); };
  const auto one = path(a);
  const auto other = path(b);
  if (a.empty() || b.empty() || one == other) return true;
  if (one.is_absolute() == other.is_absolute()) return false;
  const std::string whole = (one.is_absolute() ? one : other).string();
  return whole.ends_with("/" + (one.is_absolute() ? other : one).string());
}

void refuse_other_binary(const Benchmark& known, const Place& place, const Benchmark& benchmark,
                         const BenchmarkFile& file) {
  const bool one_binary = known.binary == benchmark.binary;
  if (one_binary && may_be_one(place.executable, file.executable)) return;
  throw Error(ExitCode::kUsage,
              "benchmark " + in_quotes(benchmark.name) + " is in two binaries, " +
                  in_quotes(one_binary ? place.executable : known.binary) + " and " +
                  in_quotes(one_binary ? file.executable : benchmark.binary),
              "a name is one measurement: record the files of each binary apart, those of one with "
              "--prefix to go before its names");
}

void add_file(Run& run, Places& places, BenchmarkFile& file) {
  for (auto& benchmark : file.benchmarks) {
    const auto [place, is_new] =
        places.try_emplace(benchmark.name, Place{run.benchmarks.size(), file.executable});
    if (is_new) {
      run.benchmarks.push_back(std::move(benchmark));
      continue;
    }
    Benchmark& known = run.benchmarks[place->second.at];
    refuse_other_binary(known, place->second, benchmark, file);
    if (known.time_base != benchmark.time_base)
      throw Error(ExitCode::kUsage,
                  in_quotes(file.source) + ": benchmark " + in_quotes(benchmark.name) +
                      " is timed by another clock than in the files before",
                  "manual, real and CPU time cannot be put into one run: record these files apart");
    if (!known.error && !benchmark.error) known.code = common_code(known.code, benchmark.code);
    if (!known.error) known.error = benchmark.error;
  }
  std::unordered_set<std::string> aggregates(run.aggregates_only.begin(), run.aggregates_only.end());
  for (const auto& name : file.aggregates_only)
    if (aggregates.insert(name).second) run.aggregates_only.push_back(name);
  if (file.device->kind == DeviceKind::kGpu) file.invocation.board = file.device->uuid.value_or("");
  run.invocations.push_back(std::move(file.invocation));
}

void keep_once(Run& run, const Places& places) {
  std::vector<SamplesOf> samples(run.benchmarks.size());
  for (auto& invocation : run.invocations)
    for (auto& [name, of_invocation] : invocation.samples)
      samples[places.at(name).at].push_back(&of_invocation);
  constexpr std::size_t kLeast = 1000;
  in_parts(samples.size(), kLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) keep_once(samples[i], run.benchmarks[i]);
  });
}

// A run of one board names it as its device; where it is of several, each invocation does.
void settle_boards(Run& run) {
  const auto is_of_device = [&](const Invocation& one) {
    return one.board.empty() || one.board == run.device.uuid;
  };
  if (std::ranges::all_of(run.invocations, is_of_device)) {
    for (auto& invocation : run.invocations) invocation.board.clear();
  } else {
    run.device.uuid.reset();
  }
}

void settle_times(Run& run) {
  for (const auto& invocation : run.invocations)
    if (run.started_at.empty() || (!invocation.started_at.empty() && invocation.started_at < run.started_at))
      run.started_at = invocation.started_at;
  const auto start = parse_time(run.started_at);
  for (const auto& invocation : run.invocations) {
    const auto begin = parse_time(invocation.started_at);
    if (!start || !begin) continue;
    const double after_s = std::chrono::duration<double>(*begin - *start).count();
    run.length_s = std::max(run.length_s, after_s + invocation.length_s);
  }
}

// What the first binary does not state, and another one does: not all of them use cuBLAS.
void add_missing(Software& known, const Software& stated) {
  for (const auto fact :
       {&Software::driver, &Software::cuda_driver, &Software::cuda_runtime, &Software::cublas})
    if (!(known.*fact)) known.*fact = stated.*fact;
}

}  // namespace

std::vector<Run> assemble_runs(std::vector<BenchmarkFile> files, const RunFacts& facts) {
  // A filter must not give a benchmark another one's name: what other files have beside it counts as well.
  SharedNames shared;
  for (const auto& file : files)
    for (const auto& benchmark : file.benchmarks) shared.add(benchmark);
  for (auto& file : files) keep_names_apart(file.benchmarks, {&file.invocation, 1}, shared);
  std::vector<Run> runs;
  std::vector<Places> places;
  for (auto& file : files) {
    const std::string key = device_key(file.device.value());
    auto run = std::ranges::find(runs, key, [](const Run& one) { return device_key(one.device); });
    if (run == runs.end()) {
      run = runs.insert(runs.end(), facts);
      places.emplace_back();
      run->device = *file.device;
      run->software = file.software;
      run->host = file.host;
    }
    if (file.selected && run->selection.is_all())
      run->selection.named = static_cast<int>(file.benchmarks.size());
    add_missing(run->software, file.software);
    if (const auto [own, is_new] = run->binary_software.try_emplace(file.invocation.binary, file.software);
        !is_new)
      add_missing(own->second, file.software);
    add_file(*run, places[static_cast<std::size_t>(run - runs.begin())], file);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    keep_once(runs[i], places[i]);
    std::erase_if(runs[i].aggregates_only,
                  [&](const std::string& name) { return places[i].count(name) != 0; });
    std::erase_if(runs[i].binary_software, [&](const auto& own) { return own.second == runs[i].software; });
    settle_boards(runs[i]);
    settle_times(runs[i]);
    index_benchmarks(runs[i]);
    if (runs.size() > 1) runs[i].id += "-" + std::to_string(i + 1);
  }
  return runs;
}

}  // namespace tracker::formats
