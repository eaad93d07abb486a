#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/formats/number_series.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::commands {
namespace {

constexpr std::uintmax_t kInputBytesMax = 64u << 20;

struct ChangepointsOptions {
  std::filesystem::path input;
  std::string column;
  std::string detector = stats::detectors().front().name;
  std::string format = "text";
};

const stats::Detector& detector_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& detector : stats::detectors()) {
    if (detector.name == name) return detector;
    names.push_back(detector.name);
  }
  throw Error(ExitCode::kUsage, "no detector " + in_quotes(name), "detectors: " + join(names, ", "));
}

// As a share where the levels have one; the difference where a level is not above zero.
std::string size_of_change(const stats::Estimate& ratio, double before, double after) {
  if (!std::isfinite(ratio.value)) {
    const std::string size = format_plain(std::abs(after - before));
    return (after < before ? "−" : "+") + size;
  }
  return format_percent(ratio.value - 1) + " (" + format_percent(ratio.low - 1) + " … " +
         format_percent(ratio.high - 1) + ")";
}

std::string place_name(const formats::NumberSeries& series, std::size_t at) {
  return series.labels.empty() ? std::to_string(at) : std::to_string(at) + " " + printable(series.labels[at]);
}

std::string interval_of(std::size_t first, std::size_t last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

std::string sure_text(double sure) {
  constexpr double kAlmost = 0.999;
  return sure > kAlmost ? "> 99.9 %" : format_share(sure);
}

void print_rows(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += " " + left_aligned(row[i], widths[i] + 1);
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << "\n";
  }
}

void print_text(const formats::NumberSeries& series, const stats::Changes& changes) {
  std::cout << (series.name.empty() ? "" : printable(series.name) + ": ")
            << count_of(series.values.size(), "value") << ", "
            << count_of(changes.points.size(), "change point");
  if (!changes.drifts.empty()) std::cout << ", " << count_of(changes.drifts.size(), "drift");
  std::cout << "\n";
  if (!changes.points.empty()) {
    std::vector<std::vector<std::string>> rows{{"at", "between", "before", "after", "change", "sure"}};
    for (const auto& point : changes.points)
      rows.push_back(
          {place_name(series, point.at), interval_of(point.first, point.last), format_plain(point.before),
           format_plain(point.after),
           point.bends ? "the pace changes" : size_of_change(point.ratio, point.before, point.after),
           sure_text(point.sure)});
    print_rows(rows);
  }
  for (const auto& drift : changes.drifts)
    std::cout << "  drift from " << place_name(series, drift.from) << " to "
              << place_name(series, drift.to - 1) << ": "
              << size_of_change(drift.total, drift.before, drift.after)
              << " in all, no single value made it\n";
  std::vector<std::string> wandered;
  for (const auto& point : changes.wandered) wandered.push_back(place_name(series, point.at));
  if (!wandered.empty()) std::cout << "  " << wandering_at(wandered) << "\n";
}

ExitCode find_change_points(const ChangepointsOptions& options) {
  const stats::Detector& detector = detector_named(options.detector);
  const std::string source = options.input.string();
  const auto all =
      formats::read_number_series(read_file(options.input, kInputBytesMax), source, options.column);
  std::vector<formats::FoundChanges> found;
  for (const auto& series : all) found.push_back({series, detector.find(series.values, {})});
  if (options.format == "json")
    std::cout << formats::print_change_points(detector.name, found);
  else
    for (const auto& one : found) print_text(one.series, one.changes);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_changepoints(CLI::App& app, const Globals& /*globals*/) {
  auto options = std::make_shared<ChangepointsOptions>();
  app.add_option("--input", options->input, "a CSV or JSON file of numbers, oldest first")->required();
  app.add_option("--column", options->column,
                 "of a CSV file: its name or number (default: all columns of numbers)");
  app.add_option("--detector", options->detector, "the rule (default tracker)")->capture_default_str();
  app.add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.footer(
      "Finds where a series of numbers changed its level for good, how certain place and size are, and "
      "where\n"
      "it drifts (docs/changepoints.md). Places count from 0. No repository is needed.\n"
      "JSON: [1, 2, 3], {\"values\": [...]} or {\"NAME\": {\"values\": [...]}, ...}; null is a gap.\n"
      "Exit codes: 0 done, 2 the file cannot be read as numbers.");
  return [options] { return find_change_points(*options); };
}

}  // namespace tracker::commands
