#include "tracker/app/sides.hpp"

#include <set>

#include "tracker/base/file.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/history/history.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kBaselineBytesMax = std::uintmax_t{256} << 20;

}  // namespace

SideRuns make_side(const std::string& label, const std::string& commit, const std::string& subject,
                   const std::vector<Run>& runs) {
  SideRuns side;
  side.runs = runs;
  side.side.label = label;
  side.side.commit = commit;
  side.side.subject = subject;
  std::set<std::string> jobs;
  for (const auto& run : runs) {
    side.side.runs.push_back(run.id);
    side.side.dirty = side.side.dirty || run.dirty;
    jobs.insert(run.job);
  }
  side.side.jobs = static_cast<int>(jobs.size());
  return side;
}

namespace {

// "cpu-x" for "cpu-x-2t": what a CPU was recorded under while a file's number of threads was not read.
// Empty where the key names no threads.
std::string key_without_threads(const std::string& device) {
  const std::size_t dash = device.rfind('-');
  const bool has_threads = device.starts_with("cpu-") && device.ends_with('t') && dash + 2 < device.size() &&
                           device.find_first_not_of("0123456789", dash + 1) == device.size() - 1;
  return has_threads ? device.substr(0, dash) : "";
}

std::vector<Run> runs_on(const Workspace& workspace, const std::string& commit, const std::string& device) {
  const auto read = [&](const std::string& key_device) {
    auto keys = workspace.store().keys_of(commit);
    std::erase_if(keys, [&](const StoredKey& key) { return key.device != key_device; });
    return read_runs(workspace.store(), keys);
  };
  auto runs = read(device);
  const std::string before = key_without_threads(device);
  if (!runs.empty() || before.empty()) return runs;
  runs = read(before);
  std::erase_if(runs, [&](const Run& run) {
    return device != before + "-" + std::to_string(run.host.cpu_count.value_or(0)) + "t";
  });
  return runs;
}

}  // namespace

std::optional<SideRuns> load_side(const Workspace& workspace, const std::string& what,
                                  const std::string& device) {
  if (what == kBaselineWord) {
    const auto path = workspace.baseline_path(device);
    if (!std::filesystem::exists(path)) return {};
    const Baseline baseline = read_baseline(read_file(path, kBaselineBytesMax), path.string());
    SideRuns side = make_side(what, baseline.commit, "promoted " + baseline.promoted_at, baseline.runs);
    side.noise = baseline.noise;
    return side;
  }
  const Commit commit = workspace.repository().resolve(what);
  const auto runs = runs_on(workspace, commit.id, device);
  if (runs.empty()) return {};
  return make_side(what, commit.id, commit.subject, runs);
}

std::optional<NotedSide> load_notes(const Workspace& workspace, const std::string& revision,
                                    const std::string& device) {
  auto keys = workspace.store().keys_of(workspace.repository().resolve(revision).id);
  std::erase_if(keys, [&](const StoredKey& key) { return key.device != device; });
  // Few runs have notes, and making a Run takes longer than reading its text.
  std::erase_if(keys, [&](const StoredKey& key) {
    return workspace.store().read(key).find("\"same_program\"") == std::string::npos;
  });
  std::optional<NotedSide> side;
  for (const auto& run : read_all_runs(workspace.store(), keys)) {
    if (!run.same_program) continue;
    if (!side) side = NotedSide{run.device, {}};
    side->same_programs.push_back(*run.same_program);
  }
  return side;
}

std::vector<std::string> devices_of(const Workspace& workspace, const std::string& what) {
  std::set<std::string> devices;
  if (what == kBaselineWord) {
    std::error_code failure;
    const auto folder = workspace.root() / workspace.config().baselines_directory;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
      if (entry.path().extension() == ".json") devices.insert(entry.path().stem().string());
  } else {
    for (const auto& key : workspace.store().keys_of(workspace.repository().resolve(what).id))
      devices.insert(key.device);
  }
  return {devices.begin(), devices.end()};
}

}  // namespace tracker
