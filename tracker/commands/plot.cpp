#include "tracker/plot/plot.hpp"

#include <array>
#include <chrono>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/commands/unmatched.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/history/line_series.hpp"
#include "tracker/history/overview.hpp"
#include "tracker/history/roofline.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/history/sweep.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/plot/chart_index.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {
namespace {

struct PlotOptions {
  std::vector<std::string> globs;
  std::filesystem::path out = "plots";
  std::string device;
  std::string base = "HEAD~1";
  int commits = 300;
  bool terminal = false;
  bool sweep = false;
  bool roofline = false;
  std::string rows;
  std::string columns;
  std::string theme = "light";
  std::string format = "both";
};

using Waiting = std::optional<WaitingLine>;

struct Charts {
  std::vector<Series> series;
  std::vector<FamilyOverview> overviews;
};

// The commit to mark. HEAD~1 is only a default: a first commit has none.
std::string base_commit(const Workspace& workspace, const PlotOptions& options, bool asked) {
  try {
    return workspace.repository().resolve(options.base).id;
  } catch (const Error&) {
    if (asked) throw;
    return "";
  }
}

std::vector<std::string> chart_devices(const Workspace& workspace, const PlotOptions& options) {
  auto devices = chosen_devices(
      devices_on_line(workspace.repository(), workspace.history(), "HEAD", options.commits), options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for any of the newest " + std::to_string(options.commits) + " commits",
                "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch");
  return devices;
}

std::vector<CommitRuns> history_of(const Workspace& workspace, const std::string& device, int commits_max) {
  return load_history(workspace.repository(), workspace.history(), device, "HEAD", commits_max);
}

[[noreturn]] void refuse_empty(const PlotOptions& options, const std::string& what, const std::string& hint) {
  if (options.globs.empty()) throw Error(ExitCode::kUsage, "nothing to draw is recorded", hint);
  throw Error(ExitCode::kUsage, what + " '" + printable(join(options.globs, "' or '")) + "'", hint);
}

Charts gather_charts(const Workspace& workspace, const PlotOptions& options, const std::string& base) {
  const Config& config = workspace.config();
  const int oldest = position_of_oldest(workspace.repository(), "HEAD", options.commits);
  const auto acceptances = acceptances_on(workspace, "HEAD", utc_date(std::chrono::system_clock::now()), {});
  Charts charts;
  for (const auto& device : chart_devices(workspace, options)) {
    LineQuestion question{.globs = options.globs, .base = base, .finish = [&](Series& series) {
                            accept_steps(series, acceptances);
                            series = points_from(std::move(series), oldest);
                          }};
    // A trend of each of a thousand cells is nothing to look at, unless someone asks for it.
    if (options.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) { return is_in_sweep(name, config.sweeps); };
    auto line =
        load_line(workspace.repository(), workspace.history(), device, "HEAD", question, config.policy);
    if (!line) continue;
    for (auto& series : line->series)
      if (!series.points.empty()) charts.series.push_back(std::move(series));
    const int newest = line->commits.rbegin()->first;
    auto history = load_commits(workspace.repository().first_parents("HEAD", kWholeLine), workspace.history(),
                                device, [&](int position) { return position == newest; });
    if (options.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    for (auto& overview : make_overviews(history.back(), device, options.globs, config.policy))
      charts.overviews.push_back(std::move(overview));
  }
  if (charts.series.empty()) {
    if (!options.globs.empty())
      throw no_benchmark_matches(workspace, options.globs, chart_devices(workspace, options), "HEAD");
    refuse_empty(options, "", "draw what was swept over: tracker plot --sweep");
  }
  return charts;
}

struct ThemeRow {
  const char* name;
  Themes themes;
  const char* words;
};
constexpr std::array<ThemeRow, 3> kThemes{{{"light", Themes::kLight, "light"},
                                           {"dark", Themes::kDark, "dark"},
                                           {"both", Themes::kBoth, "light and dark"}}};

const ThemeRow& theme_of(const PlotOptions& options) {
  for (const auto& row : kThemes)
    if (options.theme == row.name) return row;
  return kThemes.front();
}

struct FormatRow {
  const char* name;
  bool png;
  bool svg;
  const char* words;
};
constexpr std::array<FormatRow, 3> kFormats{
    {{"both", true, true, "PNG and SVG"}, {"png", true, false, "PNG"}, {"svg", false, true, "SVG"}}};

const FormatRow& format_of(const PlotOptions& options) {
  for (const auto& row : kFormats)
    if (options.format == row.name) return row;
  return kFormats.front();
}

Drawing drawing_of(const PlotOptions& options) {
  Drawing drawing(theme_of(options).themes);
  drawing.png = format_of(options).png;
  drawing.svg = format_of(options).svg;
  return drawing;
}

std::string drawn_as(const PlotOptions& options) {
  return std::string(", as ") + format_of(options).words + ", " + theme_of(options).words + ", in " +
         options.out.string() + "\n";
}

// The picture to name: the light one, where it was drawn.
std::string shown_picture(const ChartFiles& files) {
  for (const auto* file : {&files.png, &files.dark_png, &files.svg, &files.dark_svg})
    if (!file->empty()) return file->string();
  return "";
}

int text_columns() {
  return terminal_columns() > 0 ? terminal_columns() : 100;
}

// The sweeps of tracker.toml; names that none of them matches count where they are asked for, or where
// there is no sweep at all.
std::vector<Sweep> chosen_sweeps(const Workspace& workspace, const PlotOptions& options) {
  std::vector<Sweep> sweeps;
  if (!options.globs.empty() || workspace.config().sweeps.empty()) sweeps.push_back({.match = "*"});
  sweeps.insert(sweeps.end(), workspace.config().sweeps.begin(), workspace.config().sweeps.end());
  const auto choose = [&](const char* option, const std::string& pattern, std::string Sweep::*axis) {
    if (pattern.empty()) return;
    if (segments_in(pattern).empty())
      throw Error(ExitCode::kUsage, std::string(option) + " '" + printable(pattern) + "' names no segment",
                  std::string("write segments of the benchmarks' names, such as ") + option + " '{2}'");
    for (auto& sweep : sweeps) sweep.*axis = pattern;
  };
  choose("--rows", options.rows, &Sweep::rows);
  choose("--columns", options.columns, &Sweep::columns);
  return sweeps;
}

ExitCode plot_sweeps(const Workspace& workspace, const PlotOptions& options, Waiting& waiting) {
  const auto sweeps = chosen_sweeps(workspace, options);
  std::vector<SweepGrid> grids;
  for (const auto& device : chart_devices(workspace, options))
    for (auto& grid : make_sweeps(history_of(workspace, device, options.commits), device, options.globs,
                                  workspace.config().policy, sweeps))
      grids.push_back(std::move(grid));
  waiting.reset();
  if (grids.empty())
    refuse_empty(options, "there is no grid of benchmarks that match",
                 "a sweep needs names that differ in a segment: blocks/naive/8x32, blocks/naive/32x8");
  if (options.terminal) {
    for (const auto& grid : grids) std::cout << draw_sweep_text(grid, text_columns()) << "\n";
  } else {
    const auto drawn = draw_sweeps(grids, options.out, drawing_of(options));
    write_index(index_charts(grids, drawn), options.out, "sweeps");
    for (const auto& files : drawn) std::cout << shown_picture(files) << "\n";
    std::cout << (options.out / "sweeps.html").string() << "\n";
    std::cout << count_of(grids.size(), "sweep") << drawn_as(options) << "\n";
  }
  for (const auto& grid : grids) std::cout << best_of_sweep(grid, text_columns()) << "\n";
  return ExitCode::kOk;
}

// What kept benchmarks that state FLOPs off the roofline.
void name_unplaced(const Roofline& roofline) {
  if (roofline.unplaced.empty()) return;
  const std::string words = count_of(roofline.unplaced.size(), "benchmark") + " left out, such as " +
                            printable(roofline.unplaced.front()) +
                            ": the bytes are not known; a [[roofline]] table of tracker.toml can tell them";
  const int columns = terminal_columns();
  for (const auto& line : wrap(words, columns > 0 ? static_cast<std::size_t>(columns) : words.size()))
    std::cout << line << "\n";
}

ExitCode plot_rooflines(const Workspace& workspace, const PlotOptions& options, Waiting& waiting) {
  const Config& config = workspace.config();
  std::vector<Roofline> rooflines;
  std::string unplaced;
  for (const auto& device : chart_devices(workspace, options)) {
    auto history = history_of(workspace, device, options.commits);
    if (options.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    auto roofline = make_roofline(history, device, options.globs, config.policy, config.work);
    if (!roofline) continue;
    if (!roofline->unplaced.empty()) unplaced = roofline->unplaced.front();
    if (!roofline->points.empty()) rooflines.push_back(std::move(*roofline));
  }
  waiting.reset();
  if (rooflines.empty())
    refuse_empty(options, "no benchmark with known bytes matches",
                 unplaced.empty()
                     ? "state bytes and FLOPs in the benchmark, or in [[roofline]] of tracker.toml"
                     : "the bytes of '" + printable(unplaced) +
                           "' are not known: a [[roofline]] table of tracker.toml can tell them");
  if (options.terminal) {
    for (const auto& roofline : rooflines) {
      std::cout << draw_roofline_text(roofline, text_columns()) << "\n";
      name_unplaced(roofline);
    }
    return ExitCode::kOk;
  }
  const auto drawn = draw_rooflines(rooflines, options.out, drawing_of(options));
  write_index(index_charts(rooflines, drawn), options.out, "rooflines");
  for (const auto& files : drawn) std::cout << shown_picture(files) << "\n";
  std::cout << (options.out / "rooflines.html").string() << "\n";
  for (const auto& roofline : rooflines) name_unplaced(roofline);
  std::cout << count_of(rooflines.size(), "roofline") << drawn_as(options);
  return ExitCode::kOk;
}

// How many are drawn, on a line of its own that is written again and again, where a person sees it.
ChartProgress show_drawn(std::size_t of) {
  constexpr std::size_t kWorthShowing = 24;
  if (of < kWorthShowing || !is_terminal_for_messages()) return {};
  return [of](std::size_t drawn) {
    std::cerr << "\r" << drawn << " of " << of << (drawn >= of ? "\n" : " …") << std::flush;
  };
}

ExitCode plot(const Globals& globals, const PlotOptions& options, bool base_asked) {
  const Workspace workspace(globals);
  Waiting waiting;
  const std::string reading =
      "reading what is recorded of the newest " + std::to_string(options.commits) + " commits";
  if (options.terminal)
    waiting.emplace(reading);
  else
    print_note(reading);
  if (options.roofline) return plot_rooflines(workspace, options, waiting);
  if (options.sweep) return plot_sweeps(workspace, options, waiting);
  const Charts charts = gather_charts(workspace, options, base_commit(workspace, options, base_asked));
  waiting.reset();
  if (options.terminal) {
    constexpr int kRows = 20;
    for (const auto& overview : charts.overviews)
      std::cout << draw_overview_text(overview, text_columns()) << "\n";
    for (const auto& series : charts.series)
      std::cout << draw_trend_text(series, text_columns(), kRows) << "\n";
    return ExitCode::kOk;
  }
  print_note("drawing " + count_of(charts.series.size(), "trend") + " and " +
             count_of(charts.overviews.size(), "overview") + " into " + options.out.string());
  const auto overviews = draw_overviews(charts.overviews, options.out, drawing_of(options));
  Drawing drawing = drawing_of(options);
  drawing.progress = show_drawn(charts.series.size());
  const auto trends = draw_trends(charts.series, options.out, drawing);
  write_index(index_charts(charts.overviews, overviews, charts.series, trends), options.out);
  for (const auto& files : overviews) std::cout << shown_picture(files) << "\n";
  std::cout << (options.out / "index.html").string() << "\n";
  std::cout << trends.size() << (trends.size() == 1 ? " trend and " : " trends and ") << overviews.size()
            << (overviews.size() == 1 ? " overview" : " overviews") << drawn_as(options);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_plot(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<PlotOptions>();
  app.add_option("globs", options->globs, "benchmarks to draw, such as 'transpose/*' (default: all)");
  app.add_option("--out", options->out, "the folder for the pictures (default plots)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  auto* base = app.add_option("--base", options->base, "the commit to mark (default HEAD~1)");
  app.add_option("--commits", options->commits, "how far back (default 300)")->check(CLI::Range(1, 100000));
  std::vector<std::string> themes;
  for (const auto& row : kThemes) themes.emplace_back(row.name);
  app.add_option("--theme", options->theme, "pictures on a light ground, a dark one, or both (default light)")
      ->check(CLI::IsMember(themes));
  std::vector<std::string> formats;
  for (const auto& row : kFormats) formats.emplace_back(row.name);
  app.add_option("--format", options->format, "png, svg or both; SVG alone is the fastest (default both)")
      ->check(CLI::IsMember(formats));
  app.add_flag("--terminal", options->terminal, "draw here instead of into files");
  auto* sweep = app.add_flag("--sweep", options->sweep,
                             "draw what was swept over as grids, and say what is best on this device");
  app.add_flag("--roofline", options->roofline, "draw how far the benchmarks are below this device's roofs")
      ->excludes(sweep);
  app.add_option("--rows", options->rows, "what a row of a grid is, in segments of the names: '{2}'")
      ->needs(sweep);
  app.add_option("--columns", options->columns, "and what a column is: '{5}'")->needs(sweep);
  return [options, base, &globals] { return plot(globals, *options, base->count() > 0); };
}

}  // namespace tracker
