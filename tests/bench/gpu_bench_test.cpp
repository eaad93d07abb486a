// The real GPU binaries: what they say where there is no GPU, and what they measure where there is one.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/cases.hpp"
#include "kernels/gemm.hpp"
#include "kernels/tensor_gemm.hpp"
#include "kernels/transpose.hpp"
#include "tests/bench/binary.hpp"

namespace bench {
namespace {

using ::testing::HasSubstr;

constexpr int kNoDevice = 4;

struct Binary {
  const char* name;
  const char* path;
  const char* filter;  // its quickest benchmark
  const char* work;
};
constexpr std::array<Binary, 4> kBinaries{
    {{"transpose_bench", TRANSPOSE_BENCH, "^transpose/copy_row/f32/2048x1024/", "bytes_per_iteration"},
     {"transpose_blocks_bench", TRANSPOSE_BLOCKS_BENCH, "^transpose_blocks/copy_row/f32/2048x2048/32x8/",
      "bytes_per_iteration"},
     {"gemm_bench", GEMM_BENCH, "^gemm/cublas/f32/1024x1024x1024/", "flops_per_iteration"},
     {"tensor_gemm_bench", TENSOR_GEMM_BENCH, "^gemm/cublas/bf16/1024x1024x1024/", "flops_per_iteration"}}};

class GpuBench : public ::testing::TestWithParam<Binary> {};

TEST_P(GpuBench, SaysThatThereIsNoDevice) {
  const auto result = run_binary(GetParam().path, {}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
  EXPECT_EQ(result.exit_code, kNoDevice);
  EXPECT_THAT(result.errors, HasSubstr(std::string(GetParam().name) + ": error: no CUDA device: "));
  EXPECT_EQ(result.output, "");
}

TEST_P(GpuBench, ChecksItsOptionsFirst) {
  for (const char* wrong : {"--frobnicate", "--timing=warm", "--contexts=0"}) {
    const auto result = run_binary(GetParam().path, {wrong}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
    EXPECT_EQ(result.exit_code, 2) << wrong;
  }
  const auto help = run_binary(GetParam().path, {"--help"}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("--timing=cold|hot|both|sustained"));
}

TEST_P(GpuBench, MeasuresColdAndHot) {
  const auto result = run_binary(GetParam().path, {"--timing=both", "--benchmark_format=json",
                                                   std::string("--benchmark_filter=") + GetParam().filter});
  if (result.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << result.errors;
  ASSERT_TRUE(result.ok()) << result.errors;
  const auto document = nlohmann::json::parse(result.output);
  const auto context = document.at("context");
  EXPECT_EQ(context.at("device.kind"), "gpu");
  EXPECT_THAT(context.at("device.uuid").get<std::string>(), ::testing::ContainsRegex("^(GPU|MIG)-"));
  for (const char* key : {"device.model", "device.memory_bytes", "device.core_count", "software.cuda_driver",
                          "software.cuda_runtime", "software.compiler", "software.flags"})
    EXPECT_TRUE(context.contains(key)) << key;

  const auto rows = samples(document);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("run_name").get<std::string>().find("/hot"), std::string::npos);
  EXPECT_NE(rows[1].at("run_name").get<std::string>().find("/hot/"), std::string::npos);
  for (const auto& row : rows) {
    EXPECT_FALSE(row.contains("error_occurred")) << row.dump();
    EXPECT_GT(row.at("real_time").get<double>(), 0);
    EXPECT_GT(row.at(GetParam().work).get<double>(), 0);
    EXPECT_GT(row.at("registers").get<double>(), 0);
    EXPECT_GT(row.at("blocks_per_sm").get<double>(), 0);
    EXPECT_GT(row.at("condition_core_clock_mhz").get<double>(), 100);
    EXPECT_GT(row.at("sm_cycles").get<double>(), 0);
    EXPECT_EQ(row.at("result_checked"), 1);
    EXPECT_EQ(row.contains("result_error"), row.contains("flops"));
    EXPECT_EQ(row.at("label"), rows[0].at("label"));
    EXPECT_THAT(row.at("label").get<std::string>(), HasSubstr(" launch="));
  }
  // From memory, nothing beats the memory; a hot copy may come from the cache.
  if (rows[0].contains("peak_share")) {
    EXPECT_LT(rows[0].at("peak_share").get<double>(), 100);
  }
}

// The launch overhead is measured once in each context, and differs. What was measured in further contexts
// has another mean of it.
TEST_P(GpuBench, MeasuresEachRepetitionInContextsOfItsOwn) {
  constexpr std::size_t kRepetitions = 3;
  for (const char* contexts : {"--contexts=1", "--contexts=2"}) {
    const auto result =
        run_binary(GetParam().path,
                   {"--timing=both", contexts, "--benchmark_repetitions=" + std::to_string(kRepetitions),
                    "--benchmark_enable_random_interleaving=true", "--benchmark_format=json",
                    std::string("--benchmark_filter=") + GetParam().filter});
    if (result.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << result.errors;
    ASSERT_TRUE(result.ok()) << result.errors;
    // The coefficient of variation of zeros, which Google Benchmark prints, is no JSON.
    const auto rows = samples(
        nlohmann::json::parse(std::regex_replace(result.output, std::regex(R"(: -?NaN\b)"), ": null")));
    ASSERT_EQ(rows.size(), 2 * kRepetitions);
    std::map<int, std::set<double>> overheads_us;  // by repetition
    for (const auto& row : rows) {
      ASSERT_FALSE(row.contains("error_occurred")) << row.dump();
      EXPECT_GT(row.at("real_time").get<double>(), 0);
      EXPECT_EQ(row.at("result_checked"), 1);
      const int retaken = row.value("condition_retaken_contexts", -1);
      if (std::string_view(contexts) == "--contexts=1")
        EXPECT_EQ(retaken, -1);
      else
        EXPECT_THAT(retaken, ::testing::AllOf(::testing::Ge(0), ::testing::Le(5)));
      if (retaken > 0) continue;
      overheads_us[row.at("repetition_index")].insert(row.at("launch_overhead_us").get<double>());
    }
    std::set<double> all_us;
    for (const auto& [repetition, of_one] : overheads_us) {
      EXPECT_EQ(of_one.size(), 1u) << contexts << " " << repetition;
      all_us.insert(of_one.begin(), of_one.end());
    }
    EXPECT_EQ(all_us.size(), overheads_us.size()) << contexts;
    if (std::string_view(contexts) == "--contexts=1") {
      EXPECT_EQ(all_us.size(), kRepetitions);
    }
  }
}

TEST_P(GpuBench, ListsAndFiltersAsGoogleBenchmarkDoes) {
  const auto listed = run_binary(GetParam().path, {"--benchmark_list_tests=true", "--benchmark_repetitions=3",
                                                   std::string("--benchmark_filter=") + GetParam().filter});
  if (listed.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << listed.errors;
  EXPECT_EQ(std::count(listed.output.begin(), listed.output.end(), '\n'), 1) << listed.output;
  const auto none = run_binary(GetParam().path, {"--benchmark_filter=^no such benchmark$"});
  EXPECT_THAT(none.errors + none.output, HasSubstr("Failed to match any benchmarks"));
}

TEST_P(GpuBench, MeasuresSustainedLoad) {
  const auto result = run_binary(GetParam().path, {"--timing=sustained", "--benchmark_format=json",
                                                   std::string("--benchmark_filter=") + GetParam().filter});
  if (result.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << result.errors;
  ASSERT_TRUE(result.ok()) << result.errors;
  const auto rows = samples(nlohmann::json::parse(result.output));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NE(rows[0].at("run_name").get<std::string>().find("/sustained/"), std::string::npos);
  EXPECT_FALSE(rows[0].contains("error_occurred")) << rows[0].dump();
  EXPECT_GT(rows[0].at("real_time").get<double>(), 0);
  // Boards without an energy counter leave both out.
  EXPECT_EQ(rows[0].contains("energy_j_per_iteration"), rows[0].contains("condition_power_w"));
}

// The benchmarks of each row of the binary's table begin like this, and what the row needs; of the rows that
// take a shape which is measured.
std::vector<std::pair<std::string, kernels::Requirements>> rows_of(std::string_view binary) {
  std::vector<std::pair<std::string, kernels::Requirements>> rows;
  const auto add = [&](const auto& variant, const std::string& family, const std::string& type) {
    rows.emplace_back(family + "/" + std::string(variant.name) + "/" + type + "/", variant.requirements);
  };
  const auto add_transposes = [&](std::string_view family, const auto& shapes) {
    for (const auto& variant : kernels::transpose_variants())
      if (std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
            return kernels::can_take(variant, {.rows = shape.rows, .columns = shape.columns});
          }))
        add(variant, std::string(family), "f32");
  };
  if (binary == "transpose_bench") add_transposes("transpose", bench::kTransposeShapes);
  if (binary == "transpose_blocks_bench") add_transposes("transpose_blocks", bench::kBlockSweepShapes);
  if (binary == "gemm_bench")
    for (const auto& variant : kernels::gemm_variants())
      if (variant.measured_side_max > 0) add(variant, "gemm", "f32");
  if (binary == "tensor_gemm_bench")
    for (const auto& variant : kernels::tensor_gemm_variants())
      add(variant, "gemm", std::string(kernels::name_of(variant.type)));
  return rows;
}

TEST_P(GpuBench, HasEveryVariantThatTheDeviceCanRun) {
  const auto measured = run_binary(
      GetParam().path, {"--benchmark_format=json", std::string("--benchmark_filter=") + GetParam().filter});
  if (measured.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << measured.errors;
  ASSERT_TRUE(measured.ok()) << measured.errors;
  const auto context = nlohmann::json::parse(measured.output).at("context");
  const double capability = std::stod(context.at("device.compute_capability").get<std::string>()) * 10;
  const auto result = run_binary(GetParam().path, {"--benchmark_list_tests=true"});
  ASSERT_TRUE(result.ok()) << result.errors;
  int possible = 0;
  for (const auto& [name, requirements] : rows_of(GetParam().name)) {
    const bool can_run = requirements.compute_capability_min <= std::lround(capability) &&
                         std::lround(capability) <= requirements.compute_capability_max;
    possible += can_run ? 1 : 0;
    EXPECT_EQ(result.output.find(name) != std::string::npos, can_run) << name;
  }
  EXPECT_GT(possible, 0);
}

INSTANTIATE_TEST_SUITE_P(Binaries, GpuBench, ::testing::ValuesIn(kBinaries),
                         [](const auto& binary) { return std::string(binary.param.name); });

}  // namespace
}  // namespace bench
