// Which changes are one event. Inner part of events.hpp.
#pragma once

#include <cstddef>
#include <vector>

namespace tracker {

// Where a change may have happened, as positions of commits: in [first, last], likeliest in
// [likely_first, likely_last]. `last` and `likely_last` are commits with a value of the series.
struct ChangePlace {
  std::size_t series = 0;  // two changes of one series are never one event
  int first = 0;
  int likely_first = 0;
  int likely_last = 0;
  int last = 0;
};

struct ChangeGroup {
  std::vector<std::size_t> members;  // places in the list that was given
  int first = 0;                     // the change lies in [first, last]
  int seen = 0;                      // the likeliest commit with a value
  int last = 0;
};

// Groups of changes whose places overlap: the commit that most changes may have happened at makes the first
// group, and so on with what is left. A change's likely places count fully, the others of its interval half,
// and as much again outside of the interval as it is wide, a quarter: an interval holds in 95 % of cases.
std::vector<ChangeGroup> group_places(const std::vector<ChangePlace>& places);

// A stretch of positions that a series drifts in.
struct DriftPlace {
  std::size_t series = 0;
  int from = 0;
  int to = 0;
};

// Groups of drifts that share at least half of the stretch that they cover together with the longest of them.
std::vector<ChangeGroup> group_drifts(const std::vector<DriftPlace>& places);

}  // namespace tracker
