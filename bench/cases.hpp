// What is measured: shapes, names, the work of one launch and how many launches make a repetition.
// Pure: neither CUDA nor Google Benchmark.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/kit/pacing.hpp"
#include "kernels/kernel.hpp"

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
inline constexpr std::array<GemmShape, 4> kGemmShapes{
    {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}}};
// What block shapes are swept over: in cache, in memory, what no tile divides, and as much as the first in
// lines so short that a wide block hangs over.
inline constexpr std::array<TransposeShape, 4> kBlockSweepShapes{
    {{2048, 2048}, {4000, 4000}, {8192, 8192}, {65536, 64}}};
// From a column of threads to a row of them. 8 floats are one sector, 32 threads one warp.
inline constexpr std::array<kernels::BlockShape, 17> kSweptBlocks{{{1, 256},
                                                                   {4, 64},
                                                                   {8, 8},
                                                                   {8, 16},
                                                                   {8, 32},
                                                                   {16, 8},
                                                                   {16, 16},
                                                                   {16, 32},
                                                                   {32, 4},
                                                                   {32, 8},
                                                                   {32, 16},
                                                                   {32, 32},
                                                                   {64, 1},
                                                                   {64, 4},
                                                                   {64, 16},
                                                                   {128, 1},
                                                                   {256, 1}}};
inline constexpr std::array<TransposeShape, 2> kCpuTransposeShapes{{{1024, 1024}, {1000, 1500}}};
inline constexpr std::array<GemmShape, 2> kCpuGemmShapes{{{256, 256, 256}, {384, 200, 100}}};

std::int64_t element_count(const TransposeShape& shape);
double bytes_per_launch(const TransposeShape& shape);  // each element read once and written once
double flops_per_launch(const GemmShape& shape);       // 2·M·N·K

// "transpose/naive_row/f32/2048x1024", "gemm/tile_2d/f32/1024x1024x1024" (M, N, K),
// "gemm/wmma/bf16/1024x1024x1024".
std::string case_name(std::string_view family, std::string_view variant, const TransposeShape& shape);
std::string case_name(std::string_view family, std::string_view variant, const GemmShape& shape,
                      std::string_view type = "f32");
// "transpose_blocks/naive_col/f32/8192x8192/8x32": x × y threads.
std::string case_name(std::string_view family, std::string_view variant, const TransposeShape& shape,
                      const kernels::BlockShape& block);

using tracker::kit::Budget;
using tracker::kit::launches_per_repetition;
inline constexpr Budget kTransposeBudget{1e12, 0.02, 10, 200};
// A thousand benchmarks, and differences far above noise: a whole sweep takes less than a minute.
inline constexpr Budget kBlockSweepBudget{1e12, 0.005, 16, 32};
inline constexpr Budget kGemmBudget{5e12, 0.02, 2, 50};
inline constexpr Budget kTensorGemmBudget{2e14, 0.01, 4, 192};
inline constexpr Budget kCpuTransposeBudget{1e9, 0.4, 3, 100};
inline constexpr Budget kCpuGemmBudget{2e9, 0.3, 3, 100};

}  // namespace bench
