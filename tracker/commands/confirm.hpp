// compare --confirm: what the stored runs leave in doubt is measured again in turn, until it is decided or
// the time given is used.
#pragma once

#include <string>
#include <vector>

#include "tracker/commands/recording.hpp"
#include "tracker/commands/workspace.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker {

// As the user gave them.
struct ConfirmOptions {
  bool wanted = false;    // --confirm
  bool unwanted = false;  // --no-confirm
  std::string time_budget = "15m";
};

void declare_confirm(CLI::App& app, ConfirmOptions& options);

// What is compared, as the command line says it.
struct ConfirmRequest {
  std::string base;
  std::string candidate;
  MeasureWishes wishes;     // `invocations`: rounds of the first look
  bool everything = false;  // without asking the stored runs
  std::string device;       // a pattern: reports of no other device are made
  Policy policy;
  JudgeOptions judging;
  int history_runs_max = 0;  // for judging
};

// Whether to confirm: where the user wants it, and in CI where it can be done without being asked for. There
// it says so: the base is a commit, tracker.toml builds, and this machine is one of `devices`, those that
// both sides have runs on.
bool wants_confirming(const Workspace& workspace, const ConfirmOptions& options,
                      const ConfirmRequest& request, const std::vector<std::string>& devices);

// Puts what is confirmed into `reports`, which are of the stored runs, judged with kScreenShare, and records
// what was measured. Everything is in doubt where none of the reports is of this machine's device; its report
// is added then. Where nobody asked for it, a build that fails is only noted.
void confirm(const Workspace& workspace, const ConfirmOptions& options, ConfirmRequest request,
             std::vector<ComparisonReport>& reports);

}  // namespace tracker
