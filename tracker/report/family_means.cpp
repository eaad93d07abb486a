#include "tracker/report/family_means.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tracker/model/benchmark_name.hpp"

namespace tracker {
namespace {

struct LogSum {
  double logs = 0;
  FamilyMean mean;

  void add(double change) {
    logs += std::log1p(change);
    mean.range.low = mean.benchmarks == 0 ? change : std::min(mean.range.low, change);
    mean.range.high = mean.benchmarks == 0 ? change : std::max(mean.range.high, change);
    ++mean.benchmarks;
    mean.change = std::expm1(logs / mean.benchmarks);
  }
};

bool counts(const Comparison& comparison) {
  return comparison.change && std::isfinite(*comparison.change) && *comparison.change > -1 &&
         !comparison.not_measured && !noise_hides_everything(comparison);
}

double largest(const FamilyMeans& row) {
  double largest = 0;
  for (const auto& mean : row.means)
    if (mean) largest = std::max(largest, std::abs(std::log1p(mean->change)));
  return largest;
}

}  // namespace

std::vector<FamilyMeans> family_means(const std::vector<ComparisonReport>& reports) {
  std::map<std::pair<std::string, std::string>, std::vector<LogSum>> sums;  // by family and metric
  std::map<std::string, Metric> metrics;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const auto& comparison : reports[i].comparisons) {
      if (!counts(comparison)) continue;
      auto& of_family = sums[{family_of(comparison.benchmark), comparison.metric.name}];
      of_family.resize(reports.size());
      of_family[i].add(*comparison.change);
      metrics.try_emplace(comparison.metric.name, comparison.metric);
    }
  std::map<std::string, int> metrics_of;
  for (const auto& [key, unused] : sums) ++metrics_of[key.first];
  std::vector<FamilyMeans> rows;
  for (const auto& [key, of_devices] : sums) {
    FamilyMeans row{key.first, metrics.at(key.second), metrics_of[key.first] > 1, {}};
    for (const auto& sum : of_devices)
      row.means.push_back(sum.mean.benchmarks > 0 ? std::optional(sum.mean) : std::nullopt);
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const FamilyMeans& a, const FamilyMeans& b) { return largest(a) > largest(b); });
  return rows;
}

}  // namespace tracker
