#include "tracker/app/charts.hpp"

#include <chrono>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/line_gaps.hpp"
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
std::string base_commit(const Workspace& workspace, const ChartRequest& request) {
  try {
    return workspace.repository().resolve(request.base.empty() ? "HEAD~1" : request.base).id;
  } catch (const Error&) {
    if (!request.base.empty()) throw;
    return "";
  }
}

std::vector<std::string> chart_devices(const Workspace& workspace, const ChartRequest& request) {
  auto devices = chosen_devices(
      devices_on_line(workspace.repository(), workspace.history(), "HEAD", request.commits), request.device);
  if (devices.empty()) throw no_run_on_line(workspace, "HEAD", request.commits);
  return devices;
}

std::vector<CommitRuns> history_of(const Workspace& workspace, const std::string& device, int commits_max) {
  return load_history(workspace.repository(), workspace.history(), device, "HEAD", commits_max);
}

[[noreturn]] void refuse_empty(const ChartRequest& request, const std::string& what,
                               const std::string& hint) {
  if (request.globs.empty()) throw Error(ExitCode::kUsage, "nothing to draw is recorded", hint);
  throw Error(ExitCode::kUsage, what + " '" + printable(join(request.globs, "' or '")) + "'", hint);
}

// The sweeps of tracker.toml; names that none of them matches count where they are asked for, or where
// there is no sweep at all.
std::vector<Sweep> chosen_sweeps(const Workspace& workspace, const ChartRequest& request) {
  std::vector<Sweep> sweeps;
  if (!request.globs.empty() || workspace.config().sweeps.empty()) sweeps.push_back({.match = "*"});
  sweeps.insert(sweeps.end(), workspace.config().sweeps.begin(), workspace.config().sweeps.end());
  const auto choose = [&](const char* option, const std::string& pattern, std::string Sweep::*axis) {
    if (pattern.empty()) return;
    if (segments_in(pattern).empty())
      throw Error(ExitCode::kUsage, std::string(option) + " '" + printable(pattern) + "' names no segment",
                  std::string("write segments of the benchmarks' names, such as ") + option + " '{2}'");
    for (auto& sweep : sweeps) sweep.*axis = pattern;
  };
  choose("--rows", request.rows, &Sweep::rows);
  choose("--columns", request.columns, &Sweep::columns);
  return sweeps;
}

}  // namespace

TrendCharts gather_trends(const Workspace& workspace, const ChartRequest& request) {
  const std::string base = base_commit(workspace, request);
  const Config& config = workspace.config();
  const int oldest = position_of_oldest(workspace.repository(), "HEAD", request.commits);
  const auto acceptances = acceptances_on(workspace, "HEAD", utc_date(std::chrono::system_clock::now()), {});
  TrendCharts charts;
  for (const auto& device : chart_devices(workspace, request)) {
    LineQuestion question{.globs = request.globs, .base = base, .finish = [&](Series& series) {
                            accept_steps(series, acceptances);
                            series = points_from(std::move(series), oldest);
                          }};
    // A trend of each of a thousand cells is nothing to look at, unless someone asks for it.
    if (request.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) { return is_in_sweep(name, config.sweeps); };
    auto line =
        load_line(workspace.repository(), workspace.history(), device, "HEAD", question, config.policy);
    if (!line) continue;
    for (auto& series : line->series)
      if (!series.points.empty()) charts.series.push_back(std::move(series));
    const int newest = line->commits.rbegin()->first;
    auto history = load_commits(workspace.repository().first_parents("HEAD", kWholeLine), workspace.history(),
                                device, [&](int position) { return position == newest; });
    if (request.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    for (auto& overview : make_overviews(history.back(), device, request.globs, config.policy))
      charts.overviews.push_back(std::move(overview));
  }
  if (charts.series.empty()) {
    if (!request.globs.empty())
      throw no_benchmark_matches(workspace, request.globs, chart_devices(workspace, request), "HEAD");
    refuse_empty(request, "", "draw what was swept over: tracker plot --sweep");
  }
  return charts;
}

std::vector<SweepGrid> gather_sweeps(const Workspace& workspace, const ChartRequest& request) {
  const auto sweeps = chosen_sweeps(workspace, request);
  std::vector<SweepGrid> grids;
  for (const auto& device : chart_devices(workspace, request))
    for (auto& grid : make_sweeps(history_of(workspace, device, request.commits), device, request.globs,
                                  workspace.config().policy, sweeps))
      grids.push_back(std::move(grid));
  if (grids.empty())
    refuse_empty(request, "there is no grid of benchmarks that match",
                 "a sweep needs names that differ in a segment: blocks/naive/8x32, blocks/naive/32x8");
  return grids;
}

std::vector<Roofline> gather_rooflines(const Workspace& workspace, const ChartRequest& request) {
  const Config& config = workspace.config();
  std::vector<Roofline> rooflines;
  std::string unplaced;
  for (const auto& device : chart_devices(workspace, request)) {
    auto history = history_of(workspace, device, request.commits);
    if (request.globs.empty()) leave_out_sweeps(history, config.sweeps, config.policy.renames);
    auto roofline = make_roofline(history, device, request.globs, config.policy, config.work);
    if (!roofline) continue;
    if (!roofline->unplaced.empty()) unplaced = roofline->unplaced.front();
    if (!roofline->points.empty()) rooflines.push_back(std::move(*roofline));
  }
  if (rooflines.empty())
    refuse_empty(request, "no benchmark with known bytes matches",
                 unplaced.empty()
                     ? "state bytes and FLOPs in the benchmark, or in [[roofline]] of tracker.toml"
                     : "the bytes of '" + printable(unplaced) +
                           "' are not known: a [[roofline]] table of tracker.toml can tell them");
  return rooflines;
}

}  // namespace tracker
