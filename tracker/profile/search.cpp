#include "tracker/profile/search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tracker::profile {
namespace {

constexpr double kAgreementMin = 0.6;
constexpr std::size_t kVariantsMin = 4;
constexpr double kSlowerMin = 1.05;
constexpr double kWorseMin = 1.5;

// Counters of a profiler vary a little from launch to launch, and what is small varies much.
constexpr double kFactorMin = 1.05;
constexpr double kPointsMin = 2;
constexpr double kShareFloor = 5;     // per cent: less counts as that
constexpr double kTotalFloor = 0.01;  // of the largest total of the unit, likewise
constexpr double kSameFactor = 0.02;  // as a logarithm

int sign(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Kendall 1945, with ties; 0 where one of them is the same everywhere.
double kendall_tau_b(const std::vector<double>& a, const std::vector<double>& b) {
  double together = 0;
  double differ_in_a = 0;
  double differ_in_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int of_a = sign(a[i] - a[j]);
      const int of_b = sign(b[i] - b[j]);
      together += of_a * of_b;
      differ_in_a += std::abs(of_a);
      differ_in_b += std::abs(of_b);
    }
  const double most = std::sqrt(differ_in_a * differ_in_b);
  return most > 0 ? together / most : 0;
}

// What is slower moves less a second, whatever the reason.
bool follows_from_time(const Counter& counter) {
  return counter.unit == "B/s" || counter.name.ends_with("_utilization") || counter.name == "ipc";
}

bool is_total(const Counter& counter) {
  return counter.combine == Combine::kFirst && counter.metrics.front().ends_with(".sum");
}

// By unit: the largest total of either side.
std::map<std::string, double> largest_totals(const std::vector<const ProfiledBenchmark*>& sides) {
  std::map<std::string, double> largest;
  for (const auto* side : sides)
    for (const auto& counter : counters())
      if (is_total(counter)) {
        double& most = largest[counter.unit];
        most = std::max(most, counter_value(counter, *side).value_or(0));
      }
  return largest;
}

// How much worse a variant is than another one, as a ratio; 0 where one of them has no value above 0.
double worse_by(const Counter& counter, const ProfiledBenchmark& variant, const ProfiledBenchmark& than) {
  const double value = counter_value(counter, variant).value_or(0);
  const double other = counter_value(counter, than).value_or(0);
  if (value <= 0 || other <= 0) return 0;
  return counter.better == Better::kLower ? value / other : other / value;
}

// The order that it puts the variants in: equal for counters that say the same.
std::vector<int> order_of(const std::vector<double>& values) {
  std::vector<int> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) order.push_back(sign(values[i] - values[j]));
  return order;
}

}  // namespace

std::vector<const ProfiledBenchmark*> by_time(const Profile& profile, const TimesS& times_s) {
  std::vector<const ProfiledBenchmark*> timed;
  for (const auto& benchmark : profile.benchmarks)
    if (times_s.contains(benchmark.name)) timed.push_back(&benchmark);
  std::stable_sort(timed.begin(), timed.end(),
                   [&](const auto* a, const auto* b) { return times_s.at(a->name) < times_s.at(b->name); });
  return timed;
}

std::vector<FollowingCounter> counters_that_follow(const Profile& profile, const TimesS& times_s) {
  const auto timed = by_time(profile, times_s);
  if (timed.size() < kVariantsMin) return {};
  std::vector<double> times;
  for (const auto* benchmark : timed) times.push_back(times_s.at(benchmark->name));
  std::vector<FollowingCounter> following;
  std::set<std::vector<int>> orders;
  for (const auto& counter : counters()) {
    if (!counter.in_table || counter.unit == "B/s") continue;
    std::vector<double> cost;  // the worse, the higher
    for (const auto* benchmark : timed)
      if (const auto value = counter_value(counter, *benchmark))
        cost.push_back(counter.better == Better::kLower ? *value : -*value);
    if (cost.size() != timed.size()) continue;
    const double agreement = kendall_tau_b(cost, times);
    if (agreement < kAgreementMin || !orders.insert(order_of(cost)).second) continue;
    following.push_back({&counter, agreement, std::abs(cost.front()), std::abs(cost.back())});
  }
  std::stable_sort(following.begin(), following.end(),
                   [](const auto& a, const auto& b) { return a.agreement > b.agreement; });
  return following;
}

std::vector<MovedCounter> counters_that_moved(const ProfiledBenchmark& base,
                                              const ProfiledBenchmark& candidate) {
  struct Move {
    MovedCounter moved;
    double factor;  // as a logarithm, above 0
  };
  const auto totals = largest_totals({&base, &candidate});
  std::vector<Move> moves;
  for (const auto& counter : counters()) {
    if (follows_from_time(counter)) continue;
    const auto before = counter_value(counter, base);
    const auto now = counter_value(counter, candidate);
    if (!before || !now || !(std::isfinite(*before) && std::isfinite(*now)) || std::min(*before, *now) < 0)
      continue;
    const bool is_share = counter.unit == "%";
    const double least = is_share            ? kShareFloor
                         : is_total(counter) ? totals.at(counter.unit) * kTotalFloor
                                             : 0;
    const double low = std::max(std::min(*before, *now), least);
    const double high = std::max(std::max(*before, *now), least);
    if (low <= 0 || (is_share && high - low < kPointsMin)) continue;
    const double factor = std::log(high / low);
    const bool is_known = std::any_of(moves.begin(), moves.end(), [&](const Move& other) {
      return std::abs(other.factor - factor) < kSameFactor;
    });
    if (factor < std::log(kFactorMin) || is_known) continue;
    moves.push_back(
        {{&counter, *before, *now, (*now > *before) == (counter.better == Better::kLower)}, factor});
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Move& a, const Move& b) { return a.factor > b.factor; });
  std::vector<MovedCounter> moved;
  for (const auto& move : moves) moved.push_back(move.moved);
  return moved;
}

std::vector<SlowingCounter> counters_that_slow(const Profile& profile, const TimesS& times_s) {
  constexpr double kClearly = 1.02;  // of counters that say the same, the table's first
  const auto timed = by_time(profile, times_s);
  std::vector<SlowingCounter> slowing;
  for (const auto* variant : timed) {
    if (times_s.at(variant->name) < kSlowerMin * times_s.at(timed.front()->name)) continue;
    const Counter* worst = nullptr;
    double most = kWorseMin / kClearly;
    for (const auto& counter : counters()) {
      if (!counter.in_table || follows_from_time(counter) || counter.name.starts_with("stall_")) continue;
      const double worse = worse_by(counter, *variant, *timed.front());
      if (worse < kClearly * most) continue;
      worst = &counter;
      most = worse;
    }
    if (worst == nullptr) continue;
    const auto known = std::find_if(slowing.begin(), slowing.end(),
                                    [&](const SlowingCounter& one) { return one.counter == worst; });
    if (known != slowing.end())
      known->variants.push_back(variant);
    else
      slowing.push_back({worst, counter_value(*worst, *timed.front()).value_or(0), {variant}});
  }
  return slowing;
}

}  // namespace tracker::profile
