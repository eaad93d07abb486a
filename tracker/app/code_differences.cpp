#include "tracker/app/code_differences.hpp"

#include <algorithm>
#include <set>

#include "tracker/app/injected_code.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/machine_code/sass.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/disassemble.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChangedShownMax = 60;

const Comparison* worst_of(const ComparisonReport& report) {
  const Comparison* worst = nullptr;
  for (const auto& comparison : report.comparisons) {
    const bool can_tell =
        fails_gate(comparison) && comparison.verdict == Verdict::kRegressed && comparison.same_code != true;
    if (can_tell && (worst == nullptr || matters_more(comparison, *worst))) worst = &comparison;
  }
  return worst;
}

// Of the machine code of its kernels, likewise.
std::string hash_of_code(const SideRuns& side, const std::string& benchmark) {
  std::string hash;
  for (const auto& run : side.runs)
    for (const auto& one : run.benchmarks)
      if (one.name == benchmark && one.code) hash = one.code->hash;
  return hash;
}

// The kernels that a benchmark launches, by the newest run that says it.
std::vector<std::string> kernels_of(const SideRuns& side, const std::string& benchmark) {
  std::vector<std::string> kernels;
  for (const auto& run : side.runs)
    for (const auto& one : run.benchmarks) {
      if (one.name != benchmark || !one.code || one.code->launches.empty()) continue;
      kernels.clear();
      for (const auto& launch : one.code->launches)
        if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
          kernels.push_back(launch.kernel);
    }
  return kernels;
}

// Both builds of each binary that both have.
class Builds {
 public:
  Builds(const Workspace& workspace, const fs::path& cuobjdump, const std::string& base,
         const std::string& candidate)
      : cuobjdump_(cuobjdump) {
    const auto& measure = workspace.config().measure;
    const auto root_of = [&](const std::string& commit) {
      return built_worktree(workspace.repository(), commit,
                            build_recipe(recipe_at(workspace, commit).measure), measure.worktrees);
    };
    const auto base_root = root_of(base);
    const auto candidate_root = root_of(candidate);
    if (!base_root || !candidate_root) return;
    std::error_code missing;
    const auto of_base = recipe_at(workspace, base).binaries;
    const auto of_candidate = recipe_at(workspace, candidate).binaries;
    for (std::size_t i = 0; i < of_base.size(); ++i) {
      const auto here = binary_path(*base_root, of_base[i]);
      const auto there = binary_path(*candidate_root, of_candidate[i]);
      if (fs::is_regular_file(here, missing) && fs::is_regular_file(there, missing))
        binaries_.emplace_back(here, there);
    }
  }

  // Two more files to look into, where the executables do not have the kernel: Triton's, NVRTC's.
  void add(fs::path base, fs::path candidate) {
    binaries_.emplace_back(std::move(base), std::move(candidate));
  }

  std::optional<SassDiff> difference(const std::string& kernel, int architecture) {
    for (const auto& [base, candidate] : binaries_) {
      const auto of_base = sass_of(disassemble(cuobjdump_, base, kernel, architecture), kernel, architecture);
      if (!of_base) continue;
      const auto of_candidate =
          sass_of(disassemble(cuobjdump_, candidate, kernel, architecture), kernel, architecture);
      if (!of_candidate) continue;
      auto diff = diff_sass(*of_base, *of_candidate, kChangedShownMax);
      if (!diff.lines.empty()) return diff;
    }
    return {};
  }

 private:
  fs::path cuobjdump_;
  std::vector<std::pair<fs::path, fs::path>> binaries_;
};

}  // namespace

std::vector<CodeDifference> code_differences(const Workspace& workspace, const CompareSides& sides,
                                             const std::vector<ComparisonReport>& reports) {
  std::vector<CodeDifference> differences;
  if (!workspace.has_repository()) return differences;
  std::set<int> seen;
  std::optional<fs::path> cuobjdump;
  for (const auto& report : reports) {
    const Comparison* worst = worst_of(report);
    const auto architecture = architecture_of(report.details.compute_capability.value_or(""));
    // A working tree is built where it stands, and may have changed since.
    if (worst == nullptr || !architecture || report.base.commit.empty() || report.candidate.dirty ||
        seen.contains(*architecture))
      continue;
    if (!cuobjdump) cuobjdump = find_cuobjdump();
    if (!cuobjdump) return differences;
    const auto candidate = sides.candidate.runs_on(workspace, report.device);
    if (!candidate) continue;
    Builds builds(workspace, *cuobjdump, report.base.commit, report.candidate.commit);
    if (const auto base = sides.base.runs_on(workspace, report.device)) {
      const auto before = kept_cubin(workspace, hash_of_code(*base, worst->benchmark));
      const auto now = kept_cubin(workspace, hash_of_code(*candidate, worst->benchmark));
      if (before && now) builds.add(*before, *now);
    }
    for (const auto& kernel : kernels_of(*candidate, worst->benchmark)) {
      auto diff = builds.difference(kernel, *architecture);
      if (!diff) continue;
      seen.insert(*architecture);
      differences.push_back({kernel, "sm_" + std::to_string(*architecture), worst->benchmark,
                             std::move(diff->lines), diff->removed, diff->added, diff->left_out});
      break;
    }
  }
  return differences;
}

}  // namespace tracker
