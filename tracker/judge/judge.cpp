#include "tracker/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/judge/cases.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/judge_cases.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/policy_rules.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/judge/side_facts.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// The pair of runs that one job measured side by side, newest first; leaves both lists alone where there is
// none.
bool keep_shared_job(Runs& base, Runs& candidate) {
  for (std::size_t c = candidate.size(); c-- > 0;)
    for (std::size_t b = base.size(); b-- > 0;) {
      if (base[b].job.empty() || base[b].job != candidate[c].job || base[b].id == candidate[c].id) continue;
      base = base.subspan(b, 1);
      candidate = candidate.subspan(c, 1);
      return true;
    }
  return false;
}

// Whether the sides are compared pair by pair, which leaves one run of each. A person may know what the runs
// do not say.
bool sides_in_turn(Runs& base, Runs& candidate, Pairing pairing) {
  if (pairing == Pairing::kNone) return false;
  if (keep_shared_job(base, candidate)) return true;
  if (pairing == Pairing::kFromRuns) return false;
  base = base.last(1);
  candidate = candidate.last(1);
  return true;
}

void widen(std::optional<Interval>& range, const std::optional<double>& low,
           const std::optional<double>& high) {
  if (!low || !high) return;
  range = range ? Interval{std::min(range->low, *low), std::max(range->high, *high)} : Interval{*low, *high};
}

Clocks clocks_of(Runs runs) {
  Clocks clocks;
  for (const auto& run : runs)
    for (const auto& invocation : run.invocations) {
      if (invocation.excluded) continue;
      const Conditions& seen = invocation.conditions;
      widen(clocks.core_mhz, seen.core_clock_mhz_min, seen.core_clock_mhz_max);
      widen(clocks.memory_mhz, seen.memory_clock_mhz, seen.memory_clock_mhz);
    }
  return clocks;
}

// The side, with what its runs say themselves: those that the comparison rests on.
Side describe_runs(Side side, Runs runs) {
  side.runs.clear();
  std::set<std::string> jobs;
  side.dirty = false;
  for (const auto& run : runs) {
    side.runs.push_back(run.id);
    jobs.insert(job_or_id(run));
    side.dirty = side.dirty || run.dirty;
  }
  side.jobs = static_cast<int>(jobs.size());
  side.clocks = clocks_of(runs);
  return side;
}

std::map<std::string, Metric> metrics_of(const std::vector<Case>& cases) {
  std::map<std::string, Metric> metrics;
  for (const auto& c : cases) metrics[c.name] = c.gate.metric;
  return metrics;
}

// Without what is compared itself: the base of a job that measured both is in the store like any older run.
NoiseHistory without_job(const NoiseHistory& history, const std::string& job) {
  return keep_runs(history, [&](const Run& run) { return run.job.empty() || run.job != job; });
}

// Invocations that are left out of some benchmarks, with how many.
std::vector<std::string> outlier_notes(const std::vector<Case>& cases) {
  std::map<std::pair<bool, int>, int> benchmarks;
  for (const auto& c : cases)
    for (const auto& outlier : c.contrast.outliers) ++benchmarks[{outlier.in_candidate, outlier.round}];
  std::vector<std::string> notes;
  for (const auto& [place, count] : benchmarks)
    notes.push_back("round " + std::to_string(place.second) + " of the " +
                    (place.first ? "candidate" : "base") + " is excluded as an outlier in " +
                    std::to_string(count) + " of " + std::to_string(cases.size()) + " benchmarks");
  return notes;
}

std::vector<std::string> build_notes(const std::vector<Case>& cases) {
  int builds = 0;
  for (const auto& c : cases) builds = std::max(builds, c.builds);
  if (builds == 0) return {};
  return {"each side was built " + std::to_string(builds) +
          " times: a build counts as one measurement, and the intervals have the spread between builds"};
}

// Where an invocation has too few repetitions for the percentile that the policy asks for.
std::vector<std::string> percentile_notes(const std::vector<Case>& cases, Runs base, Runs candidate) {
  struct TooFew {
    std::size_t benchmarks = 0;
    std::size_t repetitions = 0;  // the fewest
  };
  std::map<Statistic, TooFew> found;
  for (const auto& c : cases) {
    const auto needed = static_cast<std::size_t>(repetitions_for(c.gate.metric.statistic));
    std::size_t fewest = needed;
    for (const auto& side : {base, candidate})
      for (const auto& run : side)
        for (const auto& invocation : run.invocations)
          if (const Samples* samples = counted_samples(invocation, c.name))
            fewest = std::min(fewest, repetition_count(*samples));
    if (fewest >= needed) continue;
    TooFew& few = found[c.gate.metric.statistic];
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
    return std::count_if(report.comparisons.begin(), report.comparisons.end(), condition);
  };
  const auto compared = count([](const Comparison& c) { return is_compared(c) && !c.not_measured; });
  const auto slower = count([](const Comparison& c) {
    return c.verdict == Verdict::kRegressed || c.verdict == Verdict::kSameCode;
  });
  if (report.interleaved || slower < 2 || 2 * slower <= compared) return {};
  return {
      "most benchmarks are slower: a slow day of the machine does that as well. "
      "--measure or --confirm tells the two apart"};
}

// Which of the report's figures are at the clock that the invocations had, and which at the same one.
std::vector<std::string> clock_notes(const std::vector<Case>& cases) {
  int differ = 0;
  int lacking = 0;
  std::vector<double> common;
  for (const auto& c : cases) {
    lacking += c.lacks_clock ? 1 : 0;
    if (c.clock && c.clock->taken_out)
      common.push_back(common_mhz(*c.clock));
    else
      differ += c.clock ? 1 : 0;
  }
  const auto are = [](std::size_t n) {
    return std::to_string(n) + (n == 1 ? " benchmark is " : " benchmarks are ");
  };
  std::vector<std::string> notes;
  if (!common.empty()) {
    const auto [least, most] = std::minmax_element(common.begin(), common.end());
    const std::string low = std::to_string(std::lround(*least));
    const std::string high = std::to_string(std::lround(*most));
    notes.push_back(are(common.size()) + "compared at the same clock of the device (" +
                    (low == high ? low : low + "–" + high) +
                    " MHz): differences due to the clock are removed");
  }
  if (differ > 0)
    notes.push_back(
        are(static_cast<std::size_t>(differ)) +
        "not compared at the same clock, as the clocks of the two sides differ by more than chance");
  if (lacking > 0)
    notes.push_back(are(static_cast<std::size_t>(lacking)) +
                    "not compared at the same clock, as the counter condition_core_clock_mhz is missing");
  return notes;
}

// How many jobs later than the other one side was measured, by the order of ids.
int lag_between(Runs base, Runs candidate, const NoiseHistory& history) {
  const auto [first, last] = std::minmax(base.back().id, candidate.back().id);
  std::set<std::string> between;
  for (const auto& run : history.runs)
    if (first < run.id && run.id < last && run.job != base.back().job && run.job != candidate.back().job)
      between.insert(job_or_id(run));
  return static_cast<int>(between.size()) + history.jobs_not_read + 1;
}

NoiseModel noise_of(const std::vector<Case>& cases, const NoiseHistory& history, Runs base, Runs candidate,
                    Distance distance, const std::optional<NoiseModel>& stored) {
  if (distance != Distance::kSameJob)
    return known_noise(metrics_of(cases), history, stored, lag_between(base, candidate, history));
  const std::string& job = candidate.back().job;
  const bool has_job = std::any_of(history.runs.begin(), history.runs.end(),
                                   [&](const Run& run) { return !run.job.empty() && run.job == job; });
  if (!has_job) return known_noise(metrics_of(cases), history, stored);
  return known_noise(metrics_of(cases), without_job(history, job), stored);
}

// Ignores unusual days of a history on the board of both sides, unless the base was measured on one. One job
// a side, as each may have been measured on a day of its own kind.
std::optional<UsualDays> usual_days_of(const std::vector<Case>& cases, const NoiseHistory& history, Runs base,
                                       Runs candidate, const std::optional<NoiseModel>& stored) {
  const bool one_board = std::all_of(history.runs.begin(), history.runs.end(),
                                     [&](const Run& run) { return on_same_board(run, candidate.back()); });
  const bool has_base = std::any_of(history.runs.begin(), history.runs.end(),
                                    [&](const Run& run) { return run.id == base.back().id; });
  const std::size_t jobs_max = history.runs.size() + (has_base ? 0 : 1);
  if (jobs_max < kJobsForDaysMin || cases.size() < kBenchmarksForDaysMin) return {};
  if (base.size() > 1 || candidate.size() > 1 || !one_board) return {};
  const auto metrics = metrics_of(cases);
  const double least = std::sqrt(least_job_variance(candidate.back().device.kind, Distance::kSameBoard));
  const DaysSeen seen = days_seen(job_levels(metrics, history, has_base ? nullptr : &base.back()), least);
  if (seen.unusual.empty() || seen.is_unusual(job_or_id(base.back()))) return {};
  const NoiseHistory usual =
      keep_runs(history, [&](const Run& run) { return !seen.is_unusual(job_or_id(run)); });
  UsualDays days{known_noise(metrics, usual, stored, lag_between(base, candidate, usual)), seen};
  if (!job_noise(days.known, candidate.back().device.kind, Distance::kSameBoard).shared) return {};
  return days;
}

// With the names that benchmarks have now.
ComparisonReport compare_sides(const SideRuns& base_side, const SideRuns& candidate_side,
                               const NoiseHistory& all_history, const Policy& policy,
                               const JudgeOptions& options) {
  Runs base = base_side.runs;
  Runs candidate = candidate_side.runs;
  const auto of_machine = of_one_machine(all_history, candidate.back());
  const NoiseHistory& history = of_machine ? *of_machine : all_history;
  ComparisonReport report;
  report.interleaved = sides_in_turn(base, candidate, options.pairing);
  report.device = device_key(candidate.back().device);
  report.details = candidate.back().device;
  report.software = candidate.back().software;
  report.base = describe_runs(base_side.side, base);
  report.candidate = describe_runs(candidate_side.side, candidate);
  report.confidence = policy.confidence;

  const Distance distance = report.interleaved ? Distance::kSameJob : distance_between(base, candidate);
  const std::vector<Case> cases = gather_cases(base, candidate, policy, distance, report.comparisons);
  const VerdictGrounds grounds =
      judge_cases(cases,
                  {.known = noise_of(cases, history, base, candidate, distance, base_side.noise),
                   .neighbours = changed_neighbours(base, candidate),
                   .kind = report.details.kind,
                   .distance = distance,
                   .error = (1 - policy.confidence) * options.error_share,
                   .comparisons_min = options.comparisons_min,
                   .usual_days = distance == Distance::kSameBoard
                                     ? usual_days_of(cases, history, base, candidate, base_side.noise)
                                     : std::nullopt},
                  report.comparisons);
  apply_same_code(report, base, candidate, policy);
  check_floors(report, candidate, policy,
               {grounds.jobs.variance, default_job_variance(report.details.kind, distance)},
               grounds.confidence);
  add_causes(report, base, candidate);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  report.likely_renames = likely_renames(report.comparisons);
  report.notes = comparison_notes(base, candidate, distance, grounds.jobs.learned);
  if (std::string note = cpu_time_note(candidate.back(), policy); !note.empty())
    report.notes.insert(report.notes.begin(), std::move(note));
  for (auto& note : build_notes(cases)) report.notes.push_back(std::move(note));
  for (auto& note : percentile_notes(cases, base, candidate)) report.notes.push_back(std::move(note));
  for (auto& note : outlier_notes(cases)) report.notes.push_back(std::move(note));
  for (auto& note : clock_notes(cases)) report.notes.push_back(std::move(note));
  for (auto& note : slow_day_notes(report)) report.notes.push_back(std::move(note));
  return report;
}

// How the benchmarks of both sides and of the history are to be called.
struct Naming {
  const Policy& policy;
  SharedNames shared;

  bool is_as_it_is() const { return policy.renames.empty() && shared.empty(); }

  std::vector<Run> applied(std::vector<Run> runs) const {
    for (auto& run : runs) {
      keep_names_apart(run, shared);
      rename_benchmarks(run, policy.renames);
    }
    return runs;
  }
  NoiseHistory applied(NoiseHistory history) const {
    keep_names_apart(history, shared);
    rename_benchmarks(history, policy.renames);
    return history;
  }
  SideRuns applied(const SideRuns& side) const {
    SideRuns renamed{side.side, applied(side.runs), side.noise};
    if (renamed.noise) rename_benchmarks(*renamed.noise, policy.renames);
    return renamed;
  }
};

Naming naming_of(const SideRuns& base, const SideRuns& candidate, const Policy& policy) {
  Naming naming{policy, {}};
  for (const auto* side : {&base, &candidate})
    for (const auto& run : side->runs)
      for (const auto& benchmark : run.benchmarks) naming.shared.add(benchmark);
  return naming;
}

}  // namespace

ComparisonReport judge(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                       const Policy& policy, const JudgeOptions& options) {
  require_metric_names(policy, {&base.runs, &candidate.runs, &history.runs});
  const Naming naming = naming_of(base, candidate, policy);
  ComparisonReport report = naming.is_as_it_is()
                                ? compare_sides(base, candidate, history, policy, options)
                                : compare_sides(naming.applied(base), naming.applied(candidate),
                                                naming.applied(history), policy, options);
  apply_waivers(report, policy.waivers, options.today);
  if (was_asked_for(candidate.runs))
    for (auto& note : unused_rules(policy, {&base.runs, &candidate.runs, &history.runs}, history.times))
      report.notes.push_back(std::move(note));
  return report;
}

ExitCode exit_code_for(const std::vector<ComparisonReport>& reports, bool strict) {
  bool open = reports.empty();
  for (const auto& report : reports) {
    bool compared = false;
    for (const auto& comparison : report.comparisons) {
      if (fails_gate(comparison)) return ExitCode::kRegressed;
      compared = compared || is_compared(comparison);
      open = open || (strict && is_left_open(comparison));
    }
    open = open || !compared;
  }
  return open ? ExitCode::kCannotJudge : ExitCode::kOk;
}

namespace {

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
      notes.push_back("in the " + side + ", " + printable(failure.binary) + " " + printable(failure.what));
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
                    printable(join({aggregates_only.begin(), aggregates_only.end()}, ", ")));
  if (dirty) notes.push_back("the " + side + " was measured from a working tree with uncommitted changes");
  const std::string of_all = " of " + std::to_string(invocations) + " invocations";
  if (excluded > 0)
    notes.push_back(std::to_string(excluded) + of_all + " of the " + side + (excluded == 1 ? " is" : " are") +
                    " excluded: " + printable(join({why_excluded.begin(), why_excluded.end()}, ", ")));
  if (disturbed > 0)
    notes.push_back("the " + side + "'s clocks were held down (" +
                    printable(join({reasons.begin(), reasons.end()}, ", ")) + ") in " +
                    std::to_string(disturbed) + of_all);
  if (shared > 0)
    notes.push_back("another process was on the GPU in " + std::to_string(shared) + of_all + " of the " +
                    side);
}

// "copy/2^34 (larger than device memory) and 3 more"; empty where none is.
std::string skipped_on_both(Runs base, Runs candidate) {
  std::string first;
  std::size_t count = 0;
  for (const auto& benchmark : candidate.back().benchmarks) {
    const Benchmark* of_base = find_benchmark(base.back(), benchmark.name);
    if (!benchmark.skipped || of_base == nullptr || !of_base->skipped) continue;
    if (count++ == 0) first = benchmark.name + " (" + *benchmark.error + ")";
  }
  return first + and_more(count > 1 ? count - 1 : 0);
}

bool names_its_boards(Runs runs) {
  return std::none_of(runs.begin(), runs.end(), [](const Run& run) { return board_of(run).empty(); });
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
  const auto [least, most] = std::minmax_element(of_boards.begin(), of_boards.end());
  return std::expm1(*most - *least);
}

// Over how many boards the pairs of one job are spread, and how far these agree.
void note_boards(const Run& base, const Run& candidate, std::vector<std::string>& notes) {
  const auto boards = boards_of(candidate);
  if (boards.size() < 2) return;
  std::vector<double> differences;
  std::string farthest;
  for (const auto& benchmark : candidate.benchmarks) {
    const Benchmark* of_base = find_benchmark(base, benchmark.name);
    if (of_base == nullptr) continue;
    const auto difference =
        difference_between_boards(log_times_of(base, *of_base), log_times_of(candidate, benchmark));
    if (!difference) continue;
    if (differences.empty() || *difference > *std::max_element(differences.begin(), differences.end()))
      farthest = benchmark.name;
    differences.push_back(*difference);
  }
  std::vector<std::string> names;
  for (const auto& board : boards) names.push_back(short_uuid(board));
  std::string note = "measured on " + std::to_string(boards.size()) + " boards (" +
                     printable(join(names, ", ")) + "), both sides of a pair on one";
  if (!differences.empty())
    note += "; the boards' changes of a benchmark lie " + format_share(stats::median(differences)) +
            " apart (median), at most " +
            format_share(*std::max_element(differences.begin(), differences.end())) + " (" +
            printable(farthest) + ")";
  notes.push_back(note);
}

}  // namespace

std::string cpu_time_note(const Run& run, const Policy& policy) {
  if (run.device.kind != DeviceKind::kGpu) return "";
  const auto count = std::count_if(run.benchmarks.begin(), run.benchmarks.end(), [&](const Benchmark& one) {
    const Metric metric = gate_for(without_renames(policy), one).metric;
    const bool is_rate = metric.unit.ends_with("/s");
    return one.time_base == TimeBase::kCpu && !one.error && (metric.name == "cpu_time" || is_rate);
  });
  if (count == 0) return "";
  return count_of(static_cast<std::size_t>(count), "benchmark") + " of a GPU" +
         (count == 1 ? " is" : " are") +
         " judged by the time of the CPU, which does not wait for the GPU: register with UseManualTime() or "
         "UseRealTime(), or set metric = \"real_time\" in a [[policy]]";
}

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
      notes.push_back("different " + std::string(fact.name) + ": " + printable(of_base) + " → " +
                      printable(of_candidate));
  }
  if (const std::string both = skipped_on_both(base, candidate); !both.empty())
    notes.push_back("skipped on both sides: " + printable(both));
  const auto is_in_base = [&](const Run& run) {
    return std::any_of(base.begin(), base.end(), [&](const Run& other) { return other.id == run.id; });
  };
  const bool is_itself = !candidate.empty() && !candidate.front().id.empty() &&
                         base.size() == candidate.size() &&
                         std::all_of(candidate.begin(), candidate.end(), is_in_base);
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
  if (distance == Distance::kSameJob) note_boards(base.back(), candidate.back(), notes);
  if (distance != Distance::kSameJob)
    notes.push_back(std::string("measured in different jobs; the spread between jobs is ") +
                    (learned ? "learned from the history" : "a cautious default, as the history is short") +
                    ". --measure detects smaller changes");
  return notes;
}

}  // namespace tracker
