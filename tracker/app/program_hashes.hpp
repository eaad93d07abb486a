// Notes in the runs of a job which programs were measured, and how they were built.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker {

// Of one target at a commit. What was found out of a binary is kept, as a job's runs are made several times.
class ProgramHashes {
 public:
  ProgramHashes(const Workspace& workspace, const Target& target, std::string commit,
                const LocalEnvironment& environment);

  // Fills in Run::programs where they can be told. Runs with changes that no commit has stay as they are.
  void add_to(std::vector<Run>& runs);

 private:
  const std::string& hash_of(const Binary& binary);
  std::optional<std::string> inputs_of(const Binary& binary);

  const Workspace& workspace_;
  Target target_;
  std::string commit_;
  std::optional<int> architecture_;
  std::map<std::string, std::string> known_;  // by the binary's label; empty: cannot be told
};

// Fills in how the target was built, and what compiled its binaries where they do not state it.
void add_build_facts(const Target& target, std::vector<Run>& runs);

}  // namespace tracker
