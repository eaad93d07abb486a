// Renamed benchmarks: what was measured under an old name belongs to the series of the new one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// The name with the first rename that matches it, and what that makes of it with the next, until none
// matches; each is used once. Where a '*' could stand for more than one text, it is the shortest.
std::string renamed(const std::string& name, const std::vector<Rename>& renames);

// Takes the run's benchmarks to their new names. One whose new name the run has already keeps its own.
void rename_benchmarks(Run& run, const std::vector<Rename>& renames);

// Takes benchmarks to the names that they have beside those of other runs (SharedNames).
void keep_names_apart(Run& run, const SharedNames& shared);
void keep_names_apart(NoiseHistory& history, const SharedNames& shared);

// Whether no run of the history has two benchmarks that would have the same name. Then it does not matter in
// which order they are taken to their new names, which is not known of `times`.
bool keeps_names_apart(const NoiseHistory& history, const std::vector<Rename>& renames);

// Of a history whose names are kept apart.
void rename_benchmarks(NoiseHistory& history, const std::vector<Rename>& renames);

// Likewise what was learned under the old names.
void rename_benchmarks(NoiseModel& noise, const std::vector<Rename>& renames);

// For runs whose benchmarks have been taken to their new names.
Policy without_renames(Policy policy);

// The first rename whose names come back to a rename that they have been through.
std::optional<std::size_t> rename_in_a_circle(const std::vector<Rename>& renames);

}  // namespace tracker
