// Series and sites from a few numbers, for tests.
#pragma once

#include <string>
#include <vector>

#include "tracker/site/site.hpp"

namespace tracker::test {

inline std::string day(int number) {
  const std::string of_month = std::to_string(1 + number % 28);
  return "2026-" + std::string(number / 28 < 9 ? "0" : "") + std::to_string(1 + number / 28) + "-" +
         (of_month.size() < 2 ? "0" : "") + of_month + "T12:00:00Z";
}

// A value a day from 1 January on, months of 28 days; the commits' ids begin with their number.
inline Series daily(const std::string& name, const std::vector<double>& values,
                    const Metric& metric = find_metric("real_time")) {
  Series series;
  series.device = "gpu";
  series.benchmark = name;
  series.metric = metric;
  series.threshold = 0.02;
  for (std::size_t i = 0; i < values.size(); ++i) {
    SeriesPoint point;
    point.commit = std::string(40 - std::to_string(i).size(), 'a') + std::to_string(i);
    point.subject = "Commit " + std::to_string(i);
    point.date = day(static_cast<int>(i));
    point.position = static_cast<int>(i);
    point.median = values[i];
    point.spread = {values[i] * 0.99, values[i] * 1.01};
    point.invocations = 5;
    series.points.push_back(point);
  }
  return series;
}

// `count` times 1, and from each of the steps on what it says.
inline Series stepped(const std::string& name, std::size_t count,
                      const std::vector<std::pair<std::size_t, double>>& steps,
                      const Metric& metric = find_metric("real_time")) {
  std::vector<double> values(count, 1.0);
  for (const auto& [point, value] : steps)
    for (std::size_t i = point; i < count; ++i) values[i] = value;
  Series series = daily(name, values, metric);
  double before = 1;
  for (const auto& [point, value] : steps) {
    const bool worse = (value > before) == (metric.better == Better::kLower);
    series.steps.push_back({point, before, value, worse, true, {}, point, point, 1});
    before = value;
  }
  return series;
}

inline site::History site_of(const std::vector<Series>& all) {
  site::History history;
  history.title = "tests";
  history.tracker = "tracker 1";
  site::SiteDevice device{"gpu", "Some GPU", {}, {}};
  for (const auto& series : all) {
    for (const auto& point : series.points)
      history.commits[point.position] = {point.commit, point.subject, "Ada", point.date};
    device.series.push_back({series, std::vector<Shared<site::PointFacts>>(
                                         series.points.size(), site::PointFacts{25, 32, 0, "driver 1"})});
  }
  history.devices.push_back(std::move(device));
  return history;
}

}  // namespace tracker::test
