// What several profiles of one commit come to.
#include "tracker/history/profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Profile profile(const std::string& device, const std::string& id, const std::vector<std::string>& names,
                double value) {
  Profile profile;
  profile.id = id;
  profile.device.kind = DeviceKind::kGpu;
  profile.device.model = device;
  for (const auto& name : names) profile.benchmarks.push_back({name, "k", 1, {{"a__b", value}}});
  return profile;
}

std::vector<std::string> contents(const Profile& profile) {
  std::vector<std::string> lines;
  for (const auto& benchmark : profile.benchmarks)
    lines.push_back(benchmark.name + "=" + std::to_string(static_cast<int>(benchmark.counters.at("a__b"))));
  return lines;
}

TEST(MergeProfiles, TheNewestOfEachBenchmarkInTheOrderOfTheOldest) {
  const auto merged = merge_profiles({profile("gpu", "3", {"c", "a"}, 3), profile("gpu", "2", {"d"}, 2),
                                      profile("gpu", "1", {"a", "b"}, 1)});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].id, "3");
  EXPECT_THAT(contents(merged[0]), ElementsAre("a=3", "b=1", "d=2", "c=3"));
  EXPECT_THAT(merge_profiles({}), IsEmpty());
}

TEST(MergeProfiles, DevicesStayApart) {
  const auto merged = merge_profiles({profile("b", "2", {"x"}, 2), profile("a", "1", {"x"}, 1)});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_THAT(contents(merged[0]), ElementsAre("x=1"));
  EXPECT_THAT(contents(merged[1]), ElementsAre("x=2"));
}

TEST(MergeProfiles, ADirtyTreeCountsOnlyAlone) {
  auto dirty = profile("gpu", "2", {"x", "y"}, 2);
  dirty.dirty = true;
  const auto merged = merge_profiles({dirty, profile("gpu", "1", {"x"}, 1)});
  EXPECT_THAT(contents(merged.at(0)), ElementsAre("x=1"));
  const auto alone = merge_profiles({dirty});
  EXPECT_TRUE(alone.at(0).dirty);
  EXPECT_THAT(contents(alone.at(0)), ElementsAre("x=2", "y=2"));
}

}  // namespace
}  // namespace tracker
