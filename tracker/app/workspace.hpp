// What nearly every request begins with: the repository, its tracker.toml and its store.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/history/history.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/progress.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker::app {

// Where this repository's runs are kept, and the store that is there.

// By which name a store is given: "refs/tracker/v1" or "postgresql://…". It may hold a password: never print
// it.
struct StorePlace {
  std::string where;
  // Whether it is a ref of this repository, and not a database.
  bool is_git() const;
};

// `option` (--store) before `variable` (TRACKER_STORE_URL) before tracker.toml. kUsage for an option that is
// neither a ref nor such a URL, or that names a password: everyone on the machine can read a command line.
StorePlace choose_store(const std::string& option, const std::string& variable, const Config& config);

// A place that a command's argument names; kUsage as above.
StorePlace place_named(const std::string& argument);

// `config` names the history in a database. Nothing is reached yet. The repository and `config` must outlive
// the store.
std::unique_ptr<store::Store> open_store(const repo::Repository& repository, const StorePlace& place,
                                         const Config& config);

// What the application says while it works on a request. The command line prints it; a test records it.

class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // For people: what is being done, what was left out, what to know: one line, whatever the names in it
  // hold, and further `lines` below it.
  virtual void note(const std::string& text, const std::vector<std::string>& lines) = 0;
  void note(const std::string& text) { note(text, {}); }
  // What failed of a request whose other parts go on: one device of several, say.
  virtual void error(const Error& error) = 0;
  // Of stored runs, so many are summed up for all later questions. By any thread, one call at a time.
  virtual void summing_up(std::size_t done, std::size_t all) = 0;
  // The progress of one job.
  virtual std::unique_ptr<measure::Progress> progress() = 0;
};

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

// What a request works on. Every function that takes one also throws what these throw: kUsage for a revision
// that names no commit, kEnvironment where git or the store cannot be used.
class Workspace {
 public:
  // kUsage for a wrong tracker.toml or store; kEnvironment where a repository is needed and there is none.
  explicit Workspace(const WorkspaceRequest& request, Without repository = Without::kRefused);

  Observer& observer() const { return *observer_; }
  // As Observer::note().
  void note(const std::string& text, const std::vector<std::string>& lines = {}) const {
    observer_->note(text, lines);
  }
  std::function<void(const std::string&)> note_function() const;  // no longer than the observer lives
  bool in_ci() const { return in_ci_; }
  bool has_repository() const { return repository_.has_value(); }
  const repo::Repository& repository() const;  // kEnvironment where there is none, as for the store
  const Config& config() const { return config_; }
  bool has_named_config() const { return has_named_config_; }  // by --config
  // Where this job reads and records. kEnvironment outside of a repository.
  store::Store& store() const;
  // The same, without what this job recorded apart from it.
  const store::Store& shared_store() const;
  const StorePlace& store_place() const { return store_place_; }
  // For questions about many runs: by summaries, unless the request wants none.
  history::RunSource history() const;
  // The same where of all counters only those matter that this policy judges by.
  history::RunSource history(const Policy& policy) const;
  // What it measures on; its devices are looked for when they are first asked for, by one thread.
  const measure::LocalEnvironment& machine() const;
  std::filesystem::path root() const { return root_; }  // the folder it was started in where there is none
  std::filesystem::path baseline_path(const std::string& device) const;

 private:
  Observer* observer_;
  bool in_ci_;
  std::filesystem::path directory_;
  std::optional<repo::Repository> repository_;
  std::filesystem::path root_;
  Config config_;
  bool has_named_config_;
  StorePlace store_place_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::Store> job_store_;  // over store_; null unless the request records apart
  std::unique_ptr<summary::RunSummaries> summaries_;
  mutable std::optional<measure::LocalEnvironment> machine_;
};

// The commit that a revision names; nothing where it names none of this clone.
std::optional<Commit> find_commit(const repo::Repository& repository, const std::string& revision);

// Those that match the pattern; all where it is empty.
std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern);

// What to say where a name or a pattern matches nothing that is recorded.

// Those of the devices that match the pattern. kUsage, with their names, where there are some and none
// matches.
std::vector<std::string> chosen_devices(const std::vector<std::string>& known, const std::string& pattern);

// kUsage, with the names there are, where the pattern matches no device that has a run in the store. Nothing
// where the store has no runs at all, or there is none: then there is more to say than that.
void require_known_device(const Workspace& workspace, const std::string& pattern);

// kUsage: no benchmark matches, and which names are near. Names are those of the newest commits of the line
// that ends at `from`.
Error no_benchmark_matches(const Workspace& workspace, const std::vector<std::string>& globs,
                           const std::vector<std::string>& devices, const std::string& from);

}  // namespace tracker::app
