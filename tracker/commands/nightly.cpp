// What a schedule, a release or a coding agent asks for: other commands.
#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/formats/agent_calls.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/version.hpp"

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
  if (std::ranges::count(codes, ExitCode::kRegressed) > 0) return ExitCode::kRegressed;
  const auto bad = std::ranges::find_if(codes, [](ExitCode code) { return code != ExitCode::kOk; });
  return bad == codes.end() ? ExitCode::kOk : *bad;
}

// Where it has a value.
void add_word(std::vector<std::string>& words, const std::string& option, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {option, value});
}

void add_measuring(std::vector<std::string>& words, const ScheduleOptions& options) {
  add_word(words, "--gpus", options.gpus);
  add_word(words, "--time-budget", options.time_budget);
}

void declare_schedule_options(CLI::App& app, ScheduleOptions& options) {
  app.add_option("--gpus", options.gpus,
                 "measure on these GPUs: 'all' that are free, a number of them, or UUIDs");
  app.add_option("--time-budget", options.time_budget, "of each command that measures: 90s, 10m, 1h");
}

// What came since the release, or in 90 days where there is none.
void add_looking_back(std::vector<Step>& steps, const app::Workspace& workspace, const std::string& release) {
  constexpr std::size_t kDayLength = 10;  // "2026-11-20"
  std::vector<std::string> top{"top"};
  if (!release.empty())
    add_word(top, "--since", workspace.repository().resolve(release).date.substr(0, kDayLength));
  steps.push_back({"new regressions and drifts", {"check", "--allow-short"}});
  steps.push_back({"the largest lasting changes", top});
}

// What pull requests leave out as the same code, and got slower all the same: only a run of all shows it.
void print_missed(const app::Workspace& workspace) {
  std::vector<std::string> missed;
  try {
    const app::LineEvents line = app::load_line_events(workspace, {});
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
  add_measuring(run, options);
  std::vector<Step> steps;
  if (!workspace.config().policy.sentinel.commit.empty()) {
    std::vector<std::string> sentinel{"run", "--sentinel"};
    add_word(sentinel, "--gpus", options.gpus);
    steps.push_back({"measure the sentinel", sentinel});
  }
  steps.push_back({"measure HEAD", run});
  if (!release.empty()) {
    std::vector<std::string> compare{"compare", release + "...HEAD", builds ? "--confirm" : "--no-confirm"};
    if (builds) add_measuring(compare, options);
    steps.push_back({"against " + release, compare});
  } else {
    workspace.note("no release tag before HEAD: nothing to compare with (--release names a commit)");
  }
  add_looking_back(steps, workspace, release);
  const ExitCode code = run_steps(globals, steps);
  print_missed(app::Workspace(globals));
  return code;
}

ExitCode release_check(const Globals& globals, const ScheduleOptions& options) {
  const app::Workspace workspace(globals);
  std::vector<std::string> compare{"compare", options.release + "...HEAD", "--measure"};
  add_measuring(compare, options);
  std::vector<Step> steps{{"against " + options.release + ", side by side", compare}};
  add_looking_back(steps, workspace, options.release);
  return run_steps(globals, steps);
}

constexpr std::size_t kAnswerBytesMax = 1u << 20;  // more is of no use to an agent

// A process of its own a call: it sees what was recorded meanwhile, and a failure ends it alone.
formats::AgentResult call_tracker(const Globals& globals, const std::vector<std::string>& words) {
  ProcessSpec spec;
  spec.argv = {"/proc/self/exe"};
  add_word(spec.argv, "-C", globals.directory.string());
  add_word(spec.argv, "--config", globals.config.string());
  add_word(spec.argv, "--store", globals.store);
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.with_tokens = true;                            // the store's address may be one
  spec.without_environment = {"TRACKER_NOTIFY_URL"};  // nobody is told that an agent has asked
  const ProcessResult result = run_process(spec);
  if (!result.start_error.empty()) return {"tracker cannot be started: " + result.start_error, true};
  const bool failed = result.signal != 0 || (result.exit_code != 0 && result.exit_code != 1);
  if (result.output.size() > kAnswerBytesMax)
    return {"the answer has " + format_bytes(static_cast<double>(result.output.size())) +
                ": name fewer benchmarks, as in 'gemm/*'",
            true};
  if (result.output.empty() || failed)
    return {result.output + result.errors + "(tracker " + describe_end(result) + ")", failed};
  return {result.output, false};
}

ExitCode serve(const Globals& globals) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string answer = formats::answer_agent(
        line, kVersion, [&](const std::vector<std::string>& words) { return call_tracker(globals, words); });
    if (!answer.empty()) std::cout << answer << std::endl;
  }
  return ExitCode::kOk;
}

}  // namespace

Action declare_nightly(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ScheduleOptions>();
  app.add_option("--release", options->release,
                 "the release to compare with (default: the newest tag before HEAD)");
  declare_schedule_options(app, *options);
  app.footer(R"(Runs one after the other, whatever each gives: tracker run --sentinel (with [sentinel] in
tracker.toml), tracker run --build, tracker compare RELEASE...HEAD
--confirm, tracker check, tracker top. Exit codes: 1 where any found a regression, or else the first
that is not 0.)");
  return [options, &globals] { return nightly(globals, *options); };
}

Action declare_release_check(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ScheduleOptions>();
  app.add_option("release", options->release, "the last release: a tag, or another revision")->required();
  declare_schedule_options(app, *options);
  app.footer(
      R"(Measures HEAD side by side with the release's commit that it branched off from, and says which drifts
and which single changes have come since: tracker compare RELEASE...HEAD --measure, tracker check,
tracker top. Exit codes: 1 where any found a regression, or else the first that is not 0.)");
  return [options, &globals] { return release_check(globals, *options); };
}

Action declare_mcp(CLI::App& app, const Globals& globals) {
  app.footer("A server of the Model Context Protocol over standard input and output, with the tools " +
             join(names_of(formats::agent_tools()), ", ") +
             ".\nThey read what is recorded; none measures, builds or writes. "
             "docs/ci.md#coding-agents says how an agent is told of it.");
  return [&globals] { return serve(globals); };
}

}  // namespace tracker::commands
