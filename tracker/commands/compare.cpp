#include "tracker/app/compare.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "tracker/app/charts.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"
#include "tracker/report/report.hpp"

namespace tracker::commands {
namespace {

// Where the report of `tracker compare` goes.

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
                      report::Options how, ExitCode exit_code);

namespace fs = std::filesystem;

// For the marker of another key, which tracker github comment may put above. Bytes are never fewer than the
// characters that GitHub counts.
constexpr std::size_t kMarkerRoom = 128;

std::string unguessable() {
  std::random_device random;
  std::array<char, 9> digits{};
  std::string text = "tracker-";
  for (int i = 0; i < 4; ++i) {
    std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(random()));
    text += digits.data();
  }
  return text;
}

void append(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text << std::flush;
  if (!file)
    throw Error(ExitCode::kEnvironment, "cannot append to " + in_quotes(path.string()) + ": " +
                                            std::generic_category().message(errno == 0 ? EIO : errno));
}

// Pages of what failed, where the step knows them; what it does not know is no reason to fail.
std::vector<report::Link> links_of(const std::vector<ComparisonReport>& reports, const report::Options& how) {
  std::vector<report::Link> links;
  github::Context context;
  try {
    context = github::read_context();
  } catch (const Error&) {
    return links;
  }
  if (!reports.empty()) {
    const Side& head = reports.front().candidate;
    const bool is_known =
        github::is_commit_id(head.commit) && !head.dirty && github::is_repository_name(context.repository);
    if (is_known && !context.server_url.empty())
      links.push_back({"commit", context.server_url + "/" + context.repository + "/commit/" + head.commit});
  }
  const auto trend =
      std::find_if(how.pictures.begin(), how.pictures.end(), [](const report::Picture& picture) {
        return picture.kind == report::Picture::Kind::kTrend && picture.light.starts_with("https://");
      });
  if (trend != how.pictures.end()) links.push_back({"history", trend->light});
  if (const std::string run = context.run_url(); !run.empty()) links.push_back({"what ran", run});
  return links;
}

// What other parts of the step wrote counts as well.
void append_summary(const fs::path& path, const std::vector<ComparisonReport>& reports, report::Options how) {
  constexpr std::size_t kUsefulBytes = 4096;
  std::error_code missing;
  const auto before = fs::file_size(path, missing);
  const std::size_t used = missing ? 0 : static_cast<std::size_t>(before) + 1;
  if (used + kUsefulBytes > report::kSummaryBytesMax) {
    print_note("the step's summary is full: the report is left out of it");
    return;
  }
  how.bytes_max = report::kSummaryBytesMax - used;
  append(path, (used > 0 ? "\n" : "") + report::write_as("markdown", reports, how));
}

// What fails and has a size, for /tracker accept.
github::Losses losses_of(const std::vector<ComparisonReport>& reports) {
  github::Losses losses;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (fails_gate(comparison) && comparison.change)
        losses.emplace_back(comparison.benchmark, comparison.metric.better == Better::kHigher
                                                      ? -*comparison.change
                                                      : *comparison.change);
  std::erase_if(losses, [](const auto& loss) { return !(loss.second > 0); });
  return losses;
}

void write_for_github(const CompareOptions& options, const std::vector<ComparisonReport>& reports,
                      report::Options how, ExitCode exit_code) {
  print_workflow_commands(report::write_as(kGithubFormat, reports, how));
  how.links = links_of(reports, how);
  const fs::path comment = options.out / "comment.md";
  const fs::path summary = options.out / "summary.md";
  report::Options of_comment = how;
  of_comment.marker =
      github::comment_marker(github::CommentRequest{}.key) + github::loss_lines(losses_of(reports));
  of_comment.bytes_max = github::kCommentLengthMax - kMarkerRoom;
  write_file(comment, report::write_as("markdown", reports, of_comment));
  how.bytes_max = report::kSummaryBytesMax;
  write_file(summary, report::write_as("markdown", reports, how));
  if (const std::string path = environment_value("GITHUB_STEP_SUMMARY"); !path.empty())
    append_summary(path, reports, how);
  if (const std::string path = environment_value("GITHUB_OUTPUT"); !path.empty())
    append(path, report::workflow_outputs(reports, how, exit_code,
                                          {{"comment", comment.string()}, {"summary", summary.string()}},
                                          unguessable()));
}

bool shows_code(const CompareOptions& options) {
  return options.format == "markdown" || options.format == kGithubFormat;
}

void require_output(const CompareOptions& options) {
  if (options.format != kGithubFormat) return;
  if (options.out.empty())
    throw Error(ExitCode::kUsage, "--format github writes files, and needs a folder for them",
                "name one: --out tracker-report");
  std::error_code ignored;
  if (fs::exists(options.out, ignored) && !fs::is_directory(options.out, ignored))
    throw Error(ExitCode::kUsage, "--out " + in_quotes(options.out.string()) + " is no folder",
                "--format github writes comment.md and summary.md into one");
}

void write_comparison(const CompareOptions& options, const std::vector<ComparisonReport>& reports,
                      report::Options how, ExitCode exit_code) {
  how.strict = options.strict;
  if (how.reproduce.empty()) how.reproduce = app::reproducing_as_typed(options, options.strict);
  if (options.format == kGithubFormat)
    write_for_github(options, reports, how, exit_code);
  else if (!reports.empty() || options.format != "text")
    write_reports(options, reports, report::report_formats(), how);
}

// Where nothing could be judged, whoever reads the report later has to read that, and not what was said of
// the commit before. A mistake in the command is for the person at the terminal alone.
bool is_told_in_report(const Error& error, const CompareOptions& options) {
  if (options.format == kGithubFormat) return error.code() != ExitCode::kInterrupted;
  return options.format != "text" &&
         (error.code() == ExitCode::kCannotJudge || error.code() == ExitCode::kEnvironment);
}

app::ReportChartsRequest charts_of(const CompareOptions& options) {
  const bool is_folder = options.format == kGithubFormat;
  return {options.charts, options.charts_url, is_folder ? options.out : options.out.parent_path()};
}

// What belongs beside the reports.
report::Options shown_beside(const app::Workspace& workspace, const CompareOptions& options,
                             app::CompareOutcome& outcome) {
  report::Options shown;
  shown.unjudged = outcome.unjudged;
  shown.absent = outcome.absent;
  shown.code = outcome.code;
  shown.drifts = outcome.drifts;
  shown.pictures = app::draw_report_charts(workspace, charts_of(options), outcome);
  shown.reproduce = app::reproducing(workspace, outcome, options.strict);
  shown.explain = app::explaining(outcome);
  return shown;
}

ExitCode run_compare(const Globals& globals, CompareOptions options) {
  require_output(options);
  app::prepare_charts(charts_of(options));
  options.code = shows_code(options);
  options.drifts = shows_code(options);
  std::optional<app::Workspace> workspace;
  app::CompareOutcome outcome;
  report::Options shown;
  try {
    workspace.emplace(globals, app::Without::kAllowed);
    outcome = app::compare(*workspace, options);
    static_cast<app::CompareRequest&>(options) = outcome.request;
    shown = shown_beside(*workspace, options, outcome);
  } catch (const Error& error) {
    shown.unjudged = {{"", error.what(), error.hint()}};
    if (is_told_in_report(error, options)) write_comparison(options, {}, shown, error.code());
    throw;
  }
  const ExitCode exit_code = app::exit_code_of(outcome, options.strict);
  const CommitLinks links(*workspace, options.format == "text" && options.out.empty());
  write_comparison(options, outcome.reports, shown, exit_code);
  return exit_code;
}

}  // namespace

std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompareOptions>();
  declare_compare_options(app, *options);
  return [options, &globals] { return run_compare(globals, *options); };
}

}  // namespace tracker::commands
