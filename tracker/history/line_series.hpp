// The series of a device's line, a few benchmarks at a time: all runs of a long history would not fit into
// memory.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/history/run_source.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

// make_series() of load_history() over the whole first-parent line that ends at `from`. Empty where the
// device has no run on it.
std::vector<Series> load_series(const Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base);

// The history of these benchmarks of a device's line, a few of them at a time: `act` gets the names that the
// commits have then. Benchmarks have their new names. All at once where the source has no summaries.
void for_some_benchmarks(const Repository& repository, const RunSource& source, const std::string& device,
                         const std::string& from, const std::vector<std::string>& names, const Policy& policy,
                         const std::function<void(const std::set<std::string>& names,
                                                  const std::vector<CommitRuns>& commits)>& act);

}  // namespace tracker
