// What recordings do not have: made-up reports whose history, days or clock are unlike what a rule expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/quality/goals.hpp"
#include "tests/quality/share.hpp"

namespace tracker::quality {

// What one rule called the reports of one case.
struct CaseTally {
  Share comparisons;  // of identical code that it called regressed
  Share reports;      // likewise, with any
  Share found;        // of candidates slower, by as much as the case says, that it called regressed
};

struct CaseFindings {
  std::string name;
  std::vector<CaseTally> tallies;  // of rules(), in their order
  Share hidden;                    // of the slower candidates, that our rule at 1 % calls unchanged
};

struct CaseOptions {
  int reports = 300;  // of 20 benchmarks and identical code; a quarter as many of slower code
  std::uint64_t seed = 1;
};

// All cases, in the order of their table.
std::vector<CaseFindings> try_cases(const CaseOptions& options);

// A row a case: comparisons / reports with a false "regressed", and what was found; and what was hidden.
std::string cases_text(const std::vector<CaseFindings>& findings);
std::string cases_markdown(const std::vector<CaseFindings>& findings);

// Our rule without a threshold: false "regressed" in at most 0.1 % of comparisons and 1 % of reports of each
// case, and the power that each promises. At 1 %: slower by as much or more and called unchanged in at most
// 0.1 %.
std::vector<Checked> check_cases(const std::vector<CaseFindings>& findings);

}  // namespace tracker::quality
