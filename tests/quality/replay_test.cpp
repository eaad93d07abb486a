// Replays of recordings whose truth is known, because they are made up.
#include "tests/quality/replay.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/quality/made_up.hpp"
#include "tests/quality/output.hpp"

namespace tracker::quality {
namespace {

Recording made_up_recording() {
  return {"made up", {made_up_job("job1", 24, 0.002, 1, 1), made_up_job("job2", 8, 0.002, 1.02, 2)}};
}

const Setting& setting_of(const std::vector<Setting>& settings, Scope scope, std::size_t invocations) {
  return *std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
    return setting.scope == scope && setting.invocations == invocations;
  });
}

const Tally& tally_of(const Setting& setting, std::string_view part) {
  std::size_t place = 0;
  while (rules()[place].name.find(part) == std::string::npos) ++place;
  return setting.tallies.at(place);
}

const ReplayOptions kFew{.splits = 6, .seed = 1};

TEST(Replay, CountsEveryComparisonAndReport) {
  const auto settings = replay(made_up_recording(), kFew);
  ASSERT_EQ(settings.size(), 8u);
  const Setting& within = setting_of(settings, Scope::kWithinJob, 10);
  EXPECT_EQ(within.sources, 1);
  EXPECT_EQ(within.drawn_with_replacement, 0);
  ASSERT_EQ(within.tallies.size(), rules().size());
  for (const auto& tally : within.tallies) {
    EXPECT_EQ(tally.reports.of, 6);
    EXPECT_EQ(tally.regressed.of, 12);
    EXPECT_EQ(tally.regressed.hits + tally.improved.hits + tally.unchanged.hits + tally.open.hits, 12);
    EXPECT_EQ(tally.unchanged_long.of, 6);
    for (std::size_t s = 0; s < kSlowdownCount; ++s) {
      EXPECT_EQ(tally.found_long[s].of, 6);
      EXPECT_EQ(tally.found_short[s].of, 6);
    }
  }
}

TEST(Replay, FindsWhatIsThere) {
  const auto settings = replay(made_up_recording(), kFew);
  const Setting& within = setting_of(settings, Scope::kWithinJob, 10);
  EXPECT_EQ(tally_of(within, "tracker at 1 %").found_long[2].hits, 6);    // 2 % with a noise of 0.2 %
  EXPECT_EQ(tally_of(within, "tracker at 2.5 %").found_long[2].hits, 0);  // less than its threshold
  EXPECT_EQ(tally_of(within, "tracker at 1 %").regressed.hits, 0);
  EXPECT_EQ(tally_of(within, "tracker at 1 %").unchanged.hits, 12);
  EXPECT_EQ(tally_of(within, "fixed 200 %").found_long[3].hits, 0);
  EXPECT_EQ(tally_of(within, "compare.py").found_long[3].hits, 6);
  // The jobs are 2 % apart, which is noise between jobs: those who know none alarm one way or the other.
  const Setting& across = setting_of(settings, Scope::kAcrossJobs, 5);
  EXPECT_EQ(across.sources, 2);
  const Tally& welch = tally_of(across, "Welch");
  EXPECT_EQ(welch.regressed.hits, 6);
  EXPECT_EQ(welch.improved.hits, 6);
  EXPECT_EQ(welch.reports.hits, 3);
  EXPECT_EQ(tally_of(across, "tracker, any change").regressed.hits, 0);
}

TEST(Replay, OneInvocationIsInconclusive) {
  const auto settings = replay(made_up_recording(), kFew);
  for (const Scope scope : {Scope::kWithinJob, Scope::kAcrossJobs})
    for (std::size_t r = 0; r < rules().size(); ++r) {
      const Tally& tally = setting_of(settings, scope, 1).tallies.at(r);
      if (is_ours(rules()[r])) {
        EXPECT_EQ(tally.open.hits, tally.open.of) << rules()[r].name;
      }
    }
}

TEST(Replay, SaysWhereItDrawsAgainAndWhereItCannot) {
  const auto settings = replay(made_up_recording(), kFew);
  EXPECT_EQ(setting_of(settings, Scope::kWithinJob, 20).drawn_with_replacement, 1);  // 24 rounds
  EXPECT_EQ(setting_of(settings, Scope::kAcrossJobs, 5).drawn_with_replacement, 0);
  EXPECT_EQ(setting_of(settings, Scope::kAcrossJobs, 10).drawn_with_replacement, 2);  // 8 rounds
  const Recording alone{"alone", {made_up_job("job1", 12, 0.002, 1, 1)}};
  const auto few = replay(alone, kFew);
  EXPECT_FALSE(setting_of(few, Scope::kWithinJob, 5).tallies.empty());
  const Setting& none = setting_of(few, Scope::kWithinJob, 10);
  EXPECT_TRUE(none.tallies.empty());
  EXPECT_EQ(none.why_none, "no job has 20 invocations of one code: the longest has 12");
  EXPECT_EQ(setting_of(few, Scope::kAcrossJobs, 5).why_none, "no two jobs measured the same code");
}

TEST(Replay, IsTheSameForTheSameSeed) {
  const auto text = [](std::uint64_t seed) {
    return settings_text(replay(made_up_recording(), {.splits = 6, .seed = seed, .invocations = {5}}));
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(Replay, PoolsRecordings) {
  const Recording alone{"alone", {made_up_job("job1", 12, 0.002, 1, 1)}};
  const auto pool = pooled({replay(alone, kFew), replay(made_up_recording(), kFew)});
  EXPECT_EQ(setting_of(pool, Scope::kWithinJob, 5).tallies[0].reports.of, 12);
  EXPECT_EQ(setting_of(pool, Scope::kWithinJob, 10).tallies[0].reports.of, 6);
  EXPECT_EQ(setting_of(pool, Scope::kAcrossJobs, 10).sources, 2);
}

}  // namespace
}  // namespace tracker::quality
