// What the tests of all variants run on: shapes with every kind of edge, and seeds.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace kernels::test {

struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

inline constexpr std::int64_t kQuickElementsMax = 300000;

// TRACKER_TEST_QUICK=1 keeps a run under compute-sanitizer short: small shapes, and no huge matrices.
inline bool is_quick() {
  const char* value = std::getenv("TRACKER_TEST_QUICK");
  return value != nullptr && std::string_view(value) == "1";
}

// Another one for every test run, unless TRACKER_TEST_SEED repeats one. Show it with SCOPED_TRACE.
inline std::uint64_t seed_of_this_run() {
  static const std::uint64_t seed = [] {
    const char* value = std::getenv("TRACKER_TEST_SEED");
    return value != nullptr ? std::strtoull(value, nullptr, 10) : std::uint64_t{std::random_device{}()};
  }();
  return seed;
}

inline std::string describe_seed() {
  return "TRACKER_TEST_SEED=" + std::to_string(seed_of_this_run());
}

// A tile, around a tile, lines, powers of two, odd ones, and more tiles than a grid's y can count.
inline std::vector<MatrixShape> matrix_shapes() {
  const std::vector<MatrixShape> all = {
      {1, 1},    {1, 7},    {7, 1},       {31, 33},     {32, 32},    {33, 31},    {64, 48},    {127, 255},
      {1000, 1}, {1, 1000}, {1023, 1025}, {2048, 1024}, {3, 100003}, {100003, 3}, {1, 600011}, {600011, 1}};
  std::vector<MatrixShape> shapes;
  for (const MatrixShape& shape : all) {
    if (!is_quick() || shape.rows * shape.columns < kQuickElementsMax) {
      shapes.push_back(shape);
    }
  }
  return shapes;
}

inline std::string describe(const MatrixShape& shape) {
  return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
}

struct GemmCase {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

inline std::vector<GemmCase> gemm_cases() {
  const std::vector<GemmCase> all = {
      {1, 1, 1},      {1, 1, 1000},   {1, 7, 5},        {7, 1, 5},        {5, 3, 0},      {31, 33, 32},
      {32, 32, 32},   {33, 31, 33},   {64, 48, 8},      {65, 63, 9},      {127, 255, 65}, {129, 128, 127},
      {1000, 1, 100}, {1, 1000, 100}, {1023, 1025, 67}, {2048, 1024, 33}, {3, 100003, 5}, {100003, 3, 5}};
  std::vector<GemmCase> cases;
  for (const GemmCase& one : all) {
    if (!is_quick() || one.m * one.n < kQuickElementsMax) {
      cases.push_back(one);
    }
  }
  return cases;
}

inline std::string describe(const GemmCase& one) {
  return std::to_string(one.m) + "x" + std::to_string(one.n) + "x" + std::to_string(one.k);
}

struct Factors {
  float alpha = 1;
  float beta = 0;
};

inline constexpr Factors kFactors[] = {{1.0F, 0.0F}, {1.25F, 0.5F}, {-0.75F, 1.0F}, {0.0F, 2.0F}};

inline std::string describe(const Factors& factors) {
  return "alpha " + std::to_string(factors.alpha) + ", beta " + std::to_string(factors.beta);
}

// Of a float32 product against one in double, ‖out − ref‖ / ‖ref‖. Float32 errors are near 1e-6 at the depths
// above; TF32 would be near 3e-4, and one wrong element of 2 million random ones near 1e-3.
inline constexpr double kGemmErrorMax = 1e-5;

// Inputs around zero show a wrong element best, but a C of few elements may then come out near zero by
// cancellation, where a relative error says nothing. So few get inputs of one sign, and no negative factor.
inline bool has_few_results(const GemmCase& one) {
  return one.m * one.n < 1000;
}

}  // namespace kernels::test
