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
    for (const auto& [round, value] : metric_rounds(metric, *benchmark, run)) {
      if (value == 0) ++side.zeros;
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

bool keep_pairs(Evidence& base, Evidence& candidate) {
  if (base.logs_by_job.empty() || candidate.logs_by_job.empty()) return false;
  // A round has one invocation a side that counts; of two, the later one was to take the place of the first.
  std::map<int, double> partners;
  for (std::size_t i = 0; i < base.logs_by_job.front().size(); ++i)
    partners[base.rounds_by_job.front()[i]] = base.logs_by_job.front()[i];
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

Contrast paired_contrast(const Evidence& base, const Evidence& candidate) {
  const auto paired = stats::paired_difference(base.logs_by_job.front(), candidate.logs_by_job.front());
  return {paired.estimate, paired.per_pair, 1.0 / std::max(paired.pairs, 1), 0};
}

Contrast contrast(const Evidence& base, const Evidence& candidate, Distance distance) {
  const auto was = stats::side_noise(base.logs_by_job);
  const auto is = stats::side_noise(candidate.logs_by_job);
  return {is.mean - was.mean, stats::moderate(was.per_invocation, is.per_invocation),
          was.sampling_factor + is.sampling_factor,
          share_of_job_variance(base, distance) + share_of_job_variance(candidate, distance)};
}

}  // namespace tracker
