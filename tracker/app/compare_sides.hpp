// Both sides of `tracker compare`: revisions, the baseline, or files, whichever the user's words mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/compare_request.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/formats/file_side.hpp"

namespace tracker {

enum class SideKind { kRevision, kBaseline, kFiles, kWorkingTree };

// What the side of --worktree is called.
inline constexpr char kWorkingTreeWords[] = "the working tree";

struct CompareSide {
  std::string text;  // as the user wrote it
  SideKind kind = SideKind::kRevision;
  std::optional<FileSide> files;
  std::vector<Run> measured;  // just now, with --worktree: these alone count

  std::vector<std::string> devices(const Workspace& workspace) const;
  std::optional<SideRuns> runs_on(const Workspace& workspace, const std::string& device) const;
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

// The devices to judge on, in order. An error that says the next step where there are none.
std::vector<std::string> devices_to_judge(const Workspace& workspace, const CompareRequest& request,
                                          const CompareSides& sides);

// Why the sides cannot be compared on a device that the candidate is known on.
Error why_unjudged(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides,
                   const std::string& device);

}  // namespace tracker
