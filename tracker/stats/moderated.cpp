#include "tracker/stats/moderated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {
// Below so many benchmarks the spread of their variances cannot be told from chance.
constexpr std::size_t kBenchmarksMin = 5;

// The logarithms of variances, with what chance alone makes of them.
struct LogVariances {
  std::vector<double> logs;  // without the bias that their degrees give them
  double by_chance = 0;      // their variance where all have one true value
};

// Without the bias that its degrees give it.
double unbiased_log(const Variance& one) {
  const double half = one.degrees / 2;
  return std::log(one.value) - digamma(half) + std::log(half);
}

LogVariances log_variances(std::span<const Variance> observed) {
  LogVariances all;
  for (const auto& one : observed) {
    if (!(one.value > 0) || !(one.degrees > 0)) continue;
    all.logs.push_back(unbiased_log(one));
    all.by_chance += trigamma(one.degrees / 2);
  }
  if (!all.logs.empty()) all.by_chance /= static_cast<double>(all.logs.size());
  return all;
}

// What the benchmarks would be like if so many degrees were the true ones.
struct Guess {
  double degrees = 0;  // with what the usual value itself leaves open
  double log_value = 0;
  double weight = 0;
};

// Of log s², where s² / value ~ F(own, degrees), without what does not depend on the two.
double log_likelihood(std::span<const Variance> observed, double value, double degrees) {
  const double half = degrees / 2;
  double own = 0;
  double constant = 0;
  double sum = 0;
  for (const auto& one : observed) {
    if (!(one.value > 0) || !(one.degrees > 0)) continue;
    if (own != one.degrees / 2) {  // most have as many
      own = one.degrees / 2;
      constant = log_gamma(own + half) - log_gamma(half) - log_gamma(own);
    }
    const double share = own / half * one.value / value;
    sum += constant + own * std::log(share) - (own + half) * std::log1p(share);
  }
  return sum;
}

std::vector<Guess> guess_degrees(std::span<const Variance> observed, const LogVariances& all,
                                 const ScatterOptions& options) {
  constexpr double kDegreesMin = 0.4;
  constexpr double kStep = 1.6;
  std::vector<Guess> guesses;
  double most = -std::numeric_limits<double>::infinity();
  const double others = std::max(1.0, static_cast<double>(all.logs.size()) / options.copies - 1);
  for (double degrees = options.degrees_max; degrees > kDegreesMin; degrees /= kStep) {
    const double half = degrees / 2;
    const double log_value = mean(all.logs) + digamma(half) - std::log(half);
    const double of_mean = (all.by_chance + trigamma(half)) / others;
    guesses.push_back({2 * trigamma_inverse(trigamma(half) + of_mean), log_value,
                       log_likelihood(observed, std::exp(log_value), degrees) / options.copies});
    most = std::max(most, guesses.back().weight);
  }
  double sum = 0;
  for (auto& guess : guesses) sum += guess.weight = std::exp(guess.weight - most);
  for (auto& guess : guesses) guess.weight /= sum;
  constexpr double kLeast = 1e-9;
  std::erase_if(guesses, [](const Guess& guess) { return guess.weight < kLeast; });
  return guesses;
}

// Where a rising function becomes zero.
template <typename Function>
double zero_between(double low, double high, Function rising) {
  constexpr int kSteps = 40;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (low + high) / 2;
    (rising(middle) < 0 ? low : high) = middle;
  }
  return high;
}

// The degrees of a t whose tail is that of all guesses together.
double degrees_together(const std::vector<Guess>& guesses, double own, const ScatterOptions& options) {
  const double most = own + options.degrees_max;
  const auto beyond = [](double t, double degrees) { return fisher_f_above(t * t, 1, degrees); };
  const auto hit = [&](double t) {
    double missed = 0;
    for (const auto& guess : guesses) missed += guess.weight * beyond(t, own + guess.degrees);
    return options.error - missed;
  };
  const double within =
      zero_between(student_t_within(1 - options.error, most), student_t_within(1 - options.error, own), hit);
  return zero_between(own, most, [&](double degrees) { return options.error - beyond(within, degrees); }) -
         own;
}

}  // namespace

// If s² ~ s0² F(d, d0), then log s² has mean log s0² + ψ(d/2) − log(d/2) − ψ(d0/2) + log(d0/2) and variance
// ψ'(d/2) + ψ'(d0/2): both moments are matched.
Variance fit_usual_variance(std::span<const Variance> observed) {
  const LogVariances all = log_variances(observed);
  if (all.logs.size() < kBenchmarksMin) return {};
  const double excess = variance(all.logs) - all.by_chance;
  double value = std::exp(mean(all.logs));  // where they differ by no more than chance
  double degrees = kUsualDegreesMax;
  if (excess > 0) {
    const double half = trigamma_inverse(excess);
    value *= std::exp(digamma(half) - std::log(half));
    degrees = std::min(2 * half, kUsualDegreesMax);
  }
  return {value, degrees};
}

Variance Scattered::without(const Variance& own) const {
  if (!(usual.degrees > 0) || !(own.value > 0) || !(own.degrees > 0)) return usual;
  const double center = log_sum / count;
  return {usual.value * std::exp((center - unbiased_log(own)) / (count - 1)), usual.degrees};
}

Scattered fit_scatter(std::span<const Variance> observed, const ScatterOptions& options) {
  const LogVariances all = log_variances(observed);
  if (static_cast<double>(all.logs.size()) < options.copies * static_cast<double>(options.count_min))
    return {};
  const auto count = static_cast<double>(all.logs.size());
  double own = 0;
  for (const auto& one : observed)
    if (one.value > 0 && one.degrees > 0) own += one.degrees / count;
  const auto guesses = guess_degrees(observed, all, options);
  double log_value = 0;
  for (const auto& guess : guesses) log_value += guess.weight * guess.log_value;
  return {{std::exp(log_value), degrees_together(guesses, own, options)}, mean(all.logs) * count, count};
}

bool is_louder(const Variance& own, const Variance& usual, double level) {
  if (!(own.value > usual.value)) return false;
  if (!(usual.value > 0)) return true;
  return fisher_f_above(own.value / usual.value, own.degrees, usual.degrees) < level;
}

Variance moderate(const Variance& own, const Variance& usual) {
  const double degrees = own.degrees + usual.degrees;
  if (!(degrees > 0)) return own;
  return {(own.degrees * own.value + usual.degrees * usual.value) / degrees, degrees};
}

}  // namespace tracker::stats
