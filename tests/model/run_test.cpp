#include "tracker/model/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Device gpu(const std::string& model) {
  Device device;
  device.kind = DeviceKind::kGpu;
  device.model = model;
  return device;
}

Device h200() {
  Device device = gpu("NVIDIA H200");
  device.memory_bytes = std::int64_t{143771} << 20;  // what the driver reports
  device.power_limit_w = 700;
  return device;
}

TEST(DeviceKey, AGpuByModelMemoryAndPower) {
  EXPECT_EQ(device_key(h200()), "nvidia-h200-140gib-700w");
}

TEST(DeviceKey, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(device_key(gpu("NVIDIA H200")), "nvidia-h200");
  Device device = h200();
  device.power_limit_w.reset();
  EXPECT_EQ(device_key(device), "nvidia-h200-140gib");
}

TEST(DeviceKey, AMigSliceIsAnotherDevice) {
  Device slice = h200();
  slice.memory_bytes = std::int64_t{16384} << 20;
  slice.mig_profile = "1g.18gb";
  EXPECT_EQ(device_key(slice), "nvidia-h200-16gib-700w-mig-1g.18gb");
  slice.mig_profile = "1g.18gb+me";
  EXPECT_EQ(device_key(slice), "nvidia-h200-16gib-700w-mig-1g.18gb-me");
}

TEST(DeviceKey, AnotherPowerLimitIsAnotherDevice) {
  Device capped = h200();
  capped.power_limit_w = 500;
  EXPECT_NE(device_key(capped), device_key(h200()));
}

TEST(DeviceKey, FactsAboutTheBoardAreNotPartOfIt) {
  Device other = h200();
  other.uuid = "GPU-5f1c9f0e";
  other.memory_clock_mhz = 3201;
  other.core_clock_mhz = 1980;
  other.ecc = true;
  other.core_count = 132;
  EXPECT_EQ(device_key(other), device_key(h200()));
}

// A person who is asked for a model may write a key.
TEST(DeviceKey, AKeyIsItsOwnKey) {
  for (const char* key :
       {"cpu-intel-xeon-processor-2t", "cpu-intel-xeon-processor", "intel-xeon-processor-2t"}) {
    Device device;
    device.model = key;
    const std::string whole = std::string(key).starts_with("cpu-") ? key : "cpu-" + std::string(key);
    EXPECT_EQ(device_key(device), whole);
    device.core_count = 2;
    EXPECT_EQ(device_key(device), whole.ends_with("-2t") ? whole : whole + "-2t");
  }
  Device device = h200();
  device.model = "nvidia-h200-140gib-700w";
  EXPECT_EQ(device_key(device), "nvidia-h200-140gib-700w");
  device.model = "nvidia-h200-140gib";
  EXPECT_EQ(device_key(device), "nvidia-h200-140gib-700w");
}

TEST(DeviceKey, ACpuByModelAndThreads) {
  struct Row {
    std::string model;
    std::optional<int> threads;
    std::string key;
  };
  const Row rows[] = {
      {"Intel(R) Xeon(R) 6960P", 2, "cpu-intel-xeon-6960p-2t"},
      {"Intel(R) Core(TM) i7-1185G7 @ 3.00GHz", 8, "cpu-intel-core-i7-1185g7-3.00ghz-8t"},
      {"Intel(R) Xeon(R) Platinum 8480C CPU @ 2.00GHz", 4, "cpu-intel-xeon-platinum-8480c-2.00ghz-4t"},
      {"AMD EPYC 9654 96-Core Processor", 192, "cpu-amd-epyc-9654-96-core-processor-192t"},
      {"", {}, "cpu-unnamed"},
      {"../../etc/passwd", 1, "cpu-etc-passwd-1t"}};
  for (const auto& row : rows) {
    Device device;
    device.model = row.model;
    device.core_count = row.threads;
    EXPECT_EQ(device_key(device), row.key);
  }
}

TEST(DeviceKey, MarksInsideMarksEnd) {
  EXPECT_EQ(device_key(gpu("A(R(R))B(TM)(tm)")), "ab");
}

TEST(Conditions, WhatDisturbs) {
  Conditions conditions;
  conditions.throttled_s = 0;
  conditions.other_processes = 0;
  EXPECT_FALSE(conditions.disturbed());
  conditions.other_processes = 1;
  EXPECT_TRUE(conditions.disturbed());
  conditions.other_processes.reset();
  EXPECT_FALSE(conditions.disturbed());
  conditions.throttle_reasons = {"power_cap"};
  EXPECT_FALSE(conditions.disturbed()) << "a full-speed GEMM meets it every time";
  conditions.throttle_reasons = {"power_cap", "hw_thermal"};
  EXPECT_TRUE(conditions.disturbed());
}

TEST(Exclusion, GoesIntoADocumentAndBack) {
  const Exclusion all[] = {{},
                           {ExclusionReason::kWarmUp, ""},
                           {ExclusionReason::kOtherProcess, ""},
                           {ExclusionReason::kThrottled, "sw_thermal, hw_slowdown"},
                           {ExclusionReason::kLowClocks, "1200 MHz, usually 1980"},
                           {ExclusionReason::kPairDisturbed, ""},
                           {ExclusionReason::kPairInterrupted, ""},
                           {ExclusionReason::kOther, "a reason of another version"}};
  for (const auto& exclusion : all)
    EXPECT_EQ(exclusion_of(exclusion_in_words(exclusion)), exclusion) << exclusion_in_words(exclusion);
}

// Documents that are stored have these words.
TEST(Exclusion, TheWordsOfDocumentsStayAsTheyAre) {
  EXPECT_EQ(exclusion_of("warm-up").reason, ExclusionReason::kWarmUp);
  EXPECT_EQ(exclusion_of("throttled: sw_thermal"), (Exclusion{ExclusionReason::kThrottled, "sw_thermal"}));
  EXPECT_EQ(exclusion_of("its pair was disturbed").reason, ExclusionReason::kPairDisturbed);
  EXPECT_EQ(exclusion_of("its pair was interrupted").reason, ExclusionReason::kPairInterrupted);
  EXPECT_EQ(exclusion_of("another process was on the GPU").reason, ExclusionReason::kOtherProcess);
  EXPECT_EQ(exclusion_of("the clocks were low: 1 MHz").reason, ExclusionReason::kLowClocks);
  EXPECT_FALSE(exclusion_of(""));
  EXPECT_TRUE(exclusion_of("throttled"));
}

NoiseHistory four_runs() {
  NoiseHistory history;
  for (const char* id : {"1", "2", "3", "4"}) history.runs.emplace_back().id = id;
  for (const auto& in : {std::vector<std::uint32_t>{0, 1, 3}, std::vector<std::uint32_t>{2}}) {
    auto& times = history.times.emplace_back();
    for (const std::uint32_t run : in) times.in_runs.push_back({run, 0, 10 * run});
  }
  return history;
}

std::vector<std::string> ids_in(const NoiseHistory& history, const BenchmarkTimes& times) {
  std::vector<std::string> ids;
  for (const auto& one : times.in_runs) ids.push_back(history.runs.at(one.run).id);
  return ids;
}

TEST(NoiseHistory, TimesStayWithTheirRuns) {
  const auto kept = keep_runs(four_runs(), [](const auto& run) { return run.id != "1" && run.id != "3"; });
  ASSERT_THAT(kept.runs, SizeIs(2));
  ASSERT_THAT(kept.times, SizeIs(1)) << "of the other one nothing is left";
  EXPECT_THAT(ids_in(kept, kept.times.front()), ElementsAre("2", "4"));
  EXPECT_EQ(kept.times.front().in_runs.back().first, 30u);
}

TEST(NoiseHistory, AllOrNone) {
  const auto all = keep_runs(four_runs(), [](const auto&) { return true; });
  EXPECT_THAT(ids_in(all, all.times.front()), ElementsAre("1", "2", "4"));
  const auto none = keep_runs(four_runs(), [](const auto&) { return false; });
  EXPECT_THAT(none.runs, IsEmpty());
  EXPECT_THAT(none.times, IsEmpty());
}

}  // namespace
}  // namespace tracker
