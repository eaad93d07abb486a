#include "tracker/measure/measure.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

struct Step {
  std::size_t target = 0;
  const Binary* binary = nullptr;
  int invocation = 0;  // counted from 0
};

const Binary* find_binary(const Target& target, const std::string& path) {
  const auto found = std::find_if(target.binaries.begin(), target.binaries.end(),
                                  [&](const Binary& binary) { return binary.path == path; });
  return found == target.binaries.end() ? nullptr : &*found;
}

// Round by round, binary by binary; in odd rounds the targets change places.
std::vector<Step> plan_steps(const std::vector<Target>& targets, int invocations) {
  std::vector<std::string> paths;
  for (const auto& target : targets)
    for (const auto& binary : target.binaries)
      if (std::find(paths.begin(), paths.end(), binary.path) == paths.end()) paths.push_back(binary.path);
  std::vector<Step> steps;
  for (int round = 0; round < invocations; ++round)
    for (const auto& path : paths)
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::size_t t = round % 2 == 0 ? i : targets.size() - 1 - i;
        if (const Binary* binary = find_binary(targets[t], path)) steps.push_back({t, binary, round});
      }
  return steps;
}

std::string step_name(const Target& target, const Binary& binary, int invocation, int invocations) {
  const std::string name = std::filesystem::path(binary.path).filename().string();
  return name + (target.label.empty() ? "" : " at " + target.label) + ", invocation " +
         std::to_string(invocation + 1) + " of " + std::to_string(invocations);
}

bool has_failed(const Measured& measured, const Target& target, const Binary& binary) {
  return std::any_of(measured.failures.begin(), measured.failures.end(), [&](const Failure& failure) {
    return failure.target == target.label && failure.binary == binary.path;
  });
}

void take_step(const Step& step, const Target& target, const MeasureOptions& options,
               const LocalEnvironment& environment, Progress& progress, Measured& measured) {
  InvocationSpec spec;
  spec.root = target.root;
  spec.binary = *step.binary;
  spec.repetitions = options.repetitions;
  spec.timeout_s = options.timeout_s;
  spec.filter = options.filter;
  spec.output = options.spool / ("side" + std::to_string(step.target + 1) + "-" + slug(step.binary->path) +
                                 "-" + std::to_string(step.invocation + 1) + ".json");
  spec.tick = [&] { progress.tick(); };
  auto outcome = invoke(spec, environment);
  measured.interrupted = outcome.stopped;
  if (outcome.file)
    measured.files[step.target].push_back(std::move(*outcome.file));
  else if (!outcome.stopped)
    measured.failures.push_back(
        {target.label, step.binary->path, step.invocation + 1, outcome.failure, outcome.last_output});
}

}  // namespace

Measured measure(const std::vector<Target>& targets, const MeasureOptions& options,
                 const LocalEnvironment& environment, Progress& progress) {
  Measured measured;
  measured.files.resize(targets.size());
  const auto steps = plan_steps(targets, options.invocations);
  progress.begin(static_cast<int>(steps.size()));
  for (const auto& step : steps) {
    const Target& target = targets[step.target];
    if (has_failed(measured, target, *step.binary)) {
      progress.skip_step();
      continue;
    }
    progress.start_step(step_name(target, *step.binary, step.invocation, options.invocations));
    take_step(step, target, options, environment, progress, measured);
    if (measured.interrupted) break;
    progress.end_step();
  }
  progress.end();
  return measured;
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
  if (here.empty())
    throw Error(
        ExitCode::kUsage,
        std::string("none of the binaries in tracker.toml is for a machine ") +
            (environment.has_gpu() ? "with a GPU" : "without a GPU (" + environment.why_no_gpu() + ")"));
  return here;
}

}  // namespace tracker
