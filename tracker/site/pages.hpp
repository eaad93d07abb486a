// What a site's files are made of: what each benchmark did in the last 30 or 90 days, or in all of its
// history; the data that scripts read; the tables for browsers without scripts. Pure. The words are the
// page's and the plain tables' alike: docs/site.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"
#include "tracker/site/site.hpp"

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
// In the order of a reader's interest.
enum class SeriesState { kSlower, kNewlySlower, kFaster, kNewlyFaster, kDrifting, kSteady };
// "slower", "newly slower", …, of each state; empty for a steady one.
inline constexpr std::array<const char*, 6> kStateWords{"slower",       "newly slower", "faster",
                                                        "newly faster", "drifting",     ""};
const char* state_in_words(SeriesState state);

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

// Words for events, as the page and the plain tables print them. Pure.

// "still there", "mended by", "2 of 5 mended", "not settled yet". After "mended by" follows the commit
// ChangeEvent::undone_by. Of an event that made things faster "undone" instead of "mended".
std::string state_in_words(const ChangeEvent& event);

// The first of the event's changes, which is its largest: by how much, as a share in the metric's own
// direction.
double largest_change(const ChangeEvent& event);

// How much each family changed in each month. Pure.

struct MonthCell {
  double change = 0;  // a share: the geometric mean over its benchmarks, in the metric's own direction
  int changed = 0;    // benchmarks
  int benchmarks = 0;
};

struct FamilyRow {
  std::string family;  // as charts name it: "transpose f32"; else a name's first segment
  Metric metric;       // a family that is judged by several has a row for each
  std::vector<std::optional<MonthCell>> cells;  // by month; empty where nothing was measured
};

struct FamilyMonths {
  std::vector<std::string> months;  // "2026-11", oldest first
  std::vector<FamilyRow> rows;      // in the order of the series
};

// So many months are shown.
inline constexpr std::size_t kMonthsMax = 12;

// The table of the newest `months_max` months. A family without a change has a row too.
FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max);

// What a site's pages say of each device, told once for all of them. Pure.

struct DeviceTables {
  std::vector<SeriesSummaries> series;  // in the order of the device's
  FamilyMonths months;                  // none where no series can tell a change
};

// Of each device, in its order.
std::vector<DeviceTables> tables_of(const History& history);

// The date of the site's newest commit; empty where it has none.
std::string newest_date(const History& history);

// What a site's scripts read: docs/site.md has the form. Pure.

// data/index.js, with the commits and the devices; data/<n>.js for each device, and data/<n>-<m>.js with the
// points of some of its series. `tables` are those of the devices, in their order.
std::vector<File> data_files(const History& history, const std::vector<DeviceTables>& tables);

// The plain page of each device: "nvidia-h200.html".
std::vector<std::string> plain_page_names(const History& history);

// Lists of whole numbers as short text: most small numbers are one character. Pure. docs/site.md has the
// form, and assets/text.js reads it.

// Printable ASCII without '"', '\' and '<', so that it stands in a script's string as it is.
std::string write_column(const std::vector<std::uint64_t>& numbers);

// Each number's difference to the one before it: for what hardly changes from point to point.
std::string write_differences(const std::vector<std::int64_t>& numbers);

// The history as tables of HTML, for browsers without scripts. Pure.

// A page of its own, with all benchmarks of the device.
std::string plain_page(const History& history, const SiteDevice& device, const DeviceTables& tables);

// What index.html says of all devices where no script runs; `tables` and `pages`, their plain pages, are in
// their order.
std::string plain_overview(const History& history, const std::vector<DeviceTables>& tables,
                           const std::vector<std::string>& pages);

// A page's text with "{name}" replaced, of which `values` has all: {{"title", "…"}}.
std::string fill_page(std::string_view page, const std::map<std::string, std::string>& values);

// The policy of every page: nothing but the site's own files, and no script but those. "file:" is for a site
// opened from a disk, whose files are no origin to every browser.
inline constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'";

// A small picture with a few words, for a README.

// An SVG with `label` on a dark ground and `words` beside it, on a ground of their own: "#287A46".
std::string make_badge(const std::string& label, const std::string& words, const char* ground);

// The files of a site that are the same for every history: scripts, styles, uPlot with its licence.

struct Asset {
  const char* name;  // below tracker/site/assets
  std::string_view text;
};

// All of them, from the build (cmake/EmbedTexts.cmake).
const std::vector<Asset>& embedded_assets();

}  // namespace tracker::site
