#include "tracker/commands/compare_output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <system_error>

#include "tracker/base/text.hpp"
#include "tracker/commands/write_reports.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"
#include "tracker/model/commit.hpp"
#include "tracker/report/github_report.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

// For the marker of another key, which tracker github comment may put above. Bytes are never fewer than the
// characters that GitHub counts.
constexpr std::size_t kMarkerRoom = 128;

// A commit by its id, as "HEAD" is another one tomorrow.
std::string side_word(const CompareSide& side, const Side& judged) {
  if (side.kind == SideKind::kWorkingTree) return "--worktree";
  const bool is_commit = side.kind == SideKind::kRevision && !judged.commit.empty();
  return is_commit ? lasting_id(judged.commit) : side.text;
}

// The options that have a job measure the same again as the one that a report rests on.
std::vector<std::string> measuring_words(const Workspace& workspace, const CompareOptions& options,
                                         const CompareSides& sides, const ComparisonReport& report) {
  std::vector<std::string> words;
  if (!options.worktree) words.emplace_back("--measure");
  const auto add = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  if (options.wishes.repetitions > 0) add("--repetitions", std::to_string(options.wishes.repetitions));
  const auto candidate = sides.candidate.runs_on(workspace, report.device);
  if (!candidate) return words;
  const auto& ids = report.candidate.runs;
  const auto run = std::find_if(candidate->runs.begin(), candidate->runs.end(), [&](const Run& one) {
    return std::find(ids.begin(), ids.end(), one.id) != ids.end();
  });
  if (run == candidate->runs.end()) return words;
  const int invocations = invocation_count(*run);
  if (invocations != workspace.config().measure.invocations) add("-n", std::to_string(invocations));
  if (!run->filter.empty()) add("--filter", run->filter);
  if (run->isolated) words.emplace_back("--isolate");
  return words;
}

std::string command_line(std::vector<std::string> words, const CompareOptions& options) {
  const std::pair<const char*, const std::string*> others[] = {{"--threshold", &options.threshold},
                                                               {"--device", &options.device},
                                                               {"--gpu", &options.gpu},
                                                               {"--cpu", &options.cpu}};
  for (const auto& [name, value] : others)
    if (!value->empty()) words.insert(words.end(), {name, *value});
  if (options.strict) words.emplace_back("--strict");
  words.insert(words.begin(), {"tracker", "compare"});
  for (auto& word : words) word = shell_word(word);
  return join(words, " ");
}

std::vector<std::string> as_typed(const CompareOptions& options) {
  return {options.base, options.worktree ? "--worktree" : options.candidate};
}

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

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

void append(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text << std::flush;
  if (!file)
    throw Error(ExitCode::kEnvironment, "cannot append to '" + printable(path.string()) + "': " +
                                            std::generic_category().message(errno == 0 ? EIO : errno));
}

// Pages of what failed, where the step knows them; what it does not know is no reason to fail.
std::vector<ReportLink> links_of(const std::vector<ComparisonReport>& reports, const ReportOptions& how) {
  std::vector<ReportLink> links;
  GitHubContext context;
  try {
    context = read_github_context();
  } catch (const Error&) {
    return links;
  }
  if (!reports.empty()) {
    const Side& head = reports.front().candidate;
    const bool is_known = is_commit_id(head.commit) && !head.dirty && is_repository_name(context.repository);
    if (is_known && !context.server_url.empty())
      links.push_back({"commit", context.server_url + "/" + context.repository + "/commit/" + head.commit});
  }
  const auto trend = std::find_if(how.pictures.begin(), how.pictures.end(), [](const ReportPicture& picture) {
    return picture.kind == ReportPicture::Kind::kTrend && picture.light.starts_with("https://");
  });
  if (trend != how.pictures.end()) links.push_back({"history", trend->light});
  if (const std::string run = context.run_url(); !run.empty()) links.push_back({"what ran", run});
  return links;
}

// What other parts of the step wrote counts as well.
void append_summary(const fs::path& path, const std::vector<ComparisonReport>& reports, ReportOptions how) {
  constexpr std::size_t kUsefulBytes = 4096;
  std::error_code missing;
  const auto before = fs::file_size(path, missing);
  const std::size_t used = missing ? 0 : static_cast<std::size_t>(before) + 1;
  if (used + kUsefulBytes > kSummaryBytesMax) {
    print_note("the step's summary is full: the report is left out of it");
    return;
  }
  how.bytes_max = kSummaryBytesMax - used;
  append(path, (used > 0 ? "\n" : "") + write_as("markdown", reports, how));
}

void write_for_github(const CompareOptions& options, const std::vector<ComparisonReport>& reports,
                      ReportOptions how, ExitCode exit_code) {
  std::cout << write_as(kGithubFormat, reports, how) << std::flush;
  how.links = links_of(reports, how);
  const fs::path comment = options.out / "comment.md";
  const fs::path summary = options.out / "summary.md";
  ReportOptions of_comment = how;
  of_comment.marker = comment_marker(CommentRequest{}.key);
  of_comment.bytes_max = kCommentLengthMax - kMarkerRoom;
  write_file(comment, write_as("markdown", reports, of_comment));
  how.bytes_max = kSummaryBytesMax;
  write_file(summary, write_as("markdown", reports, how));
  if (const char* path = variable("GITHUB_STEP_SUMMARY")) append_summary(path, reports, how);
  if (const char* path = variable("GITHUB_OUTPUT"))
    append(path,
           workflow_outputs(reports, how, exit_code,
                            {{"comment", comment.string()}, {"summary", summary.string()}}, unguessable()));
}

}  // namespace

std::string reproducing(const Workspace& workspace, const CompareOptions& options, const CompareSides& sides,
                        const std::vector<ComparisonReport>& reports) {
  if (reports.empty()) return command_line(as_typed(options), options);
  std::vector<std::string> words{side_word(sides.base, reports.front().base),
                                 side_word(sides.candidate, reports.front().candidate)};
  const auto in_turn =
      std::find_if(reports.begin(), reports.end(), [](const auto& report) { return report.interleaved; });
  const auto confirmed = [](const auto& report) { return report.effort.has_value(); };
  const auto can_be_built = [](const CompareSide& side) {
    return side.kind == SideKind::kRevision || side.kind == SideKind::kWorkingTree;
  };
  const bool are_commits = can_be_built(sides.base) && can_be_built(sides.candidate);
  if (are_commits && (options.measure || in_turn != reports.end())) {
    const auto& report = in_turn != reports.end() ? *in_turn : reports.front();
    const auto how = measuring_words(workspace, options, sides, report);
    words.insert(words.end(), how.begin(), how.end());
  } else {
    words.insert(words.end(), options.globs.begin(), options.globs.end());
    if (!options.wishes.filter.empty()) words.insert(words.end(), {"--filter", options.wishes.filter});
    if (are_commits && std::any_of(reports.begin(), reports.end(), confirmed))
      words.emplace_back("--confirm");
  }
  return command_line(words, options);
}

std::string explaining(const CompareSides& sides, const std::vector<ComparisonReport>& reports) {
  const Comparison* worst = nullptr;
  const ComparisonReport* of_worst = nullptr;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      const bool can_be_explained = fails_gate(comparison) && comparison.change;
      if (!can_be_explained || (worst != nullptr && !matters_more(comparison, *worst))) continue;
      worst = &comparison;
      of_worst = &report;
    }
  if (worst == nullptr || sides.candidate.kind == SideKind::kWorkingTree) return "";
  std::vector<std::string> words{"tracker", "explain", worst->benchmark,
                                 side_word(sides.base, of_worst->base),
                                 side_word(sides.candidate, of_worst->candidate)};
  for (auto& word : words) word = shell_word(word);
  return join(words, " ");
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
    throw Error(ExitCode::kUsage, "--out '" + printable(options.out.string()) + "' is no folder",
                "--format github writes comment.md and summary.md into one");
}

void write_comparison(const CompareOptions& options, const std::vector<ComparisonReport>& reports,
                      ReportOptions how, ExitCode exit_code) {
  how.strict = options.strict;
  if (how.reproduce.empty()) how.reproduce = command_line(as_typed(options), options);
  if (options.format == kGithubFormat)
    write_for_github(options, reports, how, exit_code);
  else if (!reports.empty() || options.format != "text")
    write_reports(options, reports, report_formats(), how);
}

}  // namespace tracker
