// A line of commits with known events in many series of noise.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker::test {

// What happened: the series it changed, and by how much (the logarithm of the ratio), each.
struct TrueEvent {
  int position = 0;
  std::vector<std::size_t> series;
};

struct MadeUpLine {
  std::vector<Series> series;  // with their steps and drifts
  std::vector<TrueEvent> events;
};

// The next deviation from the level, in units of the series' noise.
using NextNoise = std::function<double(double last)>;

struct LineRequest {
  unsigned seed = 0;
  std::size_t series = 60;
  int commits = 200;
  int events = 6;            // at commits ten and more apart
  double noise_min = 0.003;  // of each series, between these
  double noise_max = 0.02;
  double size_min = 2;  // of a change, in units of the series' noise and at least the threshold
  double size_max = 10;
  double threshold = 0.01;
  double gaps = 0;  // share of commits without a run
};

// A benchmark named k<number>, judged by its time.
Series made_up_series(std::size_t number, const std::vector<double>& logs, double threshold);

MadeUpLine made_up_line(const LineRequest& request);

}  // namespace tracker::test
