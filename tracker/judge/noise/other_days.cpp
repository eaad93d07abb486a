#include "tracker/judge/noise/other_days.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "tracker/stats/ratio.hpp"

namespace tracker {
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

// What jobs may differ by: the logarithm of its chance, and one job's variance of each benchmark.
struct KindOfDays {
  double log_chance = 0;
  std::vector<double> variances;
};

// Days like those of the history may be stiller than it could show.
std::vector<KindOfDays> days_of_history(const std::vector<Moved>& moved) {
  constexpr double kStillerShare = 0.3;
  constexpr double kStiller = 0.25;
  std::vector<KindOfDays> kinds{{std::log(1 - kStillerShare), {}}, {std::log(kStillerShare), {}}};
  for (const auto& one : moved) {
    kinds[0].variances.push_back(one.learned.value);
    kinds[1].variances.push_back(one.learned.value * kStiller * kStiller);
  }
  return kinds;
}

KindOfDays other_days(const std::vector<Moved>& moved, const stats::Variance& other_day) {
  KindOfDays kind;
  for (const auto& one : moved) kind.variances.push_back(std::max(one.learned.value, other_day.value));
  return kind;
}

// How likely the benchmarks' distances from what all of them moved by are, as logarithms.
struct Likelihood {
  std::vector<double> of_each;
  double sum = 0;
  double information = 0;  // that all of them have of what they moved by
};

double variance_in(const KindOfDays& days, const std::vector<Moved>& moved, std::size_t i) {
  return moved[i].sampling + moved[i].job_factor * days.variances[i];
}

Likelihood likelihood_of(const std::vector<Moved>& moved, const KindOfDays& days, double center) {
  Likelihood all;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double variance = variance_in(days, moved, i);
    const double distance = moved[i].estimate - center;
    const double by_itself = std::log(kChangedShare) + log_normal_density(distance, kChangedBy * kChangedBy);
    const double with_others = std::log(1 - kChangedShare) + log_normal_density(distance, variance);
    all.of_each.push_back(std::max(by_itself, with_others) +
                          std::log1p(std::exp(-std::abs(by_itself - with_others))));
    all.sum += all.of_each.back();
    all.information += 1 / variance;
  }
  return all;
}

// What the others of each benchmark say.
class Others {
 public:
  Others(const std::vector<Moved>& moved, const stats::Variance& other_day)
      : moved_(moved), history_(days_of_history(moved)), other_(other_days(moved, other_day)) {
    for (const auto& one : moved) sorted_.push_back(one.estimate);
    std::sort(sorted_.begin(), sorted_.end());
    for (const auto& days : history_) unmoved_.push_back(likelihood_of(moved, days, 0));
  }

  // How much likelier a day unlike the history's is than one like them, as a logarithm.
  double evidence(std::size_t i) {
    if (moved_.size() < 2) return 0;
    const double center = center_without(i);
    const Around& around = around_of(center);
    double like = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < history_.size(); ++k) {
      const auto& days = history_[k];
      like = log_sum(like, std::log(1 - kAlikeShare) + days.log_chance + without(unmoved_[k], i));
      like = log_sum(like, std::log(kAlikeShare) + days.log_chance +
                               moved_together(around.history[k], days, i, center, kAlikeBy * kAlikeBy));
    }
    // A day moves all of them together as far as it moves each.
    const double by = moved_[i].job_factor * other_.variances[i];
    return moved_together(around.other, other_, i, center, by) - like;
  }

 private:
  struct Around {
    double center = 0;
    std::vector<Likelihood> history;
    Likelihood other;
  };

  static double log_sum(double a, double b) {
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  }

  static double without(const Likelihood& all, std::size_t i) { return all.sum - all.of_each[i]; }

  // Wherever they moved together, if that is as far as `variance` says (Laplace's approximation).
  double moved_together(const Likelihood& all, const KindOfDays& days, std::size_t i, double center,
                        double variance) const {
    const double information = all.information - 1 / variance_in(days, moved_, i);
    return without(all, i) + log_normal_density(center, variance) +
           std::log(2 * std::numbers::pi / information) / 2;
  }

  // The median of the others.
  double center_without(std::size_t i) const {
    const auto place = static_cast<std::size_t>(
        std::lower_bound(sorted_.begin(), sorted_.end(), moved_[i].estimate) - sorted_.begin());
    const auto other = [&](std::size_t k) { return sorted_[k < place ? k : k + 1]; };
    const std::size_t others = sorted_.size() - 1;
    return (other((others - 1) / 2) + other(others / 2)) / 2;
  }

  // There are three medians at most.
  const Around& around_of(double center) {
    for (const auto& around : arounds_)
      if (around.center == center) return around;
    Around around{center, {}, likelihood_of(moved_, other_, center)};
    for (const auto& days : history_) around.history.push_back(likelihood_of(moved_, days, center));
    arounds_.push_back(std::move(around));
    return arounds_.back();
  }

  const std::vector<Moved>& moved_;
  std::vector<KindOfDays> history_;
  KindOfDays other_;
  std::vector<double> sorted_;
  std::vector<Likelihood> unmoved_;
  std::vector<Around> arounds_;
};

}  // namespace

std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day) {
  constexpr double kEvidenceMax = 50;
  Others others(moved, other_day);
  std::vector<double> chances;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    // The next of n jobs is the first of its kind with a chance of 1 in n at most, and there are two sides.
    const double jobs = 1 + moved[i].history_degrees / stats::kDegreesOfDifference;
    const double odds = 2 / jobs * std::exp(std::min(others.evidence(i), kEvidenceMax));
    chances.push_back(odds / (1 + odds));
  }
  return chances;
}

}  // namespace tracker
