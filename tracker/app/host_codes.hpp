// Notes in the runs of a job what their benchmarks can run of their programs.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/measure/host_code.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker {

// Of one target at a commit. What was found out of a binary is kept, as a job's runs are made several times.
class HostCodes {
 public:
  HostCodes(const Workspace& workspace, const Target& target, std::string commit,
            const LocalEnvironment& environment);

  // Fills in Run::programs and Benchmark::host_code where they can be told. Runs with changes that no commit
  // has stay as they are.
  void add_to(std::vector<Run>& runs);

 private:
  struct Known {
    std::set<std::string> asked;
    HostCode code;
  };

  const HostCode& code_of(const Binary& binary, const std::set<std::string>& benchmarks);
  std::optional<std::string> inputs_of(const Binary& binary);

  const Workspace& workspace_;
  Target target_;
  std::string commit_;
  std::optional<int> architecture_;
  std::map<std::string, Known> known_;  // by the binary's label
};

// Fills in how the target was built, and what compiled its binaries where they do not state it.
void add_build_facts(const Target& target, std::vector<Run>& runs);

}  // namespace tracker
