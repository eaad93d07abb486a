// What nearly every request begins with: the repository, its tracker.toml and its store.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/observer.hpp"
#include "tracker/app/store_place.hpp"
#include "tracker/history/run_source.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// Where to work, and under what circumstances. The library reads no environment variables for it.
struct WorkspaceRequest {
  std::filesystem::path directory = ".";  // where the repository is looked for
  std::filesystem::path config;           // empty: tracker.toml at the repository's root
  std::string store;                      // a ref or a URL, by an option; empty: see below
  std::string store_variable;             // likewise, by the environment; empty: what tracker.toml says
  std::string record_into;                // a ref: what is recorded goes there, and the store is only read
  bool summaries = true;                  // histories are answered from summaries
  bool in_ci = false;                     // nothing is kept for later, and doubts are measured again unasked
  Observer* observer = nullptr;           // never null when a Workspace is made of it
};

// Whether a request can be met outside of any repository, on files.
enum class Without { kRefused, kAllowed };

class Workspace {
 public:
  explicit Workspace(const WorkspaceRequest& request, Without repository = Without::kRefused);

  Observer& observer() const { return *observer_; }
  void note(const std::string& text) const { observer_->note(text); }
  std::function<void(const std::string&)> note_function() const;  // no longer than the observer lives
  bool in_ci() const { return in_ci_; }
  bool has_repository() const { return repository_.has_value(); }
  const Repository& repository() const;  // kEnvironment where there is none, as for the store
  const Config& config() const { return config_; }
  bool has_named_config() const { return has_named_config_; }  // by --config
  Store& store() const;
  // The same, without what this job recorded apart from it.
  const Store& shared_store() const;
  const StorePlace& store_place() const { return store_place_; }
  // For questions about many runs: by summaries, unless the request wants none.
  RunSource history() const;
  // The same where of all counters only those matter that this policy judges by.
  RunSource history(const Policy& policy) const;
  std::filesystem::path root() const { return root_; }  // the folder it was started in where there is none
  std::filesystem::path baseline_path(const std::string& device) const;

 private:
  Observer* observer_;
  bool in_ci_;
  std::filesystem::path directory_;
  std::optional<Repository> repository_;
  std::filesystem::path root_;
  Config config_;
  bool has_named_config_;
  StorePlace store_place_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Store> job_store_;  // over store_; null unless the request records apart
  std::unique_ptr<RunSummaries> summaries_;
};

// Those that match the pattern; all where it is empty.
std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern);

}  // namespace tracker
