#include "tracker/stats/modes.hpp"

#include <cmath>

namespace tracker::stats {

// p^a (1 − p)^b is largest at p = a / (a + b).
double chance_of_a_mode_each(double first, double second) {
  const double all = first + second;
  return std::exp(first * std::log(first / all) + second * std::log(second / all));
}

}  // namespace tracker::stats
