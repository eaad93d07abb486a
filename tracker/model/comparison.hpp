// What judging says. Plain data, made by judge/, shown by report/ and plot/.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// Why a comparison has its verdict, as facts: a code and its arguments. report/reason_words makes a sentence
// of them.

// Beside each: its arguments, and what it means where its name does not say it. Shares are plain numbers:
// 0.02 is 2 %. A change is candidate / base − 1.
enum class ReasonCode {
  // A verdict that the data reached
  kPastThreshold,    // change, threshold
  kWithinThreshold,  // threshold: the whole interval lies within it
  kZeroOnBothSides,
  kExactCount,  // base, candidate: each the same in every sample
  kMissingInCandidate,
  kSkippedInCandidate,  // text: what it said
  kMissingInBase,
  kSameProgram,         // nothing was measured, as both sides are the same program
  kFailed,              // text: what the benchmark or its binary said
  kFailedInBoth,        // text
  kFailedInBase,        // text: so that the candidate is new
  kNoValueInCandidate,  // metric: no value above zero
  kNoValueInBase,       // metric
  kNoValueInBoth,       // metric
  // Why it cannot be compared
  kMeasuredOtherwise,  // text: "iterations 1000 → 1"; because: what that changes, where it needs saying
  kOtherMachine,       // text: "4 → 64 CPUs"
  kHeldDown,        // side, base_mhz, candidate_mhz, reasons, invocations: of a board held down all the time
  kSharedBoard,     // side, shared, invocations, other: another process was on the GPU on one side alone
  kImpossibleTime,  // side, time_ns: less than a clock cycle
  // What leaves it open
  kZeroOnOneSide,
  kNoPairs,           // measured in one job, but in no round both
  kOneInvocation,     // a side; change, repetitions, spread where these are known
  kOtherNeighbours,   // text: what ran beside it on one side only; same_job, copies: 0 or 1; resolvable where
                      // known
  kClockStep,         // step, resolvable
  kOneReading,        // all readings of the clock are the same, so that its step is not known
  kOneOrder,          // resolvable: the same side ran first in every pair
  kEitherSide,        // change: past zero, on either side of the threshold
  kMaybeSecondSpeed,  // outliers of the candidate may be a second speed
  kTooFewForUnchanged,  // threshold: the whole interval lies within it, but two speeds may hide a change
  kNoiseHidesAll,
  kNoiseHides,          // resolvable
  kTooFewForTwoSpeeds,  // change
  kTooFewAmongPeers,    // change, peers: others that move as far by chance
  // What would decide it
  kJobsDiffer,     // other jobs differ by more than that
  kTooManyNeeded,  // invocations: more than so many
  kMoreNeeded,     // invocations, a side
  // Said besides
  kSecondSpeed,         // count, invocations, change: so many of the candidate's, and none of the base's
  kOutlier,             // round, distance (a share), in_candidate (0 or 1): excluded
  kMoreOutliers,        // count: excluded and not named
  kAtSameClock,         // mhz: what follows the device's clock is taken out
  kClocksDiffer,        // base_mhz, candidate_mhz: by more than chance, so that it is not
  kSameCode,            // the machine code is identical
  kSameCodeButSlower,   // likewise, of one that is slower
  kNothingElseDiffers,  // of what is recorded
  kAccepted,            // text: why
  kWaived,              // text: why; until: the last day
  kWaiverExpired,       // text: why it was granted; until
  kWaiverExceeded,      // text: why it was granted; worse, ceiling
  // The floor
  kBelowReference,        // reached, limit (shares), of: the benchmark that it is a share of
  kBelowFloor,            // short_by (a share), floor; higher: 1 where more is better
  kOwnVerdict,            // verdict: the one against the base, which the floor takes the place of
  kFloorNoReference,      // floor, of: these runs do not have it
  kFloorReferenceFailed,  // floor, of
  kFloorNoSharedRounds,   // floor, of, metric
  kFloorPeakUnknown,      // floor
  kFloorNoWork,           // floor: it states neither bytes nor FLOPs
  kFloorZeros,            // floor: some of its values are zero
  kFloorOneInvocation,    // floor
  kFloorNoiseUnknown,     // floor
  kFloorNoiseHides,       // floor
  kFloorUnclear,          // floor, low, high (shares), of_floor: 1 where they are shares of the floor
  // Measuring again
  kTooFewPairs,    // pairs, needed
  kTooManyRounds,  // rounds: more than so many would be needed
  kNoMoreResults,
  kNoResults,         // measuring it side by side gave none
  kNotConfirmed,      // what follows is what the stored runs said
  kNotMeasuredAgain,  // text: why
  kStopped,           // text: why
};

// "past_threshold": for the JSON report, where it stays the same between releases.
std::string reason_name(ReasonCode code);

struct ReasonArgument {
  // `its_name`: a literal. A number is in the unit that ReasonCode names beside the argument.
  ReasonArgument(std::string_view its_name, double number) : name(its_name), value(number) {}
  ReasonArgument(std::string_view its_name, int number) : name(its_name), value(1.0 * number) {}
  ReasonArgument(std::string_view its_name, std::string text) : name(its_name), value(std::move(text)) {}
  ReasonArgument(std::string_view its_name, const char* text) : name(its_name), value(std::string(text)) {}

  std::string_view name;
  std::variant<double, std::string> value;
};

struct Reason {
  ReasonCode code = ReasonCode::kFailed;
  std::vector<ReasonArgument> arguments = {};

  // 0 and empty where there is none of that name; the unit as ReasonCode names it.
  double number(std::string_view name) const;
  std::string text(std::string_view name) const;
  bool has(std::string_view name) const;
};

// In the order in which they are said.
using Reasons = std::vector<Reason>;

// Whether one of them has this code.
bool has_reason(const Reasons& reasons, ReasonCode code);

enum class Verdict {
  kRegressed,
  kBelowFloor,  // not regressed, but less than the policy's floor
  kFailed,
  kMissing,
  kSameCode,       // as much slower as a regressed one, but the machine code is identical
  kNotComparable,  // both sides measured it, but not the same thing: otherwise, on another machine, at
                   // another clock
  kInconclusive,
  kImproved,
  kNew,
  kUnchanged
};

// "regressed", "failed", … in the order of what matters most; the row order of every report.
const std::vector<Verdict>& all_verdicts();
std::string verdict_name(Verdict verdict);

// An interval in the unit of its value: a stated share of such intervals contains the true one.
struct Interval {
  double low = 0;
  double high = 0;
};

// The candidate against its policy's floor.
struct FloorCheck {
  std::string text;      // as the policy has it
  double reached = 0;    // the candidate's speed as a share of the floor's: below 1 is too slow
  Interval interval;     // of that share; infinite where the data cannot tell
  bool broken = false;   // the whole interval lies below 1
  bool unclear = false;  // it holds 1
};

// The waiver that matches a benchmark which failed its gate.
struct WaiverCheck {
  std::string reason;   // why it was granted
  std::string expires;  // the last day it holds: "2026-12-31"
  bool holds = false;
};

// What a time comes to with the work that is done in it: how people know a kernel's speed.
struct Rate {
  std::string unit;            // "FLOP/s" or "B/s"
  std::optional<double> base;  // in that unit
  std::optional<double> candidate;
};

// One metric of one benchmark, base against candidate. Changes are candidate / base − 1 in the metric's
// own direction of reading (+0.10 in bandwidth is faster, +0.10 in time is slower).
struct Comparison {
  std::string benchmark;
  std::string printed_name;  // as Google Benchmark prints it; empty: not known
  Metric metric;
  std::optional<double> base;  // in the metric's unit
  std::optional<double> candidate;
  std::optional<double> change;      // a share: candidate / base − 1
  std::optional<Interval> interval;  // of the change
  double threshold = 0;              // a share: 0.02
  std::optional<double> resolvable;  // the smallest change this data could have shown, a share
  int base_invocations = 0;
  int candidate_invocations = 0;
  bool by_builds = false;  // the counts of invocations are of builds: Evidence of compare --rebuild
  std::optional<int> more_invocations;  // a side, that would likely settle an inconclusive one
  Verdict verdict = Verdict::kInconclusive;
  Reasons reasons;    // why it has this verdict, and what else is to be said of it
  std::string cause;  // what of the code or around it changed, likeliest first; empty where nothing is known
  std::optional<bool> same_code;  // machine code and launches of all runs are identical; empty: not known
  bool same_code_fails = false;   // by the policy, slower with the same code fails the build as well
  bool report_only = false;       // shown, but never fails the build
  bool failed_before = false;     // it failed in the base as well, and in the same way
  bool not_measured = false;      // both sides are the same program: unchanged without a measurement
  bool confirmed = false;         // measured again side by side, after the stored runs left a doubt
  std::optional<FloorCheck> floor;
  std::optional<WaiverCheck> waiver;
  std::optional<Rate> rate;  // where the metric is a time, and the work is known
  std::string source;  // the file to look at, from the root of the repository; empty where none is known
};

// What confirming cost and spared, in seconds of measuring.
struct Effort {
  double measured_s = 0;
  double saved_s = 0;  // against measuring every benchmark of both sides as many rounds
  int benchmarks = 0;  // that were measured
  int rounds = 0;
  bool out_of_budget = false;  // time ran out with some undecided
};

// What was not measured, as both sides are the same program.
struct NotMeasured {
  int benchmarks = 0;
  std::optional<double> saved_s;  // what measuring them would have taken; empty: nothing stored tells it
};

// What was read of the device's clocks in the invocations that count: the least and the most, in MHz.
struct Clocks {
  std::optional<Interval> core_mhz;
  std::optional<Interval> memory_mhz;
};

struct Side {
  std::string label;    // as the user wrote it: "HEAD~1", "baseline"
  std::string commit;   // 40 hexadecimal digits, or empty
  std::string subject;  // the first line of the commit's message
  std::vector<std::string> runs;
  int jobs = 0;
  bool dirty = false;
  Clocks clocks;
};

// All comparisons on one device.
struct ComparisonReport {
  std::string device;  // the key
  Device details;      // of the candidate's newest run
  Software software;   // likewise
  Side base;
  Side candidate;
  bool interleaved = false;                 // both sides measured side by side in one job
  double confidence = 0;                    // of all intervals together
  std::optional<Effort> effort;             // where some were confirmed
  std::optional<NotMeasured> not_measured;  // where some are the same program on both sides
  std::vector<std::string> notes;           // dirty trees, other drivers, disturbed conditions, …
  std::vector<Comparison> comparisons;      // sorted by what matters
  std::vector<Rename> likely_renames = {};  // of what is missing to what is new: likely_renames()
};

// Whether this comparison alone fails the build: regressed, below its floor, failed (but not so in the base)
// or missing, or where the policy says so, slower with the same code; neither waived nor report_only.
bool fails_gate(const Comparison& comparison);

// Whether both sides measured it, so that there was something to judge.
bool is_compared(const Comparison& comparison);

// Whether the noise is so large that the interval says nothing, and its figures would only be absurd.
bool noise_hides_everything(const Comparison& comparison);

// Whether the data leaves open what the policy asks of it: what `--strict` does not take.
bool is_left_open(const Comparison& comparison);

// Whether it is inconclusive, and yet slower by the threshold or more, and by half of what could have been
// told from none: without a change, a few of a hundred benchmarks come so far.
bool is_suspicious(const Comparison& comparison);

// The order of the rows of every report: by verdict, then by size.
bool matters_more(const Comparison& a, const Comparison& b);

// How many benchmarks have each verdict; verdicts that none has are left out.
std::map<Verdict, int> count_verdicts(const ComparisonReport& report);

// What `tracker explain` says of a benchmark at two commits: the verdict, what differs, and the facts of both
// sides beside each other. Plain data, made by judge/, shown by report/.

struct Fact {
  std::string name;  // "registers"
  std::string base;  // in words: "32", "4 KiB"; empty where it is not known
  std::string candidate;
  std::optional<double> base_value;  // of a number, in `unit`
  std::optional<double> candidate_value;
  std::string unit;    // "bytes", "MHz", …; empty for what has none
  std::string change;  // "+100 %", with its interval where there is one; empty where that says nothing
  bool differs = false;
  bool unclear = false;  // the data shows neither a difference nor that there is none
};

struct FactGroup {
  std::string name;  // "launch"
  std::vector<Fact> facts;
};

struct Explanation {
  std::vector<std::string> causes;    // likeliest first
  std::vector<std::string> contrary;  // what differs, but would have had the opposite effect
  std::vector<FactGroup> groups;      // those that have any fact
  std::vector<std::string> unknown;   // what is not known, and how to get it
};

// All explained benchmarks of one device.
struct ExplanationReport {
  ComparisonReport judged;                // its comparisons are those that are explained
  std::vector<Explanation> explanations;  // one each, in their order
};

// What one invocation measured of a benchmark, in the metric's unit.
struct InvocationSamples {
  int job = 0;                 // counted from 0 within its side
  int round = 0;               // in its job, counted from 1
  std::vector<double> values;  // one a repetition, in the order they ran; never NaN, one at least
  double median = 0;
  Exclusion excluded;      // why it does not count, where it does not
  bool disturbed = false;  // its conditions were doubtful, whether or not it counts
};

// What one verdict rests on: every repetition of every invocation, of both sides.
struct BenchmarkSamples {
  std::string device;  // the key
  Comparison comparison;
  bool paired = false;  // both sides measured side by side: those of one round belong together
  Side base_side;
  Side candidate_side;
  std::vector<InvocationSamples> base;  // in the order they ran; empty where there are none
  std::vector<InvocationSamples> candidate;
};

// Numbers of pairs for which calibrate tells what a job can resolve.
inline constexpr std::array<int, 3> kCalibratedPairs{5, 10, 20};

struct CalibratedBenchmark {
  std::string name;
  double threshold = 0;  // of the policy, a share
  double noise = 0;      // the standard deviation of a pair's difference, a share
  // That is what is left of it at the same clock (same_clock of the policy), and so are the figures of as
  // many pairs as that needs; those of fewer pairs are as measured.
  bool at_same_clock = false;
  // The smallest change, a share, that so many pairs side by side can tell from none: kCalibratedPairs.
  std::array<double, kCalibratedPairs.size()> resolvable{};
  // The least of kCalibratedPairs at which the threshold holds: at twice what they resolve, or more.
  std::optional<int> pairs_needed;
};

// What one machine can resolve, benchmark by benchmark.
struct Calibration {
  std::vector<CalibratedBenchmark> benchmarks;  // the noisiest first
  std::vector<std::string> unknown;             // names of those with too few invocations, or with an error
  int without_clock = 0;  // number of them that the policy compares at the same clock, and that state none
  int invocations = 0;    // of the commit, that count
  int pairs = 0;          // of jobs that measured it against itself
  // Pairs of the same code, judged by the policy: how often a change was found.
  int reports = 0;
  int pairs_a_report = 0;
  int comparisons = 0;
  int false_alarms = 0;
  std::optional<double> pair_s;  // what one pair of all binaries takes
};

}  // namespace tracker
