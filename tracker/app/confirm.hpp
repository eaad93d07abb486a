// compare --confirm: what the stored runs leave in doubt is measured again side by side, until it is decided
// or the time given is used.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/compare_request.hpp"
#include "tracker/app/compare_sides.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker {

// What is compared, in the words of the user.
struct ConfirmRequest {
  std::string base;
  std::string candidate;
  MeasureRequest measuring;  // `invocations`: rounds of the first analysis
  bool everything = false;   // without asking the stored runs
  std::string device;        // a pattern: reports of no other device are made
  Policy policy;
  JudgeOptions judging;
  int history_runs_max = 0;  // for judging
};

// Whether to confirm: where the user wants it, and in CI where it can be done without being asked for. There
// it says so: both sides are commits, tracker.toml builds, and both have runs on a device of this machine.
// kUsage where the user wants it of files.
bool wants_confirming(const Workspace& workspace, const ConfirmOptions& options,
                      const ConfirmRequest& request, const CompareSides& sides);

// Puts what is confirmed into `reports`, which are of the stored runs, judged with kFirstCheckShare, and
// records what was measured. Everything is in doubt where none of the reports is of this machine's device;
// its report is added then. Where nobody asked for it, a build that fails is only noted.
void confirm(const Workspace& workspace, const ConfirmOptions& options, ConfirmRequest request,
             std::vector<ComparisonReport>& reports);

}  // namespace tracker
