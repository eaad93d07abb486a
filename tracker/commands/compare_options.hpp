// What a user may say to `tracker compare`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracker/commands/confirm_options.hpp"
#include "tracker/commands/recording.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker {

struct CompareOptions {
  std::string base;
  std::string candidate = "HEAD";
  bool candidate_named = false;    // on the command line
  std::vector<std::string> globs;  // of benchmarks; none: all of them
  bool measure = false;
  bool worktree = false;  // the candidate is the working tree as it is
  MeasureWishes wishes;
  ConfirmOptions confirm;
  std::string threshold;       // "1%"; empty: the policy's
  std::string identical_code;  // "skip" or "measure"; empty: the policy's
  Pairing pairing = Pairing::kFromRuns;
  std::string gpu;  // the model, for files that do not name their device
  std::string cpu;
  std::string device;
  std::string format = "text";
  std::filesystem::path out;
  std::filesystem::path charts;  // the folder for pictures; empty: none
  std::string charts_url;        // where they will be seen, with "{file}"; empty: from the report's folder
  bool strict = false;
  bool all = false;

  // The device of files that name none, where it was said.
  std::optional<Device> stated_device() const;
  // The policy with what was said over it. kUsage where the threshold is no share.
  Policy policy_over(Policy policy) const;
};

// "measure both side by side: tracker compare HEAD~1 --measure"
std::string measure_hint(const CompareOptions& options);

// An argument with * or ? that is no file is a pattern of benchmarks, also in the candidate's place; patterns
// become the filter of what is measured. kUsage where there is a filter already.
CompareOptions with_patterns(CompareOptions options);

// What the two sides are, and how they were measured where the runs do not say it.
void declare_sides(CLI::App& app, CompareOptions& options);
void declare_compare_options(CLI::App& app, CompareOptions& options);

}  // namespace tracker
