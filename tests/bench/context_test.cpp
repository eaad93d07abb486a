#include "bench/kit/context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/kit/counters.hpp"

namespace tracker::kit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(Context, LeavesOutWhatIsNotKnown) {
  tracker::Device device;
  device.kind = tracker::DeviceKind::kGpu;
  device.model = "NVIDIA H200";
  EXPECT_THAT(context_of(device, {}),
              UnorderedElementsAre(Pair("device.kind", "gpu"), Pair("device.model", "NVIDIA H200")));
}

TEST(Context, NamesEveryFact) {
  tracker::Device device;
  device.kind = tracker::DeviceKind::kGpu;
  device.model = "NVIDIA H200";
  device.uuid = "MIG-1";
  device.compute_capability = "9.0";
  device.mig_profile = "1g.18gb";
  device.memory_bytes = 150754820096;
  device.l2_bytes = 62914560;
  device.core_count = 132;
  device.ecc = true;
  device.power_limit_w = 700;
  device.memory_clock_mhz = 3201;
  device.core_clock_mhz = 1980;
  device.peak_bytes_per_second = 4.916736e12;
  device.peak_flops = 6.690816e13;
  tracker::Software software{"580.159.04", "13.0", "12.4", "13.1.0", "GNU 12.2.0", "-O3", "Release"};
  EXPECT_THAT(
      context_of(device, software),
      UnorderedElementsAre(Pair("device.kind", "gpu"), Pair("device.model", "NVIDIA H200"),
                           Pair("device.uuid", "MIG-1"), Pair("device.compute_capability", "9.0"),
                           Pair("device.mig_profile", "1g.18gb"), Pair("device.memory_bytes", "150754820096"),
                           Pair("device.l2_bytes", "62914560"), Pair("device.core_count", "132"),
                           Pair("device.ecc", "true"), Pair("device.power_limit_w", "700"),
                           Pair("device.memory_clock_mhz", "3201"), Pair("device.core_clock_mhz", "1980"),
                           Pair("device.peak_bytes_per_second", "4.916736e+12"),
                           Pair("device.peak_flops", "6.690816e+13"), Pair("software.driver", "580.159.04"),
                           Pair("software.cuda_driver", "13.0"), Pair("software.cuda_runtime", "12.4"),
                           Pair("software.cublas", "13.1.0"), Pair("software.compiler", "GNU 12.2.0"),
                           Pair("software.flags", "-O3"), Pair("software.build_type", "Release")));
}

TEST(BuiltSoftware, HasNoPathsOfTheBuildMachine) {
  const tracker::Software software = built_software(true);
  EXPECT_THAT(software.compiler.value(), Not(IsEmpty()));
  EXPECT_THAT(software.flags.value(), HasSubstr("-std=c++20"));
  EXPECT_THAT(software.flags.value(), Not(HasSubstr("/")));
  EXPECT_THAT(software.build_type.value(), Not(IsEmpty()));
}

TEST(ConditionCounters, SayWhatHappenedBetweenTwoReadings) {
  devices::Reading before;
  before.throttled_s = 10;
  devices::Reading after;
  after.core_clock_mhz = 1965;
  after.memory_clock_mhz = 3201;
  after.temperature_c = 41;
  after.throttled_s = 10.25;
  after.throttle_reasons = {"power_cap", "sw_thermal"};
  after.processes = 3;
  std::map<std::string, double> found;
  for (const auto& [name, counter] : condition_counters(before, after)) found[name] = counter;
  EXPECT_THAT(found, UnorderedElementsAre(
                         Pair("condition_core_clock_mhz", 1965), Pair("condition_memory_clock_mhz", 3201),
                         Pair("condition_temperature_c", 41), Pair("condition_throttled_s", 0.25),
                         Pair("condition_other_processes", 2), Pair("condition_throttle_power_cap", 1),
                         Pair("condition_throttle_sw_thermal", 1)));
}

TEST(MeasuredCounters, SayWhatTheDeviceCounted) {
  std::map<std::string, double> found;
  const Measured measured{
      .mean_s = 0.002, .clock_mhz = 1750.4, .retaken_bursts = 1, .retaken_contexts = 2, .power_w = 651.6};
  for (const auto& [name, counter] : measured_counters(measured)) found[name] = counter;
  EXPECT_THAT(found,
              UnorderedElementsAre(Pair("condition_core_clock_mhz", 1750),
                                   Pair("sm_cycles", ::testing::DoubleNear(3500800, 1e-3)),
                                   Pair("condition_retaken_bursts", 1), Pair("condition_retaken_contexts", 2),
                                   Pair("condition_power_w", 652),
                                   Pair("energy_j_per_iteration", ::testing::DoubleNear(1.3032, 1e-9))));
  EXPECT_THAT(measured_counters({.mean_s = 0.002}), IsEmpty());
}

TEST(ConditionCounters, AreAbsentWhereNothingIsKnown) {
  EXPECT_THAT(condition_counters({}, {}), IsEmpty());
  EXPECT_THAT(condition_counters(devices::Reading{}, devices::Reading{}), IsEmpty());
}

// A container may hide this process from the list that it is on.
TEST(ConditionCounters, OthersAreNeverFewerThanNone) {
  devices::Reading reading;
  reading.processes = 0;
  EXPECT_THAT(condition_counters({}, reading), Contains(Pair("condition_other_processes", 0)));
}

}  // namespace
}  // namespace tracker::kit
