#include "tracker/plot/plot.hpp"

#include <array>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

#include "tracker/app/charts.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker::commands {
namespace {

struct PlotOptions : app::ChartRequest {
  std::filesystem::path out = "plots";
  bool terminal = false;
  bool sweep = false;
  bool roofline = false;
  std::string theme = "light";
  std::string format = "both";
};

using Waiting = std::optional<WaitingLine>;

struct ThemeRow {
  const char* name;
  plot::Themes themes;
  const char* words;
};
constexpr std::array<ThemeRow, 3> kThemes{{{"light", plot::Themes::kLight, "light"},
                                           {"dark", plot::Themes::kDark, "dark"},
                                           {"both", plot::Themes::kBoth, "light and dark"}}};

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

plot::Drawing drawing_of(const PlotOptions& options) {
  const FormatRow& format = format_of(options);
  return {.themes = theme_of(options).themes, .png = format.png, .svg = format.svg};
}

std::string drawn_as(const PlotOptions& options) {
  return std::string(", as ") + format_of(options).words + ", " + theme_of(options).words + ", in " +
         printable(options.out.string()) + "\n";
}

// The picture to name: the light one, where it was drawn.
std::string shown_picture(const plot::ChartFiles& files) {
  for (const auto* file : {&files.png, &files.dark_png, &files.svg, &files.dark_svg})
    if (!file->empty()) return file->string();
  return "";
}

int text_columns() {
  return terminal_columns() > 0 ? terminal_columns() : 100;
}

ExitCode plot_sweeps(const app::Workspace& workspace, const PlotOptions& options, Waiting& waiting) {
  const auto grids = app::gather_sweeps(workspace, options);
  waiting.reset();
  if (options.terminal) {
    for (const auto& grid : grids) std::cout << plot::draw_sweep_text(grid, text_columns()) << "\n";
  } else {
    const auto drawn = plot::draw_sweeps(grids, options.out, drawing_of(options));
    plot::write_index(plot::index_charts(grids, drawn), options.out, "sweeps");
    for (const auto& files : drawn) print_line(shown_picture(files));
    print_line((options.out / "sweeps.html").string());
    std::cout << count_of(grids.size(), "sweep") << drawn_as(options) << "\n";
  }
  for (const auto& grid : grids) std::cout << plot::best_of_sweep(grid, text_columns()) << "\n";
  return ExitCode::kOk;
}

// What kept benchmarks that state FLOPs off the roofline.
void name_unplaced(const Roofline& roofline) {
  if (roofline.unplaced.empty()) return;
  const std::string words = count_of(roofline.unplaced.size(), "benchmark") + " left out, such as " +
                            roofline.unplaced.front() +
                            ": the bytes are not known; a [[roofline]] table of tracker.toml can tell them";
  std::cout << wrapped(words, static_cast<std::size_t>(terminal_columns()));
}

ExitCode plot_rooflines(const app::Workspace& workspace, const PlotOptions& options, Waiting& waiting) {
  const auto rooflines = app::gather_rooflines(workspace, options);
  waiting.reset();
  if (options.terminal) {
    for (const auto& roofline : rooflines) {
      std::cout << plot::draw_roofline_text(roofline, text_columns()) << "\n";
      name_unplaced(roofline);
    }
    return ExitCode::kOk;
  }
  const auto drawn = plot::draw_rooflines(rooflines, options.out, drawing_of(options));
  plot::write_index(plot::index_charts(rooflines, drawn), options.out, "rooflines");
  for (const auto& files : drawn) print_line(shown_picture(files));
  print_line((options.out / "rooflines.html").string());
  for (const auto& roofline : rooflines) name_unplaced(roofline);
  std::cout << count_of(rooflines.size(), "roofline") << drawn_as(options);
  return ExitCode::kOk;
}

// How many are drawn, on a line of its own that is written again and again, where a person sees it.
plot::Progress show_drawn(std::size_t of) {
  constexpr std::size_t kWorthShowing = 24;
  if (of < kWorthShowing || !is_terminal_for_messages()) return {};
  return [of](std::size_t drawn) {
    std::cerr << "\r" << drawn << " of " << of << (drawn >= of ? "\n" : " …") << std::flush;
  };
}

// There are several pictures and a page: a folder with a picture's name is not what was meant.
void require_folder(const std::filesystem::path& out) {
  std::error_code ignored;
  if (std::filesystem::is_directory(out, ignored)) return;
  for (const char* extension : {".png", ".svg", ".html"})
    if (out.extension() == extension)
      throw Error(ExitCode::kUsage,
                  "--out " + in_quotes(out.string()) + " names a file, and the pictures go into a folder",
                  "name a folder: --out plots");
}

ExitCode plot(const Globals& globals, const PlotOptions& options) {
  require_folder(options.out);
  const app::Workspace workspace(globals);
  print_gaps(std::cout, app::line_gaps(workspace, "HEAD"));
  print_gaps(std::cout, app::older_commits(workspace, "HEAD", options.commits));
  Waiting waiting;
  const std::string reading =
      "reading what is recorded of the newest " + std::to_string(options.commits) + " commits";
  if (options.terminal)
    waiting.emplace(reading);
  else
    print_note(reading);
  if (options.roofline) return plot_rooflines(workspace, options, waiting);
  if (options.sweep) return plot_sweeps(workspace, options, waiting);
  const app::TrendCharts charts = app::gather_trends(workspace, options);
  waiting.reset();
  if (options.terminal) {
    constexpr int kRows = 20;
    for (const auto& overview : charts.overviews)
      std::cout << plot::draw_overview_text(overview, text_columns()) << "\n";
    for (const auto& series : charts.series)
      std::cout << plot::draw_trend_text(series, text_columns(), kRows) << "\n";
    return ExitCode::kOk;
  }
  print_note("drawing " + count_of(charts.series.size(), "trend") + " and " +
             count_of(charts.overviews.size(), "overview") + " into " + options.out.string());
  const auto overviews = plot::draw_overviews(charts.overviews, options.out, drawing_of(options));
  plot::Drawing drawing = drawing_of(options);
  drawing.progress = show_drawn(charts.series.size());
  const auto trends = plot::draw_trends(charts.series, options.out, drawing);
  plot::write_index(plot::index_charts(charts.overviews, overviews, charts.series, trends), options.out);
  for (const auto& files : overviews) print_line(shown_picture(files));
  print_line((options.out / "index.html").string());
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
  app.add_option("--base", options->base, "the commit to mark (default HEAD~1)");
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
                             "draw sweeps as grids, and say which choice is best on this device");
  app.add_flag("--roofline", options->roofline, "draw how far the benchmarks are below this device's roofs")
      ->excludes(sweep);
  app.add_option("--rows", options->rows, "what a row of a grid is, in segments of the names: '{2}'")
      ->needs(sweep);
  app.add_option("--columns", options->columns, "what a column of a grid is: '{5}'")->needs(sweep);
  return [options, &globals] { return plot(globals, *options); };
}

}  // namespace tracker::commands
