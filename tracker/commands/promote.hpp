// Making a commit's runs the baseline of their devices.
#pragma once

#include <string>
#include <vector>

#include "tracker/commands/workspace.hpp"

namespace tracker {

struct PromoteWishes {
  std::string revision = "HEAD";
  std::string device;               // a pattern; empty: all
  std::vector<std::string> accept;  // patterns over benchmarks whose change is meant
};

// Writes the baseline of every device that the commit has runs on, or none at all: kCannotJudge where one of
// them has no fit run, or values that are not to be believed.
void promote(const Workspace& workspace, const PromoteWishes& wishes);

}  // namespace tracker
