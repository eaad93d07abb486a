// The real binary, as tracker runs it.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cpu.hpp"
#include "tests/bench/binary.hpp"

namespace bench {
namespace {

using ::testing::HasSubstr;

TEST(CpuBench, ReportsSamplesWithTheirWork) {
  const auto result = run_binary(
      CPU_BENCH, {"--benchmark_filter=^(transpose_cpu|gemm_cpu)/naive/f32/(1000x1500|384x200x100)/",
                  "--benchmark_repetitions=2", "--benchmark_format=json"});
  ASSERT_TRUE(result.ok()) << result.errors;
  const auto rows = samples(nlohmann::json::parse(result.output));
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    const std::string name = row.at("run_name");
    const double seconds = row.at("cpu_time").get<double>() * 1e-6;
    EXPECT_EQ(row.at("time_unit"), "us");
    EXPECT_GT(seconds, 0);
    EXPECT_EQ(row.at("result_checked"), 1);
    EXPECT_FALSE(row.contains("label"));  // machine code is known of kernels alone
    if (name.starts_with("transpose_cpu/naive/f32/1000x1500/")) {
      EXPECT_EQ(row.at("bytes_per_iteration"), 12e6);
      EXPECT_NEAR(row.at("bytes_per_second").get<double>() * seconds, 12e6, 1);
      EXPECT_FALSE(row.contains("result_error"));  // it is exact
    } else {
      EXPECT_TRUE(name.starts_with("gemm_cpu/naive/f32/384x200x100/")) << name;
      EXPECT_EQ(row.at("flops_per_iteration"), 15.36e6);
      EXPECT_NEAR(row.at("flops").get<double>() * seconds, 15.36e6, 1);
      EXPECT_LT(row.at("result_error").get<double>(), 1e-5);
    }
  }
}

TEST(CpuBench, StatesItsEnvironment) {
  const auto result = run_binary(
      CPU_BENCH, {"--benchmark_filter=gemm_cpu/blocked/f32/384x200x100", "--benchmark_format=json"});
  ASSERT_TRUE(result.ok()) << result.errors;
  const auto context = nlohmann::json::parse(result.output).at("context");
  EXPECT_EQ(context.at("device.kind"), "cpu");
  EXPECT_NE(context.at("device.model"), "");
  EXPECT_GE(std::stoi(context.at("device.core_count").get<std::string>()), 1);
  EXPECT_NE(context.at("software.compiler"), "");
  EXPECT_NE(context.at("software.flags"), "");
  EXPECT_NE(context.at("software.build_type"), "");
  EXPECT_FALSE(context.contains("device.uuid"));
  EXPECT_FALSE(context.contains("software.driver"));
}

TEST(CpuBench, HasEveryVariantOfTheTables) {
  const auto result = run_binary(CPU_BENCH, {"--benchmark_list_tests=true"});
  ASSERT_TRUE(result.ok()) << result.errors;
  const auto expect_variant = [&](std::string_view family, std::string_view variant) {
    EXPECT_THAT(result.output, HasSubstr(std::string(family) + "/" + std::string(variant) + "/f32/"));
  };
  for (const auto& variant : kernels::cpu::transpose_variants())
    expect_variant("transpose_cpu", variant.name);
  for (const auto& variant : kernels::cpu::gemm_variants()) expect_variant("gemm_cpu", variant.name);
}

TEST(CpuBench, RefusesWhatItDoesNotKnow) {
  for (const char* wrong : {"--frobnicate", "--benchmark_format=xml", "--timing=hot"}) {
    const auto result = run_binary(CPU_BENCH, {wrong});
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_THAT(result.errors, HasSubstr("--help")) << wrong;
  }
}

TEST(CpuBench, Helps) {
  const auto result = run_binary(CPU_BENCH, {"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("cpu_bench: "));
  EXPECT_THAT(result.output, HasSubstr("--benchmark_filter"));
}

}  // namespace
}  // namespace bench
