#include "tracker/judge/verdict/decide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/judge/verdict/reason.hpp"
#include "tracker/stats/distribution.hpp"

namespace tracker {
namespace {

constexpr double kWidest = 700;  // whose ratio is a number
constexpr double kUnknownPlace = std::numeric_limits<double>::infinity();

// The half-width at which a verdict is likely, for an estimate of this size. Half of the threshold decides
// whatever is not between half and all of it; where the data already says more than that, less will do.
double half_width_needed(double size, double half, double threshold) {
  const double doubt = half / 2;  // about two standard errors of the estimate
  if (size >= threshold) return std::max(size - doubt, threshold / 2);
  if (size > threshold / 2 && half < threshold) return threshold - size;
  return std::max(threshold - size - doubt, threshold / 2);
}

// Invocations a side, beyond those there are, that would bring the half-width down to what is needed.
std::optional<int> invocations_needed(const stats::Difference& difference, double confidence, double needed,
                                      int invocations) {
  const auto width_with = [&](int more) {
    stats::Difference then = difference;
    const double share = static_cast<double>(invocations) / (invocations + more);
    then.sampling.value *= share;
    then.sampling.degrees /= share;
    return stats::half_width(then, confidence);
  };
  int enough = kMoreInvocationsMax;
  if (width_with(enough) > needed) return {};
  for (int too_few = 0; enough - too_few > 1;) {
    const int middle = (enough + too_few) / 2;
    (width_with(middle) <= needed ? enough : too_few) = middle;
  }
  return enough;
}

Verdict verdict_of(const Comparison& comparison, bool excludes_none) {
  const double threshold = comparison.threshold;
  const double change = *comparison.change;
  const double worse = comparison.metric.better == Better::kHigher ? -change : change;
  if (excludes_none && worse >= threshold) return Verdict::kRegressed;
  if (excludes_none && worse <= -threshold) return Verdict::kImproved;
  const bool within = comparison.interval->low >= -threshold && comparison.interval->high <= threshold;
  return within ? Verdict::kUnchanged : Verdict::kInconclusive;
}

// What stands in the way of a half-width like this.
Obstacle obstacle_of(const Basis& basis, double needed) {
  const auto is_wider = [&](const stats::Difference& part) {
    return stats::half_width(part, basis.confidence) > needed;
  };
  const stats::Difference& all = basis.difference;
  if (basis.clock_step > needed) return Obstacle::kClockStep;
  if (is_wider({0, {}, {}, all.neighbours}))
    return basis.neighbours.words.empty() ? Obstacle::kOrder : Obstacle::kNeighbours;
  if (is_wider({0, {}, all.job_to_job, {}, all.other_jobs, all.other_jobs_chance})) return Obstacle::kJobs;
  return basis.hidden ? Obstacle::kHiddenModes : Obstacle::kNoise;
}

std::optional<int> more_invocations(const Comparison& comparison, const Basis& basis, double needed) {
  const int invocations = std::min(comparison.base_invocations, comparison.candidate_invocations);
  const auto more = invocations_needed(basis.difference, basis.confidence, needed, invocations);
  if (!more) return {};
  const int of_modes = basis.hidden ? basis.hidden->more : 0;
  const bool may_be_unchanged = std::abs(*comparison.change) < comparison.threshold;
  return std::max({*more, of_modes, may_be_unchanged ? basis.hides_change.value_or(0) : 0});
}

double half_width_of(const Basis& basis, double confidence) {
  if (!basis.noise_known) return kUnknownPlace;
  stats::Difference difference = basis.difference;
  if (basis.hidden)
    difference.sampling = {basis.hidden->noise.value * basis.sampling_factor, basis.hidden->noise.degrees};
  // Rounded values that differ show the noise with the rounding, so the two do not add up.
  return std::min(kWidest, std::max(stats::half_width(difference, confidence), basis.clock_step));
}

// A share of the candidate's invocations is slower or faster, and the mean by that share of the distance.
// False where that leaves "no change" within the interval.
bool decide_by_second_speed(Comparison& comparison, const Basis& basis) {
  if (!basis.second_speed) return false;
  const SecondSpeed& seen = *basis.second_speed;
  const int count = static_cast<int>(seen.rounds.size());
  const auto shares = stats::share_of_mode(count, seen.invocations, basis.confidence);
  const auto change_at = [&](double share) { return seen.others + share * seen.distance; };
  const double estimate = change_at(static_cast<double>(count) / seen.invocations);
  const double near = change_at(shares.low);
  const double far = change_at(shares.high);
  if (!(near * seen.distance > 0)) return false;
  comparison.change = std::expm1(estimate);
  comparison.interval = {std::expm1(std::min(near, far)), std::expm1(std::max(near, far))};
  comparison.resolvable = std::expm1(std::max(std::abs(estimate - near), std::abs(far - estimate)));
  comparison.verdict = verdict_of(comparison, true);
  if (comparison.base) comparison.candidate = *comparison.base * (1 + *comparison.change);
  const bool is_within = comparison.verdict == Verdict::kUnchanged;
  if (is_within) comparison.verdict = Verdict::kInconclusive;
  if (comparison.verdict == Verdict::kInconclusive) comparison.more_invocations = seen.invocations;
  comparison.reasons =
      reasons_for(comparison, {.obstacle = is_within ? Obstacle::kSlowMode : Obstacle::kNoise,
                               .clock = basis.clock,
                               .second_speed = basis.second_speed});
  return true;
}

}  // namespace

void decide(Comparison& comparison, const Basis& basis) {
  if (decide_by_second_speed(comparison, basis)) return;
  const stats::Difference& difference = basis.difference;
  const double half = half_width_of(basis, basis.confidence);
  comparison.change = std::expm1(difference.estimate);
  comparison.interval = {std::expm1(difference.estimate - half), std::expm1(difference.estimate + half)};
  if (std::isfinite(half)) comparison.resolvable = std::expm1(half);
  comparison.verdict = verdict_of(comparison, half < std::abs(difference.estimate));
  const bool is_within = comparison.verdict == Verdict::kUnchanged;
  if (is_within && (basis.slow_outliers || basis.hides_change)) comparison.verdict = Verdict::kInconclusive;
  Hindrance hindrance{.obstacle = basis.paired ? Obstacle::kNoise : Obstacle::kNoPairs,
                      .neighbours = basis.neighbours,
                      .same_job = basis.same_job,
                      .peers = basis.hidden ? basis.hidden->peers : 0,
                      .repetitions = basis.repetitions,
                      .outliers = basis.outliers,
                      .clock_step = std::expm1(basis.clock_step),
                      .clock = basis.clock};
  if (is_within && comparison.verdict == Verdict::kInconclusive) {
    comparison.more_invocations = std::max(basis.slow_outliers.value_or(0), basis.hides_change.value_or(0));
    hindrance.obstacle = basis.slow_outliers ? Obstacle::kSlowMode : Obstacle::kHiddenChange;
  } else if (comparison.verdict == Verdict::kInconclusive && std::isfinite(half)) {
    const double needed = half_width_needed(std::abs(*comparison.change), half, comparison.threshold);
    if (needed > basis.clock_step) comparison.more_invocations = more_invocations(comparison, basis, needed);
    hindrance.obstacle = obstacle_of(basis, needed);
  }
  comparison.reasons = reasons_for(comparison, hindrance);
}

bool decide_unchanged(Comparison& comparison, const Basis& basis, double confidence) {
  const double threshold = comparison.threshold;
  if (comparison.verdict != Verdict::kInconclusive || !comparison.interval) return false;
  const double estimate = basis.difference.estimate;
  const double half = half_width_of(basis, confidence);
  if (!(std::expm1(estimate - half) >= -threshold && std::expm1(estimate + half) <= threshold)) return false;
  if (basis.hides_change || basis.slow_outliers || basis.second_speed) return false;
  comparison.verdict = Verdict::kUnchanged;
  comparison.interval = {std::max(comparison.interval->low, -threshold),
                         std::min(comparison.interval->high, threshold)};
  comparison.more_invocations.reset();
  comparison.reasons = reasons_for(comparison, {.outliers = basis.outliers, .clock = basis.clock});
  return true;
}

}  // namespace tracker
