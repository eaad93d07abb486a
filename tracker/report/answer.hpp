// What all reports come to, in words.
#pragma once

#include <string>
#include <vector>

#include "tracker/report/report.hpp"

namespace tracker {

enum class Answer { kFailed, kCannotJudge, kUndecided, kPassed };

// As the exit code is. kCannotJudge, which is 3, where no gate failed, but a device has no benchmark that
// both sides measured or no report at all, or by options.strict where anything was left open. What is 0 and
// no pass is kUndecided: all is inconclusive, or something looks slower without being certain
// (is_suspicious()).
Answer answer_of(const std::vector<ComparisonReport>& reports, const ReportOptions& options = {});

// "FAILED: 5 benchmarks regressed past their threshold", "passed: nothing regressed", "undecided: …", "could
// not judge: …".
std::string answer_in_words(const std::vector<ComparisonReport>& reports, const ReportOptions& options = {});

// The same with all counts, for the first line of a comment: "2 regressed, 1 failed · 1 waived, 105
// unchanged".
std::string headline_in_words(const std::vector<ComparisonReport>& reports,
                              const ReportOptions& options = {});

// The counts alone: "2 regressed, 1 failed · 1 waived, 105 unchanged", "1 improved, 93 unchanged".
std::string all_counts_in_words(const std::vector<ComparisonReport>& reports);

// What would fail but for a waiver or the policy, or is slower with the same code: "2 waived".
std::string set_aside_in_words(const std::vector<ComparisonReport>& reports);

}  // namespace tracker
