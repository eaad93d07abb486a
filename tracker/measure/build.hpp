// Building one side of a comparison with the commands that tracker.toml names.
#pragma once

#include <filesystem>
#include <string>

#include "tracker/model/policy.hpp"

namespace tracker {

// Runs the commands in order at `root`. kEnvironment, naming `what` ("HEAD~1 (1a2b3c4)"), the command, how
// it ended and its last lines, for the first that fails; kInterrupted after Ctrl-C.
void build_at(const std::filesystem::path& root, const MeasureSettings& settings, const std::string& what);

}  // namespace tracker
