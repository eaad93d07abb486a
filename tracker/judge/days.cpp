#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "tracker/judge/shared_noise.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

double log_normal_density(double distance, double variance) {
  return -(distance * distance / variance + std::log(2 * std::numbers::pi * variance)) / 2;
}

// A code change may have moved any benchmark, by so much, so that no single one decides.
constexpr double kChangedShare = 0.1;
constexpr double kChangedBy = 0.1;
// And as likely as not it has moved all of them alike, by so much.
constexpr double kAlikeShare = 0.5;
constexpr double kAlikeBy = 0.03;
// Of the sizes of normal values.
constexpr double kMedianOfNormal = 0.674490;

double log_sum(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// One way in which the benchmarks came to lie where they do.
struct Hypothesis {
  double log_chance = 0;
  std::vector<double> variances;      // of each benchmark about where it puts it, noise included
  std::vector<double> shifts = {};    // where it puts each, besides; empty: nowhere else
  double alike_share = kAlikeShare;   // the chance that all of them moved together, besides
  std::vector<double> alike_by = {};  // that as a variance, asked for each benchmark; empty: as code does
};

// How likely the benchmarks' distances from what all of them moved by are, as logarithms.
struct Likelihood {
  double center = 0;  // what that is
  std::vector<double> of_each;
  double sum = 0;
  double information = 0;  // that all of them have of it
};

// How likely a hypothesis makes what the others of each benchmark show.
class Weighed {
 public:
  Weighed(const std::vector<Moved>& moved, Hypothesis hypothesis) : hypothesis_(std::move(hypothesis)) {
    for (std::size_t i = 0; i < moved.size(); ++i)
      left_.push_back(moved[i].estimate - (hypothesis_.shifts.empty() ? 0 : hypothesis_.shifts[i]));
    sorted_ = left_;
    std::ranges::sort(sorted_);
    if (hypothesis_.alike_share < 1) unmoved_ = around(0);
  }

  // As a logarithm, its own chance included.
  double without(std::size_t i) {
    const Likelihood& alike = around_of(center_without(i));
    const double by = hypothesis_.alike_by.empty() ? kAlikeBy * kAlikeBy : hypothesis_.alike_by[i];
    const double together = std::log(hypothesis_.alike_share) + moved_together(alike, i, by);
    if (!(hypothesis_.alike_share < 1)) return hypothesis_.log_chance + together;
    const double unmoved = std::log(1 - hypothesis_.alike_share) + unmoved_.sum - unmoved_.of_each[i];
    return hypothesis_.log_chance + log_sum(unmoved, together);
  }

 private:
  Likelihood around(double center) const {
    Likelihood all;
    all.center = center;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const double variance = hypothesis_.variances[i];
      const double distance = left_[i] - center;
      const double by_itself =
          std::log(kChangedShare) + log_normal_density(distance, kChangedBy * kChangedBy);
      const double with_others = std::log(1 - kChangedShare) + log_normal_density(distance, variance);
      all.of_each.push_back(log_sum(by_itself, with_others));
      all.sum += all.of_each.back();
      all.information += 1 / variance;
    }
    return all;
  }

  // Wherever they moved together, if that is as far as `variance` says (Laplace's approximation).
  double moved_together(const Likelihood& all, std::size_t i, double variance) const {
    const double information = all.information - 1 / hypothesis_.variances[i];
    return all.sum - all.of_each[i] + log_normal_density(all.center, variance) +
           std::log(2 * std::numbers::pi / information) / 2;
  }

  // The median of the others.
  double center_without(std::size_t i) const {
    const auto place = static_cast<std::size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), left_[i]) -
                                                sorted_.begin());
    const auto other = [&](std::size_t k) { return sorted_[k < place ? k : k + 1]; };
    const std::size_t others = sorted_.size() - 1;
    return (other((others - 1) / 2) + other(others / 2)) / 2;
  }

  // There are three medians at most.
  const Likelihood& around_of(double center) {
    for (const auto& known : arounds_)
      if (known.center == center) return known;
    arounds_.push_back(around(center));
    return arounds_.back();
  }

  Hypothesis hypothesis_;
  std::vector<double> left_;  // of what each moved by, when the shift is taken off
  std::vector<double> sorted_;
  Likelihood unmoved_;
  std::vector<Likelihood> arounds_;
};

// Days may be stiller than the history could show.
struct Stillness {
  double share;
  double variance;
};
constexpr double kStiller = 0.25;
constexpr Stillness kStillnesses[] = {{0.7, 1}, {0.3, kStiller* kStiller}};

template <typename Of>
std::vector<double> of_each(const std::vector<Moved>& moved, const Of& value_of) {
  std::vector<double> values;
  for (const auto& one : moved) values.push_back(value_of(one));
  return values;
}

std::vector<Weighed> usual_days(const std::vector<Moved>& moved) {
  std::vector<Weighed> all;
  for (const auto& [share, still] : kStillnesses)
    all.emplace_back(moved, Hypothesis{.log_chance = std::log(share),
                                       .variances = of_each(moved, [still = still](const Moved& one) {
                                         return one.sampling + one.job_factor * one.learned.value * still;
                                       })});
  return all;
}

// A day moves all of them together as far as it moves each.
Weighed day_of_another_kind(const std::vector<Moved>& moved, const stats::Variance& other_day) {
  const auto by_day = [&](const Moved& one) {
    return one.job_factor * std::max({one.learned.value, one.all_days, other_day.value});
  };
  return {moved,
          {.variances = of_each(moved, [&](const Moved& one) { return one.sampling + by_day(one); }),
           .alike_share = 1,
           .alike_by = of_each(moved, by_day)}};
}

// Days like an unusual one of the history: the same benchmarks slow by as much, or any of them by as much.
void add_days_like(const std::vector<double>& offsets, double chance, const std::vector<Moved>& moved,
                   std::vector<Weighed>& all) {
  // The offsets are from one job's invocations, and from the median of the days around it.
  constexpr double kWithOffsets = 1.6;
  const double middle = stats::median(offsets);
  std::vector<double> distances;
  for (const double offset : offsets) distances.push_back(std::abs(offset - middle));
  const double apart = std::pow(stats::median(distances) / kMedianOfNormal, 2);
  for (const auto& [share, still] : kStillnesses) {
    const auto variance = [still = still](const Moved& one) {
      return one.sampling + one.job_factor * one.learned.value * still;
    };
    const double log_chance = std::log(share * chance / 2);
    all.emplace_back(
        moved, Hypothesis{.log_chance = log_chance,
                          .variances =
                              of_each(moved, [&](const Moved& one) { return kWithOffsets * variance(one); }),
                          .shifts = offsets});
    all.emplace_back(
        moved,
        Hypothesis{.log_chance = log_chance,
                   .variances = of_each(moved, [&](const Moved& one) { return variance(one) + apart; }),
                   .alike_share = 1,
                   .alike_by = std::vector<double>(moved.size(), middle * middle + apart)});
  }
}

double log_sum_without(std::vector<Weighed>& all, std::size_t i) {
  double sum = -std::numeric_limits<double>::infinity();
  for (auto& one : all) {
    const double likelihood = one.without(i);
    sum = std::isinf(sum) ? likelihood : log_sum(sum, likelihood);
  }
  return sum;
}

}  // namespace

std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day,
                                          const DaysSeen& before) {
  constexpr double kEvidenceMax = 50;
  const auto unusual = static_cast<double>(before.unusual.size());
  const double known = unusual > 0 ? (unusual + 0.5) / (before.usual + 1) : 0;
  std::vector<Weighed> usual = usual_days(moved);
  std::vector<Weighed> another;
  another.push_back(day_of_another_kind(moved, other_day));
  std::vector<Weighed> like_unusual;
  for (const auto& day : before.unusual)
    add_days_like(day.offsets, 2 * known / (3 * unusual), moved, like_unusual);
  std::vector<double> chances;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    // The next of n jobs is the first of its kind with a chance of 1 in n at most, and there are two sides.
    const double jobs = 1 + moved[i].history_degrees / stats::kDegreesOfDifference;
    const double first = 2 / jobs + known / 3;
    double evidence = std::log(first);
    if (moved.size() >= 2) {
      const double other = std::log(first) + log_sum_without(another, i);
      evidence = (like_unusual.empty() ? other : log_sum(other, log_sum_without(like_unusual, i))) -
                 log_sum_without(usual, i);
    }
    const double odds = std::exp(std::min(evidence, kEvidenceMax));
    chances.push_back(odds / (1 + odds));
  }
  return chances;
}

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
  const auto add_usual = [&](std::size_t other) {
    if (!unusual[other]) around.push_back(other);
  };
  for (std::size_t before = job; before-- > 0 && around.size() < reach;) add_usual(before);
  const std::size_t enough = around.size() + reach;
  for (std::size_t after = job + 1; after < unusual.size() && around.size() < enough; ++after)
    add_usual(after);
  add_usual(job);
  return around;
}

Series without_nan(Series values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

// Of each benchmark; NaN where the job, or all of those around it, do not have it.
Series offsets_on(const std::vector<const Series*>& benchmarks, std::size_t job,
                  const std::vector<std::size_t>& around) {
  Series offsets;
  for (const Series* series : benchmarks) {
    Series levels;
    for (const std::size_t other : around) levels.push_back((*series)[other]);
    offsets.push_back((*series)[job] - stats::median(without_nan(std::move(levels))));
  }
  return offsets;
}

// How far a day moves benchmarks; 0 where too few of them say.
double size_of(const Series& offsets) {
  Series sizes = without_nan(offsets);
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
  std::ranges::sort(usual);
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
    if (2 * static_cast<std::size_t>(std::ranges::count(unusual, true)) >= jobs)
      return std::vector<bool>(jobs, false);
  }
  return unusual;
}

}  // namespace

bool DaysSeen::is_unusual(const std::string& job) const {
  return std::ranges::any_of(unusual, [&](const UnusualDay& day) { return day.job == job; });
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
    Series offsets = offsets_on(benchmarks, job, usual_around(unusual, job, kReach));
    const double middle = stats::median(without_nan(offsets));
    if (std::isnan(middle)) continue;
    std::replace_if(
        offsets.begin(), offsets.end(), [](double value) { return std::isnan(value); }, middle);
    --seen.usual;
    seen.unusual.push_back({levels.jobs[job], std::move(offsets)});
  }
  return seen;
}

}  // namespace tracker::judge
