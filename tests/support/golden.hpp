// Golden files: what a test writes is compared with a reviewed file. TRACKER_UPDATE_GOLDEN=1 rewrites
// them; `git diff` is then the review.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"

namespace tracker::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string line_of(const std::string& text, std::size_t at) {
  const std::size_t from = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t start = from == std::string::npos ? 0 : from + 1;
  return text.substr(start, text.find('\n', std::max(at, start)) - start);
}

// `file` is the path from the repository's root.
inline ::testing::AssertionResult matches_golden(const std::string& actual, const std::string& file) {
  const auto path = std::filesystem::path(TRACKER_SOURCE_DIR) / file;
  const char* update = std::getenv("TRACKER_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << actual << std::flush;
    if (!out) return ::testing::AssertionFailure() << "cannot write " << path;
    return ::testing::AssertionSuccess();
  }
  if (!std::filesystem::exists(path))
    return ::testing::AssertionFailure()
           << file << " is missing: run with TRACKER_UPDATE_GOLDEN=1 and review it";
  const std::string expected = read_text(path);
  if (actual == expected) return ::testing::AssertionSuccess();
  const auto ends = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
  const auto at = static_cast<std::size_t>(ends.first - actual.begin());
  const auto line = 1 + std::count(actual.begin(), ends.first, '\n');
  return ::testing::AssertionFailure()
         << file << ", line " << line << "\n  golden: " << line_of(expected, at)
         << "\n  actual: " << line_of(actual, at)
         << "\nif the change is meant: TRACKER_UPDATE_GOLDEN=1, and review the diff";
}

}  // namespace tracker::test
