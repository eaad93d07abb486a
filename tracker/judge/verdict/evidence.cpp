#include "tracker/judge/verdict/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tracker/stats/outliers.hpp"
#include "tracker/stats/summary.hpp"

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

// Where no job has two invocations, several jobs show how far single ones lie apart; what a job has of its
// own is in that.
stats::Variance spread_of_jobs(const Evidence& base, const Evidence& candidate) {
  constexpr std::size_t kJobsMin = 2;
  if (base.logs_by_job.size() < kJobsMin || candidate.logs_by_job.size() < kJobsMin) return {};
  stats::PooledVariance pooled;
  for (const auto* side : {&base, &candidate}) {
    std::vector<double> jobs;
    for (const auto& job : side->logs_by_job)
      if (!job.empty()) jobs.push_back(stats::mean(job));
    pooled.add(jobs);
  }
  return pooled.value();
}

void remove_places(Evidence& side, std::size_t job, const std::vector<std::size_t>& places) {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const auto at = static_cast<std::ptrdiff_t>(*place);
    side.logs_by_job[job].erase(side.logs_by_job[job].begin() + at);
    side.rounds_by_job[job].erase(side.rounds_by_job[job].begin() + at);
  }
}

Outlier outlier_of_pair(const Evidence& base, const Evidence& candidate, std::size_t place) {
  const auto distance = [&](const Evidence& side) {
    return side.logs_by_job.front()[place] - stats::median(side.logs_by_job.front());
  };
  const double of_base = distance(base);
  const double of_candidate = distance(candidate);
  const bool in_candidate = std::abs(of_candidate) >= std::abs(of_base);
  return {base.rounds_by_job.front()[place], in_candidate, in_candidate ? of_candidate : of_base};
}

}  // namespace

double rounding_variance(double step) {
  return step * step / 12;
}

int Evidence::values() const {
  if (only_zeros()) return zeros;
  std::size_t count = 0;
  for (const auto& job : logs_by_job) count += job.size();
  return static_cast<int>(count);
}

std::optional<double> Evidence::typical() const {
  if (only_zeros()) return 0.0;
  if (logs_by_job.empty()) return {};
  return std::exp(stats::side_noise(logs_by_job).mean);
}

Evidence evidence_of(Runs runs, const std::string& name, const Metric& metric) {
  Evidence side;
  std::map<std::string, std::size_t> places;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr || benchmark->error) continue;
    std::vector<double> logs;
    std::vector<int> rounds;
    for (const auto& [round, value, build] : metric_rounds(metric, *benchmark, run)) {
      if (build > 0) side.builds[round] = build;
      if (value == 0) ++side.zeros;
      if (metric.unit.empty() && std::isfinite(value))
        side.plain[run.job.empty() ? run.id : run.job][round] = value;
      if (!(value > 0) || !std::isfinite(value)) continue;
      logs.push_back(std::log(value));
      rounds.push_back(round);
    }
    if (logs.empty()) continue;
    const auto [place, is_new] =
        places.try_emplace(run.job.empty() ? run.id : run.job, side.logs_by_job.size());
    if (is_new) {
      side.logs_by_job.emplace_back();
      side.rounds_by_job.emplace_back();
      side.boards.push_back(board_of(run));
    }
    auto& job = side.logs_by_job[place->second];
    job.insert(job.end(), logs.begin(), logs.end());
    auto& job_rounds = side.rounds_by_job[place->second];
    job_rounds.insert(job_rounds.end(), rounds.begin(), rounds.end());
  }
  return side;
}

std::map<int, double> logs_by_round(const Evidence& side) {
  std::map<int, double> logs;
  if (side.logs_by_job.empty()) return logs;
  for (std::size_t i = 0; i < side.logs_by_job.front().size(); ++i)
    logs[side.rounds_by_job.front()[i]] = side.logs_by_job.front()[i];
  return logs;
}

bool keep_pairs(Evidence& base, Evidence& candidate) {
  if (base.logs_by_job.empty() || candidate.logs_by_job.empty()) return false;
  // A round has one invocation a side that counts; of two, the later one was to take the place of the first.
  const std::map<int, double> partners = logs_by_round(base);
  std::map<int, std::pair<double, double>> pairs;
  for (std::size_t i = 0; i < candidate.logs_by_job.front().size(); ++i) {
    const int round = candidate.rounds_by_job.front()[i];
    if (const auto partner = partners.find(round); partner != partners.end())
      pairs[round] = {partner->second, candidate.logs_by_job.front()[i]};
  }
  if (pairs.empty()) return false;
  for (Evidence* side : {&base, &candidate}) {
    side->logs_by_job = {{}};
    side->rounds_by_job = {{}};
    side->boards.resize(1);
  }
  for (const auto& [round, logs] : pairs) {
    base.logs_by_job.front().push_back(logs.first);
    candidate.logs_by_job.front().push_back(logs.second);
    for (Evidence* side : {&base, &candidate}) side->rounds_by_job.front().push_back(round);
  }
  return true;
}

int keep_builds(Evidence& base, Evidence& candidate) {
  struct Rounds {
    std::vector<double> base;
    std::vector<double> differences;
  };
  std::map<int, Rounds> builds;
  for (std::size_t i = 0; i < base.rounds_by_job.front().size(); ++i) {
    const int round = base.rounds_by_job.front()[i];
    const auto of_base = base.builds.find(round);
    const auto of_candidate = candidate.builds.find(round);
    if (of_base == base.builds.end() || of_candidate == candidate.builds.end()) return 0;
    if (of_base->second != of_candidate->second) return 0;
    Rounds& build = builds[of_base->second];
    build.base.push_back(base.logs_by_job.front()[i]);
    build.differences.push_back(candidate.logs_by_job.front()[i] - build.base.back());
  }
  if (builds.size() < 2) return 0;
  for (Evidence* side : {&base, &candidate}) {
    side->logs_by_job = {{}};
    side->rounds_by_job = {{}};
  }
  for (const auto& [number, rounds] : builds) {
    const double of_base = stats::median(rounds.base);
    base.logs_by_job.front().push_back(of_base);
    candidate.logs_by_job.front().push_back(of_base + stats::median(rounds.differences));
    for (Evidence* side : {&base, &candidate}) side->rounds_by_job.front().push_back(number);
  }
  return static_cast<int>(builds.size());
}

Contrast paired_contrast(Evidence& base, Evidence& candidate, double step) {
  auto& of_base = base.logs_by_job.front();
  auto& of_candidate = candidate.logs_by_job.front();
  std::vector<double> differences;
  for (std::size_t i = 0; i < of_base.size(); ++i) differences.push_back(of_candidate[i] - of_base[i]);
  const auto outliers = stats::find_outliers(differences, 2 * rounding_variance(step));
  const double with_outliers = stats::paired_difference(of_base, of_candidate).per_pair.value;
  const double factor = stats::variance_factor_without(differences, outliers);
  Contrast contrast;
  for (const std::size_t place : outliers)
    contrast.outliers.push_back(outlier_of_pair(base, candidate, place));
  for (Evidence* side : {&base, &candidate}) remove_places(*side, 0, outliers);
  const auto paired = stats::paired_difference(of_base, of_candidate);
  contrast.estimate = paired.estimate;
  for (std::size_t i = 0; i < outliers.size(); ++i)
    contrast.outliers[i].offset = differences[outliers[i]] - paired.estimate;
  contrast.own = {paired.per_pair.value * factor, paired.per_pair.degrees};
  contrast.sampling_factor = 1.0 / std::max(paired.pairs, 1);
  contrast.with_outliers = with_outliers;
  return contrast;
}

Contrast contrast(Evidence& base, Evidence& candidate, Distance distance, double step) {
  const auto noise_of = [&] {
    return stats::moderate(stats::side_noise(base.logs_by_job).per_invocation,
                           stats::side_noise(candidate.logs_by_job).per_invocation);
  };
  Contrast contrast;
  contrast.with_outliers = noise_of().value;
  double factor = 1;
  for (Evidence* side : {&base, &candidate})
    for (std::size_t job = 0; job < side->logs_by_job.size(); ++job) {
      const std::vector<double> logs = side->logs_by_job[job];
      const auto outliers = stats::find_outliers(logs, rounding_variance(step));
      factor = std::max(factor, stats::variance_factor_without(logs, outliers));
      for (const std::size_t place : outliers) {
        const double offset = logs[place] - stats::median(logs);
        contrast.outliers.push_back({side->rounds_by_job[job][place], side == &candidate, offset, offset});
      }
      remove_places(*side, job, outliers);
    }
  const auto of_base = stats::side_noise(base.logs_by_job);
  const auto of_candidate = stats::side_noise(candidate.logs_by_job);
  const auto own = noise_of();
  contrast.estimate = of_candidate.mean - of_base.mean;
  contrast.own = {own.value * factor, own.degrees};
  contrast.sampling_factor = of_base.sampling_factor + of_candidate.sampling_factor;
  if (!(contrast.own.degrees > 0)) contrast.own = spread_of_jobs(base, candidate);
  contrast.job_factor = share_of_job_variance(base, distance) + share_of_job_variance(candidate, distance);
  return contrast;
}

}  // namespace tracker
