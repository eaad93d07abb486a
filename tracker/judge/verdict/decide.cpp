#include "tracker/judge/verdict/decide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/judge/verdict/reason.hpp"

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

// The chance that of so many invocations with a second speed, each other one on average, at most `seen` had
// it.
double chance_of_so_few(int invocations, int seen) {
  double chance = std::pow(0.5, invocations);
  double sum = chance;
  for (int i = 0; i < seen; ++i) sum += chance *= static_cast<double>(invocations - i) / (i + 1);
  return sum;
}

// Whether outliers that make the candidate worse than the base may be a second speed that it has now and
// then.
bool may_have_slow_mode(const Comparison& comparison, const Basis& basis, int more) {
  constexpr double kChanceMax = 0.001;
  int worse = 0;
  for (const auto& outlier : basis.outliers) {
    if (std::abs(std::expm1(outlier.offset)) <= comparison.threshold) continue;  // such a speed is as good
    const bool up = outlier.distance > 0;
    const bool is_worse = (comparison.metric.better == Better::kHigher ? !up : up) == outlier.in_candidate;
    worse += is_worse ? 1 : -1;
  }
  const int all = comparison.candidate_invocations + static_cast<int>(basis.outliers.size()) + more;
  return worse > 0 && chance_of_so_few(all, worse) > kChanceMax;
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
  if (is_wider({0, {}, {}, all.neighbours})) return Obstacle::kNeighbours;
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

}  // namespace

void decide(Comparison& comparison, const Basis& basis) {
  const stats::Difference& difference = basis.difference;
  const double half = half_width_of(basis, basis.confidence);
  comparison.change = std::expm1(difference.estimate);
  comparison.interval = {std::expm1(difference.estimate - half), std::expm1(difference.estimate + half)};
  if (std::isfinite(half)) comparison.resolvable = std::expm1(half);
  comparison.verdict = verdict_of(comparison, half < std::abs(difference.estimate));
  const bool is_within = comparison.verdict == Verdict::kUnchanged;
  const bool slow_mode = is_within && may_have_slow_mode(comparison, basis, 0);
  if (is_within && (slow_mode || basis.hides_change)) comparison.verdict = Verdict::kInconclusive;
  Hindrance hindrance{.obstacle = basis.paired ? Obstacle::kNoise : Obstacle::kNoPairs,
                      .neighbours = basis.neighbours,
                      .same_job = basis.same_job,
                      .peers = basis.hidden ? basis.hidden->peers : 0,
                      .repetitions = basis.repetitions,
                      .outliers = basis.outliers,
                      .clock_step = std::expm1(basis.clock_step),
                      .clock = basis.clock};
  if (is_within && comparison.verdict == Verdict::kInconclusive) {
    int more = basis.hides_change.value_or(0);
    while (may_have_slow_mode(comparison, basis, more)) ++more;
    comparison.more_invocations = more;
    hindrance.obstacle = slow_mode ? Obstacle::kSlowMode : Obstacle::kHiddenChange;
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
  if (basis.hides_change || may_have_slow_mode(comparison, basis, 0)) return false;
  comparison.verdict = Verdict::kUnchanged;
  comparison.interval = {std::max(comparison.interval->low, -threshold),
                         std::min(comparison.interval->high, threshold)};
  comparison.more_invocations.reset();
  Hindrance none;
  none.outliers = basis.outliers;
  none.clock = basis.clock;
  comparison.reasons = reasons_for(comparison, none);
  return true;
}

}  // namespace tracker
