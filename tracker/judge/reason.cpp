#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

Reason resolvable(ReasonCode code, const Comparison& c) {
  return {code, {{"resolvable", *c.resolvable}}};
}

// Why the data does not decide, as far as the interval shows it.
Reason what_is_open(const Comparison& c, const Basis& basis) {
  if (basis.obstacle == Obstacle::kSlowMode) return {ReasonCode::kMaybeSecondSpeed};
  if (basis.obstacle == Obstacle::kHiddenChange)
    return {ReasonCode::kTooFewForUnchanged, {{"threshold", c.threshold}}};
  if (c.interval->low > 0 || c.interval->high < 0) return {ReasonCode::kEitherSide, {{"change", *c.change}}};
  if (noise_hides_everything(c)) return {ReasonCode::kNoiseHidesAll};
  if (basis.obstacle != Obstacle::kHiddenModes) return resolvable(ReasonCode::kNoiseHides, c);
  if (basis.hidden->peers == 0) return {ReasonCode::kTooFewForTwoSpeeds, {{"change", *c.change}}};
  return {ReasonCode::kTooFewAmongPeers, {{"change", *c.change}, {"peers", basis.hidden->peers}}};
}

Reason of_one_invocation(const Comparison& c, const Repetitions& repetitions) {
  if (repetitions.count < 2 || !c.change || !std::isfinite(*c.change)) return {ReasonCode::kOneInvocation};
  return {ReasonCode::kOneInvocation,
          {{"change", *c.change}, {"repetitions", repetitions.count}, {"spread", repetitions.spread}}};
}

Reasons why_inconclusive(const Comparison& c, const Basis& basis) {
  if (basis.obstacle == Obstacle::kNoPairs) return {{ReasonCode::kNoPairs}};
  if (!c.interval || !std::isfinite(c.interval->low) || !std::isfinite(c.interval->high))
    return {of_one_invocation(c, basis.evidence->repetitions)};
  if (basis.obstacle == Obstacle::kNeighbours) {
    Reason reason{ReasonCode::kOtherNeighbours,
                  {{"text", basis.neighbours.words},
                   {"same_job", basis.same_job ? 1 : 0},
                   {"copies", basis.neighbours.copies ? 1 : 0}}};
    if (!noise_hides_everything(c)) reason.arguments.push_back({"resolvable", *c.resolvable});
    return {reason};
  }
  if (basis.obstacle == Obstacle::kOrder) return {resolvable(ReasonCode::kOneOrder, c)};
  const double step = std::expm1(basis.evidence->clock_step);
  if (basis.obstacle == Obstacle::kClockStep && !std::isfinite(step)) return {{ReasonCode::kOneReading}};
  if (basis.obstacle == Obstacle::kClockStep)
    return {{ReasonCode::kClockStep, {{"step", step}, {"resolvable", *c.resolvable}}}};
  Reasons reasons{what_is_open(c, basis)};
  if (c.more_invocations)
    reasons.push_back({ReasonCode::kMoreNeeded, {{"invocations", *c.more_invocations}}});
  else if (basis.obstacle == Obstacle::kJobs)
    reasons.push_back({ReasonCode::kJobsDiffer});
  else
    reasons.push_back({ReasonCode::kTooManyNeeded, {{"invocations", kMoreInvocationsMax}}});
  return reasons;
}

void add_outliers(const std::vector<Outlier>& outliers, Reasons& reasons) {
  constexpr std::size_t kNamedMax = 3;
  for (std::size_t i = 0; i < std::min(kNamedMax, outliers.size()); ++i)
    reasons.push_back({ReasonCode::kOutlier,
                       {{"round", outliers[i].round},
                        {"in_candidate", outliers[i].in_candidate ? 1 : 0},
                        {"distance", std::expm1(outliers[i].distance)}}});
  if (outliers.size() > kNamedMax)
    reasons.push_back(
        {ReasonCode::kMoreOutliers, {{"count", static_cast<double>(outliers.size() - kNamedMax)}}});
}

// First what the figures are.
void add_clock(const std::optional<ClockEffect>& clock, Reasons& reasons) {
  if (!clock) return;
  if (clock->taken_out)
    reasons.insert(reasons.begin(), {ReasonCode::kAtSameClock, {{"mhz", common_mhz(*clock)}}});
  else
    reasons.push_back({ReasonCode::kClocksDiffer,
                       {{"base_mhz", clock->base_mhz}, {"candidate_mhz", clock->candidate_mhz}}});
}

Reasons of_verdict(const Comparison& c, const Basis& basis) {
  if (c.verdict == Verdict::kInconclusive) return why_inconclusive(c, basis);
  if (c.verdict == Verdict::kUnchanged) return {{ReasonCode::kWithinThreshold, {{"threshold", c.threshold}}}};
  return {{ReasonCode::kPastThreshold, {{"change", *c.change}, {"threshold", c.threshold}}}};
}

}  // namespace

Reasons reasons_for(const Comparison& c, const Basis& basis) {
  Reasons reasons = of_verdict(c, basis);
  if (basis.by_second_speed)
    reasons.push_back({ReasonCode::kSecondSpeed,
                       {{"count", static_cast<double>(basis.second_speed->rounds.size())},
                        {"invocations", basis.second_speed->invocations},
                        {"change", std::expm1(basis.second_speed->distance)}}});
  else
    add_outliers(basis.evidence->contrast.outliers, reasons);
  add_clock(basis.evidence->clock, reasons);
  return reasons;
}

namespace {

constexpr char kHostIsLeft[] =
    "the kernels' machine code is identical: what the host does around them, or where code and data lie";

constexpr char kMachineIsLeft[] = "the whole program is identical: the machine";

// A counter may be anything, and CPU time is the host's.
bool is_of_that_time(const Metric& metric) {
  return metric.name == "real_time" || metric.name == "bytes_per_second" || metric.name == "flops" ||
         metric.name == "items_per_second";
}

}  // namespace

void apply_same_code(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn) {
  if (!is_compared(comparison)) return;
  const bool whole = has_same_program(evidence.base, evidence.candidate);  // whoever's time it is
  comparison.same_code = whole ? std::optional(true) : has_same_code(evidence.base, evidence.candidate);
  if (!comparison.same_code.value_or(false)) return;
  if (comparison.verdict == Verdict::kImproved) comparison.reasons.push_back({ReasonCode::kSameCode});
  if (comparison.verdict != Verdict::kRegressed) return;
  const bool is_kernels_time = is_of_that_time(comparison.metric) && is_timed_by_events(evidence.base) &&
                               is_timed_by_events(evidence.candidate);
  if (!whole && !is_kernels_time) return;
  comparison.verdict = Verdict::kSameCode;
  const SameCode policy = evidence.gate.same_code;
  comparison.same_code_fails = policy == SameCode::kFail || (policy == SameCode::kFailInTurn && in_turn);
  comparison.reasons.push_back({ReasonCode::kSameCodeButSlower});
}

Effect effect_of(const Comparison& comparison) {
  if (comparison.verdict == Verdict::kImproved) return Effect::kFaster;
  if (is_slower(comparison)) return Effect::kSlower;
  const double change = comparison.change.value_or(0);
  const bool faster = comparison.metric.better == Better::kHigher ? change > 0 : change < 0;
  return faster ? Effect::kFaster : Effect::kSlower;
}

bool wants_cause(const Comparison& comparison) {
  return comparison.base && (is_change(comparison) || comparison.verdict == Verdict::kBelowFloor);
}

void add_cause(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn) {
  if (!wants_cause(comparison)) return;
  const auto causes =
      find_causes(side_facts(evidence.base), side_facts(evidence.candidate), comparison.same_code);
  comparison.cause = cause_in_words(causes, effect_of(comparison));
  const bool is_left_open = comparison.same_code.value_or(false) && comparison.cause.empty() &&
                            comparison.verdict != Verdict::kBelowFloor;
  if (!is_left_open) return;
  // Both sides shared everything in one job; and a time of the host's is the host's code, too.
  if (has_same_program(evidence.base, evidence.candidate))
    comparison.cause = kMachineIsLeft;
  else if (in_turn || comparison.verdict == Verdict::kRegressed)
    comparison.cause = kHostIsLeft;
  else
    comparison.reasons.push_back({ReasonCode::kNothingElseDiffers});
}

void add_counter_causes(ComparisonReport& report, const Profile& base, const Profile& candidate) {
  for (auto& comparison : report.comparisons) {
    const auto* of_base = find_benchmark(base, comparison.benchmark);
    const auto* of_candidate = find_benchmark(candidate, comparison.benchmark);
    if (!wants_cause(comparison) || of_base == nullptr || of_candidate == nullptr) continue;
    const std::string words = counters_in_words(*of_base, *of_candidate, effect_of(comparison));
    if (!words.empty()) comparison.cause += (comparison.cause.empty() ? "" : "; ") + words;
  }
}

namespace {

// Invocations that are left out of some benchmarks, with how many.
std::vector<std::string> outlier_notes(OpenBenchmarks open) {
  std::map<std::pair<bool, int>, int> benchmarks;
  for (const BenchmarkEvidence* e : open)
    for (const auto& outlier : e->contrast.outliers) ++benchmarks[{outlier.in_candidate, outlier.round}];
  std::vector<std::string> notes;
  for (const auto& [place, count] : benchmarks)
    notes.push_back("round " + std::to_string(place.second) + " of the " +
                    (place.first ? "candidate" : "base") + " is excluded as an outlier in " +
                    std::to_string(count) + " of " + std::to_string(open.size()) + " benchmarks");
  return notes;
}

std::vector<std::string> build_notes(OpenBenchmarks open) {
  int builds = 0;
  for (const BenchmarkEvidence* e : open) builds = std::max(builds, e->builds);
  if (builds == 0) return {};
  return {"each side was built " + std::to_string(builds) +
          " times: a build counts as one measurement, and the intervals have the spread between builds"};
}

// Where an invocation has too few repetitions for the percentile that the policy asks for.
std::vector<std::string> percentile_notes(OpenBenchmarks open) {
  struct TooFew {
    std::size_t benchmarks = 0;
    std::size_t repetitions = 0;  // the fewest
  };
  std::map<Statistic, TooFew> found;
  for (const BenchmarkEvidence* e : open) {
    const auto needed = static_cast<std::size_t>(repetitions_for(e->gate.metric.statistic));
    std::size_t fewest = needed;
    for (const auto* side : {&e->base, &e->candidate})
      each_counted(*side, [&](const RunEvidence&, const Invocation&, const Samples& samples) {
        fewest = std::min(fewest, repetition_count(samples));
      });
    if (fewest >= needed) continue;
    TooFew& few = found[e->gate.metric.statistic];
    few.repetitions = few.benchmarks == 0 ? fewest : std::min(few.repetitions, fewest);
    ++few.benchmarks;
  }
  std::vector<std::string> notes;
  for (const auto& [statistic, few] : found) {
    const std::string needed = std::to_string(repetitions_for(statistic));
    notes.push_back(count_of(few.benchmarks, "benchmark") + " judged by " + row_of(statistic).name +
                    " with " + count_of(few.repetitions, "repetition") +
                    " in an invocation, which says little of a tail: measure " + needed + " or more (-r " +
                    needed + ")");
  }
  return notes;
}

// Of separate jobs: that a slow day leaves the same behind.
std::vector<std::string> slow_day_notes(const ComparisonReport& report) {
  const auto count = [&](const auto& condition) {
    return std::ranges::count_if(report.comparisons, condition);
  };
  const auto compared = count([](const Comparison& c) { return is_compared(c) && !c.not_measured; });
  const auto slower = count(is_slower);
  if (report.interleaved || slower < 2 || 2 * slower <= compared) return {};
  return {
      "most benchmarks are slower: a slow day of the machine does that as well. "
      "--measure or --confirm tells the two apart"};
}

// Which of the report's figures are at the clock that the invocations had, and which at the same one.
std::vector<std::string> clock_notes(OpenBenchmarks open) {
  int differ = 0;
  int lacking = 0;
  std::vector<double> common;
  for (const BenchmarkEvidence* e : open) {
    lacking += e->lacks_clock ? 1 : 0;
    if (e->clock && e->clock->taken_out)
      common.push_back(common_mhz(*e->clock));
    else
      differ += e->clock ? 1 : 0;
  }
  const auto are = [](auto n) { return count_of(n, "benchmark") + (n == 1 ? " is " : " are "); };
  std::vector<std::string> notes;
  if (!common.empty()) {
    const auto [least, most] = std::ranges::minmax_element(common);
    const std::string low = std::to_string(std::lround(*least));
    const std::string high = std::to_string(std::lround(*most));
    notes.push_back(are(common.size()) + "compared at the same clock of the device (" +
                    (low == high ? low : low + "–" + high) +
                    " MHz): differences due to the clock are removed");
  }
  if (differ > 0)
    notes.push_back(
        are(differ) +
        "not compared at the same clock, as the clocks of the two sides differ by more than chance");
  if (lacking > 0)
    notes.push_back(are(lacking) +
                    "not compared at the same clock, as the counter condition_core_clock_mhz is missing");
  return notes;
}

void note_conditions(const std::string& side, Runs runs, std::vector<std::string>& notes) {
  std::set<std::string> reasons;
  int disturbed = 0;
  int shared = 0;
  int invocations = 0;
  int excluded = 0;
  std::set<std::string> why_excluded;
  std::set<std::string> aggregates_only;
  bool dirty = false;
  for (const auto& run : runs) {
    dirty = dirty || run.dirty;
    for (const auto& failure : run.failures)
      notes.push_back("in the " + side + ", " + failure.binary + " " + failure.what);
    aggregates_only.insert(run.aggregates_only.begin(), run.aggregates_only.end());
    for (const auto& invocation : run.invocations) {
      ++invocations;
      if (invocation.excluded) {
        ++excluded;
        why_excluded.insert(exclusion_in_words(invocation.excluded));
        continue;
      }
      const auto& conditions = invocation.conditions;
      if (!conditions.throttle_reasons.empty()) ++disturbed;
      if (conditions.other_processes.value_or(0) > 0) ++shared;
      reasons.insert(conditions.throttle_reasons.begin(), conditions.throttle_reasons.end());
    }
  }
  if (!aggregates_only.empty())
    notes.push_back("not judged, as the " + side + " states aggregates of them alone: " +
                    join({aggregates_only.begin(), aggregates_only.end()}, ", "));
  if (dirty) notes.push_back("the " + side + " was measured from a working tree with uncommitted changes");
  const std::string of_all = " of " + std::to_string(invocations) + " invocations";
  if (excluded > 0)
    notes.push_back(std::to_string(excluded) + of_all + " of the " + side + (excluded == 1 ? " is" : " are") +
                    " excluded: " + join({why_excluded.begin(), why_excluded.end()}, ", "));
  if (disturbed > 0)
    notes.push_back("the " + side + "'s clocks were held down (" +
                    join({reasons.begin(), reasons.end()}, ", ") + ") in " + std::to_string(disturbed) +
                    of_all);
  if (shared > 0)
    notes.push_back("another process was on the GPU in " + std::to_string(shared) + of_all + " of the " +
                    side);
}

// "copy/2^34 (larger than device memory) and 3 more"; empty where none is.
std::string skipped_on_both(Runs base, Runs candidate) {
  std::vector<std::string> skipped;
  for (const auto& benchmark : candidate.back().benchmarks) {
    const Benchmark* of_base = find_benchmark(base.back(), benchmark.name);
    if (benchmark.skipped && of_base != nullptr && of_base->skipped)
      skipped.push_back(benchmark.name + " (" + *benchmark.error + ")");
  }
  return join_some(std::move(skipped), 1);
}

bool names_its_boards(Runs runs) {
  return std::ranges::none_of(runs, [](const Run& run) { return board_of(run).empty(); });
}

// One benchmark's times by board and round, as logarithms: of the invocations that count.
using LogTimes = std::map<std::pair<std::string, int>, double>;

LogTimes log_times_of(const Run& run, const Benchmark& benchmark) {
  LogTimes times;
  for (const auto& invocation : run.invocations) {
    const Samples* samples = counted_samples(invocation, benchmark.name);
    if (samples == nullptr) continue;
    const double log = std::log(stats::median(times_of_base(*samples, benchmark.time_base)));
    if (std::isfinite(log)) times[{invocation.board, invocation.round}] = log;
  }
  return times;
}

// How far the changes that the boards show lie apart; nothing where fewer than two boards have pairs of it.
std::optional<double> difference_between_boards(const LogTimes& base, const LogTimes& candidate) {
  std::map<std::string, std::vector<double>> changes;
  for (const auto& [place, log] : candidate)
    if (const auto other = base.find(place); other != base.end())
      changes[place.first].push_back(log - other->second);
  if (changes.size() < 2) return {};
  std::vector<double> of_boards;
  for (const auto& [board, values] : changes) of_boards.push_back(stats::mean(values));
  const auto [least, most] = std::ranges::minmax_element(of_boards);
  return std::expm1(*most - *least);
}

// Over how many boards the pairs of one job are spread, and how far these agree.
void note_boards(const Run& base, const Run& candidate, std::vector<std::string>& notes) {
  const auto boards = boards_of(candidate);
  if (boards.size() < 2) return;
  std::vector<double> differences;
  double most = 0;
  std::string farthest;
  for (const auto& benchmark : candidate.benchmarks) {
    const Benchmark* of_base = find_benchmark(base, benchmark.name);
    if (of_base == nullptr) continue;
    const auto difference =
        difference_between_boards(log_times_of(base, *of_base), log_times_of(candidate, benchmark));
    if (!difference) continue;
    if (differences.empty() || *difference > most) {
      most = *difference;
      farthest = benchmark.name;
    }
    differences.push_back(*difference);
  }
  std::vector<std::string> names;
  for (const auto& board : boards) names.push_back(short_uuid(board));
  std::string note = "measured on " + std::to_string(boards.size()) + " boards (" + join(names, ", ") +
                     "), both sides of a pair on one";
  if (!differences.empty())
    note += "; the boards' changes of a benchmark lie " + format_share(stats::median(differences)) +
            " apart (median), at most " + format_share(most) + " (" + farthest + ")";
  notes.push_back(note);
}

// The conditions, in which facts the two sides differ, and whether the noise was `learned` from runs.
std::vector<std::string> comparison_notes(Runs base, Runs candidate, Distance distance, bool learned) {
  std::vector<std::string> notes;
  note_conditions("base", base, notes);
  note_conditions("candidate", candidate, notes);
  for (const auto& fact : run_facts()) {
    if (fact.kind == FactKind::kMachine) continue;
    // Of how it was built, not every version of tracker looked for everything.
    const bool may_be_unknown = fact.is_long || fact.kind == FactKind::kBuild;
    std::string of_base = values_of(base, fact, may_be_unknown ? "" : "unknown");
    std::string of_candidate = values_of(candidate, fact, may_be_unknown ? "" : "unknown");
    if (may_be_unknown && (of_base.empty() || of_candidate.empty())) continue;
    if (fact.is_long) std::tie(of_base, of_candidate) = changed_words(of_base, of_candidate);
    if (of_base != of_candidate)
      notes.push_back("different " + std::string(fact.name) + ": " + of_base + " → " + of_candidate);
  }
  if (const std::string both = skipped_on_both(base, candidate); !both.empty())
    notes.push_back("skipped on both sides: " + both);
  const auto is_in_base = [&](const Run& run) {
    return std::ranges::any_of(base, [&](const Run& other) { return other.id == run.id; });
  };
  const bool is_itself = !candidate.front().id.empty() && base.size() == candidate.size() &&
                         std::ranges::all_of(candidate, is_in_base);
  if (is_itself)
    notes.push_back(
        "both sides are the same runs, so nothing is compared; --measure measures the commit twice");
  if (distance == Distance::kOtherBoard) {
    const std::string what = candidate.back().device.kind == DeviceKind::kCpu ? "host" : "board";
    notes.push_back(
        names_its_boards(base) && names_its_boards(candidate)
            ? "the two sides were measured on different " + what + "s, which differ among themselves"
            : "the runs do not say on which " + what + " they were measured, so that it may be another one");
  }
  if (distance == Distance::kSameJob)
    note_boards(base.back(), candidate.back(), notes);
  else
    notes.push_back(std::string("measured in different jobs; the spread between jobs is ") +
                    (learned ? "learned from the history" : "a cautious default, as the history is short") +
                    ". --measure detects smaller changes");
  return notes;
}

}  // namespace

std::string cpu_time_note(const Run& run, const Policy& policy) {
  if (run.device.kind != DeviceKind::kGpu) return "";
  const auto count = std::ranges::count_if(run.benchmarks, [&](const Benchmark& one) {
    const Metric metric = gate_for(without_renames(policy), one).metric;
    const bool is_rate = metric.unit.ends_with("/s");
    return one.time_base == TimeBase::kCpu && !one.error && (metric.name == "cpu_time" || is_rate);
  });
  if (count == 0) return "";
  return count_of(count, "benchmark") + " of a GPU" + (count == 1 ? " is" : " are") +
         " judged by the time of the CPU, which does not wait for the GPU: register with UseManualTime() or "
         "UseRealTime(), or set metric = \"real_time\" in a [[policy]]";
}

std::vector<std::string> notes_of(const ComparisonReport& report, OpenBenchmarks open, Runs base,
                                  Runs candidate, Distance distance, bool learned, const Policy& policy) {
  std::vector<std::string> notes;
  if (std::string note = cpu_time_note(candidate.back(), policy); !note.empty()) notes.push_back(note);
  const auto add = [&](std::vector<std::string> more) {
    notes.insert(notes.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  };
  add(comparison_notes(base, candidate, distance, learned));
  add(build_notes(open));
  add(percentile_notes(open));
  add(outlier_notes(open));
  add(clock_notes(open));
  add(slow_day_notes(report));
  return notes;
}

}  // namespace tracker::judge
