// What tests look at pictures with, and names that no picture may stumble over.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/golden.hpp"
#include "tracker/base/process.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {

inline std::vector<std::string> entries(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(folder)) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// All are whole, and the PNGs have this size.
inline void expect_pictures(const ChartFiles& files, unsigned width, unsigned height) {
  for (const auto& path : {files.png, files.dark_png}) {
    const std::string png = test::read_text(path);
    ASSERT_GT(png.size(), 1000u) << path;
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
    EXPECT_EQ(big_endian(png, 16), width);
    EXPECT_EQ(big_endian(png, 20), height);
  }
  ProcessSpec spec;
  spec.argv = {"xmllint", "--noout", "--nonet", std::filesystem::absolute(files.svg).string(),
               std::filesystem::absolute(files.dark_svg).string()};
  const ProcessResult result = run_process(spec);
  EXPECT_TRUE(result.ok()) << "xmllint (of libxml2-utils) " << describe_end(result) << ": " << result.errors;
}

// What names from strangers may hold.
inline std::vector<std::string> hostile_names() {
  using namespace std::string_literals;
  return {"it's 'quoted' \"twice\"",
          "'; system('touch pwned'); '",
          "\"; system(\"touch pwned\")",
          "`touch pwned`",
          "@GPVAL_VERSION @x",
          "line\nsystem('touch pwned')\nEOD\nplot 1\n",
          "100 % %s %d %n %%",
          "{/Symbol a}_{b}^{c} ~a{.8-} &{x}",
          "back\\slash\\n\\",
          "bad \xC3\x28 \xFF\xFE \xED\xA0\x80 \xEF\xBF\xBF",
          "<svg onload=x> &amp; ]]> <!--",
          "nul\0 and \x1B[31m bell\x07"s,
          "größer 日本語 🚀 \u202Eabc",
          std::string(10000, 'W'),
          std::string(10000, '\''),
          "../../../../etc/passwd",
          ""};
}

}  // namespace tracker::plot
