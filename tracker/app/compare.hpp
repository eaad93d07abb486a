// Comparing two sides: measuring what is asked for, judging it, and measuring again what is in doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/compare_sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/report/report.hpp"

namespace tracker::app {

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

// The machine code of what got slower, where this machine has built both commits.

// Of the benchmark that got slower most on each device, the kernel whose code differs: one for each
// architecture. Reads the builds that measuring both commits left, so that a later report on the same machine
// has it, too. Empty where there is no cuobjdump, or a build is gone.
std::vector<report::CodeDifference> code_differences(const Workspace& workspace, const CompareSides& sides,
                                                     const std::vector<ComparisonReport>& reports);

// The commands that a report names: to judge the same again, and to see why the worst got slower.

// The command that judges the same commits again: measured side by side where they were, and as much of
// them.
std::string reproducing(const Workspace& workspace, const CompareRequest& request, bool strict,
                        const CompareSides& sides, const std::vector<ComparisonReport>& reports);

// The same from the request alone, where nothing was judged.
std::string reproducing_as_typed(const CompareRequest& request, bool strict);

// The command that puts the facts of the worst that failed side by side; empty where nothing got slower.
std::string explaining(const CompareSides& sides, const std::vector<ComparisonReport>& reports);

}  // namespace tracker::app
