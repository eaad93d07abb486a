#include "tracker/measure/library_flags.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::string_view kMinTime = "benchmark_min_time";
constexpr std::string_view kNvbenchHelp = "`--benchmark <benchmark name/index>`";

constexpr std::array<FlagRow, 6> kFlags{
    {{kInterleaving, "1.5.4", "each repetition gets an execution of its own"},
     {"benchmark_context", "1.5.4", "it is left out"},
     {"benchmark_perf_counters", "1.5.6", "it is left out"},
     {"benchmark_min_warmup_time", "1.6.2", "it is left out: nothing is run before the first repetition"},
     {"benchmark_time_unit", "1.6.2", "it is left out: times are in ns, which tracker reads as well"},
     {"benchmark_dry_run", "1.9.1", "it is left out"}}};

// "--benchmark_min_time=0.5s" → "benchmark_min_time"; empty for another argument.
std::string_view flag_of(std::string_view argument) {
  if (!argument.starts_with("--")) return {};
  argument.remove_prefix(2);
  return argument.substr(0, argument.find('='));
}

}  // namespace

std::span<const FlagRow> library_flag_table() {
  return kFlags;
}

std::optional<LibraryFlags> flags_in_help(std::string_view help) {
  LibraryFlags flags;
  if (help.find(kNvbenchHelp) != std::string_view::npos) {
    flags.harness = Harness::kNvbench;
    return flags;
  }
  if (help.find("--benchmark_filter=") == std::string_view::npos) return {};
  for (const auto& row : kFlags)
    if (help.find("--" + std::string(row.flag) + "=") == std::string_view::npos)
      flags.missing.emplace(row.flag);
  flags.min_time_has_unit = help.find("--benchmark_min_time=<min_time>") == std::string_view::npos;
  flags.has_contexts = help.find("--contexts=N") != std::string_view::npos;
  return flags;
}

LibraryFlags common_flags(const LibraryFlags& a, const LibraryFlags& b) {
  LibraryFlags common = a;
  common.missing.insert(b.missing.begin(), b.missing.end());
  common.min_time_has_unit = a.min_time_has_unit && b.min_time_has_unit;
  common.has_contexts = a.has_contexts && b.has_contexts;
  return common;
}

FittedArguments fit_arguments(const std::vector<std::string>& arguments, const LibraryFlags& flags) {
  if (flags.harness != Harness::kGoogleBenchmark) return {arguments, {}};
  FittedArguments fitted;
  for (const auto& argument : arguments) {
    const std::string_view flag = flag_of(argument);
    const auto row =
        std::find_if(kFlags.begin(), kFlags.end(), [&](const FlagRow& r) { return r.flag == flag; });
    if (row != kFlags.end() && !flags.knows(flag)) {
      fitted.notes.push_back("its library does not know --" + std::string(flag) + ", which is there since " +
                             std::string(row->since) + ": " + std::string(row->without));
      continue;
    }
    fitted.arguments.push_back(argument);
    if (flag != kMinTime || flags.min_time_has_unit) continue;
    // Before 1.8 a time is a number of seconds, and a number of iterations cannot be asked for.
    if (argument.ends_with('s')) fitted.arguments.back().pop_back();
    if (!argument.ends_with('x')) continue;
    fitted.arguments.pop_back();
    fitted.notes.push_back("its library does not take '" + printable(argument) +
                           "', which is there since 1.8: it is left out, and the library chooses the "
                           "number of iterations");
  }
  return fitted;
}

bool choose_a_part(const std::vector<std::string>& arguments) {
  static constexpr std::string_view kChoosing[] = {"--benchmark_filter", "-a", "--axis", "-b", "--benchmark"};
  const auto chooses = [](const std::string& argument) {
    const auto name = std::string_view(argument).substr(0, argument.find('='));
    return std::find(std::begin(kChoosing), std::end(kChoosing), name) != std::end(kChoosing);
  };
  const char* variable = std::getenv("BENCHMARK_FILTER");
  return std::any_of(arguments.begin(), arguments.end(), chooses) || (variable != nullptr && *variable != 0);
}

}  // namespace tracker
