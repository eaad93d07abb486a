// The events of the whole first-parent line, for the commands that ask for them.
#pragma once

#include "tracker/app/workspace.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::app {

// What an answer about a line of commits cannot rest on, because this clone or its store does not have it:
// "nothing changed" is then not known.

// "this clone is shallow: it has only the newest 12 commits of HEAD", and what helps. Its code is what a
// command answers that would else say that nothing changed; kOk: that is said all the same.
using LineGap = Error;

// Whether the clone ends before the line that ends at `from` does, and whether a remote had runs of it, when
// it was fetched from last, that the store does not have. Nothing of a line that is whole.
std::vector<LineGap> line_gaps(const Workspace& workspace, const std::string& from);
// Whether the line has older commits than the newest `commits_max`, that a list of so many leaves out.
std::vector<LineGap> older_commits(const Workspace& workspace, const std::string& from, int commits_max);

// "what; next: hint", printable.
std::string in_words(const LineGap& gap);
// Where there is a gap: an Error of the first of them.
void require_whole(const std::vector<LineGap>& gaps);

// Whether the clone came from somewhere, where runs may be recorded that it did not bring along.
bool has_origin(const Workspace& workspace);

// Why no run was found for the newest `commits_max` commits, and what to do: the clone ends too early, the
// runs that are stored are of other commits, or there are none.
Error no_run_on_line(const Workspace& workspace, const std::string& from, int commits_max);

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

// Whether the newest commits hold a new regression or a drift that raises an alarm.

struct CheckRequest {
  LineRequest line;
  std::size_t newest = events::kNewestCommits;  // with a run
  std::optional<DriftAction> drift;             // none: as tracker.toml has it
  bool allow_short = false;                     // that nothing is long enough to be judged is no Error
};

struct CheckOutcome {
  LineEvents line;
  events::NewestCheck newest;
  std::vector<DriftAlarm> drifts;  // none where they are ignored
  bool drifts_fail = false;        // and do not only warn

  bool failed() const { return !newest.regressions.empty() || (drifts_fail && !drifts.empty()); }
};

// Nothing is answered where the clone does not have the whole line (kEnvironment), and nothing but a failure
// where runs of it could not be read or were not taken from a remote. kCannotJudge where no series is long
// enough to be judged; otherwise as load_line_events().
CheckOutcome check_line(const Workspace& workspace, const CheckRequest& request);

// The commits that drifts are measured from, and the drifts of a line.

// A release is a tag; the newest on the first-parent line before this commit. Empty without one.
std::string newest_release(const repo::Repository& repository, const std::string& from);

// On the line of `from`, as far as tracker.toml asks for them and they are there: the newest release tag
// before it, the baseline of each device that these series are of, and so many days before the newest value.
std::vector<LineReference> line_references(const Workspace& workspace, const std::string& from,
                                           const std::vector<Series>& series);

// The drifts of the line of `from` that `[drift]` in tracker.toml raises alarms for, on these devices; none
// where it ignores them, or nothing is known of the line. kInterrupted after Ctrl-C.
std::vector<DriftAlarm> line_drifts(const Workspace& workspace, const std::string& from,
                                    const std::vector<std::string>& devices);

// What `tracker log` lists: the devices with runs on a line of commits, and the trends of benchmarks over it.

// Without globs the runs themselves.
struct LogRequest : LineRequest {
  int commits = 100;  // how far back
};

// kCannotJudge where no run is stored for these commits, kUsage where no device matches.
std::vector<std::string> logged_devices(const Workspace& workspace, const LogRequest& request);

struct LoggedTrends {
  std::vector<Series> series;
  std::vector<ChangeEvent> together;  // losses that related series show only together
};

// Steps are found over the whole line, and accepted ones marked; the series begin where the commits asked for
// do.
LoggedTrends trends_on(const Workspace& workspace, const std::string& device, const LogRequest& request);

}  // namespace tracker::app
