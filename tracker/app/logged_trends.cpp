#include "tracker/app/logged_trends.hpp"

#include <chrono>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/compare_request.hpp"
#include "tracker/app/line_gaps.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/shared_events.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/line_series.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/history/whole_line.hpp"

namespace tracker {

std::vector<std::string> logged_devices(const Workspace& workspace, const LogRequest& request) {
  auto devices = chosen_devices(
      devices_on_line(workspace.repository(), workspace.history(), request.from, request.commits),
      request.device);
  if (devices.empty()) throw no_run_on_line(workspace, request.from, request.commits);
  return devices;
}

LoggedTrends trends_on(const Workspace& workspace, const std::string& device, const LogRequest& request) {
  const auto& repository = workspace.repository();
  const Policy policy = policy_at_threshold(workspace.config().policy, request.threshold);
  const auto acceptances =
      acceptances_on(workspace, request.from, utc_date(std::chrono::system_clock::now()), {});
  const int oldest = position_of_oldest(repository, request.from, request.commits);
  // What families show together needs all of their values, also those of before.
  auto whole = load_series(repository, workspace.history(policy), device, request.from,
                           {.globs = request.globs}, policy);
  LoggedTrends trends;
  if (whole.size() > 1) trends.together = shared_events_since(whole, oldest);
  for (auto& series : whole) {
    accept_steps(series, acceptances);
    series = points_from(std::move(series), oldest);
  }
  std::erase_if(whole, [](const Series& series) { return series.points.empty(); });
  trends.series = std::move(whole);
  return trends;
}

}  // namespace tracker
