// This repository's own tracker.toml: its annotations point at files that are there.
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/golden.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker::formats {
namespace {

namespace fs = std::filesystem;

// A kernel family: its table of variants, and what it calls its benchmarks.
struct Family {
  const char* table;         // the file that has it
  std::regex row;            // the variant's name is the first group, a type the second
  std::string name;          // of a benchmark; V and T stand for variant and type
  std::size_t variants_min;  // so that a table in another form is not taken for an empty one
};

std::string with(std::string name, const std::string& mark, const std::string& text) {
  const auto at = name.find(mark);
  return at == std::string::npos ? name : name.replace(at, mark.size(), text);
}

TEST(OwnConfig, EveryKernelHasItsSource) {
  const std::regex row(R"(  ROW\((\w+), \w+,)");
  const std::regex cpu_row(R"x(\.name = "(\w+)")x");
  const std::regex tensor_row(R"x(  ROW\(\w+, k(Bf16|Tf32|Fp8), "(\w+)")x");
  const Family families[] = {{"transpose/table.cpp", row, "transpose/V/f32/8192x8192", 20},
                             {"transpose/table.cpp", row, "transpose_blocks/V/f32/8192x8192/32x8", 20},
                             {"gemm/table.cpp", row, "gemm/V/f32/1024x1024x1024", 10},
                             {"tensor_gemm/table.cpp", tensor_row, "gemm/V/T/4096x4096x4096", 10},
                             {"cpu/transpose.cpp", cpu_row, "transpose_cpu/V/f32/1024x1024", 3},
                             {"cpu/gemm.cpp", cpu_row, "gemm_cpu/V/f32/256x256x256", 3}};
  const std::map<std::string, std::string> types{{"Bf16", "bf16"}, {"Tf32", "tf32"}, {"Fp8", "fp8"}};
  const Policy policy =
      parse_config(test::read_text(fs::path(TRACKER_SOURCE_DIR) / "tracker.toml"), "tracker.toml").policy;
  for (const auto& family : families) {
    const std::string table = test::read_text(fs::path(TRACKER_SOURCE_DIR) / "kernels" / family.table);
    std::size_t variants = 0;
    for (std::sregex_iterator found(table.begin(), table.end(), family.row), end; found != end; ++found) {
      const bool has_type = (*found).size() > 2;
      const std::string variant = (*found)[has_type ? 2 : 1];
      Benchmark benchmark;
      benchmark.name = with(family.name, "V", variant);
      if (has_type) benchmark.name = with(benchmark.name, "T", types.at((*found)[1]));
      const std::string source = gate_for(policy, benchmark).source;
      EXPECT_TRUE(fs::is_regular_file(fs::path(TRACKER_SOURCE_DIR) / source))
          << benchmark.name << ": " << source;
      ++variants;
    }
    EXPECT_GE(variants, family.variants_min) << family.table;
  }
}

}  // namespace
}  // namespace tracker::formats
