// tracker site, over the commits of a scratch repository.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Site : public testing::Test {
 protected:
  void record(int commits) const {
    for (int i = 0; i < commits; ++i) {
      scratch_.commit_speeds("copy/a/8 " + std::string(i < 6 ? "10000" : "14000") +
                             " 0.001 1000000\ncopy/b/8 9000 0.001\n");
      ASSERT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
    }
  }
  std::string text(const std::string& path) const {
    return read_file(scratch_.root() / "out/site" / path, 1 << 26);
  }

  const Scratch scratch_;
};

TEST_F(Site, HoldsTheHistoryWithItsChanges) {
  record(10);
  const auto result = scratch_.tracker({"site", "out/site", "--commit-url", "https://example.org/c/"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("test-gpu: reading: 10 commits, 2 benchmarks\n"));
  EXPECT_THAT(result.output, HasSubstr("wrote out/site/index.html: 1 device, 10 commits, "));
  const std::string page = text("index.html");
  EXPECT_THAT(page, HasSubstr("Last 90 days on Test GPU: 1 slower"));
  EXPECT_THAT(page, HasSubstr("href=\"https://example.org/c/" + scratch_.git({"rev-parse", "HEAD~3"})));
  EXPECT_THAT(text("test-gpu.html"), HasSubstr("copy/b/8"));
  EXPECT_THAT(text("data/0.js"), HasSubstr("\"headlines\":[\"1 slower\",\"1 slower\",\"1 slower\"]"));
  EXPECT_THAT(text("data/0-0.js"), HasSubstr("trackerData[\"0-0\"] = "));
  EXPECT_THAT(text("badge.svg"), HasSubstr("1 slower in 90 d"));
  EXPECT_THAT(text("assets/uplot/LICENSE.txt"), HasSubstr("Leon Sorokin"));
}

TEST_F(Site, ReplacesAnOlderSiteAndNothingElse) {
  record(2);
  scratch_.write("out/site/data/index.js", "old");
  scratch_.write("out/site/data/7-7.js", "old");
  scratch_.write("out/site/CNAME", "example.org");
  ASSERT_EQ(scratch_.tracker({"site", "out/site", "copy/b/*"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(scratch_.root() / "out/site/data/7-7.js"));
  EXPECT_EQ(text("CNAME"), "example.org");
  EXPECT_THAT(text("data/0.js"), Not(HasSubstr("copy/a/8")));
  scratch_.write("out/other/notes.txt", "mine");
  const auto refused = scratch_.tracker({"site", "out/other"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("'out/other' is neither empty nor a site"));
  EXPECT_FALSE(fs::exists(scratch_.root() / "out/other/index.html"));
}

TEST_F(Site, SaysWhatIsMissing) {
  scratch_.commit_speeds("copy/a/8 10000 0.001\n");
  const auto none = scratch_.tracker({"site", "out/site"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.errors, HasSubstr("no run is stored for any commit of HEAD"));
  ASSERT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
  const auto device = scratch_.tracker({"site", "out/site", "--device", "nope"});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.errors, HasSubstr("no device with runs matches 'nope'"));
  EXPECT_THAT(device.errors, HasSubstr("test-gpu"));
  const auto glob = scratch_.tracker({"site", "out/site", "nothing/*"});
  EXPECT_EQ(glob.exit_code, 2);
  EXPECT_THAT(glob.errors, HasSubstr("no benchmark matches 'nothing/*'"));
  EXPECT_EQ(scratch_.tracker({"site"}).exit_code, 2);
  const auto url = scratch_.tracker({"site", "out/site", "--commit-url", "javascript:x"});
  EXPECT_EQ(url.exit_code, 2);
  EXPECT_THAT(url.errors, HasSubstr("--commit-url 'javascript:x' is no address"));
  EXPECT_FALSE(fs::exists(scratch_.root() / "out/site"));
}

}  // namespace
}  // namespace tracker::e2e
