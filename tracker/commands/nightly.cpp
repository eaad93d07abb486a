// What a schedule or a release asks for: other commands, one after the other.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/report/event_words.hpp"

namespace tracker::commands {
namespace {

struct ScheduleOptions {
  std::string release;  // empty: the newest release tag before HEAD, where there is one
  std::string gpus;
  std::string time_budget;
};

struct Step {
  std::string title;
  std::vector<std::string> words;  // as behind `tracker`
};

std::string in_words(ExitCode code) {
  static const std::map<ExitCode, const char*> words{{ExitCode::kOk, "ok"},
                                                     {ExitCode::kRegressed, "regressed"},
                                                     {ExitCode::kUsage, "wrong usage"},
                                                     {ExitCode::kCannotJudge, "cannot judge"},
                                                     {ExitCode::kEnvironment, "failed"}};
  const auto found = words.find(code);
  return found == words.end() ? "ended with " + std::to_string(static_cast<int>(code)) : found->second;
}

ExitCode run_step(const Globals& globals, const Step& step) {
  Globals own = globals;
  CLI::App app;
  const auto actions = declare_commands(app, own);
  try {
    std::vector<std::string> words(step.words.rbegin(), step.words.rend());  // as CLI11 takes them
    app.parse(words);
    return actions.at(app.get_subcommands().front())();
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::kUsage, error.what(), "tracker " + step.words.front() + " --help");
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    print_error(error);
    return error.code();
  }
}

// All steps, whatever the ones before gave; a regression is the answer before all else.
ExitCode run_steps(const Globals& globals, const std::vector<Step>& steps) {
  std::vector<ExitCode> codes;
  for (const auto& step : steps) {
    std::cout << "== " << step.title << ": tracker " << join(step.words, " ") << std::endl;
    codes.push_back(run_step(globals, step));
    std::cout << "\n";
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    std::cout << left_aligned(in_words(codes[i]), 14) << steps[i].title << "\n";
  if (std::find(codes.begin(), codes.end(), ExitCode::kRegressed) != codes.end()) return ExitCode::kRegressed;
  const auto bad =
      std::find_if(codes.begin(), codes.end(), [](ExitCode code) { return code != ExitCode::kOk; });
  return bad == codes.end() ? ExitCode::kOk : *bad;
}

void add_measuring(const ScheduleOptions& options, std::vector<std::string>& words) {
  if (!options.gpus.empty()) words.insert(words.end(), {"--gpus", options.gpus});
  if (!options.time_budget.empty()) words.insert(words.end(), {"--time-budget", options.time_budget});
}

std::string day_of(const app::Workspace& workspace, const std::string& revision) {
  constexpr std::size_t kDayLength = 10;  // "2026-11-20"
  return workspace.repository().resolve(revision).date.substr(0, kDayLength);
}

void declare_schedule_options(CLI::App& app, ScheduleOptions& options) {
  app.add_option("--gpus", options.gpus,
                 "measure on these GPUs: 'all' that are free, a number of them, or UUIDs");
  app.add_option("--time-budget", options.time_budget, "of each command that measures: 90s, 10m, 1h");
}

// What came since the release, or in 90 days where there is none.
std::vector<Step> looks_back(const app::Workspace& workspace, const std::string& release) {
  std::vector<std::string> top{"top"};
  if (!release.empty()) top.insert(top.end(), {"--since", day_of(workspace, release)});
  return {{"new regressions and drifts", {"check", "--allow-short"}}, {"the largest lasting changes", top}};
}

// What pull requests leave out as the same code, and got slower all the same: only a run of all shows it.
void print_missed(const app::Workspace& workspace) {
  std::vector<std::string> missed;
  try {
    app::LineRequest request;
    request.from = "HEAD";
    const app::LineEvents line = app::load_line_events(workspace, request);
    for (const auto& event : events::check_newest(line.events, line.series, events::kNewestCommits).same_code)
      missed.push_back(printable(report::event_size_in_words(event) + " since " +
                                 report::event_commit(event) + ": " + report::event_benchmarks(event)));
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    return;  // check has said it
  }
  std::cout << (missed.empty() ? "nothing that pull requests leave out as the same code got slower\n"
                               : "pull requests leave these out as the same code, and they got slower:\n  " +
                                     join(missed, "\n  ") + "\n");
}

ExitCode nightly(const Globals& globals, const ScheduleOptions& options) {
  const app::Workspace workspace(globals);
  const std::string release =
      options.release.empty() ? app::newest_release(workspace.repository(), "HEAD") : options.release;
  const bool builds = !workspace.config().measure.build.empty();
  std::vector<std::string> run{"run"};
  if (builds) run.emplace_back("--build");
  add_measuring(options, run);
  std::vector<Step> steps;
  if (!workspace.config().policy.sentinel.commit.empty()) {
    std::vector<std::string> sentinel{"run", "--sentinel"};
    if (!options.gpus.empty()) sentinel.insert(sentinel.end(), {"--gpus", options.gpus});
    steps.push_back({"measure the sentinel", sentinel});
  }
  steps.push_back({"measure HEAD", run});
  if (!release.empty()) {
    std::vector<std::string> compare{"compare", release + "...HEAD"};
    compare.emplace_back(builds ? "--confirm" : "--no-confirm");
    if (builds) add_measuring(options, compare);
    steps.push_back({"against " + release, compare});
  } else {
    workspace.note("no release tag before HEAD: nothing to compare with (--release names a commit)");
  }
  for (auto& step : looks_back(workspace, release)) steps.push_back(std::move(step));
  const ExitCode code = run_steps(globals, steps);
  print_missed(app::Workspace(globals));
  return code;
}

ExitCode release_check(const Globals& globals, const ScheduleOptions& options) {
  const app::Workspace workspace(globals);
  std::vector<std::string> compare{"compare", options.release + "...HEAD", "--measure"};
  add_measuring(options, compare);
  std::vector<Step> steps{{"against " + options.release + ", side by side", compare}};
  for (auto& step : looks_back(workspace, options.release)) steps.push_back(std::move(step));
  return run_steps(globals, steps);
}

}  // namespace

std::function<ExitCode()> declare_nightly(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ScheduleOptions>();
  app.add_option("--release", options->release,
                 "the release to compare with (default: the newest tag before HEAD)");
  declare_schedule_options(app, *options);
  app.footer(
      "Runs one after the other, whatever each gives: tracker run --sentinel (with [sentinel] in\n"
      "tracker.toml), tracker run --build, tracker compare RELEASE...HEAD\n"
      "--confirm, tracker check, tracker top. Exit codes: 1 where any found a regression, or else the first\n"
      "that is not 0.");
  return [options, &globals] { return nightly(globals, *options); };
}

std::function<ExitCode()> declare_release_check(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ScheduleOptions>();
  app.add_option("release", options->release, "the last release: a tag, or another revision")->required();
  declare_schedule_options(app, *options);
  app.footer(
      "Measures HEAD side by side with the release's commit that it branched off from, and says which "
      "drifts\n"
      "and which single changes have come since: tracker compare RELEASE...HEAD --measure, tracker check,\n"
      "tracker top. Exit codes: 1 where any found a regression, or else the first that is not 0.");
  return [options, &globals] { return release_check(globals, *options); };
}

}  // namespace tracker::commands
