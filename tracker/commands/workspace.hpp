// What nearly every command begins with: the repository, its tracker.toml and its store.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracker/commands/command.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

class Workspace {
 public:
  explicit Workspace(const Globals& globals);

  const Repository& repository() const { return repository_; }
  const Config& config() const { return config_; }
  Store& store() const { return *store_; }
  std::filesystem::path root() const { return repository_.root(); }
  std::filesystem::path baseline_path(const std::string& device) const;

 private:
  Repository repository_;
  Config config_;
  std::unique_ptr<Store> store_;
};

// "1a2b3c4"
std::string short_id(const std::string& commit);
// "1a2b3c4 Subject"
std::string describe(const Commit& commit);

// Those that match the pattern; all where it is empty.
std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern);

}  // namespace tracker
