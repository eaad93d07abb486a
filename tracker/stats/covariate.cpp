#include "tracker/stats/covariate.hpp"

#include <algorithm>
#include <cstddef>

#include "tracker/stats/summary.hpp"

namespace tracker::stats {

double slope_between(std::span<const double> x, std::span<const double> y, double slope_min,
                     double slope_max) {
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - mean_x) * (x[i] - mean_x);
    products += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return squares > 0 ? std::clamp(products / squares, slope_min, slope_max) : 0;
}

}  // namespace tracker::stats
