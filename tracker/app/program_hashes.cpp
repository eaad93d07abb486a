#include "tracker/app/program_hashes.hpp"

#include <algorithm>
#include <utility>

#include "tracker/app/measuring_plan.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/measure/benchmark_inputs.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

ProgramHashes::ProgramHashes(const Workspace& workspace, const Target& target, std::string commit,
                             const LocalEnvironment& environment)
    : workspace_(workspace),
      target_(target),
      commit_(std::move(commit)),
      architecture_(architecture_here(environment)) {}

void ProgramHashes::add_to(std::vector<Run>& runs) {
  for (auto& run : runs) {
    if (run.dirty) continue;
    for (const auto& binary : target_.binaries) {
      const std::string label = label_of(binary);
      const bool is_measured = std::any_of(run.benchmarks.begin(), run.benchmarks.end(),
                                           [&](const Benchmark& one) { return one.binary == label; });
      if (!is_measured) continue;
      if (const std::string& hash = hash_of(binary); !hash.empty()) run.programs[label].whole = hash;
    }
  }
}

// Of the program, what it loads, and the files of the repository that it may read.
const std::string& ProgramHashes::hash_of(const Binary& binary) {
  auto [known, is_new] = known_.try_emplace(label_of(binary));
  if (!is_new) return known->second;
  const auto inputs = inputs_of(binary);
  const std::string program = inputs ? hash_of_program({target_.root, binary}, architecture_) : "";
  if (program.empty()) return known->second;
  Digest digest;
  digest.add_counted(program);
  digest.add_counted(*inputs);
  return known->second = digest.text();
}

std::optional<std::string> ProgramHashes::inputs_of(const Binary& binary) {
  const auto files = committed_files(workspace_.repository(), commit_);
  if (!files) return {};
  std::vector<std::string> paths;
  std::map<std::string, std::string> contents;
  for (const auto& file : *files) {
    paths.push_back(file.path);
    contents[file.path] = file.content;
  }
  Digest digest;
  for (const auto& path : possible_inputs(paths, binary, workspace_.config().baselines_directory)) {
    digest.add_counted(path);
    digest.add_counted(contents[path]);
  }
  return digest.text();
}

void add_build_facts(const Target& target, std::vector<Run>& runs) {
  std::map<std::string, std::string> known;  // by the binary's label
  for (const auto& binary : target.binaries) known[label_of(binary)] = compiler_of({target.root, binary});
  for (auto& run : runs) {
    if (!target.build.empty()) run.software.build = target.build;
    for (auto& [label, software] : run.binary_software)
      if (!software.compiler && !known[label].empty()) software.compiler = known[label];
    for (const auto& benchmark : run.benchmarks) {
      const std::string& compiler = known[benchmark.binary];
      if (run.software.compiler || compiler.empty() || run.binary_software.contains(benchmark.binary))
        continue;
      run.software.compiler = compiler;
    }
  }
}

}  // namespace tracker
