// Making a commit's runs the baseline of their devices.
#pragma once

#include <set>

#include "tracker/app/workspace.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/judge/fitness.hpp"

namespace tracker::app {

struct PromoteRequest {
  std::string revision = "HEAD";
  std::string device;               // a pattern; empty: all
  std::vector<std::string> accept;  // patterns over benchmarks whose change is meant
};

// A baseline that was written.
struct Promoted {
  std::string commit;
  std::filesystem::path path;
  std::size_t runs = 0;
  std::size_t jobs = 0;                // that the runs come from
  std::vector<judge::Doubt> accepted;  // changes that were meant
};

// "against baseline, 4.2 % slower, …"
std::string doubt_in_words(const judge::Doubt& doubt);

// Writes the baseline of every device that the commit has runs on, or none at all: kCannotJudge where one of
// them has no fit run, or values that are not to be believed.
std::vector<Promoted> promote(const Workspace& workspace, const PromoteRequest& request);

// What tracker.toml accepts of changes, where a command judges them.

// The policy with the [[accepted]] changes as waivers whose commit lies between both sides: the candidate has
// it, and the base does not. `base` may be the word "baseline"; files have no commits.
Policy policy_between(const Workspace& workspace, Policy policy, const std::string& base,
                      const std::string& candidate);

// What the sentinel says of stored runs of both sides on the device: a change of the machine for each
// benchmark that it made faster or slower than noise. Empty where both were measured in one era, or nothing
// is known.
std::vector<Waiver> machine_moved(const Workspace& workspace, const std::string& device, const Policy& policy,
                                  const std::vector<Run>& base, const std::vector<Run>& candidate);

// For the events on the line that ends at `from`: the [[accepted]] changes by the place of their commits, the
// waivers that hold today, and the benchmarks that are reported only.
std::vector<events::Acceptance> acceptances_on(const Workspace& workspace, const std::string& from,
                                               const std::set<std::string>& report_only = {});

// Where the line that ends at `from` has the commit: its own place, or that of the merge that brought it.
// Empty where it is not part of the line.
std::optional<int> position_on_line(const repo::Repository& repository, const repo::CommitLine& line,
                                    const std::string& commit);

}  // namespace tracker::app
