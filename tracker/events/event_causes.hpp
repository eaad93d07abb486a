// The causes of events on a first-parent line: of a long history only the runs around each change are read.
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::events {

// Fills in the causes of find(all), where `all` has the series of the line that ends at `from`.
void add_causes(const repo::Repository& repository, const history::RunSource& source, const std::string& from,
                const Policy& policy, const std::vector<Series>& all, std::vector<ChangeEvent>& events);

}  // namespace tracker::events
