// Comparisons → text for people and programs. Pure: what is written depends on the arguments alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"

namespace tracker::report {

// One for each device.
using Reports = std::vector<ComparisonReport>;

// A picture of a report, as a link from it: relative, or a URL. `dark` may be empty.
struct Picture {
  // What it shows: a history, the samples behind one verdict, or all changes.
  enum class Kind { kTrend, kSamples, kComparison };
  Kind kind = Kind::kTrend;
  std::string device;     // the key of the report it belongs to
  std::string benchmark;  // empty: of the whole report
  std::string light;
  std::string dark;
  std::string words;                    // what it shows, for those who cannot see it
  std::vector<ChartTable> tables = {};  // its numbers
  bool is_short = false;                // a trend of one or two commits: sentences
};

// What there is no report of, and why.
struct Unjudged {
  std::string device;  // the key; empty: of any device
  std::string reason;
  std::string hint;  // the next step; may be empty
};

// What two builds of a kernel differ in.
struct CodeDifference {
  std::string kernel;              // "smem_padded_kernel"
  std::string architecture;        // "sm_90"
  std::string benchmark;           // that launches it, and got slower
  std::vector<std::string> lines;  // of a unified diff: ' ', '-' or '+', and an instruction; "@@ … @@"
  std::size_t removed = 0;         // instructions
  std::size_t added = 0;
  std::size_t left_out = 0;  // of them, that are not in `lines`
};

// Where a reader goes on, as https URLs.
struct Link {
  std::string words;  // "commit"
  std::string url;
};

struct Options {
  bool color = false;    // ANSI colours; text only
  int columns = 0;       // of the terminal; 0: as wide as it gets. Text only
  bool all_rows = true;  // false: the unchanged ones are only counted. Text
  bool strict = false;   // what is left open is no pass
  std::vector<Unjudged> unjudged;
  std::vector<std::string> absent;   // devices with runs of the base and none of the candidate. Markdown
  std::vector<Picture> pictures;     // Markdown
  std::vector<CodeDifference> code;  // of the worst. Markdown
  std::vector<Link> links;           // of what failed. Markdown
  std::vector<DriftAlarm> drifts;    // of the line that the candidate joins. Markdown
  std::string explain;    // the command that puts the facts of what failed side by side; empty: nothing did.
                          // Markdown, JSON
  std::string reproduce;  // the command that says all of it again; empty: none is known. Markdown, JSON
  std::string marker;     // the first line, before everything; may be empty. Markdown
  std::size_t bytes_max = 0;  // 0: no limit; what does not fit is counted. Markdown
};

// One row a format of what a command prints: what its `--format` accepts, in help and in errors.
template <typename Reported, typename OptionsOfIt>
struct FormatOf {
  std::string name;
  std::string summary;
  std::string (*write)(const Reported& reported, const OptionsOfIt& options);
};
using Format = FormatOf<Reports, Options>;
const std::vector<Format>& report_formats();

// In the format of that name. Throws std::out_of_range where there is none.
std::string write_as(const std::string& format, const Reports& reports, const Options& options);

// The writers behind report_formats(), one a file.

// Text for a terminal, Markdown for a comment, a page of HTML, JSON for programs (docs/outputs.md), JUnit's
// XML.
std::string write_text(const Reports& reports, const Options& options);
std::string write_markdown(const Reports& reports, const Options& options);
std::string write_html(const Reports& reports, const Options& options);
std::string write_json(const Reports& reports, const Options& options);
std::string write_junit(const Reports& reports, const Options& options);
// What a step of GitHub Actions prints: one error for each of the worst, and a notice where nothing can be
// said.
std::string write_annotations(const Reports& reports, const Options& options);

// What all reports come to, in words.

// From the worst to the best.
enum class Answer { kFailed, kCannotJudge, kUndecided, kPassed };
// For programs: "failed", "cannot-judge", …, with this character between words.
std::string answer_name(Answer answer, char between);

// As the exit code is. kCannotJudge, which is 3, where no gate failed, but a device has no benchmark that
// both sides measured or no report at all, or by options.strict where anything was left open. What is 0 and
// no pass is kUndecided: all is inconclusive, or something looks slower without being certain
// (is_suspicious()).
Answer answer_of(const Reports& reports, const Options& options = {});

// "FAILED: 5 benchmarks regressed past their threshold", "passed: nothing regressed", "undecided: …", "could
// not judge: …".
std::string answer_in_words(const Reports& reports, const Options& options = {});

// The same with all counts, for the first line of a comment: "2 regressed, 1 failed · 1 waived, 105
// unchanged".
std::string headline_in_words(const Reports& reports, const Options& options = {});

// The counts alone: "2 regressed, 1 failed · 1 waived, 105 unchanged", "1 improved, 93 unchanged".
std::string all_counts_in_words(const Reports& reports);

// What would fail but for a waiver or the policy, or is slower with the same code: "2 waived".
std::string set_aside_in_words(const Reports& reports);

// Reports of some benchmarks alone, as they were judged with all others. Pure.

// Leaves only the benchmarks whose name the POSIX extended expression matches anywhere, as
// --benchmark_filter does (a leading '-' means all others), with a note that says how many. Verdicts stay as
// they are. kUsage where it is no expression or matches nothing.
void keep_matching(Reports& reports, const std::string& filter);

// The same for patterns (globs) of whole names. kUsage where none matches.
void keep_matching(Reports& reports, const std::vector<std::string>& globs);

// What GitHub Actions takes from a comparison beside its comment and summary. Pure; the command writes it.

// GitHub shows this many annotations of a kind for a step, and drops the others without a word.
constexpr int kAnnotationsMax = 10;

// GitHub refuses a longer job summary.
constexpr std::size_t kSummaryBytesMax = 1u << 20;

// Entries of $GITHUB_OUTPUT: verdict ("failed", "cannot-judge", "undecided", "passed"), exit-code, headline,
// failing (names, one a line), a count for every verdict ("below-floor"), and the `files` by name.
std::string workflow_outputs(const Reports& reports, const Options& options, ExitCode exit_code,
                             const std::map<std::string, std::string>& files, const std::string& delimiter);

// Explanations → text for people and programs. Pure.

// The formats of `tracker explain`: text for a terminal, Markdown for a comment, JSON for programs
// (docs/outputs.md). With `all_rows`, facts that are the same have rows as well.
using ExplanationFormat = FormatOf<std::vector<ExplanationReport>, Options>;
const std::vector<ExplanationFormat>& explanation_formats();

}  // namespace tracker::report
