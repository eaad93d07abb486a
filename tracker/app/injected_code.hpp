// Why a program of strangers got slower: what its benchmarks launch, found by a library that CUDA's driver
// loads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker::app {

enum class InjectedFor {
  kReports,  // what an iteration launches
  // Whether it has to be measured at all: only of benchmarks that set their time themselves, and only where
  // all that they do is known. The hash is of all of it, and is compared with such hashes alone.
  kSparing
};

// Fills in the code and the counters of benchmarks that ran on an NVIDIA GPU and state no code, in a pass of
// its own: once for each build of a program, as it is kept below the git folder. Notes how long that took, or
// why nothing is known. To be called while the job's boards are leased.
void add_injected_code(const Workspace& workspace, const measure::Target& target,
                       std::vector<formats::BenchmarkFile>& files,
                       const measure::LocalEnvironment& environment,
                       InjectedFor purpose = InjectedFor::kReports);

// The injected library, which lies beside this program or where it is installed; empty where it is missing.
std::filesystem::path injected_library();

// The module that a benchmark's kernels were in when their code had this hash (Code::hash), where it was
// kept. It is for the disassembler.
std::optional<std::filesystem::path> kept_cubin(const Workspace& workspace, const std::string& hash);

}  // namespace tracker::app
