// What two builds of a kernel differ in. The listing is of cuobjdump 13.0: a transpose whose tile has a
// column more.
#include "tracker/machine_code/sass.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker::machine_code {
namespace {

using testing::ElementsAre;

std::string recorded(const std::string& name) {
  return read_file(std::string(TRACKER_SOURCE_DIR) + "/tests/data/sass/" + name, 1u << 20);
}

TEST(Sass, ReadsTheInstructionsOfOneKernel) {
  const auto padded = sass_of(recorded("padded.txt"), "smem_padded_kernel", 90);
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->front(), "LDC R1, c[0x0][0x28]");
  EXPECT_EQ(padded->back(), "EXIT");
  const auto copy = sass_of(recorded("padded.txt"), "copy_kernel<3>", 90);
  ASSERT_TRUE(copy);
  EXPECT_LT(copy->size(), padded->size());
  EXPECT_FALSE(sass_of(recorded("padded.txt"), "smem_padded_kernel", 80));
  EXPECT_FALSE(sass_of(recorded("padded.txt"), "nobody", 90));
  EXPECT_FALSE(sass_of("", "smem_padded_kernel", 90));
}

TEST(Sass, ShowsWhatChangedInARecordedKernel) {
  const auto padded = sass_of(recorded("padded.txt"), "smem_padded_kernel", 90);
  const auto bare = sass_of(recorded("bare.txt"), "smem_padded_kernel", 90);
  ASSERT_TRUE(padded && bare);
  const SassDiff diff = diff_sass(*padded, *bare, 1000);
  EXPECT_EQ(diff.left_out, 0u);
  EXPECT_EQ(padded->size() - diff.removed, bare->size() - diff.added);
  EXPECT_GT(diff.removed + diff.added, 0u);
  EXPECT_TRUE(diff_sass(*padded, *padded, 1000).lines.empty());
}

TEST(Sass, RegistersAreNoChange) {
  const std::vector<std::string> base{"S2R R0, SR_TID.X", "FFMA R1, R2, R3, R4", "EXIT"};
  const std::vector<std::string> renamed{"S2R R9, SR_TID.X", "@!P0 FFMA R5, R2, R3, R4", "EXIT"};
  EXPECT_TRUE(diff_sass(base, renamed, 10).lines.empty());
  const std::vector<std::string> spilled{"S2R R0, SR_TID.X", "STL [R1], R2", "FFMA R1, R2, R3, R4",
                                         "LDL R2, [R1]", "EXIT"};
  const SassDiff diff = diff_sass(base, spilled, 10);
  EXPECT_THAT(diff.lines, ElementsAre("@@ instruction 1 @@", " S2R R0, SR_TID.X", "+STL [R1], R2",
                                      " FFMA R1, R2, R3, R4", "+LDL R2, [R1]", " EXIT"));
  EXPECT_EQ(diff.added, 2u);
  EXPECT_EQ(diff.removed, 0u);
}

TEST(Sass, KeepsTheLargestChanges) {
  std::vector<std::string> base;
  for (int i = 0; i < 30; ++i) base.push_back("FFMA" + std::to_string(i) + " R0");
  std::vector<std::string> candidate = base;
  candidate.insert(candidate.begin() + 25, {"STL", "LDL", "MOV"});
  candidate.erase(candidate.begin() + 5);
  const SassDiff diff = diff_sass(base, candidate, 3);
  EXPECT_EQ(diff.left_out, 1u);
  EXPECT_EQ(diff.lines.front(), "@@ instruction 24 @@");
  const SassDiff cut = diff_sass(base, candidate, 2);
  EXPECT_EQ(cut.left_out, 2u);
  EXPECT_EQ(cut.lines.back(), "+LDL");
}

}  // namespace
}  // namespace tracker::machine_code
