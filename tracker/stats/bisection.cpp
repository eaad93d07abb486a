#include "tracker/stats/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>
#include <utility>

#include "tracker/stats/bisection_levels.hpp"
#include "tracker/stats/moderated.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

// Before anything is seen, there is as likely one slow-down as none.
constexpr double kExpected = 0.7;
// A commit's own variance counts beside so many degrees of the usual one.
constexpr double kPooledDegrees = 6;
constexpr double kPairDegreesMin = 3;
constexpr double kPairDegreesMax = 30;
constexpr double kDeviationMin = 1e-5;  // of one pair: clocks have no more digits
constexpr double kHuber = 1.5;          // deviations beyond which a pair has no more influence
constexpr int kFirstPairs = 6;          // of the bad end: they show the noise
constexpr int kPairsMin = 2;
constexpr int kPairsAtOnce = 10;
constexpr double kSeparation = 3;         // deviations that a measurement is to tell levels apart by
constexpr double kInformationMin = 1e-4;  // bits a measurement: less is nothing
constexpr double kUnlikely = 0.02;

double entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

// What a normal value tells, in bits, of which of two levels it is from, so many deviations apart.
double information_of(double p, double separation) {
  if (p <= 0 || p >= 1) return 0;
  constexpr int kSteps = 24;
  constexpr double kEnd = 4;
  double left = 0;
  double weights = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = -kEnd + 2 * kEnd * i / kSteps;
    const double weight = std::exp(-z * z / 2);
    weights += weight;
    for (const bool upper : {false, true}) {
      const double x = z + (upper ? separation : 0);
      const double odds = (1 - p) / p * std::exp(separation * separation / 2 - separation * x);
      left += weight * (upper ? p : 1 - p) * entropy(1 / (1 + odds));
    }
  }
  return std::max(0.0, entropy(p) - left / weights);
}

// Pairs whose mean is the robust one, and whose variance is that of the robust mean (pseudo-values, Huber
// 1964).
std::vector<double> without_tails(const std::vector<double>& pairs, double deviation) {
  if (!(deviation > 0) || pairs.size() < 3) return pairs;
  const double bound = kHuber * deviation;
  double middle = median(pairs);
  double inside = 1;
  for (int turn = 0; turn < 30; ++turn) {
    double sum = 0;
    double count = 0;
    for (const double pair : pairs) {
      sum += std::clamp(pair - middle, -bound, bound);
      count += std::abs(pair - middle) < bound ? 1 : 0;
    }
    inside = std::max(count, 1.0) / static_cast<double>(pairs.size());
    middle += sum / static_cast<double>(pairs.size()) / inside;
  }
  std::vector<double> bounded;
  for (const double pair : pairs)
    bounded.push_back(middle + std::clamp(pair - middle, -bound, bound) / inside);
  return bounded;
}

}  // namespace

Bisection::Bisection(int commits, const BisectionOptions& options)
    : options_(options), commits_(static_cast<std::size_t>(commits)), build_pairs_(options.build_pairs) {}

void Bisection::add(int commit, std::span<const double> log_ratios) {
  for (const double ratio : log_ratios)
    if (std::isfinite(ratio)) commits_[index(commit)].pairs.push_back(ratio);
  commits_[index(commit)].built = true;
  is_fresh_ = false;
}

void Bisection::add_hint(int commit, double log_ratio, double variance) {
  if (!std::isfinite(log_ratio) || !(variance > 0) || !std::isfinite(variance)) return;
  commits_[index(commit)].hint = log_ratio;
  commits_[index(commit)].hint_variance = variance;
  is_fresh_ = false;
}

void Bisection::skip(int commit) {
  commits_[index(commit)].skipped = true;
  is_fresh_ = false;
}

void Bisection::set_same(int from, int to) {
  if (from > to) std::swap(from, to);
  for (int commit = from + 1; commit <= to; ++commit) commits_[index(commit)].weight = 0;
  is_fresh_ = false;
}

void Bisection::set_build_cost(double pairs, std::vector<bool> built) {
  build_pairs_ = pairs;
  for (std::size_t i = 0; i < commits_.size() && i < built.size(); ++i) commits_[i].built = built[i];
}

bool Bisection::has_values(int commit) const {
  const Seen& seen = commits_[index(commit)];
  return !seen.pairs.empty() || (seen.hint_variance > 0 && !seen.skipped);
}

double Bisection::total_weight() const {
  double total = 0;
  for (const auto& seen : commits_) total += seen.weight;
  return std::max(total, 1.0);
}

// As a share of all.
double Bisection::weight(int first, int last) const {
  double sum = 0;
  for (int commit = first; commit <= last; ++commit) sum += commits_[index(commit)].weight;
  return sum / total_weight();
}

double Bisection::noise() const {
  return std::sqrt(pair_variance_);
}

void Bisection::refresh() {
  if (is_fresh_) return;
  summarize();
  infer();
  is_fresh_ = true;
}

void Bisection::summarize() {
  std::vector<double> distances;
  for (const auto& seen : commits_) {
    const auto n = static_cast<double>(seen.pairs.size());
    if (n < 2) continue;
    const double middle = median(seen.pairs);
    for (const double pair : seen.pairs)
      distances.push_back(std::abs(pair - middle) * std::sqrt(n / (n - 1)));
  }
  const double deviation = distances.empty() ? 0 : 1.4826 * median(distances);
  double squares = 0;
  degrees_ = 0;
  std::vector<Variance> own(commits_.size());
  for (std::size_t i = 0; i < commits_.size(); ++i) {
    if (commits_[i].pairs.empty()) continue;
    const auto pairs = without_tails(commits_[i].pairs, deviation);
    commits_[i].mean = mean(pairs);
    if (pairs.size() < 2) continue;
    own[i] = {variance(pairs), static_cast<double>(pairs.size()) - 1};
    squares += own[i].value * own[i].degrees;
    degrees_ += own[i].degrees;
  }
  pair_variance_ = degrees_ > 0 ? squares / degrees_ : options_.smallest * options_.smallest;
  pair_variance_ = std::max(pair_variance_, kDeviationMin * kDeviationMin);
  for (std::size_t i = 0; i < commits_.size(); ++i)
    if (!commits_[i].pairs.empty())
      commits_[i].variance =
          std::max(moderate(own[i], {pair_variance_, kPooledDegrees}).value, pair_variance_ / 4) /
          static_cast<double>(commits_[i].pairs.size());
}

void Bisection::infer() {
  std::vector<SeenLevel> levels;
  gaps_.clear();
  int from = 1;
  for (int commit = 1; commit <= commits(); ++commit) {
    if (!has_values(commit)) continue;
    const Seen& seen = commits_[index(commit)];
    SeenLevel level{seen.hint, seen.hint_variance, weight(from, commit)};
    if (!seen.pairs.empty()) {
      level.mean = seen.mean;
      level.variance = seen.variance;
      if (seen.hint_variance > 0) {
        const double share = seen.hint_variance / (seen.variance + seen.hint_variance);
        level.mean = share * seen.mean + (1 - share) * seen.hint;
        level.variance = share * seen.variance;
      }
    }
    levels.push_back(level);
    gaps_.push_back({from, commit, 0, 0});
    from = commit + 1;
  }
  const double rest = from <= commits() ? weight(from, commits()) : 0;
  const auto posterior = infer_levels(levels, rest, options_.smallest, kExpected,
                                      std::clamp(degrees_, kPairDegreesMin, kPairDegreesMax));
  for (std::size_t place = 0; place < gaps_.size(); ++place) {
    gaps_[place].probability = posterior.slower[place];
    gaps_[place].size = std::max(posterior.size[place], options_.smallest);
  }
  if (from <= commits())
    gaps_.push_back({from, commits(), 1 - std::exp(-kExpected * rest), options_.smallest});
  none_ = posterior.none;
  offset_variance_ = posterior.offset_variance;
}

double Bisection::probability(int first, int last) {
  refresh();
  double sum = 0;
  for (const auto& gap : gaps_) {
    const double inside = weight(std::max(first, gap.first), std::min(last, gap.last));
    const double all = weight(gap.first, gap.last);
    if (all > 0 && first <= gap.last && last >= gap.first) sum += gap.probability * inside / all;
  }
  return std::min(sum, 1.0);
}

double Bisection::probability_of_any() {
  refresh();
  return 1 - none_;
}

std::optional<LevelInterval> Bisection::seen(int commit, double confidence) {
  refresh();
  const Seen& seen = commits_[index(commit)];
  if (seen.pairs.empty()) return {};
  const double half = student_t_within(confidence, std::clamp(degrees_, 1.0, 1e6)) * std::sqrt(seen.variance);
  return LevelInterval{seen.mean, seen.mean - half, seen.mean + half};
}

std::optional<LevelInterval> Bisection::change(int first, int last) {
  refresh();
  // The commits up to where the next likely change is are of one level.
  const auto level = [&](int from, int step, int end) {
    double weights = 0;
    double sum = 0;
    for (int commit = from; commit != end + step; commit += step) {
      const Seen& one = commits_[index(commit)];
      if (!one.pairs.empty()) {
        const double each = 1 / (one.variance + offset_variance_);
        weights += each;
        sum += each * one.mean;
      }
      const int crossed = step > 0 ? commit + 1 : commit;
      if (crossed > commits() || probability(crossed, crossed) > kUnlikely) break;
    }
    return std::pair(weights > 0 ? sum / weights : 0.0, weights > 0 ? 1 / weights : 0.0);
  };
  if (first < 1 || last > commits()) return {};
  const auto after = level(last, 1, commits());
  if (!(after.second > 0)) return {};
  const auto before = first > 1 ? level(first - 1, -1, 1) : std::pair(0.0, 0.0);
  const double value = after.first - before.first;
  const double half =
      student_t_within(0.95, std::clamp(degrees_, 1.0, 1e6)) * std::sqrt(after.second + before.second);
  return LevelInterval{value, value - half, value + half};
}

// Enough to tell this size from nothing, as far as more pairs help; even, so that each side comes first alike
// often.
int Bisection::pairs_for(double size) const {
  const double wanted = kSeparation * kSeparation * pair_variance_ / (size * size);
  const int pairs = static_cast<int>(std::ceil(std::clamp<double>(wanted, kPairsMin, kPairsAtOnce)));
  return pairs + pairs % 2;
}

// Of `pairs` more of this commit, where a change up to it has probability `before`.
double Bisection::information(int commit, double before, double size, int pairs) const {
  const auto n = static_cast<double>(commits_[index(commit)].pairs.size());
  const double now = 1 / (pair_variance_ / (n + pairs) + offset_variance_);
  const double then = n > 0 ? 1 / (pair_variance_ / n + offset_variance_) : 0;
  return information_of(before, size * std::sqrt(std::max(0.0, now - then)));
}

// Where the largest change is: the likeliest gap and, as far as that one is not sure, the others. (Two
// changes that are both there do not contradict each other.) One number a gap, `any` in all.
std::vector<double> Bisection::places(double any) const {
  const Gap& target = *likeliest();
  std::vector<double> places;
  double total = 0;
  for (const auto& gap : gaps_) {
    places.push_back(&gap == &target ? gap.probability : std::min(gap.probability, 1 - target.probability));
    total += places.back();
  }
  for (auto& place : places) place *= total > 0 ? any / total : 0;
  return places;
}

BisectionAdvice Bisection::next(double any) const {
  const double size = likeliest()->size;
  const int pairs = pairs_for(size);
  const std::vector<double> at = places(any);
  std::size_t so_far = 0;
  for (const auto& seen : commits_) so_far += seen.pairs.size();
  BisectionAdvice best;
  const double total = total_weight();
  double best_rate = 0;
  double before = 0;
  for (std::size_t place = 0; place < gaps_.size(); ++place) {
    const double all = weight(gaps_[place].first, gaps_[place].last);
    for (int commit = gaps_[place].first; commit <= gaps_[place].last; ++commit) {
      const Seen& seen = commits_[index(commit)];
      if (all > 0) before += at[place] * seen.weight / all / total;
      if (seen.skipped || static_cast<int>(seen.pairs.size()) >= options_.pairs_max) continue;
      const double bits = information(commit, std::min(before, 1.0), size, pairs);
      const double rate = bits < kInformationMin ? 0 : bits / (pairs + (seen.built ? 0 : build_pairs_));
      if (rate > best_rate) {
        best_rate = rate;
        best.commit = commit;
      }
    }
  }
  best.pairs = pairs;
  if (best.commit == 0 || std::cmp_greater_equal(so_far, options_.pairs_in_all_max))
    best.what = BisectionAdvice::What::kUnclear;
  return best;
}

bool Bisection::can_be_split(const Gap& gap) const {
  for (int commit = gap.first; commit < gap.last; ++commit)
    if (!commits_[index(commit)].skipped && commits_[index(commit)].pairs.empty() &&
        weight(gap.first, commit) > 0 && weight(commit + 1, gap.last) > 0)
      return true;
  return false;
}

const Bisection::Gap* Bisection::likeliest() const {
  const auto gap = std::ranges::max_element(
      gaps_, [](const Gap& a, const Gap& b) { return a.probability * a.size < b.probability * b.size; });
  return gap == gaps_.end() ? nullptr : &*gap;
}

// The largest change that is likely, once it has no commit left inside that could be measured.
std::optional<BisectionAdvice> Bisection::found() const {
  const Gap* likeliest = this->likeliest();
  if (likeliest == nullptr) return {};
  BisectionAdvice advice;
  advice.what = BisectionAdvice::What::kFound;
  advice.first = likeliest->first;
  advice.last = likeliest->last;
  while (advice.first < advice.last && !(commits_[index(advice.first)].weight > 0)) ++advice.first;
  while (advice.first < advice.last && !(commits_[index(advice.last)].weight > 0)) --advice.last;
  advice.probability = likeliest->probability;
  // What hints alone say of a commit beside it does not decide.
  const auto is_measured = [&](int commit) { return commit == 0 || !commits_[index(commit)].pairs.empty(); };
  const bool is_sure = likeliest->probability >= options_.confidence && !can_be_split(*likeliest) &&
                       is_measured(likeliest->first - 1) && is_measured(likeliest->last);
  if (!is_sure) advice.what = BisectionAdvice::What::kMeasure;
  return advice;
}

BisectionAdvice Bisection::advise() {
  const Seen& end = commits_.back();
  if (static_cast<int>(end.pairs.size()) < kPairsMin && !end.skipped)
    return {BisectionAdvice::What::kMeasure, commits(), kFirstPairs, 1, commits(), 0.5};
  refresh();
  if (none_ >= options_.confidence) return {BisectionAdvice::What::kNothing, 0, 0, 1, commits(), none_};
  const auto place = found();
  if (place && place->what == BisectionAdvice::What::kFound) return *place;
  BisectionAdvice advice = next(1 - none_);
  if (place) {
    advice.first = place->first;
    advice.last = place->last;
    advice.probability = place->probability;
  }
  return advice;
}

namespace {

constexpr int kSearches = 15;
constexpr int kMeasurementsMax = 100;  // of a search that is made up

// In the middle, and where nine of ten lie below.
int effort_at(std::vector<int> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

BisectionEffort expected_effort(int commits, const BisectionOptions& options, double size, double noise) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  };
  std::vector<int> measurements;
  std::vector<int> pairs;
  std::vector<int> measured_commits;
  for (int i = 0; i < kSearches; ++i) {
    const int guilty = 1 + static_cast<int>(uniform() * commits);
    Bisection search(commits, options);
    std::set<int> measured;
    int count = 0;
    int sum = 0;
    for (auto advice = search.advise();
         advice.what == BisectionAdvice::What::kMeasure && count < kMeasurementsMax;
         advice = search.advise()) {
      std::vector<double> ratios;
      for (int pair = 0; pair < advice.pairs; ++pair)
        ratios.push_back((advice.commit >= guilty ? size : 0) + noise * normal());
      search.add(advice.commit, ratios);
      measured.insert(advice.commit);
      ++count;
      sum += advice.pairs;
    }
    measurements.push_back(count);
    pairs.push_back(sum);
    measured_commits.push_back(static_cast<int>(measured.size()));
  }
  return {effort_at(measurements, 0.5), effort_at(measurements, 0.9), effort_at(pairs, 0.5),
          effort_at(pairs, 0.9), effort_at(measured_commits, 0.5)};
}

}  // namespace tracker::stats
