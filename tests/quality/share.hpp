// So many of so many, and how well that states a probability.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker::quality {

struct Share {
  int hits = 0;
  int of = 0;

  void add(bool hit) {
    hits += hit ? 1 : 0;
    ++of;
  }
  void add(const Share& other) {
    hits += other.hits;
    of += other.of;
  }
  double value() const { return of > 0 ? static_cast<double>(hits) / of : 0; }
};

// Wilson's interval (1927, "Probable inference, the law of succession, and statistical inference") with
// 95 % confidence, as if all `of` were independent. [0, 1] where there are none.
Interval wilson(const Share& share);

// In per cent: "0.29"; "–" where there are none.
std::string percent_number(double share);
std::string percent_number(const Share& share);
// Likewise: "0.29 (0.17–0.50)".
std::string with_interval(const Share& share);

}  // namespace tracker::quality
