// Whether this machine and this repository are fit to measure.
#pragma once

#include "tracker/app/workspace.hpp"

namespace tracker::app {

// kDoubtful: tracker works, and something is missing or less certain.
enum class Health { kGood, kDoubtful, kBad };

struct HealthFinding {
  Health health = Health::kGood;
  std::vector<std::string> what;    // a line each
  std::vector<std::string> remedy;  // likewise, for what is not good
};

// Makes all checks and tells what each found, as soon as it did. `binaries` as named_binaries() has them.
// Errors are findings.
void examine(const WorkspaceRequest& request, const std::vector<std::string>& binaries,
             const std::function<void(const std::string& name, const HealthFinding&)>& tell);

}  // namespace tracker::app
