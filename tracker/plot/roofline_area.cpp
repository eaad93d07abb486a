#include "tracker/plot/roofline_area.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tracker {

std::vector<double> log_tics(double low, double high) {
  constexpr double kDecadesWithSteps = 3.2;
  constexpr int kTicsMax = 16;
  const double decades = std::log10(high / low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / kTicsMax)));
  const std::vector<double> steps = decades <= 1                   ? std::vector<double>{1, 1.5, 2, 3, 5, 7}
                                    : decades <= kDecadesWithSteps ? std::vector<double>{1, 2, 5}
                                                                   : std::vector<double>{1};
  std::vector<double> tics;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high); power += stride)
    for (const double step : steps)
      if (const double value = step * std::pow(10.0, power); value >= low && value <= high)
        tics.push_back(value);
  return tics;
}

std::vector<std::vector<const PlacedPoint*>> columns_to_name(const RooflineView& view) {
  std::map<std::pair<std::size_t, std::string>, const PlacedPoint*> farthest;
  for (const auto& one : view.points) {
    const PlacedPoint*& known = farthest[{one.group, one.point.variant}];
    if (known == nullptr || one.point.intensity() > known->point.intensity()) known = &one;
  }
  std::vector<std::vector<const PlacedPoint*>> columns;
  const PlacedPoint* previous = nullptr;
  for (auto one = view.points.rbegin(); one != view.points.rend(); ++one) {
    if (farthest[{one->group, one->point.variant}] != &*one) continue;
    if (previous == nullptr || !same_place(*previous, *one)) columns.emplace_back();
    columns.back().push_back(&*one);
    previous = &*one;
  }
  return columns;
}

}  // namespace tracker
