#include "tracker/judge/verdict/notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "tracker/base/text.hpp"
#include "tracker/judge/explain/run_facts.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
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
    const auto samples = invocation.samples.find(benchmark.name);
    if (invocation.excluded || samples == invocation.samples.end()) continue;
    const auto& values =
        benchmark.time_base == TimeBase::kCpu ? samples->second.cpu_time_ns : samples->second.real_time_ns;
    const double log = std::log(stats::median(values));
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
