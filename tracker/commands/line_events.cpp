#include "tracker/commands/line_events.hpp"

#include <charconv>
#include <chrono>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/accepted_changes.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/sweep.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// The benchmarks of these histories that the policy lets fail nothing.
std::vector<std::string> only_reported(const std::vector<DeviceHistory>& histories, const Policy& policy) {
  std::set<std::string> names;
  for (const auto& history : histories)
    for (const auto& run : history.commits.back().runs)
      for (const auto& benchmark : run.benchmarks)
        if (gate_for(policy, benchmark).report_only) names.insert(benchmark.name);
  return {names.begin(), names.end()};
}

}  // namespace

LineEvents load_line_events(const Workspace& workspace, const LineWishes& wishes) {
  const Config& config = workspace.config();
  LineEvents line;
  line.devices = matching_devices(
      devices_on_line(workspace.repository(), workspace.history(), wishes.from, kWholeLine), wishes.device);
  if (line.devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for any commit of " + printable(wishes.from) +
                    (wishes.device.empty() ? "" : " on a device like '" + printable(wishes.device) + "'"),
                "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch");
  for (const auto& device : line.devices) {
    auto commits = load_history(workspace.repository(), workspace.history(), device, wishes.from, kWholeLine);
    if (wishes.globs.empty()) leave_out_sweeps(commits, config.sweeps, config.policy.renames);
    for (auto& commit : commits)
      for (auto& run : commit.runs) rename_benchmarks(run, config.policy.renames);
    if (commits.empty()) continue;
    for (auto& series : make_series(commits, device, wishes.globs, without_renames(config.policy), ""))
      line.series.push_back(std::move(series));
    line.histories.push_back({device, std::move(commits)});
  }
  if (line.series.empty() && !wishes.globs.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches '" + printable(join(wishes.globs, "' or '")) + "'",
                "tracker log '*' lists what is recorded");
  line.events = find_events(line.series);
  add_event_causes(line.events, line.histories);
  accept_changes(line.events,
                 acceptances_on(workspace, wishes.from, utc_date(std::chrono::system_clock::now()),
                                only_reported(line.histories, config.policy)));
  return line;
}

void add_line_options(CLI::App& app, LineWishes& wishes) {
  app.add_option("globs", wishes.globs, "benchmarks (default: all)");
  app.add_option("--from", wishes.from, "the newest commit of the line (default HEAD)");
  app.add_option("--device", wishes.device, "only devices that match this pattern");
}

std::string since_day(const std::string& text, const std::string& today) {
  if (text == "all") return "";
  if (is_date(text)) return text;
  int count = 0;
  const char* const last = text.data() + text.size();
  const auto read = std::from_chars(text.data(), last, count);
  const bool is_whole = read.ec == std::errc{} && read.ptr + 1 == last && count > 0 && count <= 36500;
  if (!is_whole || (*read.ptr != 'd' && *read.ptr != 'w'))
    throw Error(ExitCode::kUsage, "'" + printable(text) + "' is no length of time and no day",
                "write it as 90d, 12w, 2026-08-24 or all");
  const auto days = std::chrono::days(count * (*read.ptr == 'w' ? 7 : 1));
  return utc_date(parse_time(today + "T00:00:00Z").value() - days);
}

}  // namespace tracker
