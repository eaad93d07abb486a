#include "tests/changepoints/recordings.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::changepoints {
namespace {

TEST(Recordings, AreReadFromAFileOrAFolder) {
  const auto steps = read_groups(std::string(TRACKER_TEST_DATA) + "/steps.json");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].name, "steps");
  EXPECT_EQ(steps[0].series.size(), 98u);
  EXPECT_TRUE(steps[0].series[0].injected());

  const TemporaryDirectory folder;
  write_file(folder.path() / "a" / "one.json",
             R"({"x": {"values": [1, null, 3], "change_points": [2, 1]},
                 "y": {"values": [1], "annotations": {"6": [], "7": [0]}}})");
  write_file(folder.path() / "b" / "two.json", R"({"series": [{"raw": [4, 5]}]})");
  const auto groups = read_groups(folder.path());
  ASSERT_EQ(groups.size(), 2u);
  ASSERT_EQ(groups[0].series.size(), 2u);
  EXPECT_EQ(groups[0].series[0].labels, (std::vector<Places>{{1, 2}}));
  EXPECT_TRUE(std::isnan(groups[0].series[0].values[1]));
  EXPECT_EQ(groups[0].series[1].labels.size(), 2u);
  ASSERT_EQ(groups[1].series.size(), 1u);
  EXPECT_EQ(groups[1].series[0].name, "two");
  EXPECT_TRUE(groups[1].series[0].labels.empty());
}

TEST(Recordings, NoneAreAnError) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_groups(folder.path()), Error);
  EXPECT_THROW(read_groups(folder.path() / "absent"), Error);
}

}  // namespace
}  // namespace tracker::changepoints
