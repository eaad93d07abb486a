#include <algorithm>
#include <map>
#include <vector>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/protocol/context_keys.hpp"
#include "tracker/report/data_table.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kNameColumns = 40;
constexpr std::size_t kFigureColumns = 8;
constexpr std::size_t kOwnTablesMax = 12;

std::string threshold_words(const CalibratedBenchmark& one) {
  const std::string threshold = format_share(one.threshold);
  const std::string clock = one.at_same_clock ? ", at the same clock" : "";
  if (one.pairs_needed)
    return threshold + " holds from " + std::to_string(*one.pairs_needed) + " pairs" + clock;
  return threshold + " is too small for " + std::to_string(kCalibratedPairs.back()) + clock;
}

std::string table_of(const Calibration& calibration, std::size_t shown) {
  const auto figure = [](const std::string& head) {
    return TextColumn{.head = head, .right = true, .width_min = kFigureColumns, .gap = 1};
  };
  std::vector<TextColumn> columns{{.head = "benchmark", .width_min = kNameColumns, .width_max = kNameColumns},
                                  figure("noise")};
  for (const int pairs : kCalibratedPairs) columns.push_back(figure(std::to_string(pairs) + " pairs"));
  columns.push_back({.head = "threshold"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const CalibratedBenchmark& one = calibration.benchmarks[i];
    rows.push_back({one.name, format_share(one.noise)});
    for (const double share : one.resolvable) rows.back().push_back(format_share(share));
    rows.back().push_back(threshold_words(one));
  }
  return text_table(columns, rows);
}

std::string alarms_line(const Calibration& calibration) {
  if (calibration.reports == 0) return "false alarms: not known, as that needs six invocations in a run\n";
  const std::string of = count_of(calibration.comparisons, "comparison") + " (" +
                         count_of(calibration.reports, "report") + " of " +
                         std::to_string(calibration.pairs_a_report) + " pairs)";
  return "false alarms: " +
         (calibration.false_alarms == 0 ? "none" : std::to_string(calibration.false_alarms)) + " in " + of +
         "\n";
}

std::string clock_lines(const Calibration& calibration) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(calibration.benchmarks, [](const auto& one) { return one.at_same_clock; }));
  std::string text;
  if (count > 0)
    text +=
        "at the same clock: " + count_of(count, "benchmark") +
        "; the noise and the figures of 10 and 20 pairs are what is left then, those of 5 are as measured\n";
  if (calibration.without_clock > 0)
    text += "not at the same clock, as " + std::string(counter_name::kCoreClock) +
            " is missing: " + count_of(calibration.without_clock, "benchmark") + "\n";
  return text;
}

std::string cost_line(const Calibration& calibration) {
  if (!calibration.pair_s) return "";
  std::vector<std::string> costs;
  for (const int pairs : kCalibratedPairs)
    costs.push_back(std::to_string(pairs) + " pairs " + format_duration(pairs * *calibration.pair_s));
  return "a pull request measures: " + join(costs, ", ") + "; building comes on top\n";
}

// The next threshold that people write, at or above it.
double round_threshold(double share) {
  for (const double nice : {0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5})
    if (share <= nice) return nice;
  return 1;
}

double needed_threshold(const CalibratedBenchmark& one) {
  constexpr std::size_t kTenPairs = 1;
  return round_threshold(2 * one.resolvable[kTenPairs]);
}

std::string table_of(const std::string& match, double threshold) {
  return "\n[[policy]]\nmatch = " + toml_text(printable(match)) + "\nthreshold = \"" +
         format_plain(100 * threshold) + "%\"\n";
}

std::string pattern_of(const std::string& name) {
  const auto end = name.find('/');
  return end == std::string::npos ? name : name.substr(0, end) + "/*";
}

// What nine in ten of them need.
double usual_threshold(std::vector<double> thresholds) {
  std::ranges::sort(thresholds);
  return thresholds[(thresholds.size() * 9 - 1) / 10];
}

}  // namespace

std::string calibration_text(const Calibration& calibration, std::size_t benchmarks_max) {
  const std::size_t shown = std::min(benchmarks_max, calibration.benchmarks.size());
  std::string text = table_of(calibration, shown);
  if (const std::size_t rest = calibration.benchmarks.size() - shown; rest > 0)
    text += "… and " + std::to_string(rest) + " quieter: --all lists them\n";
  text += "\n";
  for (const int pairs : kCalibratedPairs) {
    const auto holds = std::ranges::count_if(calibration.benchmarks, [&](const auto& one) {
      return one.pairs_needed && *one.pairs_needed <= pairs;
    });
    text += "thresholds that hold with " + std::to_string(pairs) + " pairs: " + std::to_string(holds) +
            " of " + std::to_string(calibration.benchmarks.size()) + "\n";
  }
  text += clock_lines(calibration) + alarms_line(calibration) + cost_line(calibration);
  if (!calibration.unknown.empty())
    text +=
        "not calibrated, as there are too few values: " + count_of(calibration.unknown.size(), "benchmark") +
        "\n";
  return text;
}

std::string calibration_proposal(const Calibration& calibration) {
  std::map<std::string, std::vector<double>> kinds;
  for (const auto& one : calibration.benchmarks) kinds[pattern_of(one.name)].push_back(needed_threshold(one));
  std::string text = "# Twice what ten pairs resolve here, rounded up. Later tables win.\n";
  for (const auto& [pattern, thresholds] : kinds) text += table_of(pattern, usual_threshold(thresholds));
  std::size_t own = 0;
  for (const auto& one : calibration.benchmarks) {
    if (needed_threshold(one) <= usual_threshold(kinds[pattern_of(one.name)])) continue;
    if (own++ < kOwnTablesMax) text += table_of(one.name, needed_threshold(one));
  }
  if (own > kOwnTablesMax)
    text += "\n# " + std::to_string(own - kOwnTablesMax) +
            " more benchmarks need a larger threshold than their kind: --all shows them.\n";
  return text;
}

}  // namespace tracker::report
