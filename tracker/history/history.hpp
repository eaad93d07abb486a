// Runs out of the store, in the order of the commits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/history/run_source.hpp"
#include "tracker/model/run.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

struct CommitRuns {
  Commit commit;
  int position = 0;       // on the first-parent line, oldest first
  std::vector<Run> runs;  // on one device, in the order of time
};

// The runs under these keys that measured something, in the order of time. Clean ones only, unless all are
// dirty. What cannot be used is left out (stored_document.hpp).
std::vector<Run> read_runs(const Store& store, std::vector<StoredKey> keys);

// Those of some runs that read_runs() gives.
std::vector<Run> measured_runs(std::vector<Run> runs);

// The same, with the runs that only note what a job did not need to measure (Run::same_program).
std::vector<Run> read_all_runs(const Store& store, std::vector<StoredKey> keys);

// The commits on the first-parent line that ends at `from` which have runs on the device, oldest first, of
// the newest `commits_max`. Of a source with summaries only the benchmarks that are wanted; of documents all.
std::vector<CommitRuns> load_history(const Repository& repository, const RunSource& source,
                                     const std::string& device, const std::string& from, int commits_max,
                                     const WantedNames& wanted = {});

// The same of those commits of a line (as Repository::first_parents() has it, whole) whose position fits.
std::vector<CommitRuns> load_commits(const CommitLine& line, const RunSource& source,
                                     const std::string& device, const std::function<bool(int position)>& fits,
                                     const WantedNames& wanted = {});

// The key of every run, in no order: out of summaries where there are any, as walking all folders of a long
// history takes half a second.
std::vector<StoredKey> recorded_keys(const RunSource& source);

// The devices with runs for any commit of the line, in order.
std::vector<std::string> devices_on_line(const Repository& repository, const RunSource& source,
                                         const std::string& from, int commits_max);

// So many of recent_runs() are what a verdict takes.
inline constexpr int kHistoryRunsMax = 30;

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
std::optional<ComparedRuns> compared_runs(const RunSource& source, const std::string& device,
                                          const std::vector<std::string>& commits, const std::string& except,
                                          int runs_max, bool times_apart);

}  // namespace tracker
