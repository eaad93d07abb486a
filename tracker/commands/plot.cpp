#include "tracker/plot/plot.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/commands/workspace.hpp"
#include "tracker/history/overview.hpp"
#include "tracker/history/series.hpp"

namespace tracker {
namespace {

struct Options {
  std::vector<std::string> globs;
  std::filesystem::path out = "plots";
  std::string device;
  std::string base = "HEAD~1";
  int commits = 300;
  bool terminal = false;
};

struct Charts {
  std::vector<Series> series;
  std::vector<FamilyOverview> overviews;
};

// The commit to mark. HEAD~1 is only a default: a first commit has none.
std::string base_commit(const Workspace& workspace, const Options& options, bool asked) {
  try {
    return workspace.repository().resolve(options.base).id;
  } catch (const Error&) {
    if (asked) throw;
    return "";
  }
}

Charts gather_charts(const Workspace& workspace, const Options& options, const std::string& base) {
  const auto& repository = workspace.repository();
  const auto devices = matching_devices(
      devices_on_line(repository, workspace.store(), "HEAD", options.commits), options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for any of the newest " + std::to_string(options.commits) + " commits",
                "measure this one: tracker run");
  Charts charts;
  for (const auto& device : devices) {
    const auto history = load_history(repository, workspace.store(), device, "HEAD", options.commits);
    for (auto& series : make_series(history, device, options.globs, workspace.config().policy, base))
      charts.series.push_back(std::move(series));
    for (auto& overview : make_overviews(history.back(), device, options.globs, workspace.config().policy))
      charts.overviews.push_back(std::move(overview));
  }
  if (charts.series.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches '" + printable(join(options.globs, "' or '")) + "'",
                "tracker log '*' lists what is recorded");
  return charts;
}

ExitCode plot(const Globals& globals, const Options& options, bool base_asked) {
  const Workspace workspace(globals);
  const Charts charts = gather_charts(workspace, options, base_commit(workspace, options, base_asked));
  if (options.terminal) {
    constexpr int kRows = 20;
    const int columns = terminal_columns() > 0 ? terminal_columns() : 100;
    for (const auto& overview : charts.overviews) std::cout << draw_overview_text(overview, columns) << "\n";
    for (const auto& series : charts.series) std::cout << draw_trend_text(series, columns, kRows) << "\n";
    return ExitCode::kOk;
  }
  const auto overviews = draw_overviews(charts.overviews, options.out);
  const auto trends = draw_trends(charts.series, options.out);
  for (const auto& files : overviews) std::cout << files.png.string() << "\n";
  std::cout << trends.size() << (trends.size() == 1 ? " trend and " : " trends and ") << overviews.size()
            << (overviews.size() == 1 ? " overview" : " overviews") << ", as PNG and SVG, in "
            << options.out.string() << "\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_plot(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<Options>();
  app.add_option("globs", options->globs, "benchmarks to draw, such as 'transpose/*' (default: all)");
  app.add_option("--out", options->out, "the folder for the pictures (default plots)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  auto* base = app.add_option("--base", options->base, "the commit to mark (default HEAD~1)");
  app.add_option("--commits", options->commits, "how far back (default 300)")->check(CLI::Range(1, 100000));
  app.add_flag("--terminal", options->terminal, "draw here instead of into files");
  return [options, base, &globals] { return plot(globals, *options, base->count() > 0); };
}

}  // namespace tracker
