// Comparisons for CI services: a page, JUnit, and what GitHub Actions takes beside its comment. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// What GitHub Actions takes from a comparison beside its comment and summary. Pure; the command writes it.

// GitHub shows this many annotations of a kind for a step, and drops the others without a word.
constexpr int kAnnotationsMax = 10;

// GitHub refuses a longer job summary.
constexpr std::size_t kSummaryBytesMax = 1u << 20;

// Entries of $GITHUB_OUTPUT: verdict ("failed", "cannot-judge", "undecided", "passed"), exit-code, headline,
// failing (names, one a line), a count for every verdict ("below-floor"), and the `files` by name.
std::string workflow_outputs(const std::vector<ComparisonReport>& reports, const ReportOptions& options,
                             ExitCode exit_code, const std::map<std::string, std::string>& files,
                             const std::string& delimiter);

}  // namespace tracker
