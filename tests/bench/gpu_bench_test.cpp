// The real GPU binaries: what they say where there is no GPU, and what they measure where there is one.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/gemm.hpp"
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
constexpr std::array<Binary, 3> kBinaries{
    {{"transpose_bench", TRANSPOSE_BENCH, "^transpose/copy_row/f32/2048x1024/", "bytes_per_iteration"},
     {"transpose_blocks_bench", TRANSPOSE_BLOCKS_BENCH, "^transpose_blocks/copy_row/f32/2048x2048/32x8/",
      "bytes_per_iteration"},
     {"gemm_bench", GEMM_BENCH, "^gemm/cublas/f32/1024x1024x1024/", "flops_per_iteration"}}};

class GpuBench : public ::testing::TestWithParam<Binary> {};

TEST_P(GpuBench, SaysThatThereIsNoDevice) {
  const auto result = run_binary(GetParam().path, {}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
  EXPECT_EQ(result.exit_code, kNoDevice);
  EXPECT_THAT(result.errors, HasSubstr(std::string(GetParam().name) + ": error: no CUDA device: "));
  EXPECT_EQ(result.output, "");
}

TEST_P(GpuBench, ChecksItsOptionsFirst) {
  for (const char* wrong : {"--frobnicate", "--timing=warm"}) {
    const auto result = run_binary(GetParam().path, {wrong}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
    EXPECT_EQ(result.exit_code, 2) << wrong;
  }
  const auto help = run_binary(GetParam().path, {"--help"}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("--timing=cold|hot|both"));
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
    EXPECT_EQ(row.at("label"), rows[0].at("label"));
    EXPECT_THAT(row.at("label").get<std::string>(), HasSubstr(" launch="));
  }
  // From memory, nothing beats the memory; a hot copy may come from the cache.
  if (rows[0].contains("peak_share")) {
    EXPECT_LT(rows[0].at("peak_share").get<double>(), 100);
  }
}

TEST_P(GpuBench, HasEveryVariantThatTheDeviceCanRun) {
  const auto result = run_binary(GetParam().path, {"--benchmark_list_tests=true"});
  if (result.exit_code == kNoDevice) GTEST_SKIP() << "needs a GPU: " << result.errors;
  ASSERT_TRUE(result.ok()) << result.errors;
  constexpr int kOldestOfToolkit = 75;  // what needs no more runs wherever the toolkit does
  const auto expect_variants = [&](std::string_view family, const auto& variants) {
    for (const auto& variant : variants)
      if (variant.requirements.compute_capability_min <= kOldestOfToolkit) {
        EXPECT_THAT(result.output,
                    HasSubstr(std::string(family) + "/" + std::string(variant.name) + "/f32/"));
      }
  };
  if (std::string_view(GetParam().name) == "transpose_bench")
    expect_variants("transpose", kernels::transpose_variants());
  else if (std::string_view(GetParam().name) == "transpose_blocks_bench")
    expect_variants("transpose_blocks", kernels::transpose_variants());
  else
    expect_variants("gemm", kernels::gemm_variants());
}

INSTANTIATE_TEST_SUITE_P(Binaries, GpuBench, ::testing::ValuesIn(kBinaries),
                         [](const auto& binary) { return std::string(binary.param.name); });

}  // namespace
}  // namespace bench
