// Whether runs may become what others are compared with. Pure. docs/lab/statistics.md, "Baselines".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/judge.hpp"

namespace tracker::judge {

// So many invocations that count are the least of every benchmark of a run that is promoted.
inline constexpr int kBaselineInvocationsMin = 3;

// Why a run may not be promoted, in words; empty where it may. Invocations that are left out were retaken,
// and are not compared with it.
std::string why_unfit(const Run& run);

// A benchmark whose value is not to be believed without a person's word.
struct Doubt {
  std::string benchmark;
  std::string what;         // "9.8 TB/s is past the 4.8 TB/s that the device can do"; of a change: empty
  bool acceptable = false;  // a change may be meant; more than the device can do is not
  bool worse = false;       // the change is a regression, or the benchmark is gone
  std::optional<Comparison> change = {};  // where it is one
  std::string against = {};               // what it is one against: "baseline"
};

// Benchmarks whose median in any of the runs is past the theoretical limit of the device, if policy does not
// say that it may be.
std::vector<Doubt> doubts_about_limits(const std::vector<Run>& runs, const Policy& policy);

// What the runs are compared with: commits before theirs that have fit runs on the device (newest first), and
// the baseline that stood until now. `noise` is other runs of the device, as judge_stored() takes them.
struct Past {
  std::vector<SideRuns> commits;
  std::optional<SideRuns> baseline;
  NoiseHistory noise;
};

// Benchmarks that judge_stored(), as `tracker compare` uses it, calls regressed or improved against the
// newest commit that has them, or against the baseline, and those that the baseline has and the runs have
// not.
std::vector<Doubt> doubts_about_changes(const SideRuns& promoted, const Past& past, const Policy& policy);

}  // namespace tracker::judge
