// compare and explain: the same two sides, judged or shown fact by fact.
#include "tracker/app/compare.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/charts.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/report/report.hpp"

namespace tracker::commands {
namespace {

namespace fs = std::filesystem;

// What is compared, and how it is shown.
struct CompareOptions : app::CompareRequest {
  std::string format = "text";
  fs::path out;
  fs::path charts;         // the folder for pictures; empty: none
  std::string charts_url;  // where they will be seen, with "{file}"; empty: from the report's folder
  bool strict = false;
  bool all = false;
};

constexpr const char* kGithubFormat = "github";
// For the marker of another key, which tracker github comment may put above. Bytes are never fewer than the
// characters that GitHub counts.
constexpr std::size_t kMarkerRoom = 128;

// To the file that was named, without colour and as wide as it gets; else to the terminal. `formats` is the
// table of those that can write such reports; `how` is what the caller knows beside the options.
template <typename Report, typename Format>
void write_reports(const CompareOptions& options, const std::vector<Report>& reports,
                   const std::vector<Format>& formats, report::Options how = {}) {
  const bool to_file = !options.out.empty();
  how.color = !to_file && wants_color();
  how.columns = to_file ? 0 : terminal_columns();
  how.all_rows = options.all;
  how.strict = options.strict;
  const std::string text = std::ranges::find(formats, options.format, &Format::name)->write(reports, how);
  if (to_file)
    write_file(options.out, text);
  else
    std::cout << text << std::flush;
}

std::string unguessable() {
  std::random_device random;
  std::string text = "tracker";
  for (int i = 0; i < 4; ++i) text += "-" + std::to_string(random());
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
  if (!reports.empty() && !context.repository.empty()) {
    const Side& head = reports.front().candidate;
    if (github::is_commit_id(head.commit) && !head.dirty)
      links.push_back({"commit", context.server_url + "/" + context.repository + "/commit/" + head.commit});
  }
  const auto trend = std::ranges::find_if(how.pictures, [](const report::Picture& picture) {
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
    for (const auto& comparison : report.comparisons) {
      const double change = fails_gate(comparison) ? comparison.change.value_or(0) : 0;
      const double loss = comparison.metric.better == Better::kHigher ? -change : change;
      if (loss > 0) losses.emplace_back(comparison.benchmark, loss);
    }
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

// Whether the format shows what the machine code of the worst differs in.
bool shows_code(const CompareOptions& options) {
  return options.format == "markdown" || options.format == kGithubFormat;
}

// Before anything is measured: whether the format needs a folder, and one is named.
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

// In the format asked for, with the pictures. For GitHub: comment.md and summary.md in options.out,
// annotations on standard output, and the summary and outputs appended to the files that $GITHUB_STEP_SUMMARY
// and $GITHUB_OUTPUT name.
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

void declare_sides(CLI::App& app, CompareOptions& options) {
  static const std::map<std::string, judge::Pairing> pairings{{"interleaved", judge::Pairing::kInterleaved},
                                                              {"none", judge::Pairing::kNone}};
  app.add_option("base", options.base,
                 "what to compare the candidate with: a revision, 'baseline', or a file or folder of Google "
                 "Benchmark JSON, one execution a file")
      ->required();
  app.add_option("candidate", options.candidate, "what to judge: likewise (default HEAD)")
      ->each([&](const std::string&) { options.candidate_named = true; });
  app.add_option_function<std::string>(
         "--pairing", [&](const std::string& word) { options.pairing = pairings.at(word); },
         "how the sides were measured: 'interleaved' (side by side in one job) or 'none' (default: what the "
         "runs or the files' dates show)")
      ->check(CLI::IsMember(pairings));
  auto* gpu = app.add_option("--gpu", options.gpu, "the GPU's model, where files do not name it");
  app.add_option("--cpu", options.cpu, "the CPU's model, where files ran on no GPU")->excludes(gpu);
  app.add_option("--better", options.better,
                 "whether 'lower' or 'higher' values are better, where files do not say it")
      ->check(CLI::IsMember({"lower", "higher"}));
}

void declare_confirm_options(CLI::App& app, app::ConfirmOptions& options, app::MeasureRequest& measuring) {
  auto* wanted =
      app.add_flag("--confirm", options.wanted,
                   "measure side by side what stored runs leave undecided, until it is decided; the "
                   "default in CI where both commits can be built");
  app.add_flag("--no-confirm", options.unwanted, "do not re-measure, also in CI")->excludes(wanted);
  app.add_option("--time-budget", options.time_budget,
                 "stop measuring after this time (90s, 10m, 1h): with --confirm (default 15m) what is still "
                 "undecided is named, with --measure what was not measured")
      ->each([&](const std::string& text) { measuring.budget = parse_time_budget(text); });
}

// More pages than that are read by nobody.
constexpr std::size_t kExplainedMax = 10;

struct ExplainOptions {
  std::string benchmark;
  CompareOptions compare;  // the sides, and how they are read
};

// An exact name is just that one, whatever characters it has. An old name means the benchmark's new one.
std::vector<std::string> chosen_from(const ComparisonReport& report, const std::string& wanted,
                                     const Policy& policy) {
  const std::string now = renamed(wanted, policy.renames);
  std::vector<std::string> exact;
  std::vector<std::string> matching;
  for (const auto& row : report.comparisons) {
    if (row.benchmark == wanted || row.benchmark == now || row.printed_name == wanted)
      exact.push_back(row.benchmark);
    if (means_benchmark(wanted, row.benchmark, row.printed_name)) matching.push_back(row.benchmark);
  }
  return exact.empty() ? matching : exact;
}

Error no_benchmark(const std::string& wanted, const std::vector<app::JudgedDevice>& all) {
  std::set<std::string> names;
  for (const auto& judged : all)
    for (const auto& row : judged.report.comparisons) names.insert(row.benchmark);
  const std::string what = "no benchmark of these commits matches " + in_quotes(wanted);
  if (names.empty()) return {ExitCode::kUsage, what};
  if (const auto near = nearest(wanted, {names.begin(), names.end()}))
    return {ExitCode::kUsage, what, "did you mean " + in_quotes(*near) + "?"};
  const bool is_pattern = wanted.find('*') != std::string::npos;
  const std::string pattern = is_pattern ? "" : "a pattern finds it: tracker explain '*" + wanted + "*' …; ";
  return {ExitCode::kUsage, what, pattern + "one is " + in_quotes(*names.begin())};
}

std::vector<ExplanationReport> explain_all(const app::Workspace& workspace,
                                           const std::vector<app::JudgedDevice>& all,
                                           const std::string& wanted) {
  const Policy& policy = workspace.config().policy;
  std::vector<ExplanationReport> reports;
  for (const auto& judged : all) {
    auto chosen = chosen_from(judged.report, wanted, policy);
    if (chosen.empty()) continue;
    if (chosen.size() > kExplainedMax) {
      print_note(count_of(chosen.size(), "benchmark") + " match " + in_quotes(wanted) + ": these are the " +
                 std::to_string(kExplainedMax) + " that matter most");
      chosen.resize(kExplainedMax);
    }
    const auto of_base = app::profiles_at(workspace, judged.base.side.commit);
    const auto of_candidate = app::profiles_at(workspace, judged.candidate.side.commit);
    const judge::ExplainedSide base{judged.base, app::find_profile(of_base, judged.report.device)};
    const judge::ExplainedSide candidate{judged.candidate,
                                         app::find_profile(of_candidate, judged.report.device)};
    reports.push_back(judge::explain(judged.report, base, candidate, policy, chosen));
  }
  return reports;
}

ExitCode explain(const Globals& globals, const ExplainOptions& options) {
  const app::Workspace workspace(globals, app::Without::kAllowed);
  const CommitLinks links(workspace, options.compare.format == "text" && options.compare.out.empty());
  const app::CompareSides sides = app::open_sides(workspace, options.compare);
  std::vector<app::JudgedDevice> all;
  std::optional<Error> unjudged;
  judge::Options how;
  how.today = utc_date(std::chrono::system_clock::now());
  how.pairing = options.compare.pairing;
  for (const auto& device : app::devices_to_judge(workspace, options.compare, sides)) {
    if (auto judged = app::judge_device(workspace, sides, device, workspace.config().policy, how, false)) {
      all.push_back(std::move(*judged));
      continue;
    }
    unjudged = app::why_unjudged(workspace, options.compare, sides, device);
    print_error(*unjudged);
  }
  if (all.empty()) return unjudged ? unjudged->code() : ExitCode::kCannotJudge;
  const auto reports = explain_all(workspace, all, options.benchmark);
  if (reports.empty()) throw no_benchmark(options.benchmark, all);
  write_reports(options.compare, reports, report::explanation_formats());
  return unjudged ? unjudged->code() : ExitCode::kOk;
}

}  // namespace

Action declare_compare(CLI::App& app, const Globals& globals) {
  auto shared = std::make_shared<CompareOptions>();
  auto& options = *shared;
  auto& measuring = options.measuring;
  declare_sides(app, options);
  app.add_option(
      "benchmarks", options.globs,
      "only benchmarks that match these patterns: 'gemm/*'. With --measure they alone are measured, "
      "else only they are shown and counted (default all)");
  auto* measure = app.add_flag("--measure", options.measure,
                               "first build both commits and measure them side by side, in one job");
  app.add_flag("--worktree", options.worktree,
               "build the working tree as it is, uncommitted changes included, and measure it side by side "
               "with the base: tracker compare HEAD --worktree")
      ->excludes(measure);
  app.add_option("-n,--invocations", measuring.invocations,
                 "with --measure or --worktree: executions of each binary a side; with --confirm: before its "
                 "first analysis")
      ->check(CLI::Range(1, 1000));
  app.add_option("-r,--repetitions", measuring.repetitions, "with --measure: repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option(
         "--rebuild", options.rebuild,
         "with --measure: build both commits so many times, with another TRACKER_BUILD_SEED for the build "
         "commands each time, so that the intervals contain the spread between builds; -n is for each build "
         "(default 2)")
      ->check(CLI::Range(2, 100));
  app.add_option(
      "--filter", measuring.filter,
      "only benchmarks that match this expression: with --measure they alone are measured, else only they "
      "are shown and counted");
  app.add_flag("--isolate", measuring.isolate, "with --measure: a process of its own for every benchmark");
  declare_gpus(app, measuring);
  app.add_flag("--keep", measuring.keep,
               "with --measure and --confirm: on Ctrl-C record the rounds that are complete");
  declare_confirm_options(app, options.confirm, options.measuring);
  app.add_option("--identical-code", options.identical_code,
                 "benchmarks whose program is the same on both sides: 'skip' them, or 'measure' them all the "
                 "same (default: what tracker.toml says, or else skip)")
      ->check(CLI::IsMember({"skip", "measure"}));
  app.add_option("--threshold", options.threshold, "the change that fails, for every benchmark: 1%");
  app.add_option("--device", options.device, "only devices that match this pattern");
  add_named_format(app, options.format, names_of(report::report_formats()));
  app.add_option("--out", options.out, "write the report to this file instead; for github, into this folder");
  auto* charts = app.add_option("--charts", options.charts,
                                "draw what changed into this folder, and link it from the report");
  app.add_option("--charts-url", options.charts_url,
                 "where the charts will be seen, with {file} for a file's name (default: their path from the "
                 "report's folder)")
      ->needs(charts);
  app.add_flag("--strict", options.strict, "exit 3 where anything is inconclusive");
  app.add_flag("--all", options.all, "every row: the unchanged ones, and all that are inconclusive");
  app.footer(R"(A name that is both a revision and a file is taken as the revision; ./name is the file.
A...B compares B with the commit where it branched off from A (the merge base). Of a branch whose
newest commit has no run, the newest commit that has one is taken.
Exit codes: 0 nothing regressed; 1 regressed, below its floor, failed or missing; 2 usage;
3 cannot judge (no run to compare with, or inconclusive under --strict); 4 git, the store, a build or
a binary failed.)");
  return [shared, &globals] { return run_compare(globals, *shared); };
}

Action declare_explain(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("benchmark", options->benchmark, "its name, or a pattern that matches a few")->required();
  declare_sides(app, options->compare);
  app.add_option("--device", options->compare.device, "only devices that match this pattern");
  add_named_format(app, options->compare.format, names_of(report::explanation_formats()));
  app.add_option("--out", options->compare.out, "write it to this file instead");
  app.add_flag("--all", options->compare.all, "a row for every fact, also for what is the same");
  app.footer(R"(It reads what is stored, and measures nothing.
Exit codes: 0 explained, whatever the verdict is; 2 usage, or no benchmark of that name; 3 no run to
compare with; 4 git or the store failed.)");
  return [options, &globals] { return explain(globals, *options); };
}

}  // namespace tracker::commands
