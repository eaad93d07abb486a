// What a benchmark did in the last 30 or 90 days, or in all of its history. Pure. The words are the page's
// and the plain tables' alike: docs/site.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::site {

struct Range {
  const char* key;    // in the page's address
  const char* label;  // "90 days"
  int days;           // up to the newest commit; 0: all
};
const std::vector<Range>& site_ranges();
inline constexpr std::size_t kMainRange = 1;  // the one that is shown first, and that the badge tells of

// The first day of the range: "2026-08-24"; empty where it has no beginning. `newest`: of the newest commit.
std::string first_day(const Range& range, const std::string& newest);

// kNewly…: the level changed too lately to be sure of it.
enum class SeriesState { kSteady, kSlower, kNewlySlower, kFaster, kNewlyFaster, kDrifting };
const std::vector<SeriesState>& series_states();  // all of them, in the order of a reader's interest

struct SeriesSummary {
  SeriesState state = SeriesState::kSteady;
  // As a share, in the metric's own direction: the changes of level and drifts of the range, together. Those
  // measured under other conditions do not count, as they say nothing of the code; those that are not settled
  // count where the state says so. 0 where there are none.
  double change = 0;
  std::optional<double> before;  // the level when the range began, or at the first value; of few points none
  double now = 0;                // the newest level, in the metric's unit; of few points the newest value
  std::size_t first = 0;         // the point that the range begins with; that past the last: it has none
  bool lost_lately = false;      // it got slower in the range, too lately to be sure of it
};

// A level is the median of the undisturbed points between two changes, or a drift's line.
SeriesSummary summarize(const Series& series, const std::string& first_day);

// How much of the limit the newest level reaches, where one is known.
struct LimitShare {
  std::string label;  // "copy_row"
  double share = 0;
};

// All that is said of a series.
struct SeriesSummaries {
  std::vector<SeriesSummary> ranges;  // in the order of site_ranges()
  std::optional<LimitShare> limit;
};
// `newest`: the date of the site's newest commit.
SeriesSummaries summarize_ranges(const Series& series, const std::string& newest);

// The logarithm of what the level changed by in the points [from, to), by steps and drifts under the same
// conditions.
enum class CountedSteps { kSettled, kAll };
double log_change(const Series& series, std::size_t from, std::size_t to, CountedSteps counted);

// Whether a change of the metric by this share is for the worse.
bool is_worse(const Metric& metric, double change);

// Of one of site_ranges(). What got faster in it and lately slower again counts as both.
using StateCounts = std::map<SeriesState, int>;
StateCounts count_states(const std::vector<SeriesSummaries>& all, std::size_t range);

// "3 slower, 2 newly slower, 5 faster, 1 drifting"; "no change" where all are steady.
std::string counts_in_words(const StateCounts& counts);
// The same of all series; "too few commits to tell" where no series has enough points.
std::string headline_in_words(const std::vector<SeriesSummaries>& all, std::size_t range);
// Whether any series has points enough to tell a change.
bool can_tell_change(const std::vector<SeriesSummaries>& all, std::size_t range);
// "slower", "newly slower"; empty for a steady one.
const char* state_in_words(SeriesState state);

// Words for events, as the page and the plain tables print them. Pure.

// "still there", "mended by", "2 of 5 mended", "not settled yet". After "mended by" follows the commit
// ChangeEvent::undone_by. Of an event that made things faster "undone" instead of "mended".
std::string state_in_words(const ChangeEvent& event);

// The first of the event's changes, which is its largest: by how much, as a share in the metric's own
// direction.
double largest_change(const ChangeEvent& event);

}  // namespace tracker::site
