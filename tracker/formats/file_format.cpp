#include "tracker/formats/file_format.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

BenchmarkFile parse_google(const std::string& text, const std::filesystem::path& path) {
  return parse_google_benchmark(text, path.string());
}

template <BenchmarkFile (*parse)(const std::string&, const std::filesystem::path&)>
Executions one(const std::string& text, const std::filesystem::path& path) {
  Executions executions;
  executions.push_back(parse(text, path));
  return executions;
}

// The first key of an object; empty where the text is none.
std::string_view first_key(std::string_view text) {
  for (const char expected : {'{', '"'}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.empty() || text.front() != expected) return {};
    text.remove_prefix(1);
  }
  return text.substr(0, text.find('"'));
}

// None where it is no JSON object.
std::vector<std::string> top_keys(std::string_view text) {
  std::vector<std::string> keys;
  try {
    const auto document = parse_json(text, "", EqualKeys::kFirstCounts);
    if (document.is_object())
      for (auto item = document.begin(); item != document.end(); ++item) keys.push_back(item.key());
  } catch (const Error&) {
    keys.clear();
  }
  return keys;
}

bool has_mark(const FileFormat& format, std::string_view text) {
  return format.mark.empty() || text.find(format.mark) != std::string_view::npos;
}

namespace fs = std::filesystem;

// The schema of a document of ours, which is always its first field; empty for others.
std::string_view schema_of(std::string_view text) {
  for (const std::string_view token : {"{", "\"schema\"", ":", "\""}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(token)) return {};
    text.remove_prefix(token.size());
  }
  return text.substr(0, text.find('"'));
}

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

const std::vector<FileFormat>& file_formats() {
  static const std::vector<FileFormat> formats{
      {"Google Benchmark's JSON", {"context", "benchmarks"}, "", one<parse_google>},
      {"nvbench's JSON", {"meta", "devices", "benchmarks"}, "", parse_nvbench},
      {"pytest-benchmark's JSON", {"machine_info", "benchmarks"}, "", one<parse_pytest_benchmark>},
      {"nanobench's JSON", {"results"}, "\"median(elapsed)\"", one<parse_nanobench>},
      {"hyperfine's JSON", {"results"}, "", one<parse_hyperfine>},
      {"primbench's JSON", {}, "", one<parse_primbench>, is_primbench},
      {"rows of CSV", {}, "", parse_csv, is_csv},
      {"JSON lines", {}, "", parse_json_lines, is_json_lines},
      {"github-action-benchmark's results", {}, "", parse_benches, is_benches},
      {"github-action-benchmark's data.js", {}, "", parse_benches_history, is_benches_history}};
  return formats;
}

const FileFormat& format_of(std::string_view text) {
  const auto& formats = file_formats();
  for (const auto& format : formats)
    if (format.is_one != nullptr && format.is_one(text)) return format;
  const std::string_view first = first_key(text);
  for (const auto& format : formats)
    if (format.is_one == nullptr && first == format.keys.front() && has_mark(format, text)) return format;
  if (first.empty()) {  // what a program printed around its rows is in its way to no reader of them
    const std::string rows = rows_in(text);
    const auto of_rows = std::ranges::find_if(formats, [&](const FileFormat& format) {
      return !rows.empty() && format.is_one != nullptr && format.is_one(rows);
    });
    return of_rows == formats.end() ? formats.front() : *of_rows;
  }
  // Another tool may have sorted the keys.
  const auto keys = top_keys(text);
  for (const auto& format : formats)
    if (format.is_one == nullptr && has_mark(format, text) &&
        std::ranges::all_of(format.keys, [&](auto key) { return std::ranges::count(keys, key) > 0; }))
      return format;
  return formats.front();
}

Executions parse_results(const std::string& text, const std::filesystem::path& path) {
  const std::string_view json = json_of_file(text, path.string());
  if (json.size() == text.size()) return format_of(text).parse(text, path);
  return format_of(json).parse(std::string(json), path);
}

std::uint32_t fnv1a(std::uint32_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

MeasuredFile read_measured_file(const fs::path& path, std::uint32_t* content_hash) {
  MeasuredFile file;
  file.source = path.string();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (content_hash != nullptr) *content_hash = fnv1a(*content_hash, criterion_text(path));
    file.invocations.push_back(read_criterion(path));
    return file;
  }
  const std::string text = read_file(path, kBenchmarkFileBytesMax);
  const std::string_view schema = schema_of(text);
  if (schema.starts_with("tracker.baseline/")) {
    Baseline baseline = read_baseline(text, file.source);
    file.runs = std::move(baseline.runs);
    file.noise = std::move(baseline.noise);
  } else if (schema.starts_with("tracker.")) {
    file.runs.push_back(read_run(text, file.source));
  } else {
    if (content_hash != nullptr) *content_hash = fnv1a(*content_hash, text);
    file.invocations = parse_results(text, path);
  }
  return file;
}

bool is_result_file(const fs::path& path) {
  constexpr std::string_view kEndings[] = {".json", ".csv", ".ndjson", ".jsonl"};
  return std::ranges::count(kEndings, path.extension().string()) > 0;
}

std::vector<fs::path> measured_files_at(const fs::path& path) {
  const std::string name = in_quotes(path.string());
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    throw Error(ExitCode::kUsage, "no file or folder " + name,
                "name a file or folder of results, or a revision");
  if (!fs::is_directory(status)) return {path};
  std::vector<fs::path> files;
  bool has_folders = false;
  for (const auto& entry : fs::directory_iterator(path, failure)) {
    std::error_code ignored;
    if (entry.is_directory(ignored))
      has_folders = true;
    else if (is_result_file(entry.path()))
      files.push_back(entry.path());
  }
  if (failure) throw Error(ExitCode::kUsage, "cannot list " + name + ": " + failure.message());
  if (files.empty() && has_folders)
    if (auto folders = criterion_folders(path); !folders.empty()) return folders;
  if (files.empty())
    throw Error(ExitCode::kUsage, "the folder " + name + " has no result file (*.json, *.csv, *.ndjson)",
                has_folders
                    ? "folders in it are not looked into: name one of them"
                    : "fill it with --benchmark_out=FILE.json --benchmark_out_format=json, one file an "
                      "execution");
  std::ranges::sort(files, natural_less, [](const fs::path& file) { return file.filename().string(); });
  return files;
}

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
  return std::ranges::none_of(invocation.samples, [](const auto& one) {
    return std::ranges::any_of(one.second.real_time_ns, has_many_digits) ||
           std::ranges::any_of(one.second.cpu_time_ns, has_many_digits);
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
  std::vector<std::pair<std::string, std::string>> places;  // each device's key, and its file
  for (const auto& file : files) {
    for (const auto& one : file.invocations) places.emplace_back(device_key(*one.device), file.source);
    for (const auto& run : file.runs) places.emplace_back(device_key(run.device), file.source);
  }
  for (const auto& [key, source] : places)
    if (key != places.front().first)
      throw Error(ExitCode::kUsage,
                  "the files are of different devices: " + in_quotes(places.front().second) + " of " +
                      places.front().first + ", " + in_quotes(source) + " of " + key,
                  "put each device's files into a folder of their own");
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
  std::ranges::stable_sort(files, {}, [](const BenchmarkFile& file) { return file.invocation.started_at; });
  std::uint64_t hash = 0;
  for (const auto& file : files) hash = std::rotl(hash, 1) ^ fingerprint(file.invocation);
  const auto start = parse_time(files.front().invocation.started_at);
  const std::string id = run_id_of(start.value_or(std::chrono::system_clock::time_point{}),
                                   static_cast<std::uint32_t>(hash ^ (hash >> 32)));
  return std::move(assemble_runs(std::move(files), {.id = id, .job = id}).front());
}

using Starts = std::vector<std::string>;

// Of each binary that both have, the starts of its invocations in order. Two builds of one binary may have
// two names.
std::vector<std::pair<Starts, Starts>> starts_of_both(const Run& base, const Run& candidate) {
  const auto starts_of = [](const Run& run) {
    std::map<std::string, Starts> starts;
    for (const auto& invocation : run.invocations) starts[invocation.binary].push_back(invocation.started_at);
    return starts;
  };
  const auto of_base = starts_of(base);
  const auto of_candidate = starts_of(candidate);
  const bool one_binary = of_base.size() == 1 && of_candidate.size() == 1;
  std::vector<std::pair<Starts, Starts>> both;
  for (const auto& [binary, starts] : of_base) {
    const auto found = one_binary ? of_candidate.begin() : of_candidate.find(binary);
    if (found != of_candidate.end()) both.emplace_back(starts, found->second);
  }
  return both;
}

// Whole seconds cannot tell the order of what started in the same one: only pairs apart are proof.
bool alternate(const std::pair<Starts, Starts>& starts) {
  const auto& [a, b] = starts;
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
  const auto paths = measured_files_at(path);
  constexpr std::size_t kReadersMax = 8;
  std::vector<MeasuredFile> files(paths.size());
  for_each_in_parallel(
      paths.size(), [&](std::size_t i) { files[i] = read_measured_file(paths[i]); }, kReadersMax);
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
  std::ranges::sort(side.runs, {}, &Run::id);
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
  const auto starts = starts_of_both(of_base, of_candidate);
  return !starts.empty() && std::ranges::all_of(starts, alternate);
}

std::optional<FirstInPairs> always_first(const FileSide& base, const FileSide& candidate) {
  int of_base = 0;
  int of_candidate = 0;
  for (const auto& [starts, others] : starts_of_both(base.runs.front(), candidate.runs.front()))
    for (std::size_t i = 0; i < std::min(starts.size(), others.size()); ++i) {
      if (starts[i].empty() || others[i].empty()) continue;
      of_base += starts[i] < others[i] ? 1 : 0;
      of_candidate += others[i] < starts[i] ? 1 : 0;
    }
  constexpr int kPairsMin = 3;
  if (of_base >= kPairsMin && of_candidate == 0) return FirstInPairs::kBase;
  if (of_candidate >= kPairsMin && of_base == 0) return FirstInPairs::kCandidate;
  return {};
}

void join_hosts(FileSide& side) {
  const bool names_boards =
      std::ranges::any_of(side.runs, [](const Run& run) { return run.device.uuid.has_value(); });
  if (side.has_documents || names_boards || side.runs.size() < 2) return;
  Run joined = std::move(side.runs.front());
  for (std::size_t i = 1; i < side.runs.size(); ++i) add_run(joined, std::move(side.runs[i]));
  std::ranges::stable_sort(joined.invocations, {}, &Invocation::started_at);
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
