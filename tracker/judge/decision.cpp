#include "tracker/judge/decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/base/parallel.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// Whether what was left out lies where the other speed would be, if this change were two of them at least so
// far apart. Known to be as far apart, a wild value is no such speed.
bool may_be_other_mode(const Outlier& outlier, double change, bool paired, bool is_distance_known) {
  const double modes = (paired || outlier.in_candidate ? -outlier.offset : outlier.offset) / change;
  return modes > 0.3 && (modes < 3 || !is_distance_known);  // of a pair: one mode's distance, or two
}

// Without what was left out.
Suspicion suspicion_in(const BenchmarkEvidence& e, double change, const ReportNoise& noise) {
  return {.change = change,
          .paired = noise.paired(),
          .base_invocations = e.base.values.count(),
          .candidate_invocations = e.candidate.values.count(),
          .error = noise.context.error,
          .comparisons = static_cast<double>(noise.comparisons)};
}

Suspicion suspicion_of(const BenchmarkEvidence& e, double change, bool is_distance_known,
                       const ReportNoise& noise) {
  int of_base = 0;
  int of_candidate = 0;
  for (const auto& outlier : e.contrast.outliers)
    if (may_be_other_mode(outlier, change, noise.paired(), is_distance_known))
      ++(outlier.in_candidate ? of_candidate : of_base);
  Suspicion suspicion = suspicion_in(e, change, noise);
  suspicion.base_outliers = of_base + (noise.paired() ? of_candidate : 0);
  suspicion.candidate_outliers = of_candidate + (noise.paired() ? of_base : 0);
  return suspicion;
}

// Whether the sides' clocks differ by more than chance, so that they are part of the change.
bool clock_stays_in(const std::optional<ClockEffect>& clock) {
  return clock && !clock->taken_out;
}

// One invocation a side has shown nothing of its noise, whatever the others' noise is.
bool is_noise_known(const Basis& basis) {
  return basis.evidence->contrast.own.degrees > 0;
}

// Only what looks like a change can be two speeds instead of one.
std::optional<HiddenModes> hidden_in(const Basis& basis, std::size_t place, const ReportNoise& noise) {
  const double change = basis.difference.estimate;
  const bool looks_real = stats::half_width(basis.difference, basis.confidence) < std::abs(change);
  if (!is_noise_known(basis) || !looks_real) return {};
  return noise.shared.hidden_modes(place, suspicion_of(*basis.evidence, change, true, noise));
}

// And only what looks unchanged can be a change that two speeds hide: with one of them on one side and the
// other on the other, a change by the threshold or more moved the estimate by their distance.
std::optional<int> hides_change(const Basis& basis, std::size_t place, const ReportNoise& noise) {
  const double threshold = basis.evidence->gate.threshold;
  const double lowest = threshold < 1 ? std::log1p(-threshold) : -std::numeric_limits<double>::infinity();
  std::optional<int> more;
  for (const double hidden : {std::log1p(threshold), lowest}) {
    const double moved = basis.difference.estimate - hidden;
    if (moved * hidden > 0) return {};  // the estimate is past the threshold
    more = std::max(more, noise.shared.more_to_rule_out_hiding(
                              place, suspicion_of(*basis.evidence, moved, false, noise)));
  }
  return more;
}

// Only what the base has not is a change: of a second speed whose like chance seldom hides from a base.
std::optional<SecondSpeed> second_speed_in(const BenchmarkEvidence& e, std::size_t place,
                                           const ReportNoise& noise) {
  const auto& seen = e.contrast.second_speed;
  if (!seen || clock_stays_in(e.clock) || noise.context.neighbours.contains(e.name) || e.contrast.one_order)
    return {};
  Suspicion suspicion = suspicion_in(e, seen->distance, noise);
  suspicion.base_invocations = suspicion.candidate_invocations = seen->invocations;
  suspicion.at_second_speed = static_cast<int>(seen->rounds.size());
  suspicion.alike = noise.second_speeds.at(seen->rounds);
  if (noise.shared.more_to_tell_second_speed(place, suspicion, 1)) return {};
  return seen;
}

// Outliers that make the candidate worse, as a second speed of it would, where the base has none, or clearly
// fewer: then nothing is called unchanged. So many more invocations would tell.
std::optional<int> slow_outliers_in(const BenchmarkEvidence& e, std::size_t place, const ReportNoise& noise) {
  constexpr double kAsOftenByChance = 0.2;
  int worse = 0;
  int better = 0;
  double distance = 0;
  for (const auto& outlier : e.contrast.outliers) {
    if (std::abs(std::expm1(outlier.offset)) <= e.gate.threshold) continue;  // such a speed is as good
    const bool up = outlier.distance > 0;
    const bool is_worse = (e.gate.metric.better == Better::kHigher ? !up : up) == outlier.in_candidate;
    ++(is_worse ? worse : better);
    if (is_worse) distance = outlier.offset;
  }
  if (worse == 0) return {};
  if (better > 0 && stats::binomial_at_least(worse, worse + better, 0.5) > kAsOftenByChance) return {};
  const int outliers = static_cast<int>(e.contrast.outliers.size());
  Suspicion suspicion = suspicion_in(e, distance, noise);
  suspicion.base_invocations += outliers;
  suspicion.candidate_invocations += outliers;
  suspicion.at_second_speed = worse;
  return noise.shared.more_to_tell_second_speed(place, suspicion, kMoreInvocationsMax).value_or(1);
}

// A benchmark may be judged wrongly at the same clock, or because its clocks differ by chance alone: the two
// share its error.
double confidence_of_one(const std::optional<ClockEffect>& clock, double error) {
  if (!clock) return 1 - error;
  return 1 - error * (clock->taken_out ? 1 - kDifferingClocksShare : kDifferingClocksShare);
}

// Two benchmarks more before the others moved H200 kernels of a few µs by 1–7 %, and long ones by 0.4 % at
// most; the cause is not known, so that nothing says which ones will move. For a CPU there is no evidence
// yet. Of the order nothing is known but that a second process may be 1 % slower: chosen with caution. They
// are meant as bounds, so they count as well known.
constexpr double kDefaultDegrees = 30;
constexpr stats::Variance kOfNeighbours{0.03 * 0.03, kDefaultDegrees};
constexpr stats::Variance kOfOrder{0.01 * 0.01, kDefaultDegrees};

stats::Difference difference_of(const BenchmarkEvidence& e, std::size_t place, const ReportNoise& noise) {
  const auto part = [](const stats::Variance& variance, double factor) {
    return stats::Variance{variance.value * factor, variance.degrees};
  };
  const ReportContext& context = noise.context;
  // The others' noise, at the same clock, says nothing of one whose clock stays in.
  const auto& believed = clock_stays_in(e.clock) ? e.contrast.own : noise.shared.of(place);
  stats::Difference difference{e.contrast.estimate, part(believed, e.contrast.sampling_factor),
                               part(noise.usual_jobs.variance.at(e.name), e.contrast.job_factor)};
  if (!noise.other_days.empty()) {
    stats::Variance other = part(default_job_variance(context.kind, context.distance), e.contrast.job_factor);
    other.value = std::max(other.value, noise.jobs.variance.at(e.name).value * e.contrast.job_factor);
    if (context.usual_days)
      for (const auto& day : context.usual_days->seen.unusual)
        other.value = std::max(other.value, std::pow(day.offsets[place], 2));
    difference.other_jobs = other;
    difference.other_jobs_chance = noise.other_days[place];
  }
  if (context.neighbours.contains(e.name)) difference.neighbours = kOfNeighbours;
  if (e.contrast.one_order)
    difference.neighbours = {difference.neighbours.value + kOfOrder.value, kOfOrder.degrees};
  return difference;
}

Basis basis_of(const BenchmarkEvidence& e, std::size_t place, const ReportNoise& noise) {
  Basis basis;
  basis.evidence = &e;
  basis.difference = difference_of(e, place, noise);
  basis.confidence = confidence_of_one(e.clock, 1 - noise.confidence);
  basis.same_job = noise.paired();
  const auto& neighbours = noise.context.neighbours;
  if (const auto changed = neighbours.find(e.name); changed != neighbours.end())
    basis.neighbours = changed->second;
  basis.second_speed = second_speed_in(e, place, noise);
  basis.slow_outliers = slow_outliers_in(e, place, noise);
  basis.hidden = hidden_in(basis, place, noise);
  basis.hides_change = hides_change(basis, place, noise);
  return basis;
}

constexpr double kWidest = 700;  // whose ratio is a number
constexpr double kUnknownPlace = std::numeric_limits<double>::infinity();

// The half-width at which a verdict is likely, all of them logarithms. Half of the threshold decides whatever
// is not between half and all of it; where the data already says more than that, less will do.
double half_width_needed(const Basis& basis, double half, double threshold) {
  constexpr double kDoubtErrors = 2;
  const double size = std::abs(basis.difference.estimate);
  const double doubt =
      std::min(half / 2, kDoubtErrors * stats::standard_error(basis.difference) + basis.evidence->clock_step);
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

// What stands in the way of a half-width like this.
Obstacle obstacle_of(const Basis& basis, double needed) {
  const auto is_wider = [&](const stats::Difference& part) {
    return stats::half_width(part, basis.confidence) > needed;
  };
  const stats::Difference& all = basis.difference;
  if (basis.evidence->clock_step > needed) return Obstacle::kClockStep;
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
  if (!is_noise_known(basis)) return kUnknownPlace;
  stats::Difference difference = basis.difference;
  if (basis.hidden)
    difference.sampling = {basis.hidden->noise.value * basis.evidence->contrast.sampling_factor,
                           basis.hidden->noise.degrees};
  // Rounded values that differ show the noise with the rounding, so the two do not add up.
  return std::min(kWidest, std::max(stats::half_width(difference, confidence), basis.evidence->clock_step));
}

// A share of the candidate's invocations is slower or faster, and the mean by that share of the distance.
// False where that leaves "no change" within the interval.
bool decide_by_second_speed(Comparison& comparison, Basis& basis) {
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
  comparison.verdict = verdict_of(comparison, *comparison.change, true);
  if (comparison.base) comparison.candidate = *comparison.base * (1 + *comparison.change);
  const bool is_within = comparison.verdict == Verdict::kUnchanged;
  if (is_within) comparison.verdict = Verdict::kInconclusive;
  if (comparison.verdict == Verdict::kInconclusive) comparison.more_invocations = seen.invocations;
  basis.by_second_speed = true;
  basis.obstacle = is_within ? Obstacle::kSlowMode : Obstacle::kNoise;
  return true;
}

Comparison decide_one(Basis& basis) {
  Comparison comparison = start(*basis.evidence);
  if (decide_by_second_speed(comparison, basis)) return comparison;
  const double estimate = basis.difference.estimate;
  const double clock_step = basis.evidence->clock_step;
  const double half = half_width_of(basis, basis.confidence);
  comparison.change = std::expm1(estimate);
  comparison.interval = {std::expm1(estimate - half), std::expm1(estimate + half)};
  if (std::isfinite(half)) comparison.resolvable = std::expm1(half);
  comparison.verdict = verdict_of(comparison, *comparison.change, half < std::abs(estimate));
  const bool is_within = comparison.verdict == Verdict::kUnchanged;
  if (is_within && (basis.slow_outliers || basis.hides_change)) comparison.verdict = Verdict::kInconclusive;
  basis.obstacle = basis.evidence->paired ? Obstacle::kNoise : Obstacle::kNoPairs;
  if (is_within && comparison.verdict == Verdict::kInconclusive) {
    comparison.more_invocations = std::max(basis.slow_outliers.value_or(0), basis.hides_change.value_or(0));
    basis.obstacle = basis.slow_outliers ? Obstacle::kSlowMode : Obstacle::kHiddenChange;
  } else if (comparison.verdict == Verdict::kInconclusive && std::isfinite(half)) {
    const double needed = half_width_needed(basis, half, std::log1p(comparison.threshold));
    if (needed > clock_step) comparison.more_invocations = more_invocations(comparison, basis, needed);
    basis.obstacle = obstacle_of(basis, needed);
  }
  return comparison;
}

// Calls an inconclusive comparison unchanged where its interval of this confidence, less than decide_one()
// took, lies within the threshold. Its interval is then cut off at the threshold. True where it did.
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
  return true;
}

// Holm's procedure (1979, "A simple sequentially rejective multiple test procedure"): what is called
// unchanged no longer shares the error of being called so wrongly, and leaves it to the others.
void find_unchanged(const std::vector<Basis>& bases, const ReportNoise& noise,
                    std::vector<Comparison>& judged) {
  const auto unchanged = [&] {
    return static_cast<std::size_t>(std::ranges::count_if(
        judged, [](const auto& comparison) { return comparison.verdict == Verdict::kUnchanged; }));
  };
  for (bool found = true; found;) {
    found = false;
    const double error = error_of_one(noise.context.error, noise.comparisons - unchanged());
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const BenchmarkEvidence& e = *bases[i].evidence;
      if (e.paired && decide_unchanged(judged[i], bases[i], confidence_of_one(e.clock, error))) found = true;
    }
  }
}

}  // namespace

std::vector<Basis> find_bases(OpenBenchmarks open, const ReportNoise& noise) {
  std::vector<Basis> bases(open.size());
  in_parts(open.size(), kBenchmarksAPart, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) bases[i] = basis_of(*open[i], i, noise);
  });
  return bases;
}

std::vector<Comparison> decide(std::vector<Basis>& bases, const ReportNoise& noise) {
  std::vector<Comparison> judged(bases.size());
  in_parts(bases.size(), kBenchmarksAPart, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) judged[i] = decide_one(bases[i]);
  });
  if (noise.paired()) find_unchanged(bases, noise, judged);
  return judged;
}

Verdict verdict_of(const Comparison& comparison, double change, bool excludes_none) {
  const double threshold = comparison.threshold;
  const double worse = comparison.metric.better == Better::kHigher ? -change : change;
  if (excludes_none && worse >= threshold) return Verdict::kRegressed;
  if (excludes_none && worse <= -threshold) return Verdict::kImproved;
  const bool within =
      comparison.interval && comparison.interval->low >= -threshold && comparison.interval->high <= threshold;
  return within ? Verdict::kUnchanged : Verdict::kInconclusive;
}

bool is_slower(const Comparison& comparison) {
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kSameCode;
}

bool is_change(const Comparison& comparison) {
  return is_slower(comparison) || comparison.verdict == Verdict::kImproved;
}

}  // namespace tracker::judge
