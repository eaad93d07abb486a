// How often tracker's verdicts, and those of other people's rules, are wrong on recordings.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/quality/made_up_cases.hpp"
#include "tests/quality/output.hpp"
#include "tests/quality/quality_chart.hpp"
#include "tracker/base/error.hpp"

namespace tracker::quality {
namespace {

constexpr const char* kUsage =
    "usage: verdict_quality [--quick] [--markdown] [--splits N] [--seed N] [--chart FILE] DIR...\n"
    "  Replays recordings of identical code (DIR/job1/r01-inject0.json, one Google Benchmark file an\n"
    "  invocation), counts false alarms and slow-downs found, and holds tracker's against its goals.\n"
    "  --quick       20 reports a setting; a goal counts as missed only where chance cannot explain it\n"
    "  --markdown    the tables of docs/lab/statistics.md\n"
    "  --splits N    reports a recording and setting (300)\n"
    "  --seed N      draw others (1)\n"
    "  --chart FILE  draw false alarms and power into FILE (.png or .svg)\n"
    "exit codes: 0 every goal met that could be shown, 1 one is not, 2 usage, 4 gnuplot failed\n";

struct Arguments {
  ReplayOptions replay;
  bool help = false;
  bool quick = false;
  bool markdown = false;
  std::optional<std::filesystem::path> chart;
  std::vector<std::filesystem::path> directories;
};

int positive(const std::string& option, const char* text) {
  int number = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc{} || stop != end || number < 1)
    throw Error(ExitCode::kUsage, "'" + std::string(text) + "' is no number of 1 and more",
                "it is the value of " + option);
  return number;
}

Arguments parse(int argc, char** argv) {
  constexpr int kQuickSplits = 20;
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] {
      if (++i == argc) throw Error(ExitCode::kUsage, "'" + option + "' needs a value", "see --help");
      return argv[i];
    };
    if (option == "--help" || option == "-h")
      arguments.help = true;
    else if (option == "--quick") {
      arguments.quick = true;
      arguments.replay.splits = kQuickSplits;
    } else if (option == "--markdown")
      arguments.markdown = true;
    else if (option == "--splits")
      arguments.replay.splits = positive(option, value());
    else if (option == "--seed")
      arguments.replay.seed = static_cast<std::uint64_t>(positive(option, value()));
    else if (option == "--chart")
      arguments.chart = value();
    else if (option.starts_with("-"))
      throw Error(ExitCode::kUsage, "unknown option '" + option + "'", "see --help");
    else
      arguments.directories.emplace_back(option);
  }
  if (arguments.directories.empty() && !arguments.help)
    throw Error(ExitCode::kUsage, "no recording is named", "see --help");
  return arguments;
}

int run(const Arguments& arguments) {
  if (arguments.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  std::vector<Recording> recordings;
  for (const auto& directory : arguments.directories) recordings.push_back(read_recording(directory));
  std::vector<Findings> findings;
  std::vector<std::vector<Setting>> all;
  for (const auto& recording : recordings) {
    findings.push_back({recording.name, replay(recording, arguments.replay)});
    all.push_back(findings.back().settings);
  }
  const auto settings = pooled(all);
  const auto cases = try_cases({arguments.replay.splits, arguments.replay.seed});
  const auto checked_cases = check_cases(cases);
  const std::string text =
      arguments.markdown ? markdown_report(findings, settings) + "\n" + cases_markdown(cases)
                         : describe(recordings, arguments.replay) + settings_text(settings) + legend_text() +
                               goals_text(findings) + cases_text(cases) + "\n" + checked_text(checked_cases);
  std::fputs(text.c_str(), stdout);
  if (arguments.chart) write_quality_chart(settings, *arguments.chart);
  for (const auto& one : findings)
    if (!all_met(check_goals(one), !arguments.quick)) return static_cast<int>(ExitCode::kRegressed);
  return all_met(checked_cases, false) ? 0 : static_cast<int>(ExitCode::kRegressed);
}

}  // namespace
}  // namespace tracker::quality

int main(int argc, char** argv) {
  try {
    return tracker::quality::run(tracker::quality::parse(argc, argv));
  } catch (const tracker::Error& error) {
    std::fprintf(stderr, "verdict_quality: %s\n  %s\n", error.what(), error.hint().c_str());
    return static_cast<int>(error.code());
  }
}
