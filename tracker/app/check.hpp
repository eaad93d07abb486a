// Whether the newest commits hold a new regression or a drift that raises an alarm.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tracker/app/line_events.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

struct CheckRequest {
  LineRequest line;
  std::size_t newest = kNewestCommits;  // with a run
  std::optional<DriftAction> drift;     // none: as tracker.toml has it
  bool allow_short = false;             // that nothing is long enough to be judged is no Error
};

struct CheckOutcome {
  LineEvents line;
  NewestCheck newest;
  std::vector<DriftAlarm> drifts;  // none where they are ignored
  bool drifts_fail = false;        // and do not only warn

  bool failed() const { return !newest.regressions.empty() || (drifts_fail && !drifts.empty()); }
};

// Nothing is answered where the clone does not have the whole line (kEnvironment), and nothing but a failure
// where runs of it could not be read or were not taken from a remote. kCannotJudge where no series is long
// enough to be judged; otherwise as load_line_events().
CheckOutcome check_line(const Workspace& workspace, const CheckRequest& request);

}  // namespace tracker
