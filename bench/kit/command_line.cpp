#include "bench/kit/command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <benchmark/benchmark.h>

#include "tracker/base/error.hpp"

namespace tracker::kit {
namespace {

using tracker::Error;
using tracker::ExitCode;

std::vector<Timing> parse_timing(std::string_view value) {
  if (value == "cold") return {Timing::kCold};
  if (value == "hot") return {Timing::kHot};
  if (value == "both") return {Timing::kCold, Timing::kHot};
  if (value == "sustained") return {Timing::kSustained};
  throw Error(ExitCode::kUsage, "unknown timing '" + std::string(value) + "'",
              "use --timing=cold, --timing=hot, --timing=both or --timing=sustained");
}

int parse_contexts(std::string_view value) {
  constexpr int kMax = 100;
  int contexts = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), contexts);
  if (error == std::errc{} && end == value.data() + value.size() && contexts >= 1 && contexts <= kMax)
    return contexts;
  throw Error(ExitCode::kUsage, "'" + std::string(value) + "' is no number of contexts",
              "use --contexts=N, with N from 1 to 100");
}

// Takes every "NAME" and "NAME=VALUE" out of the arguments.
void take_option(int& argc, char** argv, std::string_view name,
                 const std::function<void(std::string_view value)>& take) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view own = argument.substr(0, argument.find('='));
    if (own == name)
      take(argument.size() > own.size() ? argument.substr(own.size() + 1) : "");
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
}

// Google Benchmark calls its help printer also for values it refuses, and would exit with 0 after it.
std::string help_text;
bool help_wanted = false;

void print_help() {
  if (!help_wanted) {
    std::fputs("error: Google Benchmark refuses an option's value; --help lists what it takes\n", stderr);
    std::exit(static_cast<int>(ExitCode::kUsage));
  }
  std::fputs(help_text.c_str(), stdout);
  std::fputs("\nOptions of Google Benchmark:\n", stdout);
  benchmark::PrintDefaultHelp();
}

}  // namespace

std::span<const TrickRow> tricks() {
  static constexpr std::array<TrickRow, 8> kTricks{{
      {Trick::kGate, "gate", "the stream is held back until all is enqueued"},
      {Trick::kOverhead, "overhead", "what an empty kernel takes is measured and taken out"},
      {Trick::kTurns, "turns", "launches take turns on several streams and events"},
      {Trick::kPlaces, "places", "every launch works at another place of the buffers"},
      {Trick::kFlush, "flush", "the L2 cache is flushed before every cold launch"},
      {Trick::kWake, "wake", "the device works before it is measured, so that its clock is up"},
      {Trick::kPacing, "pacing", "tensor cores work in short bursts, below the power limit"},
      {Trick::kContexts, "contexts", "a repetition is the mean of several CUDA contexts"},
  }};
  return kTricks;
}

std::vector<std::string_view> tricks_left_out() {
  std::vector<std::string_view> names;
  const char* const listed = std::getenv("TRACKER_BENCH_WITHOUT");
  std::string_view rest = listed == nullptr ? "" : listed;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (name.empty()) continue;
    if (std::ranges::none_of(tricks(), [&](const TrickRow& row) { return row.name == name; })) {
      std::string known;
      for (const TrickRow& row : tricks()) known += (known.empty() ? "" : ", ") + std::string(row.name);
      throw Error(ExitCode::kUsage, "TRACKER_BENCH_WITHOUT: unknown name '" + std::string(name) + "'",
                  "known are " + known);
    }
    names.push_back(name);
  }
  return names;
}

bool is_left_out(Trick trick) {
  static const std::vector<std::string_view> names = tricks_left_out();
  return std::ranges::any_of(tricks(), [&](const TrickRow& row) {
    return row.trick == trick && std::ranges::find(names, row.name) != names.end();
  });
}

std::string_view name_suffix(Timing timing) {
  switch (timing) {
    case Timing::kCold:
      return "";
    case Timing::kHot:
      return "/hot";
    case Timing::kSustained:
      return "/sustained";
  }
  return "";
}

std::vector<Timing> take_timing(int& argc, char** argv) {
  std::vector<Timing> timings{Timing::kCold};
  take_option(argc, argv, "--timing", [&](std::string_view value) { timings = parse_timing(value); });
  return timings;
}

std::optional<int> take_contexts(int& argc, char** argv) {
  std::optional<int> contexts;
  take_option(argc, argv, "--contexts", [&](std::string_view value) { contexts = parse_contexts(value); });
  return contexts;
}

void initialize_benchmark(int& argc, char** argv, std::string_view help) {
  help_text = help;
  help_wanted = false;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help") help_wanted = true;
  benchmark::Initialize(&argc, argv, print_help);
  if (argc > 1)
    throw Error(ExitCode::kUsage, "unknown option '" + std::string(argv[1]) + "'",
                "--help lists the options");
}

int run_benchmarks() {
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return static_cast<int>(ExitCode::kOk);
}

int report_error(std::string_view program) {
  const std::string name(program);
  try {
    throw;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: error: %s\n", name.c_str(), error.what());
    if (!error.hint().empty()) std::fprintf(stderr, "  %s\n", error.hint().c_str());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: error: %s\n", name.c_str(), error.what());
    return static_cast<int>(ExitCode::kEnvironment);
  }
}

}  // namespace tracker::kit
