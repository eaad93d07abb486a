#include "tracker/judge/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tracker {
namespace {

// What remains of one job's variance in the mean over a side's jobs. Between boards it is the boards that
// differ, and a second job on the same one does not help.
double share_of_job_variance(const Evidence& side, Distance distance) {
  std::map<std::string, double> weights;
  for (std::size_t job = 0; job < side.boards.size(); ++job)
    weights[distance == Distance::kOtherBoard ? side.boards[job] : std::to_string(job)] += 1;
  const auto jobs = static_cast<double>(side.boards.size());
  double share = 0;
  for (const auto& [board, weight] : weights) share += weight * weight / (jobs * jobs);
  return share;
}

}  // namespace

int Evidence::values() const {
  std::size_t count = 0;
  for (const auto& job : logs_by_job) count += job.size();
  return static_cast<int>(count);
}

std::optional<double> Evidence::typical() const {
  if (only_zeros()) return 0.0;
  if (logs_by_job.empty()) return {};
  return std::exp(stats::side_noise(logs_by_job).mean);
}

Evidence evidence_of(const std::vector<Run>& runs, const std::string& name, const Metric& metric) {
  Evidence side;
  std::map<std::string, std::size_t> places;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    std::vector<double> logs;
    for (const double value : metric_values(metric, *benchmark, run)) {
      if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
      if (value == 0) ++side.zeros;
    }
    if (logs.empty()) continue;
    const auto [place, is_new] =
        places.try_emplace(run.job.empty() ? run.id : run.job, side.logs_by_job.size());
    if (is_new) {
      side.logs_by_job.emplace_back();
      side.boards.push_back(board_of(run));
    }
    auto& job = side.logs_by_job[place->second];
    job.insert(job.end(), logs.begin(), logs.end());
  }
  return side;
}

Contrast contrast(const Evidence& base, const Evidence& candidate, Distance distance) {
  Contrast result;
  if (distance == Distance::kSameJob) {
    const auto paired = stats::paired_difference(base.logs_by_job.front(), candidate.logs_by_job.front());
    result.estimate = paired.estimate;
    result.own = paired.per_pair;
    result.sampling_factor = 1.0 / std::max(paired.pairs, 1);
    return result;
  }
  const auto was = stats::side_noise(base.logs_by_job);
  const auto is = stats::side_noise(candidate.logs_by_job);
  result.estimate = is.mean - was.mean;
  result.own = stats::moderate(was.per_invocation, is.per_invocation);
  result.sampling_factor = was.sampling_factor + is.sampling_factor;
  result.job_factor = share_of_job_variance(base, distance) + share_of_job_variance(candidate, distance);
  return result;
}

}  // namespace tracker
