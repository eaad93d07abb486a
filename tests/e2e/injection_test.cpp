// Programs that state nothing of what they launch: a pass of its own with the injected library.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// One kernel with this shape between two events, 100 times, and a copy where there is one.
std::string calls(const std::string& grid, const std::string& block, bool copies) {
  std::string text =
      R"({"schema": "tracker.injection/1", "cupti": 130000, "driver": 13000, "is_whole": true})"
      "\n"
      R"({"kernel": 0, "name": "_Z5saxpyfPKfPfi", "architecture": 90, "registers": 16, "local_bytes": 0})"
      "\n";
  text += R"({"op": 0, "launch": 0, "grid": ")" + grid + R"(", "block": ")" + block +
          R"(", "shared_bytes": 0, "blocks_per_sm": 8, "count": 100})" + "\n";
  text += R"({"op": 1, "what": "copy to the host", "bytes": 4, "count": 100})"
          "\n";
  return text + R"({"range": "", "windows": [{"ops": [[)" + (copies ? "[0,1]" : "[0]") +
         R"(,1]], "count": 100}], "ops": [[[0],100]]})" + "\n";
}

std::string speeds(double time_ns) {
  return "saxpy/manual_time " + std::to_string(time_ns) +
         " 0.001 1000000\nother 10000 0.001\ncalls saxpy/manual_time saxpy.ndjson\n";
}

TEST(Injection, NamesTheCauseOfAStrangersRegression) {
  const Scratch scratch;
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  const auto first = scratch.tracker({"run"});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_THAT(first.errors,
              HasSubstr("looked at what 2 benchmarks of 'fake_bench' launch, once for this build"));
  EXPECT_THAT(first.errors, HasSubstr("of 1 it is not known: it does not use CUDA"));
  scratch.write("saxpy.ndjson", calls("264", "64", true));
  scratch.commit_speeds(speeds(20000));
  const auto second = scratch.tracker({"run"});
  EXPECT_THAT(second.errors, HasSubstr("saxpy: 1 launch and 1 copy of 4 bytes to the host"));
  const auto compared = scratch.tracker({"compare", "HEAD~1"});
  EXPECT_EQ(compared.exit_code, 1) << compared.output << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("launches 1 → 2: copy of 4 bytes to the host more"));
  const auto explained = scratch.tracker({"explain", "saxpy", "HEAD~1"});
  EXPECT_THAT(explained.output, HasSubstr("1 launch and 1 copy of 4 bytes to the host"));
  EXPECT_THAT(explained.output, HasSubstr("1056"));
}

TEST(Injection, NamesAPlantedShape) {
  const Scratch scratch;
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  EXPECT_EQ(scratch.tracker({"run"}).exit_code, 0);
  scratch.write("saxpy.ndjson", calls("264", "64", false));
  scratch.commit_speeds(speeds(20000));
  EXPECT_EQ(scratch.tracker({"run"}).exit_code, 0);
  const auto compared = scratch.tracker({"compare", "HEAD~1"});
  EXPECT_THAT(compared.output, HasSubstr("block 256 → 64, grid 1056 → 264"));
}

TEST(Injection, SoonLeavesAProgramOfTheCpuAlone) {
  const Scratch scratch;
  std::string text = "calls elsewhere elsewhere.ndjson\n";
  for (const char* name : {"a", "b", "c", "d", "e"}) text += std::string(name) + " 10000 0.001\n";
  scratch.commit_speeds(text);
  const auto log = scratch.folder() / "log";
  const auto run = scratch.tracker_with({{"FAKE_BENCH_LOG", log.string()}}, {"run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.errors, Not(HasSubstr("looked at what")));
  const std::string starts = read_file(log, 1 << 20);
  EXPECT_EQ(std::count(starts.begin(), starts.end(), '\n'), 5 + 3) << starts;
}

TEST(Injection, LooksOnceAtABuildAndNotWhereItIsNotWanted) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  const auto looked = scratch.tracker({"run", "--build"});
  EXPECT_THAT(looked.errors, HasSubstr("looked at what"));
  const auto again = scratch.tracker({"run"});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.errors, Not(HasSubstr("looked at what")));
  std::filesystem::remove_all(scratch.root() / ".git/tracker/injection");
  scratch.write("tracker.toml", "[measure]\ninjection = false\n" +
                                    building_config().substr(building_config().find('\n') + 1));
  EXPECT_THAT(scratch.tracker({"run"}).errors, Not(HasSubstr("looked at what")));
}

}  // namespace
}  // namespace tracker::e2e
