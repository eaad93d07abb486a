// What is measured: shapes, names, the work of one launch and how many launches make a repetition.
// Pure: neither CUDA nor Google Benchmark.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

struct TransposeShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

struct GemmShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

// Powers of two, a size no tile divides, and odd sides.
inline constexpr std::array<TransposeShape, 6> kTransposeShapes{
    {{1024, 1024}, {2048, 2048}, {2048, 1024}, {4000, 4000}, {8192, 8192}, {8191, 4097}}};
inline constexpr std::array<GemmShape, 3> kGemmShapes{
    {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}}};
inline constexpr std::array<TransposeShape, 2> kCpuTransposeShapes{{{1024, 1024}, {1000, 1500}}};
inline constexpr std::array<GemmShape, 2> kCpuGemmShapes{{{256, 256, 256}, {384, 200, 100}}};

std::int64_t element_count(const TransposeShape& shape);
double bytes_per_launch(const TransposeShape& shape);  // each element read once and written once
double flops_per_launch(const GemmShape& shape);       // 2·M·N·K

// "transpose/naive_row/f32/2048x1024", "gemm/tile_2d/f32/1024x1024x1024" (M, N, K).
std::string case_name(std::string_view family, std::string_view variant, const TransposeShape& shape);
std::string case_name(std::string_view family, std::string_view variant, const GemmShape& shape);

// A repetition is a fixed number of launches, the same wherever and whenever it is measured: enough for
// `seconds` at a nominal rate that a plain variant reaches. Nothing is estimated at run time, so both
// sides of a comparison do the same, and wall time is bounded: a time to reach by manual time would leave
// the flushing between launches uncounted.
struct Budget {
  double work_per_s = 0;  // bytes or FLOPs
  double seconds = 0;
  std::int64_t launches_min = 1;
  std::int64_t launches_max = 1;
};
inline constexpr Budget kTransposeBudget{1e12, 0.02, 10, 200};
inline constexpr Budget kGemmBudget{5e12, 0.02, 2, 50};
inline constexpr Budget kCpuTransposeBudget{1e9, 0.4, 3, 100};
inline constexpr Budget kCpuGemmBudget{2e9, 0.3, 3, 100};

std::int64_t launches_per_repetition(double work_per_launch, const Budget& budget);

}  // namespace bench
