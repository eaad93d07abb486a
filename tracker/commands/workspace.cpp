#include "tracker/commands/workspace.hpp"

#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

Config load_config(const Repository& repository, const Globals& globals) {
  if (globals.config.empty()) return read_config(repository.root() / "tracker.toml");
  if (!std::filesystem::exists(globals.config))
    throw Error(ExitCode::kUsage, "no configuration file '" + printable(globals.config.string()) + "'");
  return read_config(globals.config);
}

}  // namespace

Workspace::Workspace(const Globals& globals)
    : repository_(Repository::open(globals.directory)),
      config_(load_config(repository_, globals)),
      store_(open_git_store(repository_, config_.store_ref)) {}

std::filesystem::path Workspace::baseline_path(const std::string& device) const {
  return root() / config_.baselines_directory / (device + ".json");
}

std::string short_id(const std::string& commit) {
  return commit.substr(0, 7);
}

std::string describe(const Commit& commit) {
  return short_id(commit.id) + " " + printable(commit.subject);
}

std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern) {
  if (!pattern.empty())
    std::erase_if(devices, [&](const std::string& device) { return !glob_match(pattern, device); });
  return devices;
}

}  // namespace tracker
