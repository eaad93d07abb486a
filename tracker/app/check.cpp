#include "tracker/app/check.hpp"

#include "tracker/app/line_references.hpp"
#include "tracker/base/text.hpp"

namespace tracker {

CheckOutcome check_line(const Workspace& workspace, const CheckRequest& request) {
  CheckOutcome outcome;
  outcome.line = load_line_events(workspace, request.line);
  const LineEvents& line = outcome.line;
  if (is_cut_off(line.gaps)) require_whole(line.gaps);
  outcome.newest = check_newest(line.events, line.series, request.newest);
  if (outcome.newest.series == 0) require_whole(line.gaps);
  if (outcome.newest.series == 0 && !request.allow_short)
    throw Error(ExitCode::kCannotJudge,
                "no benchmark has " + std::to_string(kCheckedValuesMin) + " values yet on " +
                    join(line.devices, ", ") + (line.gaps.empty() ? "" : "; " + line.gaps.front().what),
                line.gaps.empty() ? "record more commits: tracker run" : line.gaps.front().remedy);
  const DriftPolicy& policy = workspace.config().drift;
  const DriftAction action = request.drift.value_or(policy.action);
  outcome.drifts_fail = action == DriftAction::kFail;
  if (action != DriftAction::kIgnore)
    outcome.drifts =
        drift_alarms(line.events, line.series, request.newest,
                     line_references(workspace, request.line.from, line.series), policy.threshold);
  if (!outcome.failed()) require_whole(line.gaps);
  return outcome;
}

}  // namespace tracker
