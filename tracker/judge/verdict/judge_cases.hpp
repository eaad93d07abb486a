// The verdicts of one report, which are not independent of one another: benchmarks share their
// noise, and the error allowed is shared among them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/noise/job_noise.hpp"
#include "tracker/judge/noise/neighbours.hpp"
#include "tracker/judge/noise/usual_days.hpp"
#include "tracker/judge/verdict/cases.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/noise_history.hpp"

namespace tracker {

// What a history whose days are of more kinds than one says of its usual days.
struct UsualDays {
  NoiseModel known;  // has every case
  DaysSeen seen;     // the base was measured on a usual one
};

struct JudgingContext {
  NoiseModel known;                                     // has every case
  std::map<std::string, ChangedNeighbours> neighbours;  // changed_neighbours()
  DeviceKind kind = DeviceKind::kCpu;
  Distance distance = Distance::kSameJob;
  double error = 0.01;      // the share of such reports that may have any interval which misses
  int comparisons_min = 0;  // the error is shared among so many at least
  std::optional<UsualDays> usual_days = {};  // of one job a side, on one board
};

// What the verdicts rest on, for whoever has more to ask of the same data.
struct VerdictGrounds {
  JobNoise jobs;          // over all days
  double confidence = 0;  // of one comparison's interval
};

// How often one interval may miss, where all of a report together may do so with `error`. Bonferroni: as many
// comparisons share it; but few of them leave the rest unspent, as each is to be right by itself.
double error_of_one(double error, std::size_t comparisons);

// Adds one comparison a case, in their order.
VerdictGrounds judge_cases(const std::vector<Case>& cases, const JudgingContext& context,
                           std::vector<Comparison>& judged);

}  // namespace tracker
