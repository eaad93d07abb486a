#include "tracker/formats/change_points_document.hpp"

#include <cmath>

#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const stats::Estimate& estimate) {
  const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"value", finite(estimate.value)}, {"low", finite(estimate.low)}, {"high", finite(estimate.high)}};
}

Json point_json(const NumberSeries& series, const stats::ChangePoint& point) {
  Json row{{"at", point.at}, {"first", point.first}, {"last", point.last}};
  if (!series.labels.empty()) row["label"] = series.labels[point.at];
  row["before"] = point.before;
  row["after"] = point.after;
  row["ratio"] = estimate_json(point.ratio);
  row["sure"] = point.sure;
  row["settled"] = point.settled;
  row["bends"] = point.bends;
  return row;
}

Json series_json(const FoundChanges& found) {
  Json points = Json::array();
  for (const auto& point : found.changes.points) points.push_back(point_json(found.series, point));
  Json drifts = Json::array();
  for (const auto& drift : found.changes.drifts)
    drifts.push_back({{"from", drift.from},
                      {"to", drift.to},
                      {"slope", estimate_json(drift.slope)},
                      {"total", estimate_json(drift.total)}});
  return {{"name", found.series.name},
          {"count", found.series.values.size()},
          {"change_points", points},
          {"drifts", drifts},
          {"wanders", !found.changes.wandered.empty()}};
}

}  // namespace

std::string print_change_points(const std::string& detector, const std::vector<FoundChanges>& found) {
  Json document{{"detector", detector}, {"series", Json::array()}};
  for (const auto& one : found) document["series"].push_back(series_json(one));
  return print_json(document);
}

}  // namespace tracker
