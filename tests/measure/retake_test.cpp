#include "tracker/measure/retake.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/measure/disturbance.hpp"

namespace tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A job of one part on two targets, all clean at 1980 MHz.
struct Job {
  std::deque<Invocation> invocations;
  std::vector<Taken> taken;

  explicit Job(int rounds, std::size_t targets = 2) {
    for (int round = 1; round <= rounds; ++round)
      for (std::size_t target = 0; target < targets; ++target) {
        invocations.emplace_back().conditions.core_clock_mhz_min = 1980;
        taken.push_back({{0, target, round}, &invocations.back()});
      }
  }
  Conditions& at(int round, std::size_t target) { return find(round, target).conditions; }
  std::string excluded(int round, std::size_t target) {
    return exclusion_in_words(find(round, target).excluded);
  }

  Invocation& find(int round, std::size_t target) {
    for (auto& one : taken)
      if (one.step.round == round && one.step.target == target) return *one.invocation;
    throw std::out_of_range("no such round");
  }
};

TEST(LeaveOutDisturbed, LeavesTheCleanAlone) {
  Job job(5);
  job.at(2, 0).throttle_reasons = {"power_cap"};  // a full-speed GEMM meets it every time
  job.at(3, 1).core_clock_mhz_min = 1800;         // 9.1 % below
  exclude_disturbed(job.taken);
  EXPECT_THAT(excluded_for(job.taken), IsEmpty());
  EXPECT_EQ(clean_rounds(job.taken), 5);
}

TEST(LeaveOutDisturbed, TakesThePairAlong) {
  Job job(5);
  job.at(2, 0).throttle_reasons = {"power_cap", "sw_thermal"};
  job.at(4, 1).other_processes = 1;
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(2, 0), "throttled: sw_thermal");
  EXPECT_EQ(job.excluded(2, 1), "its pair was disturbed");
  EXPECT_EQ(job.excluded(4, 0), "its pair was disturbed");
  EXPECT_EQ(job.excluded(4, 1), "another process was on the GPU");
  EXPECT_EQ(clean_rounds(job.taken), 3);
  const auto once = excluded_for(job.taken);
  exclude_disturbed(job.taken);
  EXPECT_EQ(excluded_for(job.taken), once) << "twice is once";
}

TEST(LeaveOutDisturbed, BothOfAPairKeepTheirOwnReasons) {
  Job job(3);
  job.at(1, 0).throttle_reasons = {"hw_slowdown"};
  job.at(1, 1).throttle_reasons = {"sw_thermal"};
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(1, 0), "throttled: hw_slowdown");
  EXPECT_EQ(job.excluded(1, 1), "throttled: sw_thermal");
}

TEST(LeaveOutDisturbed, LowClocksAreHeldAgainstTheSameSideAlone) {
  Job job(5);
  job.at(3, 0).core_clock_mhz_min = 1200;
  for (int round = 1; round <= 5; ++round) job.at(round, 1).core_clock_mhz_min = 1500;  // the code's doing
  exclude_disturbed(job.taken);
  EXPECT_EQ(job.excluded(3, 0), "the clocks were low: 1200 MHz, usually 1980");
  EXPECT_EQ(clean_rounds(job.taken), 4);
}

TEST(LeaveOutDisturbed, OneInvocationHasNothingToBeHeldAgainst) {
  Job job(1);
  job.at(1, 0).core_clock_mhz_min = 300;
  exclude_disturbed(job.taken);
  EXPECT_EQ(clean_rounds(job.taken), 1);
  Job unknown(5);
  for (int round = 1; round <= 5; ++round) unknown.at(round, 0).core_clock_mhz_min.reset();
  exclude_disturbed(unknown.taken);
  EXPECT_EQ(clean_rounds(unknown.taken), 5);
}

TEST(RoundsToRetake, SoManyAsAreMissingButNeverMoreThanAllowed) {
  EXPECT_EQ(rounds_to_retake(5, 5, 0, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 3, 0, 5), 2);
  EXPECT_EQ(rounds_to_retake(5, 3, 4, 5), 1);
  EXPECT_EQ(rounds_to_retake(5, 3, 5, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 7, 2, 5), 0);
}

TEST(RoundsToRetake, EndsWhateverHappens) {
  for (int asked = 1; asked <= 10; ++asked)
    for (int clean = 0; clean <= asked; ++clean) {
      int retaken = 0;
      for (int more = 1; more > 0; retaken += more) more = rounds_to_retake(asked, clean, retaken, asked);
      EXPECT_LE(retaken, asked) << "though no retake was ever clean";
    }
}

TEST(RoundsToRetake, OneTellsWhetherADisturbedMachineHasRecovered) {
  EXPECT_EQ(rounds_to_retake(5, 0, 0, 5), 1);
  EXPECT_EQ(rounds_to_retake(5, 0, 1, 5), 0);
  EXPECT_EQ(rounds_to_retake(5, 1, 1, 5), 4);
}

TEST(CountAgainIfFew, LeavesOutWhatIsMadeUpFor) {
  Job job(5);
  for (int round = 1; round <= 2; ++round) job.at(round, 0).other_processes = 1;
  exclude_disturbed(job.taken);
  EXPECT_EQ(count_again_if_few(job.taken, 5), 0);
  EXPECT_EQ(clean_rounds(job.taken), 3);
}

TEST(CountAgainIfFew, CountsTheDisturbedButNotTheWarmUp) {
  Job job(5);
  for (int round = 2; round <= 5; ++round) job.at(round, 0).other_processes = 1;
  exclude_disturbed(job.taken);
  job.find(1, 0).excluded = job.find(1, 1).excluded = {ExclusionReason::kWarmUp, ""};
  EXPECT_EQ(count_again_if_few(job.taken, 5), 8);
  EXPECT_EQ(clean_rounds(job.taken), 4);
  EXPECT_EQ(excluded_for(job.taken), (std::map<std::string, int>{{"warm-up", 2}}));
}

TEST(CountAgainIfFew, OneOfSeveralIsFew) {
  Job two(2);
  two.at(1, 0).other_processes = 1;
  exclude_disturbed(two.taken);
  EXPECT_EQ(count_again_if_few(two.taken, 2), 2);
  Job one(1);
  EXPECT_EQ(count_again_if_few(one.taken, 1), 0);
}

}  // namespace
}  // namespace tracker
