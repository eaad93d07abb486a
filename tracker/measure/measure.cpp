#include "tracker/measure/measure.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/job.hpp"

namespace tracker {

Measured measure(const std::vector<Target>& targets, const MeasureOptions& options,
                 const LocalEnvironment& environment, Progress& progress) {
  Job job(targets, options, environment, progress);
  if (!job.choose()) return job.finish();
  auto rounds = job.first_rounds();
  progress.begin(job.steps(rounds));
  while (!rounds.empty() && job.take(rounds)) {
    rounds = job.rounds_again();
    progress.extend(job.steps(rounds));
  }
  progress.end();
  return job.finish();
}

std::vector<Binary> binaries_here(const std::vector<Binary>& all, const std::filesystem::path& root,
                                  const LocalEnvironment& environment) {
  if (all.empty())
    throw Error(
        ExitCode::kUsage, "no benchmark binary is named",
        "name them in tracker.toml as [[binary]] path = \"…\", or after --: tracker run -- ./my_benchmark");
  std::vector<Binary> here;
  for (const auto& binary : all) {
    if (!environment.wants(binary.when)) continue;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(binary_path(root, binary), failure))
      throw Error(ExitCode::kUsage,
                  "no benchmark binary '" + printable(binary.path) + "' in " + root.string(),
                  "build it first, or let tracker do it with --build");
    here.push_back(binary);
  }
  if (here.empty()) {
    const bool all_asked = std::all_of(all.begin(), all.end(),
                                       [](const Binary& binary) { return binary.when == RunsWhere::kAsked; });
    if (all_asked)
      throw Error(ExitCode::kUsage, "every binary in tracker.toml is measured only where it is asked for",
                  "name it: tracker run -- " + printable(all.front().path));
    throw Error(
        ExitCode::kUsage,
        std::string("none of the binaries in tracker.toml is for a machine ") +
            (environment.has_gpu() ? "with a GPU" : "without a GPU (" + environment.why_no_gpu() + ")"));
  }
  return here;
}

}  // namespace tracker
