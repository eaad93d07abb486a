#include "tracker/model/run.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr double kRoughSteps = 4;  // in a factor of two

}  // namespace

std::size_t repetition_count(const Samples& samples) {
  return samples.repetitions > 0 ? samples.repetitions : samples.real_time_ns.size();
}

std::uint8_t rough(double number) {
  if (!(number >= 1)) return 0;
  constexpr double kMax = std::numeric_limits<std::uint8_t>::max();
  return static_cast<std::uint8_t>(std::min(1 + std::round(kRoughSteps * std::log2(number)), kMax));
}

double from_rough(std::uint8_t number) {
  return number == 0 ? 0 : std::exp2((number - 1) / kRoughSteps);
}

IterationRange iterations_in(const Run& run, const std::string& benchmark) {
  IterationRange range;
  for (const auto& invocation : run.invocations)
    if (const auto found = invocation.samples.find(benchmark); found != invocation.samples.end())
      for (const std::int64_t count : found->second.iterations)
        range = {range.most == 0 ? count : std::min(range.fewest, count), std::max(range.most, count)};
  return range;
}

int invocation_count(const Run& run) {
  std::unordered_map<std::string_view, int> counts;
  int most = 0;
  for (const auto& invocation : run.invocations)
    if (!invocation.excluded)
      for (const auto& [name, samples] : invocation.samples) most = std::max(most, ++counts[name]);
  return most;
}

std::string selection_in_words(const RunSelection& selection) {
  if (selection.named > 0) return count_of(selection.named, "benchmark");
  return selection.expression.empty() ? "" : "what matches '" + selection.expression + "'";
}

std::vector<std::string> boards_of(const Run& run) {
  if (run.device.uuid) return {*run.device.uuid};
  std::set<std::string> boards;
  for (const auto& invocation : run.invocations)
    if (!invocation.board.empty()) boards.insert(invocation.board);
  return {boards.begin(), boards.end()};
}

void skip(Benchmark& benchmark, const std::string& why) {
  benchmark.skipped = true;
  benchmark.error = why.empty() ? "without a reason" : why;
}

const Software& software_of(const Run& run, const Benchmark& benchmark) {
  const auto own = run.binary_software.find(benchmark.binary);
  return own == run.binary_software.end() ? run.software : own->second;
}

namespace {

const Benchmark* search_all(const Run& run, const std::string& name) {
  const auto found = std::find_if(run.benchmarks.begin(), run.benchmarks.end(),
                                  [&](const Benchmark& benchmark) { return benchmark.name == name; });
  return found == run.benchmarks.end() ? nullptr : &*found;
}

}  // namespace

void index_benchmarks(Run& run) {
  run.by_name.resize(run.benchmarks.size());
  std::iota(run.by_name.begin(), run.by_name.end(), 0u);
  // Of equal names the first one is found.
  std::stable_sort(run.by_name.begin(), run.by_name.end(), [&](std::uint32_t a, std::uint32_t b) {
    return run.benchmarks[a].name < run.benchmarks[b].name;
  });
}

const Benchmark* find_benchmark(const Run& run, const std::string& name) {
  if (run.by_name.size() != run.benchmarks.size()) return search_all(run, name);
  const auto place = std::partition_point(run.by_name.begin(), run.by_name.end(),
                                          [&](std::uint32_t at) { return run.benchmarks[at].name < name; });
  const Benchmark* found = place == run.by_name.end() ? nullptr : &run.benchmarks[*place];
  if (found != nullptr && found->name != name) found = nullptr;
  assert(found != nullptr || run.benchmarks.size() > 1000 || search_all(run, name) == nullptr);
  return found;
}

}  // namespace tracker
