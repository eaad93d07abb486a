// A repository with a store whose runs are read from documents and from summaries.
#pragma once

#include <bit>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/history.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::history {

using testing_support::git;
using testing_support::ScratchFolder;

inline constexpr const char* kDevice = "nvidia-h200-140gib-700w";

// Three benchmarks, of which the last has as many repetitions as `repetitions` says, and counters that vary.
inline tracker::Run run_of(const std::string& commit, int number, std::size_t repetitions = 3) {
  std::mt19937 random(static_cast<unsigned>(number));
  std::normal_distribution<double> noise(1, 0.01);
  tracker::Run run;
  run.id = "20261120T" + std::to_string(100000 + number) + "Z-0000000a";
  run.job = run.id;
  run.commit = commit;
  run.started_at = "2026-11-20T12:49:01Z";
  run.device = {DeviceKind::kGpu, "NVIDIA H200", "GPU-5f1c", "9.0", {},   150754820096,
                62914560,         132,           false,      700,   3201, 1980,
                4.9e12,           6.6e13};
  run.software.driver = "580." + std::to_string(number / 3);
  run.host = {"vm", "Xeon", 16, "Debian 12"};
  const std::vector<std::string> names{"copy/b/8", "copy/a/8", "gemm/c/16"};
  for (const auto& name : names) {
    Benchmark benchmark;
    benchmark.name = name;
    benchmark.binary = "bench";
    benchmark.time_base = TimeBase::kManual;
    benchmark.bytes_per_iteration = 1e6;
    benchmark.attributes = {{"manual_time", ""}};
    benchmark.counters = {{"registers", 32.0 + number % 4}};
    benchmark.code = Code{.hash = "abc" + std::to_string(number / 5),
                          .bytes = 12,
                          .launches = {{"copy_kernel", "1x1", "32x1", "", 0}},
                          .instructions = {{"LDG", 4}}};
    run.benchmarks.push_back(benchmark);
  }
  for (int round = 1; round <= 4; ++round) {
    Invocation invocation;
    invocation.binary = "bench";
    invocation.started_at = run.started_at;
    invocation.length_s = noise(random);
    invocation.round = round;
    if (round == 1) invocation.excluded = {ExclusionReason::kWarmUp, ""};
    invocation.conditions.core_clock_mhz_min = 1980;
    invocation.conditions.load_average = noise(random);
    if (round == 4) invocation.conditions.throttle_reasons = {"power_cap"};
    for (const auto& name : names) {
      Samples& samples = invocation.samples[name];
      for (std::size_t i = 0; i < (name == names.back() ? repetitions : 3); ++i) {
        samples.real_time_ns.push_back(10000 * noise(random));
        samples.cpu_time_ns.push_back(12000 * noise(random));
        samples.iterations.push_back(10);
        samples.counters["share"].push_back(noise(random));
        samples.counters["gaps"].push_back(i == 0 ? std::nan("") : noise(random));
      }
    }
    if (round == 2) invocation.samples.erase("copy/a/8");
    run.invocations.push_back(invocation);
  }
  return run;
}

class RunSourceTest : public testing::Test {
 protected:
  RunSourceTest() {
    git(root(), {"init", "-q", "-b", "main"});
    repository.emplace(repo::Repository::open(root()));
    store = store::open_git(*repository, "refs/tracker/v1");
    store->on_left_out([this](const store::LeftOut& document) { left_out.push_back(document.key.id); });
  }

  std::filesystem::path root() const { return folder.path(); }
  std::filesystem::path summaries() const { return root() / "summaries"; }
  std::string commit(const std::string& subject) const {
    git(root(), {"commit", "-q", "--allow-empty", "-m", subject});
    return git(root(), {"rev-parse", "HEAD"});
  }
  static store::Key key_of(const tracker::Run& run) { return {kDevice, run.commit, run.id}; }
  void record(const std::vector<tracker::Run>& runs) {
    std::vector<std::pair<store::Key, std::string>> documents;
    for (const auto& run : runs) documents.emplace_back(key_of(run), formats::write_run(run));
    store->add(documents);
  }
  // A run of each of so many commits.
  void record_line(int count, std::size_t repetitions = 3) {
    std::vector<tracker::Run> runs;
    for (int i = 0; i < count; ++i) runs.push_back(run_of(commit("c"), i, repetitions));
    record(runs);
  }

  std::unique_ptr<summary::RunSummaries> open() {
    return open_summaries(*store, summaries(), {},
                          [this](const std::string& text) { notes.push_back(text); });
  }
  std::filesystem::path file() const { return file_of(summaries()); }
  static std::filesystem::path file_of(const std::filesystem::path& summaries) {
    for (const auto& entry : std::filesystem::directory_iterator(summaries))
      if (entry.path().extension() == ".sqlite") return entry.path();
    return {};
  }

  // All that consumers may see of a run, in words.
  static std::string words_of(tracker::Run run) {
    std::string words;
    const auto number = [&](double value) {
      words += std::to_string(std::bit_cast<std::uint64_t>(value)) + " ";
    };
    for (const auto& benchmark : run.benchmarks)
      for (const char* name :
           {"real_time", "cpu_time", "bytes_per_second", "flops", "share", "gaps", "registers"})
        for (const auto statistic : {Statistic::kMedian, Statistic::kFastest})
          for (const auto better : {Better::kLower, Better::kHigher}) {
            Metric metric = find_metric(name);
            metric.statistic = statistic;
            if (metric.unit.empty()) metric.better = better;
            words += benchmark.name + " " + name + ": ";
            for (const auto& [round, value, build] : metric_rounds(metric, benchmark, run)) {
              words += std::to_string(round) + "=";
              number(value);
            }
          }
    for (auto& invocation : run.invocations) {
      for (const auto& [name, samples] : invocation.samples)
        words += name + " × " + std::to_string(repetition_count(samples)) + "\n";
      invocation.samples.clear();
    }
    return words + formats::write_run(run);
  }
  // What noise is learned from, in words: of each run, by benchmark and metric.
  static std::vector<std::map<std::string, std::string>> rounds_of(const NoiseHistory& history,
                                                                   const std::vector<std::string>& metrics) {
    std::vector<std::map<std::string, std::string>> words(history.runs.size());
    const auto add = [&](std::size_t run, const Benchmark& benchmark, const auto& rounds_by) {
      for (const auto& name : metrics)
        for (const auto statistic : {Statistic::kMedian, Statistic::kFastest}) {
          Metric metric = find_metric(name);
          metric.statistic = statistic;
          auto& own =
              words[run][benchmark.name + " " + name + " " + std::to_string(static_cast<int>(statistic))];
          for (const auto& [round, value, build] : rounds_by(metric))
            own += " " + std::to_string(round) + "=" + std::to_string(std::bit_cast<std::uint64_t>(value));
        }
    };
    for (std::size_t i = 0; i < history.runs.size(); ++i)
      for (const auto& benchmark : history.runs[i].benchmarks)
        add(i, benchmark,
            [&](const Metric& metric) { return metric_rounds(metric, benchmark, history.runs[i]); });
    for (const auto& times : history.times)
      for (const auto& one : times.in_runs)
        add(one.run, times.benchmark, [&](const Metric& metric) {
          std::vector<RoundValue> rounds;
          if (const auto made_of = metric_times(metric, times.benchmark))
            append_rounds(metric, *made_of, times, one, history.runs[one.run], rounds);
          return rounds;
        });
    return words;
  }
  static std::vector<std::string> words_of(const std::vector<CommitRuns>& history) {
    std::vector<std::string> words;
    for (const auto& commit : history)
      for (const auto& run : commit.runs)
        words.push_back(commit.commit.id + " at " + std::to_string(commit.position) + " " + words_of(run));
    return words;
  }
  std::vector<std::string> line_of(const RunSource& source, const summary::WantedNames& wanted = {}) const {
    return words_of(load(*repository, source, kDevice, "HEAD", kWholeLine, wanted));
  }
  std::vector<std::string> recent_of(const RunSource& source, int count,
                                     const std::string& except = "") const {
    std::vector<std::string> words;
    for (const auto& run : recent_runs(source, kDevice, except, count)) words.push_back(words_of(run));
    return words;
  }
  void expect_same() {
    const auto own = open();
    EXPECT_EQ(line_of({*store, *own}), line_of(*store));
    EXPECT_EQ(recent_of({*store, *own}, 5), recent_of(*store, 5));
    EXPECT_EQ(devices_on_line(*repository, {*store, *own}, "HEAD", kWholeLine),
              devices_on_line(*repository, *store, "HEAD", kWholeLine));
  }

  ScratchFolder folder;
  std::optional<repo::Repository> repository;
  std::unique_ptr<store::Store> store;
  std::vector<std::string> left_out;
  std::vector<std::string> notes;
};

}  // namespace tracker::history
