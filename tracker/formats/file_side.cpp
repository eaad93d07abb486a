#include "tracker/formats/file_side.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <system_error>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/file_format.hpp"

namespace tracker::formats {
namespace {

constexpr char kUnknownModel[] = "unknown device";

// A time with so many digits is not measured twice by chance.
bool has_many_digits(double time_ns) {
  constexpr int kDigits = 6;
  if (!std::isfinite(time_ns) || time_ns == 0) return false;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(time_ns))) - (kDigits - 1));
  const double places = time_ns / unit;
  return std::abs(places - std::round(places)) > 1e-6;
}

// Two invocations that start in the same second and agree in every time are copies of one.
std::uint64_t fingerprint(const Invocation& invocation) {
  std::uint64_t print = std::hash<std::string>{}(invocation.started_at);
  const auto add = [&](std::uint64_t value) { print = (std::rotl(print, 5) ^ value) * 0x9E3779B97F4A7C15u; };
  for (const auto& [name, samples] : invocation.samples) {
    add(std::hash<std::string>{}(name));
    for (const auto* times : {&samples.real_time_ns, &samples.cpu_time_ns})
      for (const double time_ns : *times) add(std::bit_cast<std::uint64_t>(time_ns));
  }
  return print;
}

// Where all times are read from a clock with coarse steps, equal ones may be two measurements: only the same
// file is then a copy.
bool may_agree_by_chance(const Invocation& invocation) {
  return std::none_of(invocation.samples.begin(), invocation.samples.end(), [](const auto& one) {
    const Samples& samples = one.second;
    return std::any_of(samples.real_time_ns.begin(), samples.real_time_ns.end(), has_many_digits) ||
           std::any_of(samples.cpu_time_ns.begin(), samples.cpu_time_ns.end(), has_many_digits);
  });
}

std::uint64_t place_of(const std::string& source) {
  std::error_code none;
  const auto path = std::filesystem::weakly_canonical(source, none);
  return std::hash<std::string>{}(none ? source : path.string());
}

void add_source(FileSide& side, const Invocation& invocation, const std::string& source) {
  std::uint64_t print = fingerprint(invocation);
  if (may_agree_by_chance(invocation))
    print ^= place_of(source) + static_cast<std::uint64_t>(invocation.round);
  const auto [known, is_new] = side.sources.emplace(print, source);
  if (is_new) return;
  const std::string twice = known->second == source ? in_quotes(source) + " holds one invocation twice"
                                                    : in_quotes(known->second) + " and " + in_quotes(source) +
                                                          " hold one and the same invocation";
  throw Error(ExitCode::kUsage, twice, "a copy is no second measurement: leave one of them out");
}

void refuse_mixed_devices(const std::vector<MeasuredFile>& files) {
  const std::string* first = nullptr;
  std::string first_key;
  const auto check = [&](const Device& device, const std::string& source) {
    const std::string key = device_key(device);
    if (first == nullptr) {
      first = &source;
      first_key = key;
    } else if (key != first_key) {
      throw Error(ExitCode::kUsage,
                  "the files are of different devices: " + in_quotes(*first) + " of " + first_key + ", " +
                      in_quotes(source) + " of " + key,
                  "put each device's files into a folder of their own");
    }
  };
  for (const auto& file : files) {
    for (const auto& invocation : file.invocations) check(*invocation.device, file.source);
    for (const auto& run : file.runs) check(run.device, file.source);
  }
}

// "22 files from 2026-11-20", "3 files from 2026-11-20 to 2026-11-24"
std::string summary_of(const std::vector<Run>& runs, std::size_t files) {
  constexpr std::size_t kDay = std::string_view("2026-11-20").size();
  std::string first;
  std::string last;
  for (const auto& run : runs)
    for (const auto& invocation : run.invocations) {
      const std::string day = invocation.started_at.substr(0, kDay);
      if (day.empty()) continue;
      first = first.empty() ? day : std::min(first, day);
      last = std::max(last, day);
    }
  return count_of(files, "file") + (first.empty() ? "" : " from " + first) +
         (first == last ? "" : " to " + last);
}

// A run of the invocations of one board, which share its temperature and its day: they are one job.
Run run_of(std::vector<BenchmarkFile> files) {
  std::stable_sort(files.begin(), files.end(), [](const BenchmarkFile& a, const BenchmarkFile& b) {
    return a.invocation.started_at < b.invocation.started_at;
  });
  std::uint64_t hash = 0;
  for (const auto& file : files) hash = std::rotl(hash, 1) ^ fingerprint(file.invocation);
  const auto start = parse_time(files.front().invocation.started_at);
  const std::string id = run_id_of(start.value_or(std::chrono::system_clock::time_point{}),
                                   static_cast<std::uint32_t>(hash ^ (hash >> 32)));
  return std::move(assemble_runs(std::move(files), {.id = id, .job = id}).front());
}

// By binary, the starts of its invocations in order.
std::map<std::string, std::vector<std::string>> starts_of(const Run& run) {
  std::map<std::string, std::vector<std::string>> starts;
  for (const auto& invocation : run.invocations) starts[invocation.binary].push_back(invocation.started_at);
  return starts;
}

// Whole seconds cannot tell the order of what started in the same one: only pairs apart are proof.
bool alternate(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() != b.size() || a.size() < 2 || a.front().empty() || b.front().empty()) return false;
  for (std::size_t i = 1; i < a.size(); ++i)
    if (std::max(a[i - 1], b[i - 1]) >= std::min(a[i], b[i])) return false;
  return true;
}

std::string board_name(const Device& device, const Host& host) {
  return device.uuid.value_or(host.name);
}

}  // namespace

Device unknown_device() {
  Device device;
  device.model = kUnknownModel;
  return device;
}

Device named_device(Device named, const Host& host) {
  if (named.kind == DeviceKind::kCpu && !named.core_count && !named.model.starts_with("cpu-"))
    named.core_count = host.cpu_count;
  return named;
}

FileSide read_file_side(const std::filesystem::path& path, const std::optional<Device>& otherwise,
                        const std::string& better) {
  FileSide side;
  side.path = path.string();
  auto files = read_measured_files(measured_files_at(path));
  for (auto& file : files)
    for (auto& invocation : file.invocations) {
      require_direction(invocation, better);
      if (!invocation.device)
        invocation.device = otherwise ? named_device(*otherwise, invocation.host) : unknown_device();
    }
  refuse_mixed_devices(files);
  std::vector<const BenchmarkFile*> invocations;
  for (const auto& file : files)
    for (const auto& invocation : file.invocations) invocations.push_back(&invocation);
  require_repetitions(invocations);
  side.notes = notes_about_reading(invocations);
  std::map<std::string, std::vector<BenchmarkFile>> boards;
  for (auto& file : files) {
    for (auto& invocation : file.invocations) {
      add_source(side, invocation.invocation, file.source);
      auto& of_board = boards[board_name(*invocation.device, invocation.host)];
      of_board.push_back(std::move(invocation));
    }
    if (file.noise) side.noise = std::move(file.noise);
    for (auto& run : file.runs) {
      for (const auto& invocation : run.invocations) add_source(side, invocation, file.source);
      side.runs.push_back(std::move(run));
      side.has_documents = true;
    }
  }
  for (auto& [board, of_board] : boards) side.runs.push_back(run_of(std::move(of_board)));
  std::sort(side.runs.begin(), side.runs.end(), [](const Run& a, const Run& b) { return a.id < b.id; });
  side.device_known = side.runs.front().device.model != kUnknownModel;
  side.summary = summary_of(side.runs, files.size());
  return side;
}

void refuse_shared_invocations(const FileSide& base, const FileSide& candidate) {
  const std::string* of_base = nullptr;
  const std::string* of_candidate = nullptr;
  for (const auto& [print, source] : base.sources) {
    const auto shared = candidate.sources.find(print);
    if (shared == candidate.sources.end() || (of_base != nullptr && !natural_less(source, *of_base)))
      continue;
    of_base = &source;
    of_candidate = &shared->second;
  }
  if (of_base == nullptr) return;
  const std::string what = *of_base == *of_candidate
                               ? in_quotes(*of_base) + " is on both sides"
                               : "the base's " + in_quotes(*of_base) + " and the candidate's " +
                                     in_quotes(*of_candidate) + " hold one and the same invocation";
  throw Error(ExitCode::kUsage, what,
              "what is compared with itself shows no change, whatever the code: measure each side");
}

bool measured_in_turn(const FileSide& base, const FileSide& candidate) {
  if (base.has_documents || candidate.has_documents) return false;
  return base.runs.size() == 1 && candidate.runs.size() == 1 &&
         measured_in_turn(base.runs.front(), candidate.runs.front());
}

bool measured_in_turn(const Run& of_base, const Run& of_candidate) {
  if (!machines_apart(of_base.host, of_candidate.host).empty()) return false;
  const std::string board = board_name(of_base.device, of_base.host);
  if (board.empty() || board != board_name(of_candidate.device, of_candidate.host)) return false;
  const auto base_starts = starts_of(of_base);
  const auto candidate_starts = starts_of(of_candidate);
  // Two builds of one binary may have two names.
  if (base_starts.size() == 1 && candidate_starts.size() == 1)
    return alternate(base_starts.begin()->second, candidate_starts.begin()->second);
  bool any = false;
  for (const auto& [binary, starts] : base_starts) {
    const auto found = candidate_starts.find(binary);
    if (found == candidate_starts.end()) continue;
    if (!alternate(starts, found->second)) return false;
    any = true;
  }
  return any;
}

std::optional<FirstInPairs> always_first(const FileSide& base, const FileSide& candidate) {
  int of_base = 0;
  int of_candidate = 0;
  const auto base_starts = starts_of(base.runs.front());
  const auto candidate_starts = starts_of(candidate.runs.front());
  const bool one_binary = base_starts.size() == 1 && candidate_starts.size() == 1;
  for (const auto& [binary, starts] : base_starts) {
    const auto found = one_binary ? candidate_starts.begin() : candidate_starts.find(binary);
    if (found == candidate_starts.end()) continue;
    const std::size_t pairs = std::min(starts.size(), found->second.size());
    for (std::size_t i = 0; i < pairs; ++i) {
      if (starts[i].empty() || found->second[i].empty()) continue;
      of_base += starts[i] < found->second[i] ? 1 : 0;
      of_candidate += found->second[i] < starts[i] ? 1 : 0;
    }
  }
  constexpr int kPairsMin = 3;
  if (of_base >= kPairsMin && of_candidate == 0) return FirstInPairs::kBase;
  if (of_candidate >= kPairsMin && of_base == 0) return FirstInPairs::kCandidate;
  return {};
}

namespace {

// What each sample of a run has, one by one: beside those of other runs it need not be the same for all.
void put_counters_into_samples(Run& run) {
  for (auto& benchmark : run.benchmarks) {
    for (auto& invocation : run.invocations)
      if (const auto found = invocation.samples.find(benchmark.name); found != invocation.samples.end())
        for (const auto& [counter, value] : benchmark.counters)
          found->second.counters[counter].assign(found->second.real_time_ns.size(), value);
    benchmark.counters.clear();
  }
}

}  // namespace

void join_hosts(FileSide& side) {
  const bool names_boards = std::any_of(side.runs.begin(), side.runs.end(),
                                        [](const Run& run) { return run.device.uuid.has_value(); });
  if (side.has_documents || names_boards || side.runs.size() < 2) return;
  Run joined = std::move(side.runs.front());
  for (std::size_t i = 1; i < side.runs.size(); ++i) add_run(joined, std::move(side.runs[i]));
  std::stable_sort(joined.invocations.begin(), joined.invocations.end(),
                   [](const Invocation& a, const Invocation& b) { return a.started_at < b.started_at; });
  side.runs.clear();
  side.runs.push_back(std::move(joined));
}

void add_run(Run& run, Run other) {
  put_counters_into_samples(run);
  put_counters_into_samples(other);
  std::set<std::string> known;
  for (const auto& benchmark : run.benchmarks) known.insert(benchmark.name);
  for (auto& benchmark : other.benchmarks)
    if (known.insert(benchmark.name).second) run.benchmarks.push_back(std::move(benchmark));
  for (auto& invocation : other.invocations) run.invocations.push_back(std::move(invocation));
  index_benchmarks(run);
}

void put_in_one_job(FileSide& base, FileSide& candidate) {
  put_in_one_job(base.runs.front(), candidate.runs.front());
}

void put_in_one_job(Run& base, Run& candidate) {
  candidate.job = base.job;
  for (auto* run : {&base, &candidate}) {
    std::map<std::string, int> rounds;
    for (auto& invocation : run->invocations) {
      const int place = ++rounds[invocation.binary];
      if (invocation.round == 0) invocation.round = place;
    }
  }
}

}  // namespace tracker::formats
