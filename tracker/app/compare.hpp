// Comparing two sides: what the user's words for them mean, measuring what is asked for, judging it, and
// measuring again what is in doubt.
#pragma once

#include "tracker/app/recording.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/report.hpp"

namespace tracker::app {

// What is to be compared, and how it is measured where it is.

// Whether what the stored runs leave in doubt is measured again.
struct ConfirmOptions {
  bool wanted = false;    // --confirm
  bool unwanted = false;  // --no-confirm
  std::string time_budget = "15m";
};

struct CompareRequest {
  std::string base;
  std::string candidate = "HEAD";
  bool candidate_named = false;    // by the user
  std::vector<std::string> globs;  // of benchmarks; none: all of them
  bool measure = false;
  bool worktree = false;  // the candidate is the working tree as it is
  int rebuild = 0;        // builds of each side; 0: one
  MeasureRequest measuring;
  ConfirmOptions confirm;
  std::string threshold;       // "1%"; empty: the policy's
  std::string identical_code;  // "skip" or "measure"; empty: the policy's
  judge::Pairing pairing = judge::Pairing::kFromRuns;
  std::string gpu;  // the model, for files that do not name their device
  std::string cpu;
  std::string better;   // the direction of values in files that do not state it: "lower" or "higher"
  std::string device;   // a pattern; empty: all
  bool drifts = false;  // of the line before the candidate
  bool code = false;    // what the machine code of the worst differs in: it takes a disassembler some seconds

  bool measures() const { return measure || worktree; }
};

// The policy with this threshold ("1%", "5ns") for every benchmark; as it is where that is empty. kUsage for
// what is no threshold.
Policy policy_at_threshold(Policy policy, const std::string& threshold);

// The request with what its words mean, and what differs from them is said. An argument with * or ? that is
// no file is a pattern of benchmarks, also in the candidate's place; patterns become the filter of what is
// measured. A...B compares B (HEAD where it is empty) with where its history left A's, as git diff has it. A
// branch whose newest commit has no run is its newest commit that has one on a device of the candidate's,
// unless something will be measured. kUsage where there is a filter beside patterns, where either of A...B is
// no commit, or a candidate is named beside it.
CompareRequest with_meant_commits(const Workspace& workspace, CompareRequest request);

// Both sides: revisions, the baseline, or files, whichever the user's words mean.

// What the user's word for a side is.
enum class SideKind { kRevision, kBaseline, kFiles, kWorkingTree };

struct CompareSide {
  std::string text;  // as the user wrote it
  SideKind kind = SideKind::kRevision;
  std::optional<formats::FileSide> files;
  std::vector<Run> measured;  // just now, with --worktree: these alone count

  // The keys of the devices that it has runs of.
  std::vector<std::string> devices(const Workspace& workspace) const;
  // Its runs on the device of this key; empty where it has none there.
  std::optional<judge::SideRuns> runs_on(const Workspace& workspace, const std::string& device) const;
};

struct CompareSides {
  CompareSide base;
  CompareSide candidate;
  std::vector<std::string> notes;  // how files were taken, for every report
};

// Finds out what both are, and reads the files. kUsage for what is neither a revision nor a file, and for
// files that do not fit together.
CompareSides open_sides(const Workspace& workspace, const CompareRequest& request);

// The devices to judge on, in order. Where there are none, throws Error with the next step: kCannotJudge, or
// kUsage for a device that nobody knows.
std::vector<std::string> devices_to_judge(const Workspace& workspace, const CompareRequest& request,
                                          const CompareSides& sides);

// Why the sides cannot be compared on a device that the candidate is known on.
Error why_unjudged(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides,
                   const std::string& device);

// Both sides on one device, and what judging them gave.
struct JudgedDevice {
  judge::SideRuns base;
  judge::SideRuns candidate;
  ComparisonReport report;
};

// Judges a device that both sides have runs on, with what its history tells of the noise; empty where a side
// has none. `fresh`: what was measured just now is what is asked about, also where it is only a part of what
// is stored.
std::optional<JudgedDevice> judge_device(const Workspace& workspace, const CompareSides& sides,
                                         const std::string& device, const Policy& policy,
                                         const judge::Options& how, bool fresh);

// compare --confirm: what the stored runs leave in doubt is measured again side by side, until it is decided
// or the time given is used.

// Whether to confirm: where the user wants it, and in CI where it can be done without being asked for. There
// it says so: both sides are commits, tracker.toml builds, and both have runs on a device of this machine.
// kUsage where the user wants it of files.
bool wants_confirming(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides);

// Puts what is confirmed into `reports`, which are of the stored runs, judged with kFirstCheckShare, and
// records what was measured. Everything is in doubt where none of the reports is of this machine's device;
// its report is added then. Where nobody asked for it, a build that fails is only noted.
void confirm(const Workspace& workspace, const CompareRequest& request, const Policy& policy,
             const std::string& today, std::vector<ComparisonReport>& reports);

// What comparing came to.
struct CompareOutcome {
  CompareRequest request;  // with the commits that its words mean
  CompareSides sides;
  Policy policy;  // that was judged by
  std::vector<ComparisonReport> reports;
  std::vector<report::Unjudged> unjudged;  // devices of the candidate without a report, and why
  std::vector<std::string> absent;         // devices that the base was measured on and the candidate was not
  std::vector<report::CodeDifference> code;  // where the request asks for it
  std::vector<DriftAlarm> drifts;            // likewise
};

// What is measured is recorded. Notes what it does; a device that cannot be judged costs no other its report.
// kUsage where the request contradicts itself, kCannotJudge where there is nothing to judge, kEnvironment
// where a build or every binary of a side fails, kInterrupted after Ctrl-C.
CompareOutcome compare(const Workspace& workspace, const CompareRequest& request);

// kCannotJudge where nothing failed but a device could not be judged; else what the reports say.
ExitCode exit_code_of(const CompareOutcome& outcome, bool strict);

// The commands that a report names: to judge the same again, and to see why the worst got slower.

// The command that judges the same commits again: measured side by side where they were, and as much of
// them.
std::string reproducing(const Workspace& workspace, const CompareOutcome& outcome, bool strict);

// The same from the request alone, where nothing was judged.
std::string reproducing_as_typed(const CompareRequest& request, bool strict);

// The command that puts the facts of the worst that failed side by side; empty where nothing got slower.
std::string explaining(const CompareOutcome& outcome);

}  // namespace tracker::app
