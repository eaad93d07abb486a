#include "tests/events/made_up_line.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/random.hpp"
#include "tracker/history/series.hpp"

namespace tracker::test {

Series made_up_series(std::size_t number, const std::vector<double>& logs, double threshold) {
  Series series;
  series.device = "gpu";
  series.benchmark = "k" + std::to_string(number);
  series.metric = find_metric("real_time");
  series.threshold = threshold;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!std::isfinite(logs[i])) continue;
    SeriesPoint point;
    point.commit = std::string(35, 'a') + std::to_string(10000 + i);
    point.position = static_cast<int>(i);
    point.median = std::exp(logs[i]);
    point.spread = {point.median, point.median};
    point.invocations = 5;
    series.points.push_back(point);
  }
  history::find_changes(series, DeviceKind::kGpu);
  return series;
}

namespace {

// Places at least ten commits from each other and from both ends.
std::vector<int> event_places(const LineRequest& request, Random& random) {
  constexpr int kApart = 10;
  std::vector<int> places;
  while (static_cast<int>(places.size()) < request.events) {
    const int at =
        kApart + static_cast<int>(random.below(static_cast<std::size_t>(request.commits - 2 * kApart)));
    if (std::all_of(places.begin(), places.end(), [&](int other) { return std::abs(other - at) >= kApart; }))
      places.push_back(at);
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

MadeUpLine made_up_line(const LineRequest& request) {
  Random random(request.seed);
  MadeUpLine line;
  for (const int place : event_places(request, random)) line.events.push_back({place, {}});
  std::vector<bool> has_run;
  for (int i = 0; i < request.commits; ++i) has_run.push_back(random.uniform() >= request.gaps);
  // Each event changes one series, a few, or up to half of them.
  std::vector<double> shares;
  for (std::size_t e = 0; e < line.events.size(); ++e)
    shares.push_back(e % 3 == 0 ? 0 : e % 3 == 1 ? 0.1 : 0.5 * random.uniform());
  std::vector<std::size_t> only;
  for (std::size_t e = 0; e < line.events.size(); ++e) only.push_back(random.below(request.series));
  for (std::size_t s = 0; s < request.series; ++s) {
    const double noise = request.noise_min + (request.noise_max - request.noise_min) * random.uniform();
    std::vector<double> logs;
    double level = 0;
    std::size_t next = 0;
    for (int i = 0; i < request.commits; ++i) {
      if (next < line.events.size() && line.events[next].position == i) {
        if (only[next] == s || random.uniform() < shares[next]) {
          const double size =
              noise * (request.size_min + (request.size_max - request.size_min) * random.uniform());
          level += (random.uniform() < 0.8 ? 1 : -1) * std::max(size, 2 * request.threshold);
          line.events[next].series.push_back(s);
        }
        ++next;
      }
      const double value = level + noise * random.normal();
      logs.push_back(has_run[static_cast<std::size_t>(i)] ? value : std::nan(""));
    }
    line.series.push_back(made_up_series(s, logs, request.threshold));
  }
  return line;
}

}  // namespace tracker::test
