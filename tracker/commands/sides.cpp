#include "tracker/commands/sides.hpp"

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
  auto keys = workspace.store().keys_of(commit.id);
  std::erase_if(keys, [&](const StoredKey& key) { return key.device != device; });
  if (keys.empty()) return {};
  return make_side(what, commit.id, commit.subject, read_runs(workspace.store(), keys));
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
