#include "tracker/app/line_references.hpp"

#include <algorithm>
#include <set>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/history/history.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {

std::string newest_release(const Repository& repository, const std::string& from) {
  const auto described = run_git(repository.root(), {"describe", "--tags", "--abbrev=0", "--first-parent",
                                                     repository.resolve(from).id + "^"});
  return described.ok() ? described.output.substr(0, described.output.find('\n')) : "";
}

std::vector<LineReference> line_references(const Workspace& workspace, const std::string& from,
                                           const std::vector<Series>& series) {
  const DriftPolicy& drift = workspace.config().drift;
  const auto line = workspace.repository().first_parents(from, kWholeLine);
  std::vector<LineReference> references;
  const auto add = [&](const std::string& name, const std::string& commit, const std::string& device) {
    if (const auto position = position_on_line(workspace.repository(), line, commit))
      references.push_back({name, *position, device});
  };
  if (drift.since_release)
    if (const std::string tag = newest_release(workspace.repository(), from); !tag.empty())
      add("release " + tag, tag, "");
  std::set<std::string> devices;
  if (drift.since_baseline)
    for (const auto& one : series) devices.insert(one.device);
  for (const auto& device : devices)
    if (const auto baseline = load_side(workspace, kBaselineWord, device))
      add("the last baseline", baseline->side.commit, device);
  const auto by_day = days_ago(series, drift.since_days);
  references.insert(references.end(), by_day.begin(), by_day.end());
  return references;
}

std::vector<DriftAlarm> line_drifts(const Workspace& workspace, const std::string& from,
                                    const std::vector<std::string>& devices) {
  const DriftPolicy& drift = workspace.config().drift;
  if (drift.action == DriftAction::kIgnore || devices.empty()) return {};
  LineRequest request;
  request.from = from;
  if (devices.size() == 1) request.device = devices.front();
  LineEvents line;
  try {
    line = load_line_events(workspace, request);
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    return {};  // such as a first commit: the report is about something else
  }
  auto alarms = drift_alarms(line.events, line.series, kNewestCommits,
                             line_references(workspace, from, line.series), drift.threshold);
  std::erase_if(alarms, [&](const DriftAlarm& alarm) {
    return std::none_of(alarm.event.changes.begin(), alarm.event.changes.end(),
                        [&](const EventChange& change) {
                          return std::find(devices.begin(), devices.end(), change.device) != devices.end();
                        });
  });
  return alarms;
}

}  // namespace tracker
