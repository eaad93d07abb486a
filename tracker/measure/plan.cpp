#include "tracker/measure/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::measure {
namespace {

// Fisher and Yates; std::shuffle's result differs between libraries. The modulus favours no place by more
// than one part in 2^50.
template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

std::vector<PartRound> all_rounds(std::size_t parts, int first_round, int rounds) {
  std::vector<PartRound> all;
  for (int round = first_round; round < first_round + rounds; ++round)
    for (std::size_t part = 0; part < parts; ++part) all.push_back({part, round});
  return all;
}

std::vector<Step> plan_steps(const std::vector<JobPart>& parts, const std::vector<PartRound>& rounds,
                             std::mt19937_64& random) {
  std::map<int, std::vector<std::size_t>> by_round;
  for (const auto& [part, round] : rounds) by_round[round].push_back(part);
  std::map<std::size_t, std::vector<std::size_t>>
      open_blocks;  // part → its targets' order in the first round
  std::vector<Step> steps;
  for (auto& [round, here] : by_round) {
    if (round > 1) shuffle(here, random);
    for (const std::size_t part : here) {
      std::vector<std::size_t> order;
      if (const auto open = open_blocks.extract(part); !open.empty()) {
        order = open.mapped();
        std::ranges::reverse(order);
      } else {
        order = parts[part].targets;
        shuffle(order, random);
        open_blocks[part] = order;
      }
      for (const std::size_t target : order) steps.push_back({part, target, round});
    }
  }
  return steps;
}

namespace {

Exclusion seen(const Conditions& conditions) {
  if (!conditions.disturbed()) return {};
  if (conditions.other_processes.value_or(0) > 0) return {ExclusionReason::kOtherProcess, ""};
  auto reasons = conditions.throttle_reasons;
  std::erase(reasons, "power_cap");
  return {ExclusionReason::kThrottled, join(reasons, ", ")};
}

// Clocks this far below the usual ones are not the benchmark's own doing.
constexpr double kLowClockShare = 0.1;

Exclusion low_clocks(const Taken& one, const std::vector<const Taken*>& of_target) {
  const auto clock_mhz = one.invocation->conditions.core_clock_mhz_min;
  std::vector<double> others;
  for (const Taken* other : of_target)
    if (const auto other_mhz = other->invocation->conditions.core_clock_mhz_min; other_mhz && other != &one)
      others.push_back(*other_mhz);
  const double usual_mhz = stats::median(others);
  if (!clock_mhz || !(*clock_mhz < (1 - kLowClockShare) * usual_mhz)) return {};
  return {ExclusionReason::kLowClocks, std::to_string(std::llround(*clock_mhz)) + " MHz, usually " +
                                           std::to_string(std::llround(usual_mhz))};
}

}  // namespace

void exclude_disturbed(const std::vector<Taken>& taken) {
  std::map<std::size_t, std::vector<const Taken*>> by_target;
  for (const auto& one : taken) by_target[one.step.target].push_back(&one);
  std::set<int> rounds;
  for (const auto& one : taken) {
    Exclusion why = seen(one.invocation->conditions);
    if (!why) why = low_clocks(one, by_target[one.step.target]);
    if (!why || one.invocation->excluded) continue;
    one.invocation->excluded = why;
    rounds.insert(one.step.round);
  }
  for (const auto& one : taken)
    if (!one.invocation->excluded && rounds.contains(one.step.round))
      one.invocation->excluded = {ExclusionReason::kPairDisturbed, ""};
}

int clean_rounds(const std::vector<Taken>& taken) {
  std::set<int> clean;
  for (const auto& one : taken)
    if (!one.invocation->excluded) clean.insert(one.step.round);
  return static_cast<int>(clean.size());
}

int rounds_to_retake(int asked, int clean, int retaken, int retakes_max) {
  if (clean == 0) return retaken == 0 ? 1 : 0;
  return std::clamp(asked - clean, 0, std::max(retakes_max - retaken, 0));
}

int count_again_if_few(const std::vector<Taken>& taken, int asked) {
  const int clean = clean_rounds(taken);
  if (2 * clean >= asked && clean >= std::min(asked, 2)) return 0;
  int count = 0;
  for (const auto& one : taken) {
    if (!one.invocation->excluded || one.invocation->excluded.reason == ExclusionReason::kWarmUp) continue;
    one.invocation->excluded = {};
    ++count;
  }
  return count;
}

std::map<std::string, int> excluded_for(const std::vector<Taken>& taken) {
  std::map<std::string, int> reasons;
  for (const auto& one : taken)
    if (one.invocation->excluded) ++reasons[exclusion_in_words(one.invocation->excluded)];
  return reasons;
}

namespace {

using Logs = std::vector<double>;  // of one benchmark, by round

std::span<const double> after_first(const Logs& logs) {
  return std::span(logs).subspan(1);
}

// Whether most benchmarks moved this way (+1: slower), far enough, and farther than each of them scatters.
bool most_moved(const std::vector<Logs>& benchmarks, double direction) {
  std::size_t along = 0;
  std::vector<double> relative;
  std::vector<double> deviations;
  for (const auto& logs : benchmarks) {
    const double shift = direction * (logs.front() - stats::median(after_first(logs)));
    if (shift > 0) ++along;
    relative.push_back(shift);
    const double least = std::numeric_limits<double>::min();  // of rounds that are all alike
    deviations.push_back(shift / std::max(stats::robust_deviation(after_first(logs)), least));
  }
  return static_cast<double>(along) > kWarmUpShare * static_cast<double>(benchmarks.size()) &&
         stats::median(relative) > kWarmUpShift && stats::median(deviations) > kWarmUpDeviations;
}

// What moves all benchmarks of a process alike moves them in every round: the first must lie outside the
// interval in which such a round is expected from the others.
bool beyond_common_scatter(const std::vector<Logs>& benchmarks) {
  Logs common;
  for (std::size_t round = 0; round < benchmarks.front().size(); ++round) {
    std::vector<double> here;
    for (const auto& logs : benchmarks) here.push_back(logs[round] - stats::mean(after_first(logs)));
    common.push_back(stats::median(here));
  }
  const auto others = after_first(common);
  const auto count = static_cast<double>(others.size());
  const double reach = stats::student_t_within(kWarmUpConfidence, count - 1) *
                       std::sqrt(stats::variance(others) * (1 + 1 / count));
  return std::abs(common.front() - stats::mean(others)) > reach;
}

double log_time(const Samples& samples, TimeBase base) {
  return std::log(stats::median(times_of_base(samples, base)));
}

}  // namespace

bool is_warm_up(const std::vector<std::vector<double>>& logs_by_benchmark) {
  std::size_t rounds = std::size_t{kWarmUpRoundsMin};
  for (const auto& logs : logs_by_benchmark) rounds = std::max(rounds, logs.size());
  std::vector<Logs> whole;
  for (const auto& logs : logs_by_benchmark)
    if (logs.size() == rounds) whole.push_back(logs);
  if (whole.size() < std::size_t{kWarmUpBenchmarksMin}) return false;
  return (most_moved(whole, 1) || most_moved(whole, -1)) && beyond_common_scatter(whole);
}

std::vector<std::vector<double>> logs_by_round(const std::vector<Taken>& taken,
                                               const std::map<std::string, TimeBase>& time_bases,
                                               int first_round) {
  std::map<std::string, std::map<int, std::map<std::size_t, double>>> found;  // benchmark → round → target
  std::map<std::string, std::set<std::size_t>> sides;
  for (const auto& one : taken) {
    if (one.invocation->excluded) continue;
    for (const auto& [name, samples] : one.invocation->samples) {
      const auto base = time_bases.find(name);
      const double log = log_time(samples, base == time_bases.end() ? TimeBase::kReal : base->second);
      if (!std::isfinite(log)) continue;
      found[name][one.step.round][one.step.target] = log;
      sides[name].insert(one.step.target);
    }
  }
  std::vector<std::vector<double>> all;
  for (const auto& [name, rounds] : found) {
    std::vector<double> logs;
    for (const auto& [round, by_target] : rounds) {
      if (by_target.size() < sides[name].size()) continue;
      if (logs.empty() && round != first_round) break;
      double sum = 0;
      for (const auto& [target, log] : by_target) sum += log;
      logs.push_back(sum / static_cast<double>(by_target.size()));
    }
    if (!logs.empty()) all.push_back(logs);
  }
  return all;
}

}  // namespace tracker::measure
