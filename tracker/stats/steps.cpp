#include "tracker/stats/steps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kError = 0.003;     // of a series of independent values: that it has a step which is none
constexpr double kSeenError = 0.01;  // that a few values in a row repeat what was seen before
constexpr std::size_t kValuesBeforeMin = 2;
constexpr double kSpikeReach = 2.5;       // deviations that a lone value may lie outside its neighbours
constexpr double kStepDegrees = 4;        // of the usual noise, beside what the series shows
constexpr double kFloorShare = 0.2;       // of the usual deviation: no series is taken to be quieter
constexpr double kIntervalDecay = 0.707;  // of the lengths that are searched

// Block means that tell a noise: fewer would let chance, and real steps, make it large.
constexpr std::size_t kBlocksMin = 12;
constexpr std::size_t kLongBlock = 8;
constexpr std::size_t kLongBlocksMin = 40;

// The variance of one value as a level's mean feels it: b times that of a mean of b values, for the b that
// shows the most. All b show the same where values are independent. Where they wander, or take another speed
// now and then, neighbours alone (b = 1) would hide it.
Variance noise_of(std::span<const double> logs) {
  Variance loudest;
  for (std::size_t block = 1;; block *= 2) {
    if (block > 1 && logs.size() / block < (block < kLongBlock ? kBlocksMin : kLongBlocksMin)) return loudest;
    std::vector<double> differences;
    double before = 0;
    for (std::size_t from = 0; from + block <= logs.size(); from += block) {
      const double now = mean(logs.subspan(from, block));
      if (from > 0) differences.push_back(now - before);
      before = now;
    }
    Variance noise = job_variance_from_history(differences);
    noise.value *= static_cast<double>(block);
    if (noise.degrees > 0 && noise.value >= loudest.value) loudest = noise;
  }
}

Variance with_usual(const Variance& own, const Variance& usual) {
  Variance noise = own.degrees > 0 ? moderate(own, {usual.value, kStepDegrees}) : usual;
  noise.value = std::max(noise.value, usual.value * kFloorShare * kFloorShare);
  return noise;
}

struct Candidate {
  std::size_t from = 0;  // the stretch that was searched: [from, to)
  std::size_t to = 0;
  std::size_t at = 0;
  double strength = 0;  // the change, as a multiple of what noise can make
};

class Finder {
 public:
  Finder(std::span<const double> logs, double least, const Variance& usual);
  std::vector<Step> steps() const;

 private:
  double level(std::size_t from, std::size_t to) const {
    return (sums_[to] - sums_[from]) / static_cast<double>(to - from);
  }
  // What a level is said to be: unlike its mean, not what a few spikes make of it.
  double middle(std::size_t from, std::size_t to) const {
    return median(std::span(logs_).subspan(from, to - from));
  }
  double strength(std::size_t from, std::size_t at, std::size_t to) const;
  std::optional<Candidate> best(std::size_t from, std::size_t to) const;
  std::vector<Candidate> candidates() const;
  std::vector<std::size_t> choose() const;
  bool seen_before(std::size_t from, std::size_t at, std::size_t to) const;
  double worth(const std::vector<std::size_t>& ends, std::size_t i) const;

  std::vector<double> logs_;
  std::vector<double> values_;  // the same, lone spikes cut
  std::vector<double> sums_;    // of the first i values
  double least_;
  double reach_ = 0;  // what noise makes of one value, at the confidence of all places together
};

Finder::Finder(std::span<const double> logs, double least, const Variance& usual)
    : logs_(logs.begin(), logs.end()), values_(logs_), least_(least) {
  const Variance noise = with_usual(noise_of(logs), usual);
  const double deviation = std::sqrt(noise.value);
  const auto count = static_cast<double>(logs.size());
  reach_ = deviation * student_t_within(1 - kError / count, noise.degrees);
  for (std::size_t i = 1; i + 1 < logs.size(); ++i) {
    const auto [low, high] = std::minmax(logs[i - 1], logs[i + 1]);
    values_[i] = std::clamp(logs[i], low - kSpikeReach * deviation, high + kSpikeReach * deviation);
  }
  sums_.push_back(0);
  for (const double value : values_) sums_.push_back(sums_.back() + value);
}

double Finder::strength(std::size_t from, std::size_t at, std::size_t to) const {
  const double change = std::abs(level(at, to) - level(from, at));
  const double share = 1 / static_cast<double>(at - from) + 1 / static_cast<double>(to - at);
  return change / (reach_ * std::sqrt(share));
}

std::optional<Candidate> Finder::best(std::size_t from, std::size_t to) const {
  Candidate found{from, to, 0, 1};
  const std::size_t after_min = to == values_.size() ? 1 : kSettledMin;
  for (std::size_t at = from + kValuesBeforeMin; at + after_min <= to; ++at)
    if (const double now = strength(from, at, to); now > found.strength) found = {from, to, at, now};
  return found.at == 0 ? std::nullopt : std::optional(found);
}

// From stretches of every length, each shifted by half of itself: a short level is searched for among few
// values, where a longer stretch would drown it.
std::vector<Candidate> Finder::candidates() const {
  std::vector<Candidate> all;
  const auto count = static_cast<double>(values_.size());
  double length = count;
  while (length >= kValuesBeforeMin + 1) {
    const auto shifts = static_cast<std::size_t>(std::ceil((count - length) / (length / 2)));
    for (std::size_t i = 0; i <= shifts; ++i) {
      const double start =
          shifts == 0 ? 0 : static_cast<double>(i) * (count - length) / static_cast<double>(shifts);
      const auto from = static_cast<std::size_t>(start);
      const auto to = std::min(values_.size(), static_cast<std::size_t>(std::ceil(start + length)));
      if (const auto found = best(from, to)) all.push_back(*found);
    }
    length *= kIntervalDecay;
  }
  return all;
}

// Where levels begin and end: the clearest step first, and no other from a stretch that has one.
std::vector<std::size_t> Finder::choose() const {
  std::vector<Candidate> open = candidates();
  std::stable_sort(open.begin(), open.end(),
                   [](const auto& a, const auto& b) { return a.strength > b.strength; });
  std::vector<std::size_t> ends{0, values_.size()};
  for (const auto& candidate : open) {
    const auto next = std::upper_bound(ends.begin(), ends.end(), candidate.from);
    if (*next >= candidate.to) ends.insert(next, candidate.at);
  }
  return ends;
}

// Whether the level before reached as far so often that the values after it are nothing new: a benchmark with
// two speeds shows the rarer one, now and then, a few times in a row.
bool Finder::seen_before(std::size_t from, std::size_t at, std::size_t to) const {
  const double before = level(from, at);
  const double after = level(at, to);
  double seen = 0;
  for (std::size_t i = from; i < at; ++i)
    if ((logs_[i] > (before + after) / 2) == (after > before)) ++seen;
  return seen > 0 &&
         std::pow(seen / static_cast<double>(at - from), static_cast<double>(to - at)) > kSeenError;
}

// Of the step at ends[i], between the levels beside it: below 1 it is none.
double Finder::worth(const std::vector<std::size_t>& ends, std::size_t i) const {
  const std::size_t from = ends[i - 1];
  const std::size_t at = ends[i];
  const std::size_t to = ends[i + 1];
  const bool spike = to != values_.size() && to - at < kSettledMin;
  if (spike || seen_before(from, at, to)) return 0;
  const double change = std::abs(middle(at, to) - middle(from, at));
  return least_ > 0 ? std::min(strength(from, at, to), change / least_) : strength(from, at, to);
}

std::vector<Step> Finder::steps() const {
  std::vector<std::size_t> ends = choose();
  while (ends.size() > 2) {
    std::size_t weakest = 0;
    double least = 1;
    for (std::size_t i = 1; i + 1 < ends.size(); ++i)
      if (const double now = worth(ends, i); now < least) {
        least = now;
        weakest = i;
      }
    if (weakest == 0) break;
    ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(weakest));
  }
  std::vector<Step> steps;
  for (std::size_t i = 1; i + 1 < ends.size(); ++i)
    steps.push_back({ends[i], middle(ends[i - 1], ends[i]), middle(ends[i], ends[i + 1]),
                     ends[i + 1] - ends[i] >= kSettledMin});
  return steps;
}

}  // namespace

std::vector<Step> find_steps(std::span<const double> logs, double least, const Variance& usual) {
  if (logs.size() <= kValuesBeforeMin) return {};
  return Finder(logs, least, usual).steps();
}

}  // namespace tracker::stats
