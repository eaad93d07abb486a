#include "tracker/measure/load.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

TEST(CpuTimes, AreReadFromProcStat) {
  std::istringstream stat(
      "cpu  300 0 100 800 0 0 0 0\ncpu0 100 10 50 400 40 5 5 30 0 0\ncpu1 200 0 50 400 0 0 0 0\n"
      "intr 1234\n");
  const auto times = read_cpu_times(stat, 100);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_DOUBLE_EQ(times.at(0).busy_s, 2.0) << "with what the hypervisor took away";
  EXPECT_DOUBLE_EQ(times.at(0).idle_s, 4.4);
  EXPECT_DOUBLE_EQ(times.at(1).busy_s, 2.5);
}

TEST(Running, IsReadFromProcLoadavg) {
  std::istringstream loadavg("14.87 11.03 6.65 24/512 1234\n");
  EXPECT_EQ(read_running(loadavg), 24);
  std::istringstream other("nothing");
  EXPECT_EQ(read_running(other), std::nullopt);
}

TEST(Load, IsSaidFromATenthOfTheCpusOn) {
  EXPECT_FALSE(load_before(0.1, 2));
  const auto warning = load_before(24, 2);
  ASSERT_TRUE(warning);
  EXPECT_THAT(warning->cause, testing::HasSubstr("other programs keep 2.0 of 2 CPUs busy"));
  EXPECT_THAT(warning->remedy, testing::HasSubstr("cpus = \"auto\""));
  EXPECT_FALSE(load_while_measured(1, 64));
  EXPECT_THAT(load_while_measured(1.55, 2)->cause, testing::HasSubstr("kept 1.6 of 2 CPUs busy"));
}

TEST(Load, TheQuietestCpuIsOneThatIsAllowed) {
  const auto allowed = allowed_cpus();
  ASSERT_FALSE(allowed.empty());
  const LoadWatch watch;
  if (const auto cpu = watch.quietest()) {
    EXPECT_THAT(allowed, testing::Contains(*cpu));
  }
}

}  // namespace
}  // namespace tracker
