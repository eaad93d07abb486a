// plot and site: what is recorded, as pictures and as web pages.
#include "tracker/plot/plot.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/charts.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/series.hpp"
#include "tracker/site/site.hpp"

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

struct Theme {
  plot::Themes themes;
  const char* words;
};
const std::map<std::string, Theme> kThemes{{"light", {plot::Themes::kLight, "light"}},
                                           {"dark", {plot::Themes::kDark, "dark"}},
                                           {"both", {plot::Themes::kBoth, "light and dark"}}};

struct PictureFormat {
  bool png;
  bool svg;
  const char* words;
};
const std::map<std::string, PictureFormat> kPictureFormats{
    {"both", {true, true, "PNG and SVG"}}, {"png", {true, false, "PNG"}}, {"svg", {false, true, "SVG"}}};

plot::Drawing drawing_of(const PlotOptions& options) {
  const PictureFormat& format = kPictureFormats.at(options.format);
  return {.themes = kThemes.at(options.theme).themes, .png = format.png, .svg = format.svg};
}

std::string drawn_as(const PlotOptions& options) {
  return std::string(", as ") + kPictureFormats.at(options.format).words + ", " +
         kThemes.at(options.theme).words + ", in " + printable(options.out.string()) + "\n";
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

// The light pictures, and the page that has all of them.
void name_drawn(const std::vector<plot::ChartFiles>& drawn, const PlotOptions& options, const char* page) {
  for (const auto& files : drawn) print_line(shown_picture(files));
  print_line((options.out / page).string());
}

ExitCode plot_sweeps(const app::Workspace& workspace, const PlotOptions& options, Waiting& waiting) {
  const auto grids = app::gather_sweeps(workspace, options);
  waiting.reset();
  if (options.terminal) {
    for (const auto& grid : grids) std::cout << plot::draw_sweep_text(grid, text_columns()) << "\n";
  } else {
    const auto drawn = plot::draw_sweeps(grids, options.out, drawing_of(options));
    plot::write_index(plot::index_charts(grids, drawn), options.out, "sweeps");
    name_drawn(drawn, options, "sweeps.html");
    std::cout << count_of(grids.size(), "sweep") << drawn_as(options) << "\n";
  }
  for (const auto& grid : grids) std::cout << plot::best_of_sweep(grid, text_columns()) << "\n";
  return ExitCode::kOk;
}

// What kept benchmarks that state FLOPs off the roofline.
void name_unplaced(const Roofline& roofline) {
  if (roofline.unplaced.empty()) return;
  print_wrapped(count_of(roofline.unplaced.size(), "benchmark") + " left out, such as " +
                roofline.unplaced.front() +
                ": the bytes are not known; a [[roofline]] table of tracker.toml can tell them");
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
  name_drawn(drawn, options, "rooflines.html");
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
  print_gaps(std::cout, workspace, "HEAD", options.commits);
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
  name_drawn(overviews, options, "index.html");
  std::cout << count_of(trends.size(), "trend") << " and " << count_of(overviews.size(), "overview")
            << drawn_as(options);
  return ExitCode::kOk;
}

namespace fs = std::filesystem;

struct SiteOptions : app::LineRequest {
  fs::path out;
  std::string commit_url;
};

void check_options(const SiteOptions& options) {
  if (!options.commit_url.empty() && !options.commit_url.starts_with("https://") &&
      !options.commit_url.starts_with("http://"))
    throw Error(ExitCode::kUsage, "--commit-url " + in_quotes(options.commit_url) + " is no address",
                "write what a commit's id follows: --commit-url https://github.com/OWNER/NAME/commit/");
  std::error_code error;
  const bool is_site = fs::exists(options.out / "data" / "index.js", error);
  if (fs::exists(options.out, error) && !is_site &&
      (!fs::is_directory(options.out, error) || !fs::is_empty(options.out, error)))
    throw Error(ExitCode::kUsage, in_quotes(options.out.string()) + " is neither empty nor a site",
                "name a new folder");
}

// The devices' lines, one after the other.
site::History gather(const app::Workspace& workspace, const SiteOptions& options) {
  const Config& config = workspace.config();
  const Policy policy = app::policy_at_threshold(config.policy, options.threshold);
  WaitingLine waiting("reading what is recorded");
  const auto known = history::devices_on_line(workspace.repository(), workspace.history(), options.from,
                                              history::kWholeLine);
  if (known.empty()) throw app::no_run_on_line(workspace, options.from, history::kWholeLine);
  const auto devices = app::matching_devices(known, options.device);
  if (devices.empty())
    throw Error(ExitCode::kUsage, "no device with runs matches " + in_quotes(options.device),
                "name one of these: " + join(known, ", "));
  site::History site;
  site.title = fs::absolute(workspace.root()).lexically_normal().filename().string();
  site.commit_url = options.commit_url;
  // Where the remote is known, commits are links without being told.
  if (const std::string known_url = commit_url(workspace.repository()); site.commit_url.empty())
    site.commit_url = known_url.substr(0, known_url.find("{commit}"));
  site.tracker = version_text();
  waiting.clear();
  print_gaps(std::cout, app::line_gaps(workspace, options.from));
  const auto acceptances = app::acceptances_on(workspace, options.from);
  for (const auto& device : devices) {
    std::cout << printable(device) << ": reading" << std::flush;
    history::LineQuestion question = site::site_question(options.globs);
    question.finish = [&](Series& series) { events::accept_steps(series, acceptances); };
    if (options.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) {
        return history::is_in_sweep(name, config.sweeps);
      };
    auto line = history::load_line(workspace.repository(), workspace.history(), device, options.from,
                                   question, policy);
    const std::size_t commits = line ? line->commits.size() : 0;
    const std::size_t before = site.devices.size();
    if (line)
      site::add_device(site, device, std::move(*line),
                       [&](const auto& series, std::vector<ChangeEvent>& events) {
                         events::add_causes(workspace.repository(), workspace.history(), options.from, policy,
                                            series, events);
                         events::accept_changes(events, acceptances);
                       });
    const std::size_t count = site.devices.size() > before ? site.devices.back().series.size() : 0;
    std::cout << ": " << count_of(commits, "commit") << ", " << count_of(count, "benchmark") << "\n"
              << std::flush;
  }
  return site;
}

ExitCode write_site(const Globals& globals, const SiteOptions& options) {
  check_options(options);
  const app::Workspace workspace(globals);
  const site::History history = gather(workspace, options);
  if (history.devices.empty())
    throw Error(ExitCode::kUsage,
                options.globs.empty() ? "nothing but sweeps is recorded"
                                      : "no benchmark matches " + in_quotes(join(options.globs, "' or '")),
                "tracker log '*' lists what is recorded");
  const auto files = site::make(history);
  std::error_code error;
  fs::remove_all(options.out / "data", error);  // of an older site, which may have had more files
  std::size_t bytes = 0;
  for (const auto& file : files) {
    write_file(options.out / file.path, file.text);
    bytes += file.text.size();
  }
  print_line("wrote " + (options.out / "index.html").string() + ": " +
             count_of(history.devices.size(), "device") + ", " + count_of(history.commits.size(), "commit") +
             ", " + format_bytes(static_cast<double>(bytes)));
  return ExitCode::kOk;
}

}  // namespace

Action declare_plot(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<PlotOptions>();
  app.add_option("globs", options->globs, "benchmarks to draw, such as 'transpose/*' (default: all)");
  app.add_option("--out", options->out, "the folder for the pictures (default plots)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--base", options->base, "the commit to mark (default HEAD~1)");
  app.add_option("--commits", options->commits, "how far back (default 300)")->check(CLI::Range(1, 100000));
  app.add_option("--theme", options->theme, "pictures on a light ground, a dark one, or both (default light)")
      ->check(CLI::IsMember({"light", "dark", "both"}));
  app.add_option("--format", options->format, "png, svg or both; SVG alone is the fastest (default both)")
      ->check(CLI::IsMember({"both", "png", "svg"}));
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

Action declare_site(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<SiteOptions>();
  app.add_option("dir", options->out, "the folder for the pages: new, or an older site")->required();
  app.add_option("globs", options->globs, "benchmarks to show (default: all but sweeps)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--from", options->from, "the newest commit to show (default HEAD)");
  app.add_option("--commit-url", options->commit_url, "link commits: the address before their ids");
  app.add_option("--threshold", options->threshold, "the smallest change to show, for every benchmark: 1%");
  return [options, &globals] { return write_site(globals, *options); };
}

}  // namespace tracker::commands
