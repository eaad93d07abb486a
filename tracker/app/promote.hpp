// Making a commit's runs the baseline of their devices.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/judge/fitness.hpp"

namespace tracker {

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
  std::size_t jobs = 0;         // that the runs come from
  std::vector<Doubt> accepted;  // changes that were meant
};

// "against baseline, 4.2 % slower, …"
std::string doubt_in_words(const Doubt& doubt);

// Writes the baseline of every device that the commit has runs on, or none at all: kCannotJudge where one of
// them has no fit run, or values that are not to be believed.
std::vector<Promoted> promote(const Workspace& workspace, const PromoteRequest& request);

}  // namespace tracker
