#include "tracker/app/doctor.hpp"

#include <fstream>

#include "tracker/app/recording.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/series.hpp"

namespace tracker::app {
namespace {

namespace fs = std::filesystem;

struct Patient {
  const WorkspaceRequest& request;
  const std::vector<std::string>& binaries;  // named instead of those in tracker.toml
  const measure::LocalEnvironment& environment;
};

HealthFinding good(const std::string& what) {
  return {Health::kGood, {what}, {}};
}

HealthFinding doubtful(const std::string& what, const std::string& remedy) {
  return {Health::kDoubtful, {what}, {remedy}};
}

HealthFinding check_program(const std::vector<std::string>& argv, const std::string& remedy,
                            Health without = Health::kBad) {
  ProcessSpec spec{.argv = argv};
  spec.timeout = std::chrono::seconds(10);
  const auto result = run_process(spec);
  if (!result.ok()) return {without, {"'" + argv[0] + "' " + describe_end(result)}, {remedy}};
  return good(split(result.output.empty() ? result.errors : result.output, '\n').front());
}

HealthFinding check_git(const Patient&) {
  return check_program({"git", "--version"}, "apt-get install git");
}

HealthFinding check_gnuplot(const Patient&) {
  return check_program({"gnuplot", "--version"}, "apt-get install gnuplot-nox fonts-liberation",
                       Health::kDoubtful);  // only tracker plot needs it
}

HealthFinding check_repository(const Patient& patient) {
  const Workspace workspace(patient.request);
  const Commit head = workspace.repository().resolve("HEAD");
  if (const auto why = history::why_no_sentinel(workspace.repository(), workspace.config().policy))
    throw *why;
  if (workspace.repository().is_shallow())
    return doubtful("a shallow clone: older commits cannot be named",
                    "git fetch --unshallow, or fetch-depth: 0 in actions/checkout");
  if (workspace.repository().is_dirty())
    return doubtful("uncommitted changes: runs will be marked dirty", "commit or stash them");
  return good("HEAD is " + describe(head));
}

HealthFinding check_store(const Patient& patient) {
  const Workspace workspace(patient.request);
  workspace.store().require_writable();
  const auto count = workspace.store().run_count();
  return good(workspace.store().describe() + ", " + count_of(count, "run"));
}

HealthFinding check_binaries(const Patient& patient) {
  const Workspace workspace(patient.request);
  const Config& config = workspace.config();
  const auto all = named_binaries(patient.binaries, config, workspace.root());
  std::vector<std::string> unbuilt;
  for (const auto& binary : all)
    if (patient.environment.wants(binary.when) && !fs::exists(measure::binary_path(workspace.root(), binary)))
      unbuilt.push_back(binary.path);
  if (!unbuilt.empty() && !config.measure.build.empty())
    return doubtful("not built yet: " + join(unbuilt, ", "), "tracker run --build builds them");
  const auto here = measure::binaries_here(all, workspace.root(), patient.environment);
  std::vector<std::string> names;
  for (const auto& binary : here) names.push_back(binary.path);
  return good(join(names, ", "));
}

HealthFinding check_gpu(const Patient& patient) {
  const auto& environment = patient.environment;
  if (!environment.has_gpu())
    return doubtful("none (" + environment.why_no_gpu() + "): only CPU benchmarks can be measured",
                    "on a machine with an NVIDIA GPU: install its driver");
  const Device device = environment.device_for(RunsOn::kGpu);
  const auto count = environment.devices(DeviceKind::kGpu).size();
  return good((count > 1 ? std::to_string(count) + " × " : "") + device.model + ", driver " +
              environment.software().driver.value_or("unknown") + ", " + device_key(device));
}

HealthFinding check_quiet(const Patient& patient) {
  if (!patient.environment.has_gpu()) {
    double load = 0;
    std::ifstream("/proc/loadavg") >> load;
    const int threads = measure::this_host().cpu_count.value_or(1);
    const std::string text = "load " + format_quantity(load, "") + " on " + count_of(threads, "thread");
    if (load > 0.5 * threads) return doubtful(text, "stop what else runs here");
    return good(text);
  }
  const auto gpus = patient.environment.devices(DeviceKind::kGpu);
  std::vector<std::string> ill;
  for (const auto& gpu : gpus) {
    const std::string illness = measure::illness_of(gpu, patient.environment);
    if (!illness.empty()) ill.push_back(gpu.uuid.value_or(gpu.model) + " (" + illness + ")");
  }
  if (!ill.empty())
    return {ill.size() == gpus.size() ? Health::kBad : Health::kDoubtful,
            {"the clock is held down although nothing runs: " + join(ill, ", ")},
            {"check cooling and power; jobs leave it out where there is another GPU"}};
  if (const std::string disturbing = measure::how_disturbing(gpus); !disturbing.empty())
    return doubtful("GPUs disturb one another: " + disturbing,
                    "jobs use one of them; tracker calibrate --measure --gpus all looks again");
  for (const auto& gpu : gpus) {
    const auto reading = patient.environment.read(gpu);
    if (!reading) continue;
    if (reading->processes.value_or(0) > 0)
      return doubtful(
          std::to_string(*reading->processes) + " processes are on " + gpu.uuid.value_or(gpu.model),
          "wait for them to end, or measure on another GPU");
    if (!reading->throttle_reasons.empty())
      return doubtful("clocks are held down: " + join(reading->throttle_reasons, ", "),
                      "check cooling and power");
  }
  return good("no other process on the GPU, no throttling");
}

// Whether programs that do not state their kernels can be looked at: docs/reasons.md, "Any CUDA program".
HealthFinding check_causes(const Patient& patient) {
  if (!Workspace(patient.request).config().measure.injection)
    return good("kernels are not looked for: turned off in tracker.toml (injection)");
  if (!patient.environment.has_gpu()) return good("nothing to look for: no GPU");
  constexpr const char* kWithout = ": programs that do not state their kernels have no causes";
  const fs::path library = injected_library();
  if (library.empty())
    return doubtful(std::string("libtracker_injection.so was not found") + kWithout,
                    "put it beside tracker: it is in the same package");
  std::string path(4096, '\0');
  try {
    void (*find_cupti)(char*, std::size_t) =
        SharedLibrary(library.c_str(), "looking for causes", {"tracker", "tracker"})["tracker_find_cupti"];
    find_cupti(path.data(), path.size());
  } catch (const Error& error) {
    return doubtful(error.what() + std::string(kWithout), error.hint());
  }
  path.resize(path.find('\0'));
  if (path.empty())
    return doubtful(
        std::string("CUPTI was not found") + kWithout,
        "install the toolkit's package cuda-cupti, or name the library by TRACKER_CUPTI; Python packages "
        "bring their own");
  return good("CUPTI is " + in_quotes(path) +
              ": programs that do not state their kernels are looked at, about a second a benchmark, once a "
              "build");
}

// Whether a workflow of the repository names a runner of its own. No YAML is read: a word is enough to ask.
bool has_own_runner(const fs::path& root) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / ".github" / "workflows", none)) {
    const auto kind = entry.path().extension();
    if (kind != ".yml" && kind != ".yaml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.find("self-hosted") < line.find('#')) return true;
  }
  return false;
}

// What guards a runner from pull requests of forks is a setting of the repository, which no job may read.
HealthFinding check_runners(const Patient& patient) {
  const Workspace workspace(patient.request);
  if (!has_own_runner(workspace.root())) return good("no workflow names a self-hosted one");
  return {
      Health::kDoubtful,
      {"workflows name self-hosted ones: only a setting of the repository keeps pull requests from forks "
       "off them"},
      {"Settings, Actions, General: require approval for all external contributors (docs/security.md); to "
       "see it:",
       "gh api repos/OWNER/NAME/actions/permissions/fork-pr-contributor-approval"}};
}

struct Check {
  const char* name;
  HealthFinding (*run)(const Patient& patient);
};

constexpr Check kChecks[] = {
    {"git", check_git},           {"repository", check_repository}, {"store", check_store},
    {"binaries", check_binaries}, {"gnuplot", check_gnuplot},       {"GPU", check_gpu},
    {"quiet", check_quiet},       {"causes", check_causes},         {"runners", check_runners}};

HealthFinding run_check(const Check& check, const Patient& patient) {
  try {
    return check.run(patient);
  } catch (const Error& error) {
    return {Health::kBad, split(error.what(), '\n'), {error.hint()}};
  }
}

}  // namespace

void examine(const WorkspaceRequest& request, const std::vector<std::string>& binaries,
             const std::function<void(const std::string& name, const HealthFinding&)>& tell) {
  const measure::LocalEnvironment environment;
  const Patient patient{request, binaries, environment};
  for (const auto& check : kChecks) tell(check.name, run_check(check, patient));
}

}  // namespace tracker::app
