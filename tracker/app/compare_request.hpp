// What is to be compared, and how it is measured where it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/recording.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker {

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
  Pairing pairing = Pairing::kFromRuns;
  std::string gpu;  // the model, for files that do not name their device
  std::string cpu;
  std::string better;   // the direction of values in files that do not state it: "lower" or "higher"
  std::string device;   // a pattern; empty: all
  bool drifts = false;  // of the line before the candidate
  bool code = false;    // what the machine code of the worst differs in: it takes a disassembler some seconds

  // The device of files that name none, where it was said.
  std::optional<Device> stated_device() const;
  // The policy with what was said over it. kUsage where the threshold is no share.
  Policy policy_over(Policy policy) const;
};

// The policy with this threshold ("1%", "5ns") for every benchmark; as it is where that is empty. kUsage for
// what is no threshold.
Policy policy_at_threshold(Policy policy, const std::string& threshold);

// "measure both side by side: tracker compare HEAD~1 --measure"
std::string measure_hint(const CompareRequest& request);

// An argument with * or ? that is no file is a pattern of benchmarks, also in the candidate's place; patterns
// become the filter of what is measured. kUsage where there is a filter already.
CompareRequest with_patterns(CompareRequest request);

}  // namespace tracker
