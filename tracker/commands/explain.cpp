#include <chrono>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/compare.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/report/report.hpp"

namespace tracker::commands {
namespace {

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

ExitCode explain_command(const Globals& globals, const ExplainOptions& options) {
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

std::function<ExitCode()> declare_explain(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("benchmark", options->benchmark, "its name, or a pattern that matches a few")->required();
  declare_sides(app, options->compare);
  app.add_option("--device", options->compare.device, "only devices that match this pattern");
  add_named_format(app, options->compare.format, names_of(report::explanation_formats()));
  app.add_option("--out", options->compare.out, "write it to this file instead");
  app.add_flag("--all", options->compare.all, "a row for every fact, also for what is the same");
  app.footer(
      "It reads what is stored, and measures nothing.\n"
      "Exit codes: 0 explained, whatever the verdict is; 2 usage, or no benchmark of that name; 3 no run to\n"
      "compare with; 4 git or the store failed.");
  return [options, &globals] { return explain_command(globals, *options); };
}

}  // namespace tracker::commands
