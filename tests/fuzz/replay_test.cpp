// Each fuzz target, on its seeds and on damage done to them: seconds of what script/fuzz does for hours, with
// any compiler.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/formats/mutator.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kSeedBytesMax = 1 << 20;

std::vector<std::string> seeds_of(const FuzzTarget& target) {
  std::vector<fs::path> paths;
  for (const auto& seed : target.seeds) {
    const fs::path path = fs::path(TRACKER_SOURCE_DIR) / "tests" / seed;
    if (!fs::is_directory(path)) {
      paths.push_back(path);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(read_file(path, kSeedBytesMax));
  return texts;
}

class Replay : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Replay, SurvivesDamage) {
  constexpr int kMutations = 300;
  const auto seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  formats::Mutator mutate(1);
  GetParam().run("");
  for (std::size_t at = 0; at < seeds.size(); ++at) {
    const std::size_t before = inputs_taken();
    GetParam().run(seeds[at]);
    const bool is_refused = seeds[at].starts_with("[=");  // once crashed; read to its first error
    EXPECT_TRUE(is_refused || inputs_taken() > before)
        << "seed " << at << ": what is refused leads to no reader";
  }
  for (const auto& seed : seeds) {
    const std::size_t bytes = std::max<std::size_t>(seed.size(), 1);
    const int mutations =
        static_cast<int>(std::max<std::size_t>(kMutations * std::size_t{4096} / (bytes + 4096), 3));
    for (int i = 0; i < mutations; ++i) GetParam().run(mutate(seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(fuzz_targets()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace tracker
