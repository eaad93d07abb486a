// What a benchmark did in the last 30 or 90 days, or in all of its history. Pure. The words are the page's
// and the plain tables' alike: docs/site.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/site/site.hpp"

namespace tracker {

struct SiteRange {
  const char* key;    // in the page's address
  const char* label;  // "90 days"
  int days;           // up to the newest commit; 0: all
};
const std::vector<SiteRange>& site_ranges();
inline constexpr std::size_t kMainRange = 1;  // the one that is shown first, and that the badge tells of

// The first day of the range: "2026-08-24"; empty where it has no beginning. `newest`: of the newest commit.
std::string first_day(const SiteRange& range, const std::string& newest);

// kNewly…: the level changed too lately to be sure of it.
enum class SeriesState { kSteady, kSlower, kNewlySlower, kFaster, kNewlyFaster, kDrifting };
const std::vector<SeriesState>& series_states();  // all of them, in the order of a reader's interest

struct SeriesSummary {
  SeriesState state = SeriesState::kSteady;
  // As a share, in the metric's own direction: the changes of level and drifts of the range, together. Those
  // measured under other conditions do not count, as they say nothing of the code; those that are not settled
  // count where the state says so. 0 where there are none.
  double change = 0;
  std::optional<double> before;  // the level when the range began, or at the first value; empty for one value
  double now = 0;                // the newest level, in the metric's unit
};

SeriesSummary summarize(const Series& series, const std::string& first_day);

// The level at a point: the median of its stretch between two changes, or the drift's line.
double level_at(const Series& series, std::size_t point);

// The logarithm of what the level changed by in the points [from, to), by steps and drifts under the same
// conditions.
enum class CountedSteps { kSettled, kAll };
double log_change(const Series& series, std::size_t from, std::size_t to, CountedSteps counted);

// Whether a change of the metric by this share is for the worse.
bool is_worse(const Metric& metric, double change);

// What got faster in the range and lately slower again counts as both.
using StateCounts = std::map<SeriesState, int>;
StateCounts count_states(const std::vector<SiteSeries>& all, const std::string& first_day);

// "3 slower, 2 newly slower, 5 faster, 1 drifting"; "no change" where all are steady.
std::string counts_in_words(const StateCounts& counts);
// "slower", "newly slower"; empty for a steady one.
const char* state_in_words(SeriesState state);

// How much of the limit the newest level reaches, where one is known.
struct LimitShare {
  std::string label;  // "copy_row"
  double share = 0;
};
std::optional<LimitShare> limit_share(const Series& series);

}  // namespace tracker
