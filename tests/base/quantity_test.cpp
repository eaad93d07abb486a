#include "tracker/base/quantity.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracker {
namespace {

TEST(Quantities, StandInTheUnitOfTheLarger) {
  struct Row {
    std::optional<double> a;
    std::optional<double> b;
    const char* unit;
    const char* a_text;
    const char* b_text;
  };
  const Row rows[] = {
      {3.482e12, 2.459e12, "B/s", "3.482 TB/s", "2.459 TB/s"},
      {1.307e12, 872.6e9, "B/s", "1.307 TB/s", "0.8726 TB/s"},
      {872.6e9, 1.307e12, "B/s", "0.8726 TB/s", "1.307 TB/s"},
      {999.98e-6, 1.2e-3, "s", "1.000 ms", "1.200 ms"},
      {99.99e-6, 1.2e-3, "s", "0.09999 ms", "1.200 ms"},
      {12.34e-6, 1.2e-3, "s", "0.01234 ms", "1.200 ms"},
      {9.9e-6, 1.2e-3, "s", "9.900 µs", "1.200 ms"},
      {0.9, 5000, "s", "0.9000 s", "5000 s"},  // never kiloseconds
      {0, 1.2e-3, "s", "0.000 s", "1.200 ms"},
      {std::nullopt, 1.2e-3, "s", "–", "1.200 ms"},
      {1.2e-3, std::nullopt, "s", "1.200 ms", "–"},
      {NAN, 1.2e-3, "s", "–", "1.200 ms"},
      {32, 0.5, "", "32", "0.5"},
  };
  for (const auto& row : rows) {
    const auto [a, b] = format_quantities(row.a, row.b, row.unit);
    EXPECT_EQ(a, row.a_text);
    EXPECT_EQ(b, row.b_text);
  }
}

}  // namespace
}  // namespace tracker
