#include "tracker/formats/stated_environment.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

json h200() {
  return {{"device.kind", "gpu"},
          {"device.model", "NVIDIA H200"},
          {"device.uuid", "GPU-5f1c"},
          {"device.compute_capability", "9.0"},
          {"device.mig_profile", "1g.18gb"},
          {"device.memory_bytes", "150754820096"},
          {"device.l2_bytes", "62914560"},
          {"device.core_count", "132"},
          {"device.ecc", "true"},
          {"device.power_limit_w", "700"},
          {"device.memory_clock_mhz", "3201"},
          {"device.core_clock_mhz", "1980.5"},
          {"device.peak_bytes_per_second", "4.9167e+12"},
          {"device.peak_flops", "66908160000000"}};
}

TEST(StatedDevice, EveryKey) {
  const auto device = stated_device(h200());
  ASSERT_TRUE(device);
  EXPECT_EQ(device->kind, DeviceKind::kGpu);
  EXPECT_EQ(device->model, "NVIDIA H200");
  EXPECT_EQ(device->uuid, "GPU-5f1c");
  EXPECT_EQ(device->compute_capability, "9.0");
  EXPECT_EQ(device->mig_profile, "1g.18gb");
  EXPECT_EQ(device->memory_bytes, 150754820096);
  EXPECT_EQ(device->l2_bytes, 62914560);
  EXPECT_EQ(device->core_count, 132);
  EXPECT_EQ(device->ecc, true);
  EXPECT_EQ(device->power_limit_w, 700);
  EXPECT_EQ(device->memory_clock_mhz, 3201);
  EXPECT_EQ(device->core_clock_mhz, 1980.5);
  EXPECT_EQ(device->peak_bytes_per_second, 4.9167e12);
  EXPECT_EQ(device->peak_flops, 66908160000000);
  EXPECT_EQ(device_key(*device), "nvidia-h200-140gib-700w-mig-1g.18gb");
}

TEST(StatedDevice, NeedsKindAndModel) {
  for (const char* key : {"device.kind", "device.model"})
    for (const json& value : {json(nullptr), json(""), json("quantum"), json(3), json::array()}) {
      if (std::string(key) == "device.model" && value == "quantum") continue;
      json context = h200();
      context[key] = value;
      EXPECT_FALSE(stated_device(context)) << key << " " << value;
    }
  EXPECT_FALSE(stated_device(json::object()));
  EXPECT_EQ(stated_device(json{{"device.kind", "cpu"}, {"device.model", "x"}})->kind, DeviceKind::kCpu);
}

TEST(StatedDevice, OtherSuitesGpus) {
  const auto amd = stated_device({{"hdp_name", "AMD Instinct MI250X"},
                                  {"hdp_total_global_mem", "68702699520"},
                                  {"hdp_multi_processor_count", "104"},
                                  {"hdp_gcn_arch_name", "gfx90a:sramecc+:xnack-"}});
  ASSERT_TRUE(amd);
  EXPECT_EQ(amd->kind, DeviceKind::kGpu);
  EXPECT_EQ(amd->compute_capability, "gfx90a");
  EXPECT_EQ(amd->core_count, 104);
  EXPECT_EQ(device_key(*amd), "amd-instinct-mi250x-64gib");
  for (const char* key : {"gpu", "GPU_name", "device-name", "sycl.device.name"})
    EXPECT_EQ(stated_device(json{{key, "Intel(R) Data Center GPU Max 1550"}}).value_or(Device{}).model,
              "Intel(R) Data Center GPU Max 1550")
        << key;
  for (const char* none : {"NVIDIA H100", "Intel(R) Xeon(R) 6960P", "AMD EPYC 9654", "CPU of Intel", "a GPU"})
    EXPECT_FALSE(stated_device(json{{"gpu", none}})) << none;
}

TEST(StatedDevice, GarbageIsAbsent) {
  for (const char* garbage :
       {"", "x", "nan", "inf", "-1", "12x", " 1", "1e300", "0x10", "1,000", "99999999999999999999999"}) {
    json context = h200();
    for (auto& [key, value] : context.items())
      if (key != "device.kind" && key != "device.model") value = garbage;
    const auto device = stated_device(context);
    ASSERT_TRUE(device);
    EXPECT_FALSE(device->memory_bytes) << garbage;
    EXPECT_FALSE(device->core_count) << garbage;
    EXPECT_FALSE(device->power_limit_w) << garbage;
    EXPECT_FALSE(device->peak_flops) << garbage;
    EXPECT_FALSE(device->ecc) << garbage;
    EXPECT_EQ(device_key(*device).find("gib"), std::string::npos) << garbage;
  }
  json context = h200();
  context["device.memory_bytes"] = 5;  // not a text: AddCustomContext writes texts
  context["device.ecc"] = true;
  EXPECT_FALSE(stated_device(context)->memory_bytes);
  EXPECT_FALSE(stated_device(context)->ecc);
}

TEST(StatedSoftware, WhatBuiltItByTheKeysThatPeopleUse) {
  const auto software = stated_software(json{{"Compiler-Version", "13.2.0"},
                                             {"compiler_id", "GNU"},
                                             {"KOKKOS_COMPILER_NVCC", 1300},
                                             {"CMAKE_CXX_FLAGS", "-O3"},
                                             {"CMAKE_BUILD_TYPE", "Release"}});
  EXPECT_EQ(software.compiler, "GNU 13.2.0 NVCC 1300");
  // Of other suites: a toolkit's version, options of the build.
  const auto other = stated_software(json{{"macro HIP_VERSION", "60342131"},
                                          {"KOKKOS_COMPILER_INTEL_LLVM", "20250000"},
                                          {"KOKKOS_ENABLE_SYCL", "yes"},
                                          {"KOKKOS_ENABLE_CXX26", "no"},
                                          {"CMAKE_HIP_FLAGS", "-O2"},
                                          {"macro CUDA_VERSION", "12040"},
                                          {"cpu_scaling_enabled", "false"},
                                          {"CMAKE_CXX_COMPILER_LAUNCHER", "ccache"}});
  EXPECT_EQ(other.compiler, "LLVM 20250000 HIP 60342131");
  EXPECT_EQ(other.flags, "-O2 KOKKOS_ENABLE_SYCL=yes");
  EXPECT_EQ(other.cuda_runtime, "12040");
  EXPECT_EQ(software.flags, "-O3");
  EXPECT_EQ(software.build_type, "Release");
  EXPECT_EQ(stated_software(json{{"software.compiler", "GNU 12"}, {"compiler", "gcc"}}).compiler, "GNU 12");
  EXPECT_FALSE(stated_software(json{{"compiler", json::array()}, {"executable", "g++"}}).compiler);
}

TEST(StatedSoftware, EveryKey) {
  const auto software = stated_software(json{{"software.driver", "580.159.04"},
                                             {"software.cuda_driver", "13.0"},
                                             {"software.cuda_runtime", "13.0"},
                                             {"software.cublas", "13.1.0"},
                                             {"software.compiler", "GNU 12.2"},
                                             {"software.flags", "-O3"},
                                             {"software.build_type", "Release"}});
  EXPECT_EQ(software.driver, "580.159.04");
  EXPECT_EQ(software.cuda_driver, "13.0");
  EXPECT_EQ(software.cuda_runtime, "13.0");
  EXPECT_EQ(software.cublas, "13.1.0");
  EXPECT_EQ(software.compiler, "GNU 12.2");
  EXPECT_EQ(software.flags, "-O3");
  EXPECT_EQ(software.build_type, "Release");
  EXPECT_FALSE(stated_software(json{{"software.driver", 580}}).driver);
}

TEST(StatedConditions, AreGatheredOverTheInvocation) {
  const auto file = parse(
      {row("a",
           R"("condition_core_clock_mhz": 1980, "condition_memory_clock_mhz": 3201, "condition_temperature_c": 41,
                   "condition_throttled_s": 0.25, "condition_other_processes": 0)"),
       row("b",
           R"("condition_core_clock_mhz": 1755, "condition_memory_clock_mhz": 3201, "condition_temperature_c": 55,
                   "condition_throttled_s": 0.5, "condition_other_processes": 2, "condition_throttle_power_cap": 1,
                   "condition_throttle_sw_thermal": 0)")});
  const Conditions& conditions = file.invocation.conditions;
  EXPECT_EQ(conditions.core_clock_mhz_min, 1755);
  EXPECT_EQ(conditions.core_clock_mhz_max, 1980);
  EXPECT_EQ(conditions.memory_clock_mhz, 3201);
  EXPECT_EQ(conditions.temperature_c_max, 55);
  EXPECT_EQ(conditions.throttled_s, 0.75);
  EXPECT_EQ(conditions.other_processes, 2);
  EXPECT_THAT(conditions.throttle_reasons, ElementsAre("power_cap"));
  EXPECT_EQ(conditions.load_average, 0.5);
  EXPECT_TRUE(conditions.disturbed());
}

TEST(StatedConditions, NoneStatedNoneKnown) {
  const Conditions conditions = parse({row("a")}).invocation.conditions;
  EXPECT_FALSE(conditions.core_clock_mhz_min);
  EXPECT_FALSE(conditions.throttled_s);
  EXPECT_FALSE(conditions.other_processes);
  EXPECT_THAT(conditions.throttle_reasons, IsEmpty());
}

TEST(StatedConditions, ReasonsThatAreKnownAlreadyAreKept) {
  Invocation invocation;
  invocation.samples["a"].counters["condition_throttle_thermal"] = {0, 1};
  Conditions conditions;
  conditions.throttle_reasons = {"power_cap", "thermal"};
  gather_conditions(invocation, conditions);
  EXPECT_THAT(conditions.throttle_reasons, ElementsAre("power_cap", "thermal"));
}

// Programs that ask NVML themselves call them otherwise.
TEST(StatedConditions, AreReadByOtherNames) {
  for (const char* name : {"SM_Clock_MHz", "gpu_clock_mhz", "clocks.current.sm [MHz]", "GraphicsClockMHz"}) {
    Invocation invocation;
    invocation.samples["a"].counters = {{name, {1980, 480}},
                                        {"condition_throttle_sw_power_cap", {1}},
                                        {"condition_throttle_hw_thermal_slowdown", {1}}};
    Conditions conditions;
    gather_conditions(invocation, conditions);
    EXPECT_EQ(conditions.core_clock_mhz_min, 480) << name;
    EXPECT_EQ(conditions.core_clock_mhz_max, 1980) << name;
    EXPECT_THAT(conditions.throttle_reasons, ElementsAre("hw_thermal", "power_cap"));
  }
  for (const char* name : {"clock", "clock_rate", "sm_clock_khz", "cpu_mhz"}) {
    Invocation invocation;
    invocation.samples["a"].counters = {{name, {1980}}};
    Conditions conditions;
    gather_conditions(invocation, conditions);
    EXPECT_FALSE(conditions.core_clock_mhz_min) << name;
  }
}

TEST(StatedConditions, GarbageDoesNoHarm) {
  Invocation invocation;
  invocation.samples["a"].counters = {
      {"condition_other_processes", {1e300, -1e300, std::numeric_limits<double>::quiet_NaN()}},
      {"condition_throttled_s", {-5, std::numeric_limits<double>::infinity()}},
      {"condition_throttle_thermal", {-1}}};
  Conditions conditions;
  gather_conditions(invocation, conditions);
  EXPECT_EQ(conditions.other_processes, 1'000'000);
  EXPECT_EQ(conditions.throttled_s, 0);
  EXPECT_THAT(conditions.throttle_reasons, IsEmpty());
}

}  // namespace
}  // namespace tracker::formats
