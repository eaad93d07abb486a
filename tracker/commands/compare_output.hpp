// Where the report of `tracker compare` goes.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/compare_sides.hpp"
#include "tracker/base/error.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

constexpr const char* kGithubFormat = "github";

// Whether the format shows what the machine code of the worst differs in.
bool shows_code(const CompareOptions& options);

// kUsage where the format needs a folder and none is named. Before anything is measured.
void require_output(const CompareOptions& options);

// Writes what was judged in the format asked for, and of `how` what was not judged, and the pictures. For
// GitHub: comment.md and summary.md in options.out, annotations on standard output, and the summary and
// outputs appended to the files that $GITHUB_STEP_SUMMARY and $GITHUB_OUTPUT name. kEnvironment where a file
// cannot be written.
void write_comparison(const CompareOptions& options, const std::vector<ComparisonReport>& reports,
                      ReportOptions how, ExitCode exit_code);

}  // namespace tracker
