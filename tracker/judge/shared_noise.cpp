#include "tracker/judge/shared_noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// The past never weighs more than so many observations: the machine is not the same every day.
constexpr double kPastDegreesMax = 20;
// A benchmark whose deviation is this share of a change makes such changes by chance. In two modes, the
// deviation of a pair's difference is 0.7 of the modes' distance, and four in five equal pairs show 0.45.
constexpr double kMovesByChance = 0.4;
// How far apart two modes are taken to be where no benchmark of the report shows any: 5 %.
constexpr double kModesApart = 0.05;
// Of the error allowed, what findings of this kind may take.
constexpr double kErrorShare = 0.75;
constexpr double kErrorShareWithOutliers = 0.25;
// And of one comparison's.
constexpr double kErrorShareOfOne = 0.1;
constexpr double kErrorOfOne = 0.001;
// A past of pairs that deviates by less than this share of two speeds' distance showed one of them: a single
// other invocation of 25 makes it 0.29, and the deviation of an invocation 0.2, as there is one in it and not
// two.
constexpr double kShowsOneSpeed = 0.25;
constexpr int kMorePairsMax = 100;
// A base whose values reach over this share of two speeds' distance has both.
constexpr double kBaseShowsBoth = 0.5;

// The squared correlation of two benchmarks' deviations, less what chance gives it: 0 where nothing is
// shared.
struct Correlation {
  double squared = 0;    // as it is seen
  double by_chance = 0;  // of as many independent ones, its mean
  double variance = 0;   // likewise
};

std::optional<Correlation> correlation_of(const std::map<int, double>& a, const std::map<int, double>& b) {
  double of_both = 0;
  double of_a = 0;
  double of_b = 0;
  double n = 0;
  for (const auto& [number, deviation] : a) {
    const auto found = b.find(number);
    if (found == b.end()) continue;
    of_both += deviation * found->second;
    of_a += deviation * deviation;
    of_b += found->second * found->second;
    ++n;
  }
  if (n < 3 || !(of_a > 0) || !(of_b > 0)) return {};
  return Correlation{of_both * of_both / (of_a * of_b), 1 / (n - 1),
                     2 * (n - 2) / ((n - 1) * (n - 1) * (n + 1))};
}

// How many benchmarks of the report say as much of its noise as an independent one. Their variances have the
// squared correlation of their deviations in common.
double copies_among(const std::vector<NoiseShown>& shown) {
  constexpr std::size_t kAskedMax = 40;  // as many pairs as tell it well
  const std::size_t stride = (shown.size() + kAskedMax - 1) / kAskedMax;
  double sum = 0;
  double by_chance = 0;
  double variance = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < shown.size(); i += stride)
    for (std::size_t j = i + stride; j < shown.size(); j += stride)
      if (const auto one = correlation_of(shown[i].deviations, shown[j].deviations)) {
        sum += one->squared;
        by_chance += one->by_chance;
        variance += one->variance;
        ++pairs;
      }
  if (pairs == 0) return 1;
  const double shared = (sum - by_chance - 3 * std::sqrt(variance)) / (pairs - by_chance);
  return 1 + std::max(0.0, shared) * (static_cast<double>(shown.size()) - 1);
}

// Today's noise as a share of the past's.
stats::Variance share_of_past(const NoiseShown& shown) {
  if (!(shown.past.degrees > 0) || !(shown.past.value > 0) || !(shown.now.degrees > 0)) return {};
  return {shown.now.value / shown.past.value, shown.now.degrees};
}

double past_degrees(const NoiseShown& shown) {
  return std::min(shown.past.degrees, kPastDegreesMax);
}

// How the noise of today lies to that of the past, of all benchmarks of the report together.
stats::Scattered fit_past(const std::vector<NoiseShown>& shown, double error, double copies) {
  std::vector<stats::Variance> shares;
  for (const auto& one : shown)
    if (const auto share = share_of_past(one); share.degrees > 0) shares.push_back(share);
  return stats::fit_scatter(
      shares, {.error = error, .degrees_max = kPastDegreesMax, .count_min = 2, .copies = copies});
}

// The past as far as it counts: as today's other benchmarks say that it holds.
stats::Variance past_today(const NoiseShown& shown, const stats::Scattered& shares) {
  if (!(shown.past.degrees > 0) || !(shown.past.value > 0)) return {};
  const auto usual = shares.without(share_of_past(shown));
  const stats::Variance past{shown.past.value * usual.value, std::min(past_degrees(shown), usual.degrees)};
  if (shown.now.degrees > 0 && stats::is_louder(shown.now, past)) return {};
  return past;
}

// The same where nobody else says so. The past is asked with all its degrees, and may be wrong: the fewer
// degrees today has, the more a few of the past's gain, and the less likely are they to make a quiet moment
// of a louder day look like a quiet day.
stats::Variance past_of_single(const NoiseShown& shown) {
  constexpr double kDegreesMax = 0.8;
  constexpr double kDegreesShared = 4;
  constexpr double kDegreesOfMore = 0.6;  // for each of today's but the first
  constexpr double kLouderLevel = 0.25;
  stats::Variance past{shown.past.value, past_degrees(shown)};
  if (!(past.degrees > 0) || !(past.value > 0) || !(shown.now.degrees > 1)) return {};
  if (stats::is_louder(shown.now, past, kLouderLevel)) return {};
  // So that today's and the past's together have the value that all degrees give them.
  const double value = stats::moderate(shown.now, past).value;
  past.degrees = std::min({kDegreesMax, past.degrees, kDegreesShared / shown.now.degrees,
                           kDegreesOfMore * (shown.now.degrees - 1)});
  past.value = value + (value - shown.now.value) * shown.now.degrees / past.degrees;
  return past;
}

// In how many ways `chosen` of so many can be chosen.
double ways(double all, int chosen) {
  double count = 1;
  for (int i = 0; i < chosen; ++i) count *= (all - i) / (i + 1);
  return count;
}

// What is left out may have been any of them: the other mode, or of a pair, anything but one mode each.
double chance_hidden(const Suspicion& suspicion, double past_invocations, int more) {
  const double base = suspicion.base_invocations + suspicion.base_outliers + more;
  const double candidate = suspicion.candidate_invocations + suspicion.candidate_outliers + more;
  const double of_outliers =
      suspicion.paired ? ways(base, suspicion.base_outliers) * std::pow(3, suspicion.base_outliers)
                       : ways(base, suspicion.base_outliers) * ways(candidate, suspicion.candidate_outliers);
  return of_outliers * stats::chance_of_a_mode_each(base + past_invocations, candidate);
}

double allowed_of_one(const Suspicion& suspicion) {
  return std::max(kErrorShareOfOne * suspicion.error, kErrorOfOne);
}

}  // namespace

SharedNoise::SharedNoise(std::vector<NoiseShown> shown, double error)
    : shown_(std::move(shown)), pasts_(shown_.size()), believed_(shown_.size()) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < shown_.size(); ++i) groups[shown_[i].group].push_back(i);
  for (const auto& [name, benchmarks] : groups) {
    believe(benchmarks, error);
    Group& group = groups_[name];
    for (const std::size_t i : benchmarks) group.moves.push_back(moves(i));
    std::ranges::sort(group.moves, std::greater<>());
    for (const double value : group.moves) group.sums.push_back(group.sums.back() + value);
  }
}

void SharedNoise::believe(const std::vector<std::size_t>& benchmarks, double error) {
  std::vector<NoiseShown> shown;
  for (const std::size_t i : benchmarks) shown.push_back(shown_[i]);
  const double copies = copies_among(shown);
  const stats::Scattered shares = fit_past(shown, error, copies);
  const double holds = shares.usual.degrees;
  std::vector<stats::Variance> all;
  for (const std::size_t i : benchmarks) {
    pasts_[i] = holds > 0 ? past_today(shown_[i], shares) : past_of_single(shown_[i]);
    all.push_back(stats::moderate(shown_[i].now, pasts_[i]));
    // Where benchmarks differ in how far today is unlike the past, the past talks nobody's noise down.
    if (holds < stats::kUsualDegreesMax) all.back().value = std::max(all.back().value, shown_[i].now.value);
    believed_[i] = all.back();
  }
  const stats::Scattered levels = stats::fit_scatter(all, {.error = error, .copies = copies});
  for (const std::size_t i : benchmarks) {
    // Of a benchmark whose own past is known, the others can say no more than what that leaves open.
    const stats::Variance usual = levels.without(believed_[i]);
    const double weight = usual.degrees - pasts_[i].degrees;
    if (weight > 0 && believed_[i].degrees > 0)
      believed_[i] = stats::moderate(believed_[i], {usual.value, weight});
  }
}

double SharedNoise::moves(std::size_t benchmark) const {
  return std::max(believed_[benchmark].value, shown_[benchmark].with_outliers);
}

SharedNoise::Peers SharedNoise::peers_of(std::size_t benchmark, double change) const {
  const double least = std::pow(kMovesByChance * change, 2);
  const auto& [all, sums] = groups_.at(shown_[benchmark].group);
  const auto end = std::partition_point(all.begin(), all.end(), [&](double v) { return v >= least; });
  const auto loud = static_cast<std::size_t>(end - all.begin());
  const double own = moves(benchmark);
  const bool is_one = own >= least;
  Peers peers;
  peers.count = static_cast<int>(loud) - (is_one ? 1 : 0);
  if (peers.count > 0)
    peers.noise = {(sums[loud] - (is_one ? own : 0)) / peers.count, stats::kUsualDegreesMax};
  return peers;
}

std::optional<HiddenModes> SharedNoise::hidden_modes(std::size_t benchmark,
                                                     const Suspicion& suspicion) const {
  const auto& own = shown_[benchmark];
  const auto peers = peers_of(benchmark, suspicion.change);
  // Every invocation that its past has shown in one mode makes two less likely.
  const bool was_quiet = own.past.value < std::pow(kMovesByChance * suspicion.change, 2);
  const double past = was_quiet && pasts_[benchmark].degrees > 0 ? own.past.degrees : 0;
  const bool with_outliers = suspicion.base_outliers + suspicion.candidate_outliers > 0;
  const double of_report = (with_outliers ? kErrorShareWithOutliers : kErrorShare) * suspicion.error;
  const double allowed = std::min(of_report, allowed_of_one(suspicion) * suspicion.comparisons);
  const auto may_hide = [&](int more) {
    return std::max(peers.count, 1) * chance_hidden(suspicion, past, more) > allowed;
  };
  if (!may_hide(0)) return {};
  HiddenModes hidden;
  hidden.peers = peers.count;
  const double one_invocation = kModesApart * kModesApart / 4;
  const stats::Variance stated{suspicion.paired ? 2 * one_invocation : one_invocation,
                               stats::kUsualDegreesMax};
  hidden.noise = stats::moderate(own.now, peers.count > 0 ? peers.noise : stated);
  hidden.noise.value = std::max(hidden.noise.value, believed_[benchmark].value);
  // Where the other mode was left out, what remains says nothing of the noise: it has two modes this far
  // apart.
  if (with_outliers) {
    const double apart = std::pow(suspicion.change, 2) / (suspicion.paired ? 2 : 4);
    hidden.noise = {std::max(hidden.noise.value, apart), stats::kUsualDegreesMax};
  }
  while (hidden.more < kMorePairsMax && may_hide(hidden.more)) ++hidden.more;
  return hidden;
}

double SharedNoise::past_at_one_speed(std::size_t benchmark, const Suspicion& suspicion) const {
  const auto& own = shown_[benchmark];
  const double of_pairs = own.past.value * (suspicion.paired ? 1 : 2);
  const bool showed_one = of_pairs < std::pow(kShowsOneSpeed * suspicion.change, 2);
  return showed_one && own.past.degrees > 0 ? own.past_invocations : 0;
}

std::optional<int> SharedNoise::more_to_rule_out_hiding(std::size_t benchmark,
                                                        const Suspicion& suspicion) const {
  const double past = past_at_one_speed(benchmark, suspicion);
  const auto may_hide = [&](int more) {
    return chance_hidden(suspicion, past, more) > allowed_of_one(suspicion);
  };
  if (!may_hide(0)) return {};
  int more = 1;
  while (more < kMorePairsMax && may_hide(more)) ++more;
  return more;
}

std::optional<int> SharedNoise::more_to_tell_second_speed(std::size_t benchmark, const Suspicion& suspicion,
                                                          int more_max) const {
  const double past = past_at_one_speed(benchmark, suspicion);
  // Other bases that have two speeds as far apart: any of them could have been this one.
  const double range = kBaseShowsBoth * std::abs(suspicion.change);
  const auto peers = std::ranges::count_if(shown_, [&](const NoiseShown& one) {
    return one.group == shown_[benchmark].group && one.base_range > range;
  });
  const double allowed =
      std::min(kErrorShare * suspicion.error,
               allowed_of_one(suspicion) * suspicion.comparisons / static_cast<double>(suspicion.alike)) /
      static_cast<double>(std::max<std::ptrdiff_t>(peers, 1));
  const double share = static_cast<double>(suspicion.at_second_speed) / suspicion.candidate_invocations;
  const auto may_be_chance = [&](int more) {
    const int all = suspicion.candidate_invocations + more;
    return stats::chance_of_unseen_mode(suspicion.base_invocations + more + past, all,
                                        static_cast<int>(std::lround(share * all))) > allowed;
  };
  if (!may_be_chance(0)) return {};
  int more = 1;
  while (more < more_max && may_be_chance(more)) more += 1 + more / 10;
  return std::min(more, more_max);
}

namespace {

constexpr std::size_t kNamesMax = 2;

using Names = std::vector<std::string_view>;  // sorted

// The sets of benchmarks that shared a process, each once; one benchmark may be in several, as in the run of
// a filter, or in an invocation that broke off.
class Sets {
 public:
  // Those of one side, by benchmark.
  using Side = std::map<std::string_view, std::set<std::size_t>>;

  Side side(Runs runs) {
    Side side;
    std::set<std::size_t> seen;
    for (const auto& run : runs)
      for (const auto& invocation : run.invocations) {
        const std::size_t set = run.isolated ? kAlone : number_of(invocation);
        if (!run.isolated && !seen.insert(set).second) continue;  // nearly always the same again
        for (const auto& [name, samples] : invocation.samples) side[name].insert(set);
      }
    return side;
  }

  // All that were in any of these sets.
  std::set<std::string_view> members(const std::set<std::size_t>& numbers) const {
    std::set<std::string_view> all;
    for (const std::size_t number : numbers) all.insert(sets_[number].begin(), sets_[number].end());
    return all;
  }

 private:
  static constexpr std::size_t kAlone = 0;

  std::size_t number_of(const Invocation& invocation) {
    Names names;
    names.reserve(invocation.samples.size());
    for (const auto& [name, samples] : invocation.samples) names.emplace_back(name);
    const auto [place, is_new] = numbers_.try_emplace(names, sets_.size());
    if (is_new) sets_.push_back(names);
    return place->second;
  }

  std::vector<Names> sets_{{}};  // the first: nothing
  std::map<Names, std::size_t> numbers_;
};

std::string some_of(const std::vector<std::string_view>& names) {
  std::vector<std::string> shown;
  for (const auto name : names) shown.push_back(in_quotes(name));
  return names.size() > kNamesMax ? join_some(std::move(shown), kNamesMax) : join(shown, " and ");
}

using Members = std::set<std::string_view>;

// Those of one side that began and did not come to an end: they were in the process all the same.
Members failed_in(Runs runs) {
  Members failed;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error) failed.insert(benchmark.name);
  return failed;
}

// What is only in `these`, or failed in the others.
std::vector<std::string_view> only_in(const Members& these, const Members& others, const Members& failed) {
  std::vector<std::string_view> only;
  for (const auto& name : these)
    if (!others.contains(name) && !failed.contains(name)) only.push_back(name);
  return only;
}

// Whether one of these is a further benchmark of the same name as one of the members.
bool has_copy(const std::vector<std::string_view>& names, const Members& members) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    const std::size_t hash = name.rfind('#');
    return hash != std::string_view::npos && members.contains(name.substr(0, hash));
  });
}

// "it ran alone in the base, …"; empty where it did on both sides.
std::string alone_in_words(const Members& base, const Members& candidate) {
  const auto others = [](const Members& members) { return count_of(members.size() - 1, "other"); };
  if (candidate.size() > 1)
    return "it ran alone in the base, and beside " + others(candidate) + " in the candidate";
  if (base.size() > 1) return "it ran beside " + others(base) + " in the base, and alone in the candidate";
  return "";
}

}  // namespace

std::map<std::string, ChangedNeighbours> changed_neighbours(Runs base, Runs candidate) {
  Sets sets;
  const auto of_base = sets.side(base);
  const auto of_candidate = sets.side(candidate);
  const Members failed_in_base = failed_in(base);
  const Members failed_in_candidate = failed_in(candidate);
  // What differs for a benchmark whose processes had these members; no words where nothing does. None at all:
  // it ran alone.
  const auto difference = [&](const Members& of_these, const Members& of_those) -> ChangedNeighbours {
    if (of_these.empty() || of_those.empty()) return {alone_in_words(of_these, of_those)};
    const auto added = only_in(of_those, of_these, failed_in_base);
    const auto removed = only_in(of_these, of_those, failed_in_candidate);
    std::vector<std::string> parts;
    if (!added.empty()) parts.push_back(some_of(added) + " ran beside it only in the candidate");
    if (!removed.empty()) parts.push_back(some_of(removed) + " ran beside it only in the base");
    return {join(parts, ", "), has_copy(added, of_those) || has_copy(removed, of_these)};
  };
  // Most benchmarks of a binary are in the same sets: those are compared once.
  std::map<std::pair<std::set<std::size_t>, std::set<std::size_t>>, ChangedNeighbours> known;
  std::map<std::string, ChangedNeighbours> changed;
  for (const auto& [name, in_base] : of_base) {
    const auto found = of_candidate.find(name);
    if (found == of_candidate.end() || found->second == in_base) continue;
    const auto [place, is_new] = known.try_emplace({in_base, found->second});
    if (is_new) place->second = difference(sets.members(in_base), sets.members(found->second));
    if (!place->second.words.empty()) changed[std::string(name)] = place->second;
  }
  return changed;
}

namespace {

// What a benchmark's variance is from, by the number of the pair, or else of side, job and round.
std::map<int, double> deviations_of(const BenchmarkEvidence& e, bool paired) {
  std::map<int, double> deviations;
  const auto add = [&](const std::vector<int>& numbers, const std::vector<double>& values, int first) {
    const double mean = stats::mean(values);
    for (std::size_t i = 0; i < values.size(); ++i) deviations[first + numbers[i]] = values[i] - mean;
  };
  if (paired && e.paired) {
    add(e.base.values.rounds_by_job.front(),
        minus(e.candidate.values.logs_by_job.front(), e.base.values.logs_by_job.front()), 0);
    return deviations;
  }
  constexpr int kRoundsMax = 10000;
  int first = 0;
  for (const auto* side : {&e.base.values, &e.candidate.values})
    for (std::size_t job = 0; job < side->logs_by_job.size(); ++job, first += kRoundsMax)
      add(side->rounds_by_job[job], side->logs_by_job[job], first);
  return deviations;
}

std::vector<NoiseShown> noise_shown(OpenBenchmarks open, const NoiseModel& known, bool paired) {
  std::vector<NoiseShown> shown;
  for (const BenchmarkEvidence* e : open) {
    const BenchmarkNoise& before = known.benchmarks.at(e->name);
    const NoiseVariance& alike = paired ? before.successive : before.invocation;
    const bool any = !e->contrast.outliers.empty();
    // What past runs show is the noise of one build, at clocks that differ.
    const bool is_other_noise = e->builds > 0 || (e->clock && e->clock->taken_out);
    const stats::Variance past =
        is_other_noise ? stats::Variance{} : stats::Variance{alike.value, alike.degrees};
    // Two thirds of them are degrees of their differences, at most.
    const double invocations = std::max(before.invocation.degrees, 1.5 * before.successive.degrees);
    const Metric& metric = e->gate.metric;
    shown.push_back({e->contrast.own, past, any ? e->contrast.with_outliers : 0,
                     is_other_noise ? 0 : invocations, deviations_of(*e, paired), e->contrast.base_range,
                     metric.unit.empty() ? metric.name : ""});
  }
  return shown;
}

std::vector<double> other_days_in(OpenBenchmarks open, const ReportNoise& noise) {
  const ReportContext& context = noise.context;
  if (noise.paired() || !noise.jobs.shared) return {};
  std::vector<Moved> moved;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const BenchmarkNoise& known = context.known.benchmarks.at(open[i]->name);
    const Contrast& contrast = open[i]->contrast;
    const bool same_board = context.distance == Distance::kSameBoard;
    moved.push_back({contrast.estimate, noise.shared.of(i).value * contrast.sampling_factor,
                     contrast.job_factor, noise.usual_jobs.variance.at(open[i]->name),
                     (same_board ? known.same_board : known.other_board).degrees,
                     noise.jobs.variance.at(open[i]->name).value});
  }
  return chances_of_other_days(moved, default_job_variance(context.kind, context.distance),
                               context.usual_days ? context.usual_days->seen : DaysSeen{});
}

}  // namespace

double error_of_one(double error, std::size_t comparisons) {
  constexpr std::size_t kSharersMin = 8;
  return error / static_cast<double>(std::max(comparisons, kSharersMin));
}

stats::Variance ReportNoise::of_one_job(const std::string& benchmark) const {
  const auto known = jobs.variance.find(benchmark);
  return known == jobs.variance.end() ? default_job_variance(context.kind, context.distance) : known->second;
}

ReportNoise find_noise(OpenBenchmarks open, ReportContext context) {
  const std::size_t comparisons = std::max(open.size(), static_cast<std::size_t>(context.comparisons_min));
  const double error = error_of_one(context.error, comparisons);
  const bool paired = context.distance == Distance::kSameJob;
  SharedNoise shared(noise_shown(open, context.known, paired), error);
  JobNoise jobs = job_noise(context.known, context.kind, context.distance);
  ReportNoise noise{.context = std::move(context), .shared = std::move(shared), .jobs = std::move(jobs)};
  const auto& days = noise.context.usual_days;
  noise.usual_jobs = days ? job_noise(days->known, noise.context.kind, noise.context.distance) : noise.jobs;
  noise.comparisons = comparisons;
  noise.confidence = 1 - error;
  noise.other_days = other_days_in(open, noise);
  for (const BenchmarkEvidence* e : open)
    if (const auto& seen = e->contrast.second_speed) ++noise.second_speeds[seen->rounds];
  return noise;
}

}  // namespace tracker::judge
