// What the samples chart shows: a column an invocation, the distribution of each side, and an axis for both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/plot/axis.hpp"

namespace tracker::plot {

// One invocation, at its place among the columns; values in the scale's unit.
struct SampleColumn {
  bool candidate = false;
  double place = 0;
  int job = 0;
  int round = 0;
  std::vector<double> values;  // in the order they ran
  double median = 0;
  bool counts = true;
  bool disturbed = false;
};

// A stretch of the value axis. There are two where the sides are so far apart that nothing could be seen of
// either: both to the same scale, with what lies between them cut out.
struct AxisPart {
  double low = 0;
  double high = 1;
  double bottom = 0;  // where it begins and ends, from 0 at the bottom to 1 at the top
  double top = 1;
};

// How often a value was seen: pairs of a value and a width, the widest of both sides 1.
using Density = std::vector<std::pair<double, double>>;

struct SamplesView {
  Scale scale;  // every value below is already divided by its factor
  std::vector<SampleColumn> columns;
  double width = 1;     // places run from 0 to it
  bool paired = false;  // columns stand round by round, and not side by side
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // columns of one round that both count
  std::vector<AxisPart> parts;                             // from the lowest
  Density base;
  Density candidate;
  std::optional<double> base_value;  // what is compared: over the medians that count
  std::optional<double> candidate_value;
  std::optional<Interval> threshold;  // around the base's value, where it can be shown
  std::size_t beyond = 0;             // samples outside the axis
  double farthest_beyond = 0;
  std::size_t left_out = 0;  // columns that do not count
  std::string cut;           // "the last 60 of 200 rounds"; empty where all fit

  // From 0 at the bottom to 1 at the top; what is outside the axis is put at its nearest end.
  double place(double value) const;
  bool holds(double value) const;
};

// Without columns where there is nothing to draw.
SamplesView view_samples(const BenchmarkSamples& samples);

// What stands in words on the samples chart.

// "−53.4 % [−53.6, −53.2]"; without a change the verdict.
std::string change_words(const Comparison& comparison);
// "[−53.6, −53.2]", in per cent; empty where it is not known.
std::string interval_words(const Comparison& comparison);

// What the picture leaves out, and what its marks mean that the legend does not say.
std::vector<std::string> notes_of(const SamplesView& view);

// How often the values of each side were seen, as a curve along the axis.

// Fills the distributions of a view that has its columns and its axis: of the invocations that count, each
// with the same weight, by a Gaussian kernel.
void make_densities(SamplesView& view);

// The rows of the samples chart's data blocks: a place among the columns, and one on the height of the axis.
// Empty where there is nothing of a kind.

std::string pair_rows(const SamplesView& view);
std::string dot_rows(const SamplesView& view, bool candidate, bool counts);
// Where samples are that the axis does not hold.
std::string beyond_rows(const SamplesView& view, bool candidate, bool above);
// Where a line of kMedianWidth begins.
inline constexpr double kMedianWidth = 0.84;
std::string median_rows(const SamplesView& view, bool candidate);
std::string density_rows(const SamplesView& view, bool candidate);

}  // namespace tracker::plot
