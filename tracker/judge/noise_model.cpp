#include "tracker/judge/noise_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
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
  std::size_t job = 0;           // counted in the order in which jobs began to have values
  std::span<const int> rounds;   // in order
  std::span<const double> logs;  // logarithms
};

using Job = std::span<const RunLogs>;

// Another statistic of the repetitions has another noise.
std::string noise_name(const Metric& metric) {
  if (metric.statistic == Statistic::kMedian) return metric.name;
  return metric.name + ", " + row_of(metric.statistic).name;
}

NoiseVariance invocation_noise(const std::vector<Job>& jobs) {
  stats::PooledVariance pooled;
  for (const auto& job : jobs)
    for (const auto& one : job) pooled.add(one.logs);
  return {pooled.value().value, pooled.value().degrees};
}

// Differences of n independent normal values in a row share their members: the sum of their squares has mean
// 2 (n − 1) σ² and variance 2 (6 n − 8) σ⁴, so it scatters as one of 2 · mean² / variance degrees does. Where
// neighbours correlate, differences share less, and there are a few more.
NoiseVariance successive_noise(const std::vector<Job>& jobs) {
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
    for (const auto& one : job) {
      double row = 1;  // values so far that follow one another
      for (std::size_t i = 1; i < one.logs.size(); ++i) {
        if (one.rounds[i] != one.rounds[i - 1] + 1) {
          end_row(row);
          row = 1;
          continue;
        }
        const double difference = one.logs[i] - one.logs[i - 1];
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
double mean_without_outliers(std::span<const double> values) {
  const auto outliers = stats::find_outliers(values);
  if (outliers.empty()) return stats::mean(values);
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::binary_search(outliers.begin(), outliers.end(), i)) rest.push_back(values[i]);
  return stats::mean(rest);
}

// The mean of each commit's values in a job, in the order of the commits' names.
using CommitMeans = std::vector<std::pair<std::size_t, double>>;

CommitMeans means_by_commit(const Job& job) {
  if (job.size() == 1) return {{job.front().run->commit, mean_without_outliers(job.front().logs)}};
  std::map<std::size_t, std::vector<double>> logs;
  for (const auto& one : job) {
    auto& own = logs[one.run->commit];
    own.insert(own.end(), one.logs.begin(), one.logs.end());
  }
  CommitMeans means;
  for (const auto& [commit, values] : logs) means.emplace_back(commit, mean_without_outliers(values));
  return means;
}

double job_difference(const CommitMeans& before, const CommitMeans& after) {
  double differences = 0;
  double shared = 0;
  for (const auto& [commit, mean] : before) {
    const auto found = std::ranges::find(after, commit, &CommitMeans::value_type::first);
    if (found == after.end()) continue;
    differences += found->second - mean;
    ++shared;
  }
  if (shared > 0) return differences / shared;
  const auto mean_of = [](const CommitMeans& means) {
    double sum = 0;
    for (const auto& [commit, mean] : means) sum += mean;
    return sum / static_cast<double>(means.size());
  };
  return mean_of(after) - mean_of(before);
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
  const auto drift =
      drift_over(jobs, series, same_board, static_cast<std::size_t>(std::max(lag, 1)), near.value);
  if (!(drift.value > 0)) return {near.value, near.degrees};
  const double total = near.value + drift.value;
  const double squares = near.value * near.value / near.degrees + drift.value * drift.value / drift.degrees;
  return {total, total * total / squares};
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

std::vector<LearnedRun> learned_runs(const NoiseHistory& history, const Run* also = nullptr) {
  std::vector<LearnedRun> runs;
  std::set<std::string> commits;
  std::set<std::string> boards{""};
  std::map<std::string, std::size_t> jobs;
  std::vector<const Run*> in_time;  // by their ids
  for (const auto& run : history.runs) in_time.push_back(&run);
  if (also != nullptr) in_time.push_back(also);
  std::ranges::stable_sort(in_time, {}, &Run::id);
  for (const Run* run : in_time) {
    commits.insert(run->commit);
    boards.insert(board_of(*run));
    runs.emplace_back().run = run;
    runs.back().job = jobs.try_emplace(job_or_id(*run), jobs.size()).first->second;
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

// What one run has of a benchmark.
struct MeasuredIn {
  const LearnedRun* run = nullptr;
  std::size_t benchmark = 0;  // its place in the run
  // Where the run does not have it itself:
  const BenchmarkTimes* times = nullptr;
  const BenchmarkTimes::InRun* in_run = nullptr;
};

// A benchmark's values in the order of time, those of one job together.
class BenchmarkLogs {
 public:
  BenchmarkLogs(const Metric& metric, const std::vector<MeasuredIn>& measured) {
    std::vector<std::size_t> ends;  // in the lists of all runs
    std::vector<RoundValue> rounds;
    ends.reserve(measured.size());
    runs_.reserve(measured.size());
    for (const auto& one : measured) {
      const std::size_t before = logs_.size();
      read(metric, one, rounds);
      append(rounds);
      if (logs_.size() == before) continue;
      runs_.push_back({one.run, 0, {}, {}});
      ends.push_back(logs_.size());
    }
    for (std::size_t i = 0, from = 0; i < runs_.size(); from = ends[i++]) {
      runs_[i].rounds = std::span(rounds_).subspan(from, ends[i] - from);
      runs_[i].logs = std::span(logs_).subspan(from, ends[i] - from);
    }
    find_jobs();
  }
  BenchmarkLogs(const BenchmarkLogs&) = delete;
  BenchmarkLogs& operator=(const BenchmarkLogs&) = delete;

  // In the order in which they began to have values.
  const std::vector<Job>& jobs() const { return jobs_; }

 private:
  void read(const Metric& metric, const MeasuredIn& one, std::vector<RoundValue>& rounds) {
    const Run& run = *one.run->run;
    if (one.times == nullptr) {
      rounds = metric_rounds(metric, run.benchmarks[one.benchmark], run, one.run->samples_of(one.benchmark));
      return;
    }
    rounds.clear();
    if (one.times != last_) made_of_ = metric_times(metric, one.times->benchmark);
    last_ = one.times;
    if (made_of_) append_rounds(metric, *made_of_, *one.times, *one.in_run, run, rounds);
  }

  void append(std::vector<RoundValue>& rounds) {
    const auto by_round = [](const auto& a, const auto& b) { return a.round < b.round; };
    if (!std::ranges::is_sorted(rounds, by_round)) std::ranges::stable_sort(rounds, by_round);
    for (const auto& [round, value, build] : rounds) {
      // Other builds differ by more than the machine's noise.
      if (!(value > 0) || !std::isfinite(value) || build > 1) continue;
      rounds_.push_back(round);
      logs_.push_back(std::log(value));
    }
  }

  void find_jobs() {
    const auto is_new_job = [](const RunLogs& a, const RunLogs& b) { return a.run->job < b.run->job; };
    const bool have_their_own = std::ranges::adjacent_find(runs_, std::not_fn(is_new_job)) == runs_.end();
    if (have_their_own) {
      for (std::size_t i = 0; i < runs_.size(); ++i) runs_[i].job = i;
    } else {
      std::unordered_map<std::size_t, std::size_t> places;
      for (auto& run : runs_) run.job = places.try_emplace(run.run->job, places.size()).first->second;
      std::ranges::stable_sort(runs_, {}, &RunLogs::job);
    }
    jobs_.reserve(runs_.size());
    for (std::size_t from = 0, to = 0; from < runs_.size(); from = to) {
      while (to < runs_.size() && runs_[to].job == runs_[from].job) ++to;
      jobs_.push_back(Job(runs_).subspan(from, to - from));
    }
  }

  std::vector<int> rounds_;   // of all runs
  std::vector<double> logs_;  // likewise
  std::vector<RunLogs> runs_;
  std::vector<Job> jobs_;
  const BenchmarkTimes* last_ = nullptr;
  std::optional<MetricTimes> made_of_;  // the metric, of those
};

// Of each benchmark, the runs that have it, in the order of time.
std::vector<std::vector<MeasuredIn>> where_measured(
    const NoiseHistory& history, const std::vector<LearnedRun>& runs,
    const std::unordered_map<std::string_view, std::size_t>& places) {
  std::vector<std::vector<MeasuredIn>> measured(places.size());
  const auto list_of = [&](const Benchmark& benchmark) {
    const auto place = benchmark.error ? places.end() : places.find(benchmark.name);
    return place == places.end() ? nullptr : &measured[place->second];
  };
  for (const auto& run : runs)
    for (std::size_t i = 0; i < run.run->benchmarks.size(); ++i)
      if (auto* list = list_of(run.run->benchmarks[i])) list->push_back({&run, i, nullptr, nullptr});
  if (history.times.empty()) return measured;
  std::vector<const LearnedRun*> by_place(history.runs.size());
  std::unordered_map<const Run*, const LearnedRun*> learned;
  for (const auto& run : runs) learned.emplace(run.run, &run);
  for (std::size_t i = 0; i < by_place.size(); ++i) by_place[i] = learned.at(&history.runs[i]);
  for (const auto& times : history.times)
    if (auto* list = list_of(times.benchmark))
      for (const auto& one : times.in_runs) list->push_back({by_place[one.run], 0, &times, &one});
  const auto in_time = [](const MeasuredIn& a, const MeasuredIn& b) { return a.run < b.run; };
  for (auto& list : measured)
    if (!std::ranges::is_sorted(list, in_time)) std::ranges::sort(list, in_time);
  return measured;
}

// Calls each(its place among the metrics, its metric, its jobs, series_of() them).
template <typename Each>
void of_each_benchmark(const std::map<std::string, Metric>& metrics, const NoiseHistory& history,
                       const std::vector<LearnedRun>& runs, const Each& each) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<const Metric*> all;
  for (const auto& [name, metric] : metrics) {
    places.emplace(name, all.size());
    all.push_back(&metric);
  }
  const auto measured = where_measured(history, runs, places);
  constexpr std::size_t kBenchmarksLeast = 32;
  in_parts(all.size(), kBenchmarksLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const BenchmarkLogs logs(*all[i], measured[i]);
      each(i, *all[i], logs.jobs(), series_of(logs.jobs()));
    }
  });
}

// What is not known of a benchmark, as it was learned before of the same metric.
void add_stored(const NoiseModel& stored, NoiseModel& known) {
  for (auto& [name, noise] : known.benchmarks) {
    const auto before = stored.benchmarks.find(name);
    if (before == stored.benchmarks.end() || before->second.metric != noise.metric) continue;
    for (const auto level : {&BenchmarkNoise::invocation, &BenchmarkNoise::successive,
                             &BenchmarkNoise::same_board, &BenchmarkNoise::other_board})
      if (!((noise.*level).degrees > 0)) noise.*level = before->second.*level;
  }
}

}  // namespace

NoiseModel learn_noise(const std::map<std::string, Metric>& metrics, const NoiseHistory& history, int lag,
                       const std::optional<NoiseModel>& stored) {
  const auto runs = learned_runs(history);
  std::vector<BenchmarkNoise*> all;
  NoiseModel model;
  for (const auto& run : runs) model.jobs = std::max(model.jobs, static_cast<int>(run.job) + 1);
  for (const auto& [name, metric] : metrics) all.push_back(&model.benchmarks[name]);
  of_each_benchmark(metrics, history, runs,
                    [&](std::size_t place, const Metric& metric, const std::vector<Job>& jobs,
                        const std::vector<double>& series) {
                      *all[place] = {invocation_noise(jobs), successive_noise(jobs),
                                     job_noise_of(jobs, series, true, lag),
                                     job_noise_of(jobs, series, false, lag), noise_name(metric)};
                    });
  if (stored) add_stored(*stored, model);
  return model;
}

JobLevels job_levels(const std::map<std::string, Metric>& metrics, const NoiseHistory& history,
                     const Run* also) {
  const auto runs = learned_runs(history, also);
  JobLevels levels;
  for (const auto& run : runs)
    if (run.job == levels.jobs.size()) levels.jobs.push_back(job_or_id(*run.run));
  std::vector<std::vector<double>*> all;
  for (const auto& [name, metric] : metrics) {
    all.push_back(&levels.by_benchmark[name]);
    all.back()->assign(levels.jobs.size(), std::nan(""));
  }
  of_each_benchmark(metrics, history, runs,
                    [&](std::size_t place, const Metric& /*metric*/, const std::vector<Job>& jobs,
                        const std::vector<double>& series) {
                      for (std::size_t i = 0; i < jobs.size(); ++i)
                        (*all[place])[jobs[i].front().run->job] = series[i];
                    });
  return levels;
}

namespace {

struct DefaultJobDeviation {
  DeviceKind kind;
  Distance distance;
  double deviation;  // of one job, relative
};

// On six jobs of an H200 model: within 0.1–0.3 % on boards that agree, 1.0–2.8 % between boards that do not,
// and up to several per cent for kernels of a few µs. CPUs in virtual machines move far more.
constexpr DefaultJobDeviation kJobDefaults[] = {
    {DeviceKind::kGpu, Distance::kSameBoard, 0.01},
    {DeviceKind::kGpu, Distance::kOtherBoard, 0.025},
    {DeviceKind::kCpu, Distance::kSameBoard, 0.03},
    {DeviceKind::kCpu, Distance::kOtherBoard, 0.10},
};
// The defaults are meant as bounds, so they count as well known.
constexpr double kJobDefaultDegrees = 30;
// Where too few benchmarks have a history to learn from one another, the default weighs as much as so many
// neighbours: a short history moves it, a long one replaces it.
constexpr double kDefaultPriorDegrees = 4;
// However quiet a short history looks, the next job may differ by this share of the default.
constexpr double kFloorShare = 0.2;

stats::Variance at_distance(const BenchmarkNoise& noise, Distance distance) {
  const NoiseVariance& variance = distance == Distance::kSameBoard ? noise.same_board : noise.other_board;
  return {variance.value, variance.degrees};
}

}  // namespace

stats::Variance default_job_variance(DeviceKind kind, Distance distance) {
  for (const auto& row : kJobDefaults)
    if (row.kind == kind && row.distance == distance)
      return {row.deviation * row.deviation, kJobDefaultDegrees};
  return {};  // within one job there is none
}

double least_job_variance(DeviceKind kind, Distance distance) {
  return default_job_variance(kind, distance).value * kFloorShare * kFloorShare;
}

JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance) {
  JobNoise noise;
  if (distance == Distance::kSameJob) {
    for (const auto& [name, one] : known.benchmarks) noise.variance[name] = {};
    return noise;
  }
  std::vector<stats::Variance> all;
  for (const auto& [name, one] : known.benchmarks) {
    noise.variance[name] = at_distance(one, distance);
    all.push_back(noise.variance[name]);
  }
  const stats::Variance fallback = default_job_variance(kind, distance);
  stats::Variance usual = stats::fit_usual_variance(all);
  noise.shared = usual.degrees > 0;
  if (!noise.shared) usual = {fallback.value, kDefaultPriorDegrees};
  const double floor = least_job_variance(kind, distance);
  noise.learned = !known.benchmarks.empty();
  for (auto& [name, variance] : noise.variance) {
    const bool is_known = variance.degrees > 0;
    const double own = variance.value;
    variance = is_known ? stats::moderate(variance, usual) : fallback;
    // Where benchmarks differ by more than chance, the usual is not usual for all.
    if (is_known && usual.degrees < stats::kUsualDegreesMax) variance.value = std::max(variance.value, own);
    variance.value = std::max(variance.value, floor);
    noise.learned = noise.learned && is_known;
  }
  return noise;
}

}  // namespace tracker::judge
