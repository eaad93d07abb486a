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

bool is_same_code(const Code& a, const Code& b) {
  return !a.hash.empty() && a.hash == b.hash && a.launches == b.launches;
}

std::optional<Code> common_code(const std::optional<Code>& a, const std::optional<Code>& b) {
  if (a == b) return a;
  Code common;
  common.why_no_hash = a && b ? "not the same in all invocations" : "not stated by all invocations";
  if (a && b && a->launches == b->launches) common.launches = a->launches;
  return common;
}

namespace {

// Whether the key ends in what a CPU's threads are written as: "-2t".
bool ends_in_threads(std::string_view key) {
  if (!key.ends_with('t')) return false;
  const std::size_t dash = key.rfind('-');
  if (dash == std::string_view::npos || dash + 2 >= key.size()) return false;
  return key.find_first_not_of("0123456789", dash + 1) == key.size() - 1;
}

// A person may write a whole key where a model is asked for: then it has this part.
void add_part(std::string& key, const std::string& part) {
  if (!key.ends_with(part) && key.find(part + "-") == std::string::npos) key += part;
}

struct ExclusionRow {
  ExclusionReason reason;
  std::string_view words;  // in documents for ever: a detail goes behind those that end with a blank
};

constexpr ExclusionRow kExclusions[] = {
    {ExclusionReason::kNone, ""},
    {ExclusionReason::kWarmUp, "warm-up"},
    {ExclusionReason::kOtherProcess, "another process was on the GPU"},
    {ExclusionReason::kThrottled, "throttled: "},
    {ExclusionReason::kLowClocks, "the clocks were low: "},
    {ExclusionReason::kPairDisturbed, "its pair was disturbed"},
    {ExclusionReason::kPairInterrupted, "its pair was interrupted"},
};

bool has_detail(const ExclusionRow& row) {
  return row.words.ends_with(' ');
}

// Of a run or a profile.
template <typename Named>
const Named* search_all(const std::vector<Named>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string short_uuid(const std::string& uuid) {
  return uuid.substr(0, 12);  // bytes: the prefix and the first group
}

std::string device_key(const Device& device) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  std::string model = device.model;
  // "Intel(R) Xeon(R) …": the marks say nothing, and make poor file names.
  for (const char* mark : {"(R)", "(TM)", "(r)", "(tm)", " CPU"})
    for (std::size_t at = model.find(mark); at != std::string::npos; at = model.find(mark))
      model.erase(at, std::string(mark).size());
  if (device.kind == DeviceKind::kCpu) {
    std::string key = slug(model);
    if (!key.starts_with("cpu-")) key = "cpu-" + key;
    if (device.core_count && !ends_in_threads(key)) key += "-" + std::to_string(*device.core_count) + "t";
    return key;
  }
  std::string key = slug(model);
  if (device.memory_bytes)
    add_part(key,
             "-" + std::to_string(std::llround(static_cast<double>(*device.memory_bytes) / kGib)) + "gib");
  if (device.power_limit_w) add_part(key, "-" + std::to_string(std::llround(*device.power_limit_w)) + "w");
  if (device.mig_profile) add_part(key, "-mig-" + slug(*device.mig_profile));
  return key;
}

std::string machines_apart(const Host& base, const Host& candidate) {
  constexpr double kClockMargin = 0.1;
  std::vector<std::string> parts;
  const auto differ = [](const auto& a, const auto& b) { return a && b && *a != *b; };
  if (differ(base.cpu_count, candidate.cpu_count))
    parts.push_back(std::to_string(*base.cpu_count) + " CPUs → " + std::to_string(*candidate.cpu_count) +
                    " CPUs");
  if (differ(base.cpu, candidate.cpu)) parts.push_back("CPU " + *base.cpu + " → " + *candidate.cpu);
  if (differ(base.caches, candidate.caches))
    parts.push_back("caches " + *base.caches + " → " + *candidate.caches);
  const bool fixed = !base.cpu_scaling.value_or(false) && !candidate.cpu_scaling.value_or(false);
  if (fixed && base.cpu_mhz && candidate.cpu_mhz &&
      std::abs(*base.cpu_mhz - *candidate.cpu_mhz) >
          kClockMargin * std::max(*base.cpu_mhz, *candidate.cpu_mhz))
    parts.push_back("CPU clock " + format_plain(*base.cpu_mhz) + " → " + format_plain(*candidate.cpu_mhz) +
                    " MHz");
  return join(parts, ", ");
}

bool Conditions::disturbed() const {
  const bool throttled =
      std::ranges::any_of(throttle_reasons, [](const std::string& reason) { return reason != "power_cap"; });
  return throttled || other_processes.value_or(0) > 0;
}

std::string exclusion_in_words(const Exclusion& exclusion) {
  for (const auto& row : kExclusions)
    if (row.reason == exclusion.reason)
      return std::string(row.words) + (has_detail(row) ? exclusion.detail : "");
  return exclusion.detail;
}

Exclusion exclusion_of(const std::string& words) {
  for (const auto& row : kExclusions) {
    if (words == row.words) return {row.reason, ""};
    if (has_detail(row) && words.starts_with(row.words)) return {row.reason, words.substr(row.words.size())};
  }
  return {ExclusionReason::kOther, words};
}

std::size_t repetition_count(const Samples& samples) {
  return samples.repetitions > 0 ? samples.repetitions : samples.real_time_ns.size();
}

constexpr double kRoughSteps = 4;  // in a factor of two

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

const Samples* counted_samples(const Invocation& invocation, const std::string& benchmark) {
  const auto found = invocation.samples.find(benchmark);
  return invocation.excluded || found == invocation.samples.end() ? nullptr : &found->second;
}

const std::vector<double>& times_of_base(const Samples& samples, TimeBase base) {
  return base == TimeBase::kCpu ? samples.cpu_time_ns : samples.real_time_ns;
}

const std::string& job_or_id(const Run& run) {
  return run.job.empty() ? run.id : run.job;
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

void index_benchmarks(Run& run) {
  run.by_name.resize(run.benchmarks.size());
  std::iota(run.by_name.begin(), run.by_name.end(), 0u);
  // Of equal names the first one is found.
  const auto name_of = [&](std::uint32_t at) -> const std::string& { return run.benchmarks[at].name; };
  std::ranges::stable_sort(run.by_name, {}, name_of);
}

const Benchmark* find_benchmark(const Run& run, const std::string& name) {
  if (run.by_name.size() != run.benchmarks.size()) return search_all(run.benchmarks, name);
  const auto place = std::ranges::partition_point(
      run.by_name, [&](std::uint32_t at) { return run.benchmarks[at].name < name; });
  const Benchmark* found = place == run.by_name.end() ? nullptr : &run.benchmarks[*place];
  if (found != nullptr && found->name != name) found = nullptr;
  assert(found != nullptr || run.benchmarks.size() > 1000 || search_all(run.benchmarks, name) == nullptr);
  return found;
}

const ProfiledBenchmark* find_benchmark(const Profile& profile, const std::string& name) {
  return search_all(profile.benchmarks, name);
}

std::string short_id(const std::string& commit) {
  return commit.substr(0, 7);  // digits, as git abbreviates
}

std::string lasting_id(const std::string& commit) {
  return commit.substr(0, 10);  // digits
}

std::string describe(const Commit& commit) {
  return short_id(commit.id) + " " + printable(commit.subject);
}

NoiseHistory keep_runs(NoiseHistory history, const std::function<bool(const Run& run)>& fits) {
  std::vector<std::optional<std::uint32_t>> places;
  std::uint32_t kept = 0;
  for (const auto& run : history.runs) places.push_back(fits(run) ? std::optional(kept++) : std::nullopt);
  if (kept == history.runs.size()) return history;
  std::size_t place = 0;
  std::erase_if(history.runs, [&](const Run&) { return !places[place++]; });
  for (auto& times : history.times) {
    std::erase_if(times.in_runs, [&](const auto& one) { return !places[one.run]; });
    for (auto& one : times.in_runs) one.run = *places[one.run];
  }
  std::erase_if(history.times, [](const auto& times) { return times.in_runs.empty(); });
  return history;
}

std::optional<NoiseHistory> of_one_machine(const NoiseHistory& history, const Run& run) {
  if (run.device.kind != DeviceKind::kCpu) return {};
  const auto is_same = [&](const Run& one) { return machines_apart(one.host, run.host).empty(); };
  if (std::ranges::all_of(history.runs, is_same)) return {};
  return keep_runs(history, is_same);
}

}  // namespace tracker
