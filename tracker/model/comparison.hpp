// What judging says. Plain data, made by judge/, shown by report/ and plot/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/environment.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/reason.hpp"

namespace tracker {

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

// An interval of the true value that a stated share of such intervals contains.
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
  std::optional<double> change;
  std::optional<Interval> interval;  // of the change
  double threshold = 0;              // a share: 0.02
  std::optional<double> resolvable;  // the smallest change this data could have shown
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

std::map<Verdict, int> count_verdicts(const ComparisonReport& report);

}  // namespace tracker
