// Inconclusive results, in as few words as will do: a hundred rows of them hide the evidence. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/report/benchmark_rows.hpp"

namespace tracker {

struct Undecided {
  std::size_t results = 0;                      // on all devices
  std::string summary;                          // "216 undecided; smallest detectable change 1.7–15 %"
  std::vector<const BenchmarkRow*> suspicious;  // likeliest to be slower first; ten at most
  std::size_t other_benchmarks = 0;             // that are not among them
  std::vector<std::string> reasons;  // "214: the noise hides changes below 1.7–15 %; …", most frequent first
};

// `rows` are those of the kind kInconclusive; counts and reasons are of all results of the reports.
Undecided undecided_of(const std::vector<ComparisonReport>& reports,
                       const std::vector<const BenchmarkRow*>& rows);

}  // namespace tracker
