// The two sides of a comparison, as a user names them: a revision, or the word "baseline".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker {

inline constexpr char kBaselineWord[] = "baseline";

// The runs of one side on one device; empty where it has none there.
std::optional<SideRuns> load_side(const Workspace& workspace, const std::string& what,
                                  const std::string& device);

// What jobs noted of a commit on one device instead of measuring it; empty where none has.
struct NotedSide {
  Device device;
  std::vector<SameProgramAs> same_programs;
};
std::optional<NotedSide> load_notes(const Workspace& workspace, const std::string& revision,
                                    const std::string& device);

// The runs as a side of this name, which must be of one device.
SideRuns make_side(const std::string& label, const std::string& commit, const std::string& subject,
                   const std::vector<Run>& runs);

// The devices that a side has runs on, in order.
std::vector<std::string> devices_of(const Workspace& workspace, const std::string& what);

}  // namespace tracker
