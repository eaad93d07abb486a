#include "tracker/judge/noise/usual_days.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

constexpr double kTimesUsual = 3;
// Few of the days around are needed once it is known which are usual, and more before that.
constexpr std::size_t kReachAtFirst = 6;
constexpr std::size_t kReach = 3;
constexpr int kLabelledTimesMax = 5;

using Series = std::vector<double>;  // of one benchmark, job by job

// The nearest usual jobs on each side, and the job itself where it is one.
std::vector<std::size_t> usual_around(const std::vector<bool>& unusual, std::size_t job, std::size_t reach) {
  std::vector<std::size_t> around;
  for (std::size_t before = job, count = 0; before-- > 0 && count < reach;)
    if (!unusual[before]) {
      around.push_back(before);
      ++count;
    }
  for (std::size_t after = job + 1, count = 0; after < unusual.size() && count < reach; ++after)
    if (!unusual[after]) {
      around.push_back(after);
      ++count;
    }
  if (!unusual[job]) around.push_back(job);
  return around;
}

// NaN where the job, or all of those around it, do not have the benchmark.
double offset_from(const Series& series, std::size_t job, const std::vector<std::size_t>& around) {
  std::vector<double> levels;
  for (const std::size_t other : around)
    if (!std::isnan(series[other])) levels.push_back(series[other]);
  return levels.empty() ? std::nan("") : series[job] - stats::median(levels);
}

Series offsets_on(const std::vector<const Series*>& benchmarks, std::size_t job,
                  const std::vector<std::size_t>& around) {
  Series offsets;
  for (const Series* series : benchmarks) offsets.push_back(offset_from(*series, job, around));
  return offsets;
}

Series known(const Series& offsets) {
  Series values;
  for (const double offset : offsets)
    if (!std::isnan(offset)) values.push_back(offset);
  return values;
}

// How far a day moves benchmarks; 0 where too few of them say.
double size_of(const Series& offsets) {
  Series sizes = known(offsets);
  if (sizes.size() < kBenchmarksForDaysMin) return 0;
  for (double& size : sizes) size = std::abs(size);
  return stats::median(sizes);
}

// What usual days do: the size that two in five of them do not reach, so that many unusual ones do not raise
// it.
double usual_size(const Series& sizes, const std::vector<bool>& unusual) {
  Series usual;
  for (std::size_t job = 0; job < sizes.size(); ++job)
    if (!unusual[job]) usual.push_back(sizes[job]);
  std::sort(usual.begin(), usual.end());
  return usual[usual.size() * 2 / 5];
}

std::vector<bool> find_unusual(const std::vector<const Series*>& benchmarks, std::size_t jobs, double least) {
  std::vector<bool> unusual(jobs, false);
  for (int round = 0; round < kLabelledTimesMax; ++round) {
    Series sizes;
    for (std::size_t job = 0; job < jobs; ++job)
      sizes.push_back(size_of(
          offsets_on(benchmarks, job, usual_around(unusual, job, round == 0 ? kReachAtFirst : kReach))));
    const double limit = std::max(least, kTimesUsual * usual_size(sizes, unusual));
    std::vector<bool> found;
    for (const double size : sizes) found.push_back(size > limit);
    if (found == unusual) break;
    unusual = std::move(found);
    if (2 * static_cast<std::size_t>(std::count(unusual.begin(), unusual.end(), true)) >= jobs)
      return std::vector<bool>(jobs, false);
  }
  return unusual;
}

}  // namespace

bool DaysSeen::is_unusual(const std::string& job) const {
  return std::any_of(unusual.begin(), unusual.end(), [&](const UnusualDay& day) { return day.job == job; });
}

DaysSeen days_seen(const JobLevels& levels, double least) {
  const std::size_t jobs = levels.jobs.size();
  std::vector<const Series*> benchmarks;
  for (const auto& [name, series] : levels.by_benchmark) benchmarks.push_back(&series);
  DaysSeen seen;
  seen.usual = static_cast<int>(jobs);
  if (jobs < kJobsForDaysMin || benchmarks.size() < kBenchmarksForDaysMin) return seen;
  const auto unusual = find_unusual(benchmarks, jobs, least);
  for (std::size_t job = 0; job < jobs; ++job) {
    if (!unusual[job]) continue;
    const Series offsets = offsets_on(benchmarks, job, usual_around(unusual, job, kReach));
    if (known(offsets).empty()) continue;
    --seen.usual;
    UnusualDay day{levels.jobs[job], {}};
    const double middle = stats::median(known(offsets));
    std::size_t place = 0;
    for (const auto& [name, series] : levels.by_benchmark) {
      day.offsets[name] = std::isnan(offsets[place]) ? middle : offsets[place];
      ++place;
    }
    seen.unusual.push_back(std::move(day));
  }
  return seen;
}

}  // namespace tracker
