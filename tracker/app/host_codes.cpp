#include "tracker/app/host_codes.hpp"

#include <utility>

#include "tracker/app/measuring_plan.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/measure/benchmark_inputs.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

HostCodes::HostCodes(const Workspace& workspace, const Target& target, std::string commit,
                     const LocalEnvironment& environment)
    : workspace_(workspace),
      target_(target),
      commit_(std::move(commit)),
      architecture_(architecture_here(environment)) {}

void HostCodes::add_to(std::vector<Run>& runs) {
  for (auto& run : runs) {
    if (run.dirty) continue;
    for (const auto& binary : target_.binaries) {
      const std::string label = label_of(binary);
      std::set<std::string> names;
      for (const auto& benchmark : run.benchmarks)
        if (benchmark.binary == label) names.insert(benchmark.name);
      if (names.empty()) continue;
      const HostCode& code = code_of(binary, names);
      if (code.program.whole.empty()) continue;
      run.programs[label] = code.program;
      for (auto& benchmark : run.benchmarks) {
        const auto found = code.benchmarks.find(benchmark.name);
        if (benchmark.binary == label && found != code.benchmarks.end()) benchmark.host_code = found->second;
      }
    }
  }
}

const HostCode& HostCodes::code_of(const Binary& binary, const std::set<std::string>& benchmarks) {
  auto [known, is_new] = known_.try_emplace(label_of(binary));
  std::set<std::string> all = known->second.asked;
  all.insert(benchmarks.begin(), benchmarks.end());
  if (!is_new && all == known->second.asked) return known->second.code;
  known->second.asked = std::move(all);
  if (const auto inputs = inputs_of(binary))
    known->second.code = host_code_of({target_.root, binary}, architecture_,
                                      {known->second.asked.begin(), known->second.asked.end()}, *inputs);
  return known->second.code;
}

std::optional<std::string> HostCodes::inputs_of(const Binary& binary) {
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
