// A series: one metric of one benchmark on one device, in first-parent commit order.
#pragma once

#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/shared.hpp"
#include "tracker/model/comparison.hpp"

namespace tracker {

// What tells machines apart that go by one name; what is not known is empty.
struct PointMachine {
  std::optional<int> cpu_count;
  std::string cpu;
  std::string caches;

  friend auto operator<=>(const PointMachine&, const PointMachine&) = default;
};

// Under which conditions a value was measured; what is not known is absent.
struct PointConditions {
  std::optional<double> load_per_thread;  // of the host
  std::optional<double> core_clock_mhz;   // the lowest
  std::optional<double> memory_clock_mhz;
  bool at_power_cap = false;  // in any invocation
  int threads = 0;            // of the host
  // Of a benchmark of the CPU.
  Shared<PointMachine> machine = {};
  std::optional<double> cpu_mhz = {};  // where the clock does not follow the load

  friend auto operator<=>(const PointConditions&, const PointConditions&) = default;
};

// The repetitions that a value was made of, as rough() has it.
struct PointRepetitions {
  std::uint8_t fewest = 0;  // iterations
  std::uint8_t most = 0;
  std::uint8_t time_ps = 0;  // the least, of an iteration
  std::uint8_t count = 0;    // in an invocation
};

// Of a point: nothing is known of its machine's speed; and it was measured on one that the sentinel was not.
inline constexpr std::uint16_t kNoEra = 0xffff;
inline constexpr std::uint16_t kUnknownEra = 0xfffe;

struct SeriesPoint {
  SharedText commit;   // 40 hexadecimal digits
  SharedText subject;  // the first line of its message
  SharedText date;     // of the commit, UTC, ISO 8601
  int position = 0;    // on the first-parent line, oldest first; commits without a run leave gaps
  PointRepetitions repetitions = {};
  double median = 0;  // of its invocations, in the metric's unit
  Interval spread;    // of the median (see stats/); the range where there are too few
  int invocations = 0;
  bool disturbed = false;  // dirty, throttled or shared
  // Points of one number were measured on one machine by one method, and show the code: find_changes().
  std::uint8_t setting = 0;
  std::uint16_t method = 0;    // its place among the series' methods
  std::uint16_t era = kNoEra;  // of the machine (history/sentinel.hpp)
  // What the machine adds to the logarithm of `median`, against the machine of the newest point, as the
  // sentinel tells.
  double machine = 0;
  Shared<PointConditions> conditions = {};
};

// A horizontal line to measure by.
struct ReferenceLine {
  std::string label;  // "theoretical peak", "copy_row"
  double value = 0;   // in the metric's unit
};

// A lasting change of level, larger than the threshold and than the series' noise.
struct SeriesStep {
  std::size_t point = 0;  // the index of the first point of the new level
  double before = 0;      // the levels, in the metric's unit
  double after = 0;
  bool worse = false;    // in the metric's direction
  bool settled = false;  // false while the new level has only a point or two: it may yet turn out a spike
  // What the conditions on both sides of it differ in: "load per thread 0.4 → 12", "4 CPUs → 64 CPUs",
  // "iterations 1000 → 1". Then it says nothing of the code, and is not settled. Empty where they are alike
  // or not known.
  std::string other_conditions = {};
  // The new level may as well have begun at any point from `earliest` to `latest` (95 %).
  std::size_t earliest = 0;
  std::size_t latest = 0;
  double sure = 0;            // one minus the chance that noise makes such a step anywhere in the series
  std::string accepted = {};  // the reason that tracker.toml gives; empty where it is not accepted
  bool machine = false;       // the sentinel shows it: `other_conditions` is how the machine changed
};

// A stretch that creeps, by more than the threshold and than the series' noise, and at no single commit.
struct SeriesDrift {
  std::size_t from = 0;  // the points [from, to)
  std::size_t to = 0;
  double before = 0;  // its line at the first and at the last of these points, in the metric's unit
  double after = 0;
  // Of the whole drift, which may have begun before the series' first point.
  Interval change;    // as a share
  std::string since;  // the commit
  int commits = 0;    // with a point
  bool worse = false;
  std::string other_conditions = {};  // as a step's, of its beginning and its end
};

// A lasting change that is certain, and smaller than the threshold: it is counted, and no step.
struct SmallChange {
  std::size_t point = 0;  // the first of the new level, or the last of a drift
  double change = 0;      // after / before − 1, a share
};

// What a comparison says of the marked base and the newest point. It is of the pairs of a job, and a series
// is of all runs of a commit: where both stand together, one change has one number, that of the comparison.
struct JudgedChange {
  double base = 0;  // in the metric's unit
  double candidate = 0;
  double change = 0;  // a share
};

// With fewer points nothing can be said of a change.
inline constexpr std::size_t kPointsToTellChange = 3;

struct Series {
  std::string device;  // the key
  std::string benchmark;
  Metric metric;
  std::vector<SeriesPoint> points;  // oldest first
  double threshold = 0;             // a share
  std::optional<std::string> base;  // the commit that is marked, and that the threshold band is drawn around
  std::vector<ReferenceLine> references;
  std::vector<SeriesStep> steps;
  std::vector<SeriesDrift> drifts;
  double wanders = 0;  // the largest step that its level makes by wandering, as a share; 0: it does not
  std::optional<JudgedChange> judged = {};  // where the series stands beside a comparison
  std::vector<SmallChange> below = {};      // in the order of points
  bool ended = false;                       // newer runs of its device lack it: mark_ended()
  std::vector<std::string> methods = {};    // how its points were measured, as method_of() has it
};

// The value as the machine of the newest point would give it, in the metric's unit.
inline double joined_value(const SeriesPoint& point) {
  return point.machine == 0 ? point.median : point.median * std::exp(-point.machine);
}

// The last point before this one that counts and was measured in the same setting; empty where there is none.
inline std::optional<std::size_t> comparable_before(const Series& series, std::size_t point) {
  for (std::size_t i = point; i-- > 0;)
    if (!series.points[i].disturbed && series.points[i].setting == series.points[point].setting) return i;
  return {};
}

// One bar of a family's overview.
struct FamilyBar {
  std::string variant;
  double median = 0;  // in the metric's unit
  Interval spread;
};

// All variants of one family at one shape, on one device, at one commit.
struct FamilyPanel {
  std::string shape;  // "8192x8192"
  std::vector<FamilyBar> bars;
  std::vector<ReferenceLine> references;
};

struct FamilyOverview {
  std::string device;
  std::string family;  // "transpose f32"
  std::string commit;
  Metric metric;
  std::vector<FamilyPanel> panels;
};

// All that one sweep tried of one thing, on one device, at one commit.
struct SweepGrid {
  std::string device;
  std::string title;  // what all of it shares: "transpose_blocks/f32/8192x8192"
  std::string commit;
  Metric metric;
  std::string row_title;  // "variant"; may be empty
  std::string column_title;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<double>>> cells;  // by row, then column, in the metric's unit
  std::vector<double> thresholds;                         // of each row: a share that matters
};

// How fast each benchmark of one commit is, against what its device allows.
struct RooflinePoint {
  std::string benchmark;
  std::string group;  // points that are drawn alike: "gemm f32"
  std::string variant;
  std::string shape;                 // "4096x4096x4096"; may be empty
  double bytes_per_second = 0;       // of the traffic that is stated, not of what was moved
  double flops_per_second = 0;       // 0: it only moves data
  std::optional<double> peak_flops;  // FLOP/s
  bool is_bound = false;             // others are compared with it

  double intensity() const { return flops_per_second / bytes_per_second; }  // FLOP per byte
};

struct Roofline {
  std::string device;  // the key
  std::string commit;
  std::vector<RooflinePoint> points;
  std::optional<double> peak_bytes_per_second;  // theoretical
  std::optional<double> peak_flops;             // theoretical, FP32
  std::optional<double> core_clock_mhz;         // that the peaks are stated for
  std::optional<double> memory_clock_mhz;
  std::optional<ReferenceLine> measured;  // the best bandwidth of a benchmark that only moves data
  std::vector<std::string> unplaced;      // names: FLOP/s are known, bytes are not
};

// The numbers behind a chart.
struct ChartTable {
  std::string title;  // what the chart shows
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // as many cells each as the header
  std::string note;                            // what is left out; may be empty
};

}  // namespace tracker
