// Runs out of the store, in the order of the commits. What reads the store throws Unreachable
// (kEnvironment) where the store is no longer there; what asks the repository throws as it does.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker::history {

// Where a history's runs come from: the store's documents, or the summaries of them where there are any.

// A store by itself is a source that reads documents: what looks at single repetitions needs that.
class RunSource {
 public:
  RunSource(const store::Store& store) : store_(&store) {}  // NOLINT(google-explicit-constructor)
  // With samples of those counters only, and then without machine code: for questions about values.
  RunSource(const store::Store& store, summary::RunSummaries& summaries,
            summary::WantedCounters counters = {})
      : store_(&store), summaries_(&summaries), counters_(std::move(counters)) {}

  const store::Store& store() const { return *store_; }
  summary::RunSummaries* summaries() const { return summaries_; }  // null without any
  // Of these benchmarks; all where it is empty.
  summary::Wanted wanted(summary::WantedNames names = {}) const {
    return {std::move(names), counters_, !counters_.has_value()};
  }

 private:
  const store::Store* store_;
  summary::RunSummaries* summaries_ = nullptr;
  summary::WantedCounters counters_;
};

// Summaries of the store's runs in that folder, each store's in a file of its own.
std::unique_ptr<summary::RunSummaries> open_summaries(
    const store::Store& store, const std::filesystem::path& folder,
    std::function<void(std::size_t done, std::size_t all)> progress,
    std::function<void(const std::string& text)> note);

// The counters that the policy may judge by.
summary::WantedCounters judged_counters(const Policy& policy);

// The names that a question about these benchmarks needs: what matches any of the globs, by its new name or
// by its own, what it may be renamed to, and the policy's bounds. Empty, which is all, without globs.
summary::WantedNames wanted_names(const std::vector<std::string>& globs, const Policy& policy);

struct CommitRuns {
  Commit commit;
  int position = 0;       // on the first-parent line, oldest first
  std::vector<Run> runs;  // on one device, in the order of time
};

// The runs under these keys that measured something, in the order of time. Clean ones only, unless all are
// dirty. What cannot be used is left out (stored_document.hpp).
std::vector<Run> read_runs(const store::Store& store, std::vector<store::Key> keys);

// Those of some runs that read_runs() gives.
std::vector<Run> measured_runs(std::vector<Run> runs);

// The same, with the runs that only note what a job did not need to measure (Run::same_program).
std::vector<Run> read_all_runs(const store::Store& store, std::vector<store::Key> keys);

// The commits on the first-parent line that ends at `from` which have runs on the device, oldest first, of
// the newest `commits_max`. Of a source with summaries only the benchmarks that are wanted; of documents all.
std::vector<CommitRuns> load(const repo::Repository& repository, const RunSource& source,
                             const std::string& device, const std::string& from, int commits_max,
                             const summary::WantedNames& wanted = {});

// The same of those commits of a line (as Repository::first_parents() has it, whole) whose position fits.
std::vector<CommitRuns> load_commits(const repo::CommitLine& line, const RunSource& source,
                                     const std::string& device, const std::function<bool(int position)>& fits,
                                     const summary::WantedNames& wanted = {});

// The key of every run, in no order: out of summaries where there are any, as walking all folders of a long
// history takes half a second.
std::vector<store::Key> recorded_keys(const RunSource& source);

// The devices with runs for any commit of the line, in order.
std::vector<std::string> devices_on_line(const repo::Repository& repository, const RunSource& source,
                                         const std::string& from, int commits_max);

// So many of recent_runs() are what a verdict takes.
inline constexpr int kRunsMax = 30;

// The newest `runs_max` runs on the device, of any commit but `except`: what the spread between jobs is
// learned from.
std::vector<Run> recent_runs(const RunSource& source, const std::string& device, const std::string& except,
                             int runs_max);

// How many jobs on the device lie between these two runs that are older than all of `newest`, which are
// recent_runs(): a base of long ago is farther away than they show. Reads no document.
int jobs_not_read(const RunSource& source, const std::string& device, const std::string& base_run,
                  const std::string& candidate_run, const std::vector<Run>& newest);

// All runs of these commits on the device, and with them what recent_runs() gives, with `times_apart` where
// that can be (BenchmarkTimes). Nothing where the source has no summaries that answer it: then the documents
// have to be read.
std::optional<summary::ComparedRuns> compared_runs(const RunSource& source, const std::string& device,
                                                   const std::vector<std::string>& commits,
                                                   const std::string& except, int runs_max, bool times_apart);

// The whole first-parent line: changes are looked for in all of it, and only then is it cut to what is shown.

inline constexpr int kWholeLine = 1'000'000;  // commits, where a function asks for their number

// The position that the oldest of the newest `commits_max` commits has on the whole line.
int position_of_oldest(const repo::Repository& repository, const std::string& from, int commits_max);

// What is recorded: devices, benchmarks, commits.

struct RecordedDevice {
  std::string key;
  std::string model;  // "NVIDIA H200"; empty where its newest run cannot be read
  std::size_t runs = 0;
  std::string newest;  // when the newest run began, ISO 8601
};

struct RecordedBenchmark {
  std::string name;
  std::size_t devices = 0;  // of those asked for, that have it
};

// A commit that has runs, their number, and the keys of their devices.
struct RecordedCommit {
  Commit commit;
  std::size_t runs = 0;
  std::vector<std::string> devices;
};

// All of them are of the devices whose key matches the glob; an empty one takes all.
std::vector<RecordedDevice> recorded_devices(const store::Store& store, const std::string& device_glob);

// Those in the newest runs of each device, as people sort names: old ones that nothing measures any more are
// not there.
std::vector<RecordedBenchmark> recorded_benchmarks(const store::Store& store, const std::string& device_glob,
                                                   const std::vector<std::string>& globs);

// The commits with a run on the first-parent line that ends at `from`, newest first, among the newest
// `commits_max`.
std::vector<RecordedCommit> recorded_commits(const repo::Repository& repository, const RunSource& source,
                                             const std::string& device_glob, const std::string& from,
                                             int commits_max);

}  // namespace tracker::history
