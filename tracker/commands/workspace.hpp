// What nearly every command begins with: the repository, its tracker.toml and its store.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/commands/command.hpp"
#include "tracker/commands/store_place.hpp"
#include "tracker/history/run_source.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// Whether a command can do its work outside of any repository, on files.
enum class Without { kRefused, kAllowed };

class Workspace {
 public:
  explicit Workspace(const Globals& globals, Without repository = Without::kRefused);

  bool has_repository() const { return repository_.has_value(); }
  const Repository& repository() const;  // kEnvironment where there is none, as for the store
  const Config& config() const { return config_; }
  Store& store() const;
  const StorePlace& store_place() const { return store_place_; }
  // For questions about many runs: by summaries, unless TRACKER_SUMMARY=off.
  RunSource history() const;
  // The same where of all counters only those matter that this policy judges by.
  RunSource history(const Policy& policy) const;
  std::filesystem::path root() const { return root_; }  // the folder it was started in where there is none
  std::filesystem::path baseline_path(const std::string& device) const;

 private:
  std::filesystem::path directory_;
  std::optional<Repository> repository_;
  std::filesystem::path root_;
  Config config_;
  StorePlace store_place_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RunSummaries> summaries_;
};

// Whether a CI service runs this, as all of them say it.
bool in_ci();

// "1a2b3c4"
std::string short_id(const std::string& commit);
// "1a2b3c4 Subject"
std::string describe(const Commit& commit);

// Those that match the pattern; all where it is empty.
std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern);

}  // namespace tracker
