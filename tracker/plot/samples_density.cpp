#include "tracker/plot/samples_density.hpp"

#include <algorithm>
#include <cmath>

namespace tracker {
namespace {

constexpr int kDensitySteps = 150;   // of each part of the axis
constexpr double kSmoothing = 0.65;  // of the width that suits one bell: two modes must stay two

struct Weighted {
  double value = 0;
  double weight = 0;
};

// Every invocation has the same weight, however many repetitions it made.
std::vector<Weighted> weighted_values(const SamplesView& view, bool candidate) {
  std::vector<Weighted> all;
  for (const auto& column : view.columns)
    if (column.candidate == candidate && column.counts)
      for (const double value : column.values)
        all.push_back({value, 1 / static_cast<double>(column.values.size())});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return all;
}

// Silverman's rule, by the quartiles where they are closer than the deviation says.
double kernel_width(const std::vector<Weighted>& all, double least) {
  double mean = 0;
  for (const auto& one : all) mean += one.value / static_cast<double>(all.size());
  double squares = 0;
  for (const auto& one : all) squares += (one.value - mean) * (one.value - mean);
  const auto count = static_cast<double>(all.size());
  const double deviation = std::sqrt(squares / std::max(count - 1, 1.0));
  const double quartiles = all[all.size() * 3 / 4].value - all[all.size() / 4].value;
  const double spread = quartiles > 0 ? std::min(deviation, quartiles / 1.34) : deviation;
  return std::max(kSmoothing * 0.9 * spread * std::pow(count, -0.2), least);
}

Density density_of(const SamplesView& view, bool candidate) {
  const auto all = weighted_values(view, candidate);
  if (all.empty()) return {};
  double span = 0;
  for (const auto& part : view.parts) span += part.high - part.low;
  const double width = kernel_width(all, span / kDensitySteps);
  double total = 0;
  for (const auto& one : all) total += one.weight;
  const auto height_at = [&](double value) {
    double sum = 0;
    for (const auto& one : all) {
      const double z = (value - one.value) / width;
      sum += one.weight * std::exp(-z * z / 2);
    }
    return sum / width / total;
  };
  Density density;
  for (const auto& part : view.parts)
    for (int i = 0; i <= kDensitySteps; ++i) {
      const double value = part.low + (part.high - part.low) * i / kDensitySteps;
      density.emplace_back(value, height_at(value));
    }
  return density;
}

}  // namespace

void make_densities(SamplesView& view) {
  view.base = density_of(view, false);
  view.candidate = density_of(view, true);
  double widest = 0;
  for (const auto* side : {&view.base, &view.candidate})
    for (const auto& [at, height] : *side) widest = std::max(widest, height);
  for (auto* side : {&view.base, &view.candidate})
    for (auto& [at, height] : *side) height = widest > 0 ? height / widest : 0;
}

}  // namespace tracker
