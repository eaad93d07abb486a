// The events of the whole first-parent line, for the commands that ask for them.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/line_gaps.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"

namespace tracker {

struct LineRequest {
  std::vector<std::string> globs;  // benchmarks; none: all but those of sweeps
  std::string device;              // a pattern; empty: all
  std::string from = "HEAD";       // the newest commit
  std::string threshold;           // "1%"; empty: the policy's
};

struct LineEvents {
  std::vector<std::string> devices;
  std::vector<Series> series;
  std::vector<ChangeEvent> events;  // oldest first, with their causes
  std::vector<LineGap> gaps;        // what was not seen of the line
};

// With what tracker.toml accepts marked as such: waivers that hold today, and benchmarks that are reported
// only. no_run_on_line() where no run is stored for the line, kUsage where no benchmark matches.
LineEvents load_line_events(const Workspace& workspace, const LineRequest& request);
// The day that is "90d", "12w" or a date ("2026-08-24") before `today`, as "2026-08-24"; empty for "all".
// kUsage for anything else.
std::string since_day(const std::string& text, const std::string& today);

}  // namespace tracker
