#include "tracker/app/charts.hpp"

#include <chrono>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/unmatched.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/history/line_series.hpp"
#include "tracker/history/overview.hpp"
#include "tracker/history/roofline.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/history/sweep.hpp"
#include "tracker/history/whole_line.hpp"

namespace tracker {
namespace {

// The commit to mark. HEAD~1 is only a default: a first commit has none.
std::string base_commit(const Workspace& workspace, const ChartWishes& wishes) {
  try {
    return workspace.repository().resolve(wishes.base.empty() ? "HEAD~1" : wishes.base).id;
  } catch (const Error&) {
    if (!wishes.base.empty()) throw;
    return "";
  }
}

std::vector<std::string> chart_devices(const Workspace& workspace, const ChartWishes& wishes) {
  auto devices = chosen_devices(
      devices_on_line(workspace.repository(), workspace.history(), "HEAD", wishes.commits), wishes.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for any of the newest " + std::to_string(wishes.commits) + " commits",
                "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch");
  return devices;
}

std::vector<CommitRuns> history_of(const Workspace& workspace, const std::string& device, int commits_max) {
  return load_history(workspace.repository(), workspace.history(), device, "HEAD", commits_max);
}

[[noreturn]] void refuse_empty(const ChartWishes& wishes, const std::string& what, const std::string& hint) {
  if (wishes.globs.empty()) throw Error(ExitCode::kUsage, "nothing to draw is recorded", hint);
  throw Error(ExitCode::kUsage, what + " '" + printable(join(wishes.globs, "' or '")) + "'", hint);
}

// The sweeps of tracker.toml; names that none of them matches count where they are asked for, or where
// there is no sweep at all.
std::vector<Sweep> chosen_sweeps(const Workspace& workspace, const ChartWishes& wishes) {
  std::vector<Sweep> sweeps;
  if (!wishes.globs.empty() || workspace.config().sweeps.empty()) sweeps.push_back({.match = "*"});
  sweeps.insert(sweeps.end(), workspace.config().sweeps.begin(), workspace.config().sweeps.end());
  const auto choose = [&](const char* option, const std::string& pattern, std::string Sweep::*axis) {
    if (pattern.empty()) return;
    if (segments_in(pattern).empty())
      throw Error(ExitCode::kUsage, std::string(option) + " '" + printable(pattern) + "' names no segment",
                  std::string("write segments of the benchmarks' names, such as ") + option + " '{2}'");
    for (auto& sweep : sweeps) sweep.*axis = pattern;
  };
  choose("--rows", wishes.rows, &Sweep::rows);
  choose("--columns", wishes.columns, &Sweep::columns);
  return sweeps;
}

}  // namespace

TrendCharts gather_trends(const Workspace& workspace, const ChartWishes& wishes) {
  const std::string base = base_commit(workspace, wishes);
  const Config& config = workspace.config();
  const int oldest = position_of_oldest(workspace.repository(), "HEAD", wishes.commits);
  const auto acceptances = acceptances_on(workspace, "HEAD", utc_date(std::chrono::system_clock::now()), {});
  TrendCharts charts;
  for (const auto& device : chart_devices(workspace, wishes)) {
    LineQuestion question{.globs = wishes.globs, .base = base, .finish = [&](Series& series) {
                            accept_steps(series, acceptances);
                            series = points_from(std::move(series), oldest);
                          }};
    // A trend of each of a thousand cells is nothing to look at, unless someone asks for it.
    if (wishes.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) { return is_in_sweep(name, config.sweeps); };
    auto line =
        load_line(workspace.repository(), workspace.history(), device, "HEAD", question, config.policy);
    if (!line) continue;
    for (auto& series : line->series)
      if (!series.points.empty()) charts.series.push_back(std::move(series));
    const int newest = line->commits.rbegin()->first;
    auto history = load_commits(workspace.repository().first_parents("HEAD", kWholeLine), workspace.history(),
                                device, [&](int position) { return position == newest; });
    if (wishes.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    for (auto& overview : make_overviews(history.back(), device, wishes.globs, config.policy))
      charts.overviews.push_back(std::move(overview));
  }
  if (charts.series.empty()) {
    if (!wishes.globs.empty())
      throw no_benchmark_matches(workspace, wishes.globs, chart_devices(workspace, wishes), "HEAD");
    refuse_empty(wishes, "", "draw what was swept over: tracker plot --sweep");
  }
  return charts;
}

std::vector<SweepGrid> gather_sweeps(const Workspace& workspace, const ChartWishes& wishes) {
  const auto sweeps = chosen_sweeps(workspace, wishes);
  std::vector<SweepGrid> grids;
  for (const auto& device : chart_devices(workspace, wishes))
    for (auto& grid : make_sweeps(history_of(workspace, device, wishes.commits), device, wishes.globs,
                                  workspace.config().policy, sweeps))
      grids.push_back(std::move(grid));
  if (grids.empty())
    refuse_empty(wishes, "there is no grid of benchmarks that match",
                 "a sweep needs names that differ in a segment: blocks/naive/8x32, blocks/naive/32x8");
  return grids;
}

std::vector<Roofline> gather_rooflines(const Workspace& workspace, const ChartWishes& wishes) {
  const Config& config = workspace.config();
  std::vector<Roofline> rooflines;
  std::string unplaced;
  for (const auto& device : chart_devices(workspace, wishes)) {
    auto history = history_of(workspace, device, wishes.commits);
    if (wishes.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    auto roofline = make_roofline(history, device, wishes.globs, config.policy, config.work);
    if (!roofline) continue;
    if (!roofline->unplaced.empty()) unplaced = roofline->unplaced.front();
    if (!roofline->points.empty()) rooflines.push_back(std::move(*roofline));
  }
  if (rooflines.empty())
    refuse_empty(wishes, "no benchmark with known bytes matches",
                 unplaced.empty()
                     ? "state bytes and FLOPs in the benchmark, or in [[roofline]] of tracker.toml"
                     : "the bytes of '" + printable(unplaced) +
                           "' are not known: a [[roofline]] table of tracker.toml can tell them");
  return rooflines;
}

}  // namespace tracker
