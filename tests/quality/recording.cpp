#include "tests/quality/recording.hpp"

#include <algorithm>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::quality {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_entries(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(directory, error)) entries.push_back(entry.path());
  if (error)
    throw Error(ExitCode::kUsage, "'" + directory.string() + "' cannot be read: " + error.message(),
                "name a folder of jobs: DIR/job1/r01-inject0.json");
  std::sort(entries.begin(), entries.end());
  return entries;
}

// "inject0.05" of "r03-inject0.05.json".
std::string code_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto dash = stem.find("-inject");
  const bool has_round = dash != std::string::npos && dash > 1 && stem.front() == 'r' &&
                         stem.find_first_not_of("0123456789", 1) == dash;
  return has_round ? stem.substr(dash + 1) : "";
}

void complete_device(formats::BenchmarkFile& file, const std::string& job) {
  if (!file.device) {
    file.device = Device{};
    file.device->kind = DeviceKind::kGpu;
    file.device->model = "recorded";
  }
  if (!file.device->uuid) file.device->uuid = job;
}

// The k-th invocations of all binaries are a round, as they ran.
std::vector<std::vector<Invocation>> rounds_of(const std::vector<Invocation>& invocations) {
  std::map<std::string, std::vector<Invocation>> by_binary;
  for (const auto& invocation : invocations) by_binary[invocation.binary].push_back(invocation);
  std::size_t count = invocations.size();
  for (const auto& [binary, list] : by_binary) count = std::min(count, list.size());
  std::vector<std::vector<Invocation>> rounds(count);
  for (const auto& [binary, list] : by_binary)
    for (std::size_t i = 0; i < count; ++i) rounds[i].push_back(list[i]);
  return rounds;
}

RecordedJob make_job(const std::string& job, const std::string& code,
                     std::vector<formats::BenchmarkFile> files) {
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.invocation.started_at < b.invocation.started_at;
  });
  for (auto& file : files) complete_device(file, job);
  formats::RunFacts facts;
  facts.id = files.front().invocation.started_at + "-" + job;
  facts.job = job;
  std::vector<Run> runs = formats::assemble_runs(std::move(files), facts);
  if (runs.size() != 1)
    throw Error(ExitCode::kUsage, "job " + in_quotes(job) + " has files of several devices",
                "put the files of each device into a folder of their own");
  RecordedJob recorded{job, code, runs.front(), rounds_of(runs.front().invocations), {}};
  recorded.run.invocations.clear();
  for (const auto& benchmark : recorded.run.benchmarks)
    if (const auto medians = medians_ns(recorded, benchmark.name); !medians.empty())
      recorded.typical_ns[benchmark.name] = stats::median(medians);
  return recorded;
}

std::set<std::string> names_of(const RecordedJob& job) {
  std::set<std::string> names;
  for (const auto& [name, time_ns] : job.typical_ns) names.insert(name);
  return names;
}

}  // namespace

Recording read_recording(const fs::path& directory) {
  Recording recording;
  recording.name = (directory / "").parent_path().filename().string();
  for (const auto& folder : sorted_entries(directory)) {
    if (!fs::is_directory(folder)) continue;
    std::map<std::string, std::vector<formats::BenchmarkFile>> by_code;
    for (const auto& file : sorted_entries(folder))
      if (file.extension() == ".json") by_code[code_of(file)].push_back(formats::read_google_benchmark(file));
    for (auto& [code, files] : by_code)
      recording.jobs.push_back(make_job(folder.filename().string(), code, std::move(files)));
  }
  if (recording.jobs.empty())
    throw Error(ExitCode::kUsage, "'" + directory.string() + "' has no folders with Google Benchmark JSON",
                "a recording is a folder of jobs: DIR/job1/r01-inject0.json");
  return recording;
}

bool same_code(const RecordedJob& a, const RecordedJob& b) {
  return a.code == b.code && a.run.device.kind == b.run.device.kind && names_of(a) == names_of(b);
}

std::vector<double> medians_ns(const RecordedJob& job, const std::string& benchmark) {
  std::vector<double> medians;
  for (const auto& round : job.rounds)
    for (const auto& invocation : round)
      if (const auto found = invocation.samples.find(benchmark); found != invocation.samples.end())
        medians.push_back(stats::median(found->second.real_time_ns));
  return medians;
}

}  // namespace tracker::quality
