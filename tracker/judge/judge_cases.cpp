#include "tracker/judge/judge_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "tracker/base/parallel.hpp"
#include "tracker/judge/days.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// Noise is shared among times and rates, and among the benchmarks of one counter: what a count does says
// nothing of a time.
class NoiseByMetric {
 public:
  NoiseByMetric(const std::vector<Case>& cases, const std::vector<NoiseShown>& shown, double error) {
    std::map<std::string, std::vector<NoiseShown>> groups;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Metric& metric = cases[i].gate.metric;
      const std::string group = metric.unit.empty() ? metric.name : "";
      places_.emplace_back(group, groups[group].size());
      groups[group].push_back(shown[i]);
    }
    for (auto& [group, own] : groups) noise_.emplace(group, SharedNoise(std::move(own), error));
  }

  const stats::Variance& of(std::size_t place) const { return group(place).of(places_[place].second); }
  std::optional<HiddenModes> hidden_modes(std::size_t place, const Suspicion& suspicion) const {
    return group(place).hidden_modes(places_[place].second, suspicion);
  }
  std::optional<int> more_to_rule_out_hiding(std::size_t place, const Suspicion& suspicion) const {
    return group(place).more_to_rule_out_hiding(places_[place].second, suspicion);
  }
  std::optional<int> more_to_tell_second_speed(std::size_t place, const Suspicion& suspicion,
                                               int more_max) const {
    return group(place).more_to_tell_second_speed(places_[place].second, suspicion, more_max);
  }

 private:
  const SharedNoise& group(std::size_t place) const { return noise_.at(places_[place].first); }

  std::vector<std::pair<std::string, std::size_t>> places_;  // of each case: its group, and the place in it
  std::map<std::string, SharedNoise> noise_;
};

// What stands behind every verdict of one report.
struct Grounds {
  NoiseByMetric shared;         // in the order of the cases
  JobNoise jobs;                // over all days
  double confidence = 0;        // of one interval
  std::size_t comparisons = 0;  // of the report
  JobNoise usual_jobs = {};     // over the usual days; the same where there are no others
  // Of each case, that a side's day is unlike the history's; empty where nothing says so.
  std::vector<double> other_days = {};
  // By the rounds in which a candidate has a second speed: how many benchmarks have it there.
  std::map<std::vector<int>, int> second_speeds = {};
};

// What the case's variance is from, by the number of the pair, or else of side, job and round.
std::map<int, double> deviations_of(const Case& c, bool paired) {
  std::map<int, double> deviations;
  const auto add = [&](const std::vector<int>& numbers, const std::vector<double>& values, int first) {
    const double mean = stats::mean(values);
    for (std::size_t i = 0; i < values.size(); ++i) deviations[first + numbers[i]] = values[i] - mean;
  };
  if (paired && c.paired) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < c.base.logs_by_job.front().size(); ++i)
      differences.push_back(c.candidate.logs_by_job.front()[i] - c.base.logs_by_job.front()[i]);
    add(c.base.rounds_by_job.front(), differences, 0);
    return deviations;
  }
  constexpr int kRoundsMax = 10000;
  int first = 0;
  for (const auto* side : {&c.base, &c.candidate})
    for (std::size_t job = 0; job < side->logs_by_job.size(); ++job, first += kRoundsMax)
      add(side->rounds_by_job[job], side->logs_by_job[job], first);
  return deviations;
}

std::vector<NoiseShown> noise_shown(const std::vector<Case>& cases, const NoiseModel& known, bool paired) {
  std::vector<NoiseShown> shown;
  for (const auto& c : cases) {
    const BenchmarkNoise& before = known.benchmarks.at(c.name);
    const NoiseVariance& alike = paired ? before.successive : before.invocation;
    const bool any = !c.contrast.outliers.empty();
    // What past runs show is the noise of one build, at clocks that differ.
    const bool is_other_noise = c.builds > 0 || (c.clock && c.clock->taken_out);
    const stats::Variance past =
        is_other_noise ? stats::Variance{} : stats::Variance{alike.value, alike.degrees};
    // Two thirds of them are degrees of their differences, at most.
    const double invocations = std::max(before.invocation.degrees, 1.5 * before.successive.degrees);
    shown.push_back({c.contrast.own, past, any ? c.contrast.with_outliers : 0,
                     is_other_noise ? 0 : invocations, deviations_of(c, paired), c.contrast.base_range});
  }
  return shown;
}

// Whether what was left out lies where the other speed would be, if this change were two of them at least so
// far apart. Known to be as far apart, a wild value is no such speed.
bool may_be_other_mode(const Outlier& outlier, double change, bool paired, bool is_distance_known) {
  const double modes = (paired || outlier.in_candidate ? -outlier.offset : outlier.offset) / change;
  return modes > 0.3 && (modes < 3 || !is_distance_known);  // of a pair: one mode's distance, or two
}

Suspicion suspicion_of(const Case& c, double change, bool is_distance_known, const Grounds& grounds,
                       const JudgingContext& context) {
  const bool paired = context.distance == Distance::kSameJob;
  int of_base = 0;
  int of_candidate = 0;
  for (const auto& outlier : c.contrast.outliers)
    if (may_be_other_mode(outlier, change, paired, is_distance_known))
      ++(outlier.in_candidate ? of_candidate : of_base);
  const int of_pairs = of_base + of_candidate;
  return {.change = change,
          .paired = paired,
          .base_invocations = c.base.values(),
          .candidate_invocations = c.candidate.values(),
          .error = context.error,
          .base_outliers = paired ? of_pairs : of_base,
          .candidate_outliers = paired ? of_pairs : of_candidate,
          .comparisons = static_cast<double>(grounds.comparisons)};
}

// Whether the sides' clocks differ by more than chance, so that they are part of the change.
bool clock_stays_in(const std::optional<ClockEffect>& clock) {
  return clock && !clock->taken_out;
}

// Only what looks like a change can be two speeds instead of one.
std::optional<HiddenModes> hidden_in(const Case& c, std::size_t place, const Basis& basis,
                                     const Grounds& grounds, const JudgingContext& context) {
  const double change = basis.difference.estimate;
  const bool looks_real = stats::half_width(basis.difference, basis.confidence) < std::abs(change);
  if (!basis.noise_known || !looks_real) return {};
  return grounds.shared.hidden_modes(place, suspicion_of(c, change, true, grounds, context));
}

// And only what looks unchanged can be a change that two speeds hide: with one of them on one side and the
// other on the other, a change by the threshold or more moved the estimate by their distance.
std::optional<int> hides_change(const Case& c, std::size_t place, const Basis& basis, const Grounds& grounds,
                                const JudgingContext& context) {
  const double threshold = c.gate.threshold;
  const double lowest = threshold < 1 ? std::log1p(-threshold) : -std::numeric_limits<double>::infinity();
  std::optional<int> more;
  for (const double hidden : {std::log1p(threshold), lowest}) {
    const double moved = basis.difference.estimate - hidden;
    if (moved * hidden > 0) return {};  // the estimate is past the threshold
    more = std::max(
        more, grounds.shared.more_to_rule_out_hiding(place, suspicion_of(c, moved, false, grounds, context)));
  }
  return more;
}

// Only what the base has not is a change: of a second speed whose like chance seldom hides from a base.
std::optional<SecondSpeed> second_speed_in(const Case& c, std::size_t place, const Grounds& grounds,
                                           const JudgingContext& context) {
  const auto& seen = c.contrast.second_speed;
  if (!seen || clock_stays_in(c.clock) || context.neighbours.contains(c.name) || c.contrast.one_order)
    return {};
  const Suspicion suspicion{.change = seen->distance,
                            .paired = true,
                            .base_invocations = seen->invocations,
                            .candidate_invocations = seen->invocations,
                            .error = context.error,
                            .comparisons = static_cast<double>(grounds.comparisons),
                            .at_second_speed = static_cast<int>(seen->rounds.size()),
                            .alike = grounds.second_speeds.at(seen->rounds)};
  if (grounds.shared.more_to_tell_second_speed(place, suspicion, 1)) return {};
  return seen;
}

// Outliers that make the candidate worse, as a second speed of it would, where the base has none, or clearly
// fewer: then nothing is called unchanged. So many more invocations would tell.
std::optional<int> slow_outliers_in(const Case& c, std::size_t place, const Grounds& grounds,
                                    const JudgingContext& context) {
  constexpr double kAsOftenByChance = 0.2;
  int worse = 0;
  int better = 0;
  double distance = 0;
  for (const auto& outlier : c.contrast.outliers) {
    if (std::abs(std::expm1(outlier.offset)) <= c.gate.threshold) continue;  // such a speed is as good
    const bool up = outlier.distance > 0;
    const bool is_worse = (c.gate.metric.better == Better::kHigher ? !up : up) == outlier.in_candidate;
    ++(is_worse ? worse : better);
    if (is_worse) distance = outlier.offset;
  }
  if (worse == 0) return {};
  if (better > 0 && stats::binomial_at_least(worse, worse + better, 0.5) > kAsOftenByChance) return {};
  const int outliers = static_cast<int>(c.contrast.outliers.size());
  const bool paired = context.distance == Distance::kSameJob;
  const Suspicion suspicion{.change = distance,
                            .paired = paired,
                            .base_invocations = c.base.values() + outliers,
                            .candidate_invocations = c.candidate.values() + outliers,
                            .error = context.error,
                            .comparisons = static_cast<double>(grounds.comparisons),
                            .at_second_speed = worse};
  return grounds.shared.more_to_tell_second_speed(place, suspicion, kMoreInvocationsMax).value_or(1);
}

stats::Variance job_variance(const JudgingContext& context) {
  return default_job_variance(context.kind, context.distance);
}

std::vector<double> other_days_in(const std::vector<Case>& cases, const Grounds& grounds,
                                  const JudgingContext& context) {
  if (context.distance == Distance::kSameJob || !grounds.jobs.shared) return {};
  std::vector<Moved> moved;
  DaysBefore before;
  if (context.usual_days) {
    before.usual = context.usual_days->seen.usual;
    for (const auto& day : context.usual_days->seen.unusual) {
      before.unusual.emplace_back();
      for (const auto& c : cases) before.unusual.back().push_back(day.offsets.at(c.name));
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const BenchmarkNoise& known = context.known.benchmarks.at(cases[i].name);
    const bool same_board = context.distance == Distance::kSameBoard;
    moved.push_back({cases[i].contrast.estimate,
                     grounds.shared.of(i).value * cases[i].contrast.sampling_factor,
                     cases[i].contrast.job_factor, grounds.usual_jobs.variance.at(cases[i].name),
                     (same_board ? known.same_board : known.other_board).degrees,
                     grounds.jobs.variance.at(cases[i].name).value});
  }
  return chances_of_other_days(moved, job_variance(context), before);
}

// The others' noise, at the same clock, says nothing of one whose clock stays in.
const stats::Variance& believed_noise(const Case& c, std::size_t place, const Grounds& grounds) {
  return clock_stays_in(c.clock) ? c.contrast.own : grounds.shared.of(place);
}

// A benchmark may be judged wrongly at the same clock, or because its clocks differ by chance alone: the two
// share its error.
double confidence_of_one(const std::optional<ClockEffect>& clock, double error) {
  if (!clock) return 1 - error;
  return 1 - error * (clock->taken_out ? 1 - kDifferingClocksShare : kDifferingClocksShare);
}

Basis basis_of(const Case& c, std::size_t place, const Grounds& grounds, const JudgingContext& context) {
  const auto part = [](const stats::Variance& variance, double factor) {
    return stats::Variance{variance.value * factor, variance.degrees};
  };
  Basis basis;
  basis.sampling_factor = c.contrast.sampling_factor;
  basis.difference = {c.contrast.estimate,
                      part(believed_noise(c, place, grounds), c.contrast.sampling_factor),
                      part(grounds.usual_jobs.variance.at(c.name), c.contrast.job_factor)};
  if (!grounds.other_days.empty()) {
    stats::Variance other = part(job_variance(context), c.contrast.job_factor);
    other.value = std::max(other.value, grounds.jobs.variance.at(c.name).value * c.contrast.job_factor);
    if (context.usual_days)
      for (const auto& day : context.usual_days->seen.unusual)
        other.value = std::max(other.value, std::pow(day.offsets.at(c.name), 2));
    basis.difference.other_jobs = other;
    basis.difference.other_jobs_chance = grounds.other_days[place];
  }
  if (const auto changed = context.neighbours.find(c.name); changed != context.neighbours.end()) {
    basis.neighbours = changed->second;
    basis.difference.neighbours = neighbour_variance(context.kind);
  }
  basis.one_order = c.contrast.one_order;
  if (basis.one_order) {
    const stats::Variance of_order = order_variance(context.kind);
    basis.difference.neighbours.value += of_order.value;
    basis.difference.neighbours.degrees = of_order.degrees;
  }
  basis.confidence = confidence_of_one(c.clock, 1 - grounds.confidence);
  // One invocation a side has shown nothing of its noise, whatever the others' noise is.
  basis.noise_known = c.contrast.own.degrees > 0;
  basis.clock_step = c.clock_step;
  basis.repetitions = c.repetitions;
  basis.paired = c.paired;
  basis.same_job = context.distance == Distance::kSameJob;
  basis.outliers = c.contrast.outliers;
  basis.clock = c.clock;
  basis.second_speed = second_speed_in(c, place, grounds, context);
  basis.slow_outliers = slow_outliers_in(c, place, grounds, context);
  basis.hidden = hidden_in(c, place, basis, grounds, context);
  basis.hides_change = hides_change(c, place, basis, grounds, context);
  return basis;
}

std::size_t comparisons_of(const std::vector<Case>& cases, const JudgingContext& context) {
  return std::max(cases.size(), static_cast<std::size_t>(context.comparisons_min));
}

// Holm's procedure (1979, "A simple sequentially rejective multiple test procedure"): what is called
// unchanged no longer shares the error of being called so wrongly, and leaves it to the others.
void find_unchanged(const std::vector<Basis>& bases, const JudgingContext& context, std::size_t comparisons,
                    std::span<Comparison> judged) {
  const auto unchanged = [&] {
    return static_cast<std::size_t>(std::count_if(judged.begin(), judged.end(), [](const auto& comparison) {
      return comparison.verdict == Verdict::kUnchanged;
    }));
  };
  for (bool found = true; found;) {
    found = false;
    const double error = error_of_one(context.error, comparisons - unchanged());
    for (std::size_t i = 0; i < judged.size(); ++i)
      if (bases[i].paired && decide_unchanged(judged[i], bases[i], confidence_of_one(bases[i].clock, error)))
        found = true;
  }
}

}  // namespace

double error_of_one(double error, std::size_t comparisons) {
  constexpr std::size_t kSharersMin = 8;
  return error / static_cast<double>(std::max(comparisons, kSharersMin));
}

VerdictGrounds judge_cases(const std::vector<Case>& cases, const JudgingContext& context,
                           std::vector<Comparison>& judged) {
  const bool paired = context.distance == Distance::kSameJob;
  const std::size_t comparisons = comparisons_of(cases, context);
  const double error = error_of_one(context.error, comparisons);
  Grounds grounds{NoiseByMetric(cases, noise_shown(cases, context.known, paired), error),
                  job_noise(context.known, context.kind, context.distance), 1 - error, comparisons};
  grounds.usual_jobs = grounds.jobs;
  if (context.usual_days)
    grounds.usual_jobs = job_noise(context.usual_days->known, context.kind, context.distance);
  grounds.other_days = other_days_in(cases, grounds, context);
  for (const auto& c : cases)
    if (c.contrast.second_speed) ++grounds.second_speeds[c.contrast.second_speed->rounds];
  constexpr std::size_t kLeast = 100;
  const std::size_t first = judged.size();
  judged.resize(first + cases.size());
  std::vector<Basis> bases(cases.size());
  in_parts(cases.size(), kLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      judged[first + i] = start(cases[i]);
      bases[i] = basis_of(cases[i], i, grounds, context);
      decide(judged[first + i], bases[i]);
    }
  });
  if (paired) find_unchanged(bases, context, comparisons, std::span(judged).subspan(first));
  return {grounds.jobs, grounds.confidence};
}

namespace {

constexpr double kWidest = 700;  // whose ratio is a number
constexpr double kUnknownPlace = std::numeric_limits<double>::infinity();

// The half-width at which a verdict is likely, all of them logarithms. Half of the threshold decides whatever
// is not between half and all of it; where the data already says more than that, less will do.
double half_width_needed(const Basis& basis, double half, double threshold) {
  constexpr double kDoubtErrors = 2;
  const double size = std::abs(basis.difference.estimate);
  const double doubt =
      std::min(half / 2, kDoubtErrors * stats::standard_error(basis.difference) + basis.clock_step);
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
    const double needed = half_width_needed(basis, half, std::log1p(comparison.threshold));
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
