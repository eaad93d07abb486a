#include "tracker/judge/noise/noise_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/stats/outliers.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// A run, with what is compared of it over and over as places in lists.
struct LearnedRun {
  const Run* run = nullptr;
  std::size_t job = 0;     // in the order of time
  std::size_t commit = 0;  // in the order of their names
  std::size_t board = 0;   // likewise; 0: it has no name
  // Of each benchmark, in each invocation; null where it has none there.
  std::vector<const Samples*> samples;

  std::span<const Samples* const> samples_of(std::size_t benchmark) const {
    return std::span(samples).subspan(benchmark * run->invocations.size(), run->invocations.size());
  }
};

// One benchmark's values of one run.
struct RunLogs {
  const LearnedRun* run = nullptr;
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

// Null where its samples lie with the invocations.
const KeptTimes* kept_times_of(const Run& run, std::size_t benchmark) {
  return benchmark < run.kept.size() && !run.kept[benchmark].sampled.empty() ? &run.kept[benchmark] : nullptr;
}

std::vector<RoundValue> log_rounds(const Metric& metric, const LearnedRun& run, std::size_t benchmark) {
  std::vector<RoundValue> logs;
  const Benchmark& own = run.run->benchmarks[benchmark];
  const KeptTimes* const kept = kept_times_of(*run.run, benchmark);
  // Other builds differ by more than the machine's noise.
  for (const auto& [round, value, build] :
       kept != nullptr ? metric_rounds(metric, own, *run.run, *kept)
                       : metric_rounds(metric, own, *run.run, run.samples_of(benchmark)))
    if (value > 0 && std::isfinite(value) && build <= 1) logs.push_back({round, std::log(value)});
  std::stable_sort(logs.begin(), logs.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
  return logs;
}

std::vector<double> values_of(const std::vector<RoundValue>& rounds) {
  std::vector<double> values;
  for (const auto& [round, value, build] : rounds) values.push_back(value);
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

// One invocation that something held up is no slow day.
double mean_without_outliers(const std::vector<double>& values) {
  const auto outliers = stats::find_outliers(values);
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::binary_search(outliers.begin(), outliers.end(), i)) rest.push_back(values[i]);
  return stats::mean(rest);
}

// The mean of each commit's values in a job, in the order of the commits' names.
using CommitMeans = std::vector<std::pair<std::size_t, double>>;

CommitMeans means_by_commit(const Job& job) {
  std::map<std::size_t, std::vector<double>> logs;
  for (const auto& one : job)
    for (const auto& [round, value, build] : one.logs) logs[one.run->commit].push_back(value);
  CommitMeans means;
  for (const auto& [commit, values] : logs) means.emplace_back(commit, mean_without_outliers(values));
  return means;
}

double job_difference(const CommitMeans& before, const CommitMeans& after) {
  std::vector<double> shared;
  std::vector<double> all_before;
  std::vector<double> all_after;
  for (const auto& [commit, mean] : before) {
    all_before.push_back(mean);
    const auto found = std::find_if(after.begin(), after.end(),
                                    [own = commit](const auto& other) { return other.first == own; });
    if (found != after.end()) shared.push_back(found->second - mean);
  }
  for (const auto& [commit, mean] : after) all_after.push_back(mean);
  return shared.empty() ? stats::mean(all_after) - stats::mean(all_before) : stats::mean(shared);
}

// A benchmark's jobs as one series: each lies beside the one before it as job_difference() says.
std::vector<double> series_of(const std::vector<Job>& jobs) {
  std::vector<double> series;
  CommitMeans before;
  for (const auto& job : jobs) {
    auto means = means_by_commit(job);
    series.push_back(series.empty() ? 0 : series.back() + job_difference(before, means));
    before = std::move(means);
  }
  return series;
}

std::size_t board_in(const Job& job) {
  return job.front().run->board;
}

bool are_on_same_board(const Job& a, const Job& b) {
  return board_in(a) == board_in(b) && board_in(a) > 0;
}

// Of each job with the next one at this distance that is `lag` jobs later, or up to half as many more.
std::vector<double> differences_at(const std::vector<Job>& jobs, const std::vector<double>& series,
                                   bool same_board, std::size_t lag) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    for (std::size_t j = i + lag; j < jobs.size() && j <= i + lag + lag / 2; ++j)
      if (are_on_same_board(jobs[i], jobs[j]) == same_board) {
        differences.push_back(series[j] - series[i]);
        break;
      }
  return differences;
}

// What slow days, or boards unlike the others, make of one job. Days of one board are compared with that
// board's.
double lone_variance_of(const std::vector<Job>& jobs, const std::vector<double>& series, bool same_board) {
  if (!same_board) return stats::lone_variance(series);
  std::map<std::size_t, std::vector<double>> by_board;
  for (std::size_t i = 0; i < jobs.size(); ++i) by_board[board_in(jobs[i])].push_back(series[i]);
  double squares = 0;
  double count = 0;
  for (const auto& [board, values] : by_board) {
    if (values.size() < 3) continue;
    squares += stats::lone_variance(values) * static_cast<double>(values.size());
    count += static_cast<double>(values.size());
  }
  return count > 0 ? squares / count : 0;
}

// What jobs that lie `lag` apart differ by more than neighbours do: a walk goes as far as the time it has. It
// is seen over a quarter of the history at most, and taken to go on like that.
stats::Variance drift_over(const std::vector<Job>& jobs, const std::vector<double>& series, bool same_board,
                           std::size_t lag, double of_neighbours) {
  const std::size_t seen = std::min(lag, jobs.size() / 4);
  if (seen < 2) return {};
  const auto differences = differences_at(jobs, series, same_board, seen);
  const auto far = stats::job_variance_from_history(differences);
  const double more = far.value - of_neighbours;
  if (!(far.degrees > 0) || !(more > 0)) return {};
  const double times = static_cast<double>(lag - 1) / static_cast<double>(seen - 1);
  // Differences over `seen` jobs overlap.
  return {more * times, std::max(1.0, 1.5 * far.degrees / static_cast<double>(seen))};
}

NoiseVariance job_noise_of(const std::vector<Job>& jobs, const std::vector<double>& series, bool same_board,
                           int lag) {
  const auto near = stats::job_variance_from_history(differences_at(jobs, series, same_board, 1));
  if (!(near.degrees > 0)) return {};
  const double own = std::max(near.value, lone_variance_of(jobs, series, same_board));
  const auto drift =
      drift_over(jobs, series, same_board, static_cast<std::size_t>(std::max(lag, 1)), near.value);
  const double total = own + drift.value;
  if (!(drift.value > 0)) return {own, near.degrees};
  return {total, total * total / (own * own / near.degrees + drift.value * drift.value / drift.degrees)};
}

// The runs in the order of time.
std::vector<const Run*> in_order(const std::vector<Run>& history) {
  std::vector<const Run*> ordered;
  for (const auto& run : history) ordered.push_back(&run);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Run* a, const Run* b) { return a->id < b->id; });
  return ordered;
}

// Both lists are in the order of names, so that one walk finds all.
void find_samples(LearnedRun& learned) {
  const Run& run = *learned.run;
  const std::size_t invocations = run.invocations.size();
  learned.samples.assign(run.benchmarks.size() * invocations, nullptr);
  const bool has_index = run.by_name.size() == run.benchmarks.size();
  for (std::size_t i = 0; i < invocations; ++i) {
    const auto& samples = run.invocations[i].samples;
    auto next = samples.begin();
    for (std::size_t k = 0; k < run.benchmarks.size(); ++k) {
      const std::size_t place = has_index ? run.by_name[k] : k;
      const std::string& name = run.benchmarks[place].name;
      int order = 1;
      if (!has_index) next = samples.find(name);
      for (; next != samples.end() && (order = next->first.compare(name)) < 0;) ++next;
      if (next != samples.end() && order == 0) learned.samples[place * invocations + i] = &next->second;
    }
  }
}

std::size_t rank_in(const std::set<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::distance(names.begin(), names.find(name)));
}

std::vector<LearnedRun> learned_runs(const std::vector<Run>& history) {
  std::vector<LearnedRun> runs;
  std::set<std::string> commits;
  std::set<std::string> boards{""};
  std::map<std::string, std::size_t> jobs;
  for (const Run* run : in_order(history)) {
    commits.insert(run->commit);
    boards.insert(board_of(*run));
    runs.emplace_back().run = run;
    runs.back().job = jobs.try_emplace(job_name(*run), jobs.size()).first->second;
  }
  constexpr std::size_t kRunsLeast = 4;  // fewer are no work for another core
  in_parts(runs.size(), kRunsLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      runs[i].commit = rank_in(commits, runs[i].run->commit);
      runs[i].board = rank_in(boards, board_of(*runs[i].run));
      find_samples(runs[i]);
    }
  });
  return runs;
}

// Where a benchmark was measured.
struct MeasuredIn {
  const LearnedRun* run = nullptr;
  std::size_t benchmark = 0;
};

// Its values, those of one job together, in the order in which the jobs began to have some.
std::vector<Job> jobs_of(const Metric& metric, const std::vector<MeasuredIn>& measured) {
  std::vector<Job> jobs;
  std::unordered_map<std::size_t, std::size_t> places;
  for (const auto& [run, benchmark] : measured) {
    auto logs = log_rounds(metric, *run, benchmark);
    if (logs.empty()) continue;
    const auto [place, is_new] = places.try_emplace(run->job, jobs.size());
    if (is_new) jobs.emplace_back();
    jobs[place->second].push_back({run, std::move(logs)});
  }
  return jobs;
}

}  // namespace

std::string board_of(const Run& run) {
  return run.device.uuid.value_or(run.host.name);
}

bool on_same_board(const Run& a, const Run& b) {
  return board_of(a) == board_of(b) && !board_of(a).empty();
}

NoiseModel learn_noise(const std::map<std::string, Metric>& metrics, const std::vector<Run>& history,
                       int lag) {
  const auto runs = learned_runs(history);
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<std::pair<const Metric*, BenchmarkNoise*>> all;
  NoiseModel model;
  for (const auto& run : runs) model.jobs = std::max(model.jobs, static_cast<int>(run.job) + 1);
  for (const auto& [name, metric] : metrics) {
    places.emplace(name, all.size());
    all.emplace_back(&metric, &model.benchmarks[name]);
  }
  std::vector<std::vector<MeasuredIn>> measured(all.size());
  for (const auto& run : runs)
    for (std::size_t i = 0; i < run.run->benchmarks.size(); ++i) {
      const auto place = places.find(run.run->benchmarks[i].name);
      if (place != places.end() && !run.run->benchmarks[i].error)
        measured[place->second].push_back({&run, i});
    }
  constexpr std::size_t kBenchmarksLeast = 32;
  in_parts(all.size(), kBenchmarksLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto& [metric, noise] = all[i];
      const auto jobs = jobs_of(*metric, measured[i]);
      const auto series = series_of(jobs);
      *noise = {invocation_noise(jobs), neighbour_noise(jobs), job_noise_of(jobs, series, true, lag),
                job_noise_of(jobs, series, false, lag), noise_name(*metric)};
    }
  });
  return model;
}

NoiseModel known_noise(const std::map<std::string, Metric>& metrics, const std::vector<Run>& history,
                       const std::optional<NoiseModel>& stored, int lag) {
  NoiseModel known = learn_noise(metrics, history, lag);
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
