#include "tracker/site/badge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"

namespace tracker {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string badge_of(const std::vector<Series>& all) {
  for (const auto& file : make_site(test::site_of(all)))
    if (file.path == "badge.svg") return file.text;
  return "";
}

TEST(Badge, SaysWhatGotSlowerFirst) {
  const auto slower = test::stepped("a", 40, {{30, 2}});
  const auto faster = test::stepped("b", 40, {{30, 0.5}});
  EXPECT_THAT(badge_of({slower, faster}), HasSubstr("aria-label=\"perf: 1 slower in 90 d\""));
  EXPECT_THAT(badge_of({faster}), HasSubstr("perf: 1 faster in 90 d"));
  auto newly = test::stepped("d", 40, {{39, 2}});
  newly.steps[0].settled = false;
  EXPECT_THAT(badge_of({faster, newly}), HasSubstr("perf: 1 newly slower in 90 d"));
  EXPECT_THAT(badge_of({test::daily("c", {1, 1, 1})}), HasSubstr("perf: no lasting change in 90 d"));
  EXPECT_THAT(badge_of({test::daily("c", {1, 1})}), HasSubstr("perf: too few commits"));
}

TEST(Badge, WordsAreText) {
  const std::string svg = make_badge("<b>", "a & b", BadgeColour::kGood);
  EXPECT_THAT(svg, HasSubstr("&lt;b&gt;: a &amp; b"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace tracker
