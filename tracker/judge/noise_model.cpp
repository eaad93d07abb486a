#include "tracker/judge/noise_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// One benchmark's values of one run.
struct RunLogs {
  const Run* run = nullptr;
  std::vector<RoundValue> logs;  // logarithms, in the order of their rounds
};

using Job = std::vector<RunLogs>;

const std::string& job_name(const Run& run) {
  return run.job.empty() ? run.id : run.job;
}

// Another statistic of the repetitions has another noise.
std::string noise_name(const Metric& metric) {
  return metric.name + (metric.statistic == Statistic::kFastest ? ", fastest" : "");
}

std::vector<RoundValue> log_rounds(const Metric& metric, const Benchmark& benchmark, const Run& run) {
  std::vector<RoundValue> logs;
  for (const auto& [round, value] : metric_rounds(metric, benchmark, run))
    if (value > 0 && std::isfinite(value)) logs.push_back({round, std::log(value)});
  std::stable_sort(logs.begin(), logs.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
  return logs;
}

std::vector<double> values_of(const std::vector<RoundValue>& rounds) {
  std::vector<double> values;
  for (const auto& [round, value] : rounds) values.push_back(value);
  return values;
}

NoiseVariance invocation_noise(const std::vector<Job>& jobs) {
  std::vector<std::vector<double>> logs_by_run;
  for (const auto& job : jobs)
    for (const auto& one : job) logs_by_run.push_back(values_of(one.logs));
  const auto pooled = stats::side_noise(logs_by_run).per_invocation;
  return {pooled.value, pooled.degrees};
}

// Differences of n independent normal values in a row share their members: the sum of their squares has mean
// 2 (n − 1) σ² and variance 2 (6 n − 8) σ⁴, so it scatters as one of 2 · mean² / variance degrees does. Where
// neighbours correlate, differences share less, and there are a few more.
NoiseVariance neighbour_noise(const std::vector<Job>& jobs) {
  double squares = 0;
  double differences = 0;
  double mean = 0;
  double variance = 0;
  const auto end_row = [&](double n) {
    if (n < 2) return;
    mean += 2 * (n - 1);
    variance += 2 * (6 * n - 8);
  };
  for (const auto& job : jobs)
    for (const auto& [run, logs] : job) {
      double row = 1;  // values so far that follow one another
      for (std::size_t i = 1; i < logs.size(); ++i) {
        if (logs[i].round != logs[i - 1].round + 1) {
          end_row(row);
          row = 1;
          continue;
        }
        const double difference = logs[i].value - logs[i - 1].value;
        squares += difference * difference;
        differences += 1;
        row += 1;
      }
      end_row(row);
    }
  if (!(differences > 0)) return {};
  return {squares / differences, 2 * mean * mean / variance};
}

// The mean of each commit's values in a job.
std::map<std::string, double> means_by_commit(const Job& job) {
  std::map<std::string, std::vector<double>> logs;
  for (const auto& one : job)
    for (const auto& [round, value] : one.logs) logs[one.run->commit].push_back(value);
  std::map<std::string, double> means;
  for (const auto& [commit, values] : logs) means[commit] = stats::mean(values);
  return means;
}

double job_difference(const Job& before, const Job& after) {
  const auto was = means_by_commit(before);
  const auto is = means_by_commit(after);
  std::vector<double> shared;
  std::vector<double> all_before;
  std::vector<double> all_after;
  for (const auto& [commit, mean] : was) {
    all_before.push_back(mean);
    if (const auto found = is.find(commit); found != is.end()) shared.push_back(found->second - mean);
  }
  for (const auto& [commit, mean] : is) all_after.push_back(mean);
  return shared.empty() ? stats::mean(all_after) - stats::mean(all_before) : stats::mean(shared);
}

NoiseVariance job_noise_of(const std::vector<Job>& jobs, bool same_board) {
  std::vector<double> differences;
  for (std::size_t i = 1; i < jobs.size(); ++i)
    if (on_same_board(*jobs[i - 1].front().run, *jobs[i].front().run) == same_board)
      differences.push_back(job_difference(jobs[i - 1], jobs[i]));
  const auto variance = stats::job_variance_from_history(differences);
  return {variance.value, variance.degrees};
}

// The runs in the order of time.
std::vector<const Run*> in_order(const std::vector<Run>& history) {
  std::vector<const Run*> ordered;
  for (const auto& run : history) ordered.push_back(&run);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Run* a, const Run* b) { return a->id < b->id; });
  return ordered;
}

}  // namespace

std::string board_of(const Run& run) {
  return run.device.uuid.value_or(run.host.name);
}

bool on_same_board(const Run& a, const Run& b) {
  return board_of(a) == board_of(b) && !board_of(a).empty();
}

NoiseModel learn_noise(const std::map<std::string, Metric>& metrics, const std::vector<Run>& history) {
  std::map<std::string, std::vector<Job>> jobs;
  std::set<std::string> job_names;
  for (const Run* run : in_order(history)) {
    job_names.insert(job_name(*run));
    for (const auto& benchmark : run->benchmarks) {
      const auto metric = metrics.find(benchmark.name);
      if (metric == metrics.end() || benchmark.error) continue;
      auto logs = log_rounds(metric->second, benchmark, *run);
      if (logs.empty()) continue;
      auto& all = jobs[benchmark.name];
      const auto same = std::find_if(all.begin(), all.end(), [&](const Job& job) {
        return job_name(*job.front().run) == job_name(*run);
      });
      Job& job = same != all.end() ? *same : all.emplace_back();
      job.push_back({run, std::move(logs)});
    }
  }
  NoiseModel model;
  model.jobs = static_cast<int>(job_names.size());
  for (const auto& [name, metric] : metrics) {
    const auto& measured = jobs[name];
    model.benchmarks[name] = {invocation_noise(measured), neighbour_noise(measured),
                              job_noise_of(measured, true), job_noise_of(measured, false),
                              noise_name(metric)};
  }
  return model;
}

NoiseModel known_noise(const std::map<std::string, Metric>& metrics, const std::vector<Run>& history,
                       const std::optional<NoiseModel>& stored) {
  NoiseModel known = learn_noise(metrics, history);
  if (!stored) return known;
  for (auto& [name, noise] : known.benchmarks) {
    const auto before = stored->benchmarks.find(name);
    if (before == stored->benchmarks.end() || before->second.metric != noise.metric) continue;
    for (const auto level : {&BenchmarkNoise::invocation, &BenchmarkNoise::neighbours,
                             &BenchmarkNoise::same_board, &BenchmarkNoise::other_board})
      if (!((noise.*level).degrees > 0)) noise.*level = before->second.*level;
  }
  return known;
}

}  // namespace tracker
