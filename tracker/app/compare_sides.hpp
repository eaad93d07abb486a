// Both sides of `tracker compare`: revisions, the baseline, or files, whichever the user's words mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/judge/judge.hpp"

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

// What the user's word for a side is: a revision, "baseline", files, or the working tree.
enum class SideKind { kRevision, kBaseline, kFiles, kWorkingTree };

// What the side of --worktree is called.
inline constexpr char kWorkingTreeWords[] = "the working tree";

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

  bool has_files() const { return base.files || candidate.files; }
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

// What `tracker compare` takes A...B and branches without a run for.

// The request with the commits that they mean, and what differs from their words is said. A...B compares B
// (HEAD where it is empty) with where its history left A's, as git diff has it: kUsage where either is no
// commit, or a candidate is named beside it. A branch whose newest commit has no run is its newest commit
// that has one on a device of the candidate's, unless something will be measured.
CompareRequest with_meant_commits(const Workspace& workspace, CompareRequest request);

// The newest commit at or before this one, on its first-parent line, with a run on any of the devices (all
// where there are none).
std::optional<Commit> newest_with_run(const Workspace& workspace, const std::string& revision,
                                      const std::vector<std::string>& devices);

}  // namespace tracker::app
