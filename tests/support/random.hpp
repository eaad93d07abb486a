// Random numbers that are the same on every machine: std's distributions are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace tracker::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // In (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  // Standard normal (Box and Muller).
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  // In [0, limit).
  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(limit));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tracker::test
