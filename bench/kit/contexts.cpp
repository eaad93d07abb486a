#include "bench/kit/contexts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace tracker::kit {
namespace {

bool has_error(const Outcome& context) {
  return !context.error.empty();
}

std::vector<double> times_of(std::span<const Outcome> contexts) {
  std::vector<double> times_s;
  for (const Outcome& context : contexts) times_s.push_back(context.measured.mean_s);
  return times_s;
}

// Times the clock to that power; empty where one of them has no clock.
std::vector<double> at_same_clock(std::span<const Outcome> contexts, double power) {
  std::vector<double> values;
  for (const Outcome& context : contexts) {
    if (!context.measured.clock_mhz) return {};
    values.push_back(context.measured.mean_s * std::pow(*context.measured.clock_mhz, power));
  }
  return values;
}

bool is_known(std::span<const double> values) {
  return standard_error(values) <= kStandardErrorMax;
}

}  // namespace

std::size_t trimmed_at_each_end(std::size_t count) {
  return count / 5;
}

double standard_error(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 2) return std::numeric_limits<double>::infinity();
  const auto trimmed = static_cast<std::ptrdiff_t>(trimmed_at_each_end(count));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto kept = static_cast<double>(count) - 2 * static_cast<double>(trimmed);
  const double trimmed_mean = std::accumulate(sorted.begin() + trimmed, sorted.end() - trimmed, 0.0) / kept;
  const double least = sorted[static_cast<std::size_t>(trimmed)];
  const double most = sorted[count - 1 - static_cast<std::size_t>(trimmed)];
  for (double& value : sorted) value = std::clamp(value, least, most);
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(count);
  double squares = 0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  const double winsorized_deviation = std::sqrt(squares / static_cast<double>(count - 1));
  // s / ((1 - 2γ) √n), with γ the share left out at each end
  const double error = winsorized_deviation * std::sqrt(static_cast<double>(count)) / kept;
  return trimmed_mean > 0 ? error / trimmed_mean : 0;
}

double spread_of(std::span<const Outcome> contexts) {
  if (contexts.empty()) return 0;
  std::vector<double> times_s = times_of(contexts);
  std::sort(times_s.begin(), times_s.end());
  const double median_s = (times_s[(times_s.size() - 1) / 2] + times_s[times_s.size() / 2]) / 2;
  return median_s > 0 ? (times_s.back() - times_s.front()) / median_s : 0;
}

bool contexts_suffice(std::span<const Outcome> contexts) {
  if (contexts.size() < 2 || std::any_of(contexts.begin(), contexts.end(), has_error)) return true;
  if (is_known(times_of(contexts))) return true;
  if (spread_of(contexts) > kContextSpreadMax) return false;
  return is_known(at_same_clock(contexts, 0.5)) || is_known(at_same_clock(contexts, 1));
}

std::span<const Outcome> CallsOfASearch::add(const void* origin, std::int64_t iterations,
                                             const Outcome& outcome) {
  constexpr double kGrowthMin = 1.35;  // Google Benchmark asks for 1.4 times what would just be enough
  constexpr double kSameTime = 0.2;
  const double mean_s = outcome.measured.mean_s;
  const bool goes_on = origin != nullptr && origin == origin_ && !has_error(outcome) &&
                       static_cast<double>(iterations) >= kGrowthMin * static_cast<double>(iterations_) &&
                       std::abs(mean_s - mean_s_) <= kSameTime * mean_s_;
  if (!goes_on) {
    origin_ = iterations == 1 ? origin : nullptr;
    mean_s_ = mean_s;
    outcomes_.clear();
  }
  // Of the first call few launches are timed.
  if (goes_on && iterations_ == 1) outcomes_.clear();
  iterations_ = iterations;
  outcomes_.push_back(outcome);
  return outcomes_;
}

Outcome repetition_of(std::span<const Outcome> contexts, int further) {
  const auto failed = std::find_if(contexts.begin(), contexts.end(), has_error);
  if (failed != contexts.end()) return {.error = failed->error};
  std::vector<Outcome> counted(contexts.begin(), contexts.end());
  std::stable_sort(counted.begin(), counted.end(), [](const Outcome& one, const Outcome& other) {
    return one.measured.mean_s < other.measured.mean_s;
  });
  const auto at_each_end = static_cast<std::ptrdiff_t>(trimmed_at_each_end(counted.size()));
  counted.erase(counted.end() - at_each_end, counted.end());
  counted.erase(counted.begin(), counted.begin() + at_each_end);
  std::vector<Measured> parts;
  std::vector<benchmark::UserCounters> conditions;
  double overhead_sum_s = 0;
  for (const Outcome& context : counted) {
    parts.push_back(context.measured);
    conditions.push_back(context.conditions);
    overhead_sum_s += context.overhead_s.value_or(0);
  }
  Outcome all{.measured = mean_of(parts), .conditions = conditions_of(conditions)};
  if (contexts.size() > 1) all.measured.retaken_contexts = further;
  if (counted.front().overhead_s) all.overhead_s = overhead_sum_s / static_cast<double>(counted.size());
  return all;
}

}  // namespace tracker::kit
