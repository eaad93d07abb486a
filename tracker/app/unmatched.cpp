#include "tracker/app/unmatched.hpp"

#include <set>

#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

constexpr int kCommitsOfNames = 20;

std::vector<std::string> recorded_names(const Workspace& workspace, const std::vector<std::string>& devices,
                                        const std::string& from) {
  std::set<std::string> names;
  for (const auto& device : devices)
    for (auto& commit :
         load_history(workspace.repository(), workspace.history(), device, from, kCommitsOfNames))
      for (auto& run : commit.runs) {
        rename_benchmarks(run, workspace.config().policy.renames);
        for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
      }
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string> chosen_devices(const std::vector<std::string>& known, const std::string& pattern) {
  auto chosen = matching_devices(known, pattern);
  if (!chosen.empty() || known.empty()) return chosen;
  throw Error(ExitCode::kUsage, "no device matches '" + printable(pattern) + "'",
              "recorded are: " + join(known, ", "));
}

void require_known_device(const Workspace& workspace, const std::string& pattern) {
  if (!pattern.empty() && workspace.has_repository()) chosen_devices(workspace.store().devices(), pattern);
}

Error no_benchmark_matches(const Workspace& workspace, const std::vector<std::string>& globs,
                           const std::vector<std::string>& devices, const std::string& from) {
  const std::string hint = near_names_hint(globs, recorded_names(workspace, devices, from));
  return Error(ExitCode::kUsage, "no benchmark matches '" + printable(join(globs, "' or '")) + "'",
               hint.empty() ? "tracker log '*' lists what is recorded" : hint);
}

}  // namespace tracker
