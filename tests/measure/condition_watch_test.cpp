// What is read of a GPU while a binary runs on it that does not state its conditions itself.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/devices/fake_nvml.hpp"
#include "tracker/measure/local_environment.hpp"

namespace tracker::measure {
namespace {

class ConditionWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(FAKE_NVML_PATH, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    state_ = reinterpret_cast<fake_nvml::StateFunction>(dlsym(library_, "fake_nvml_state"))();
    *state_ = {};
  }
  void TearDown() override {
    if (library_ != nullptr) dlclose(library_);
  }
  static LocalEnvironment this_machine() {
    std::vector<std::unique_ptr<devices::Driver>> drivers;
    drivers.push_back(devices::nvidia_driver(FAKE_NVML_PATH));
    return LocalEnvironment(std::move(drivers));
  }
  // What one reading finds.
  Conditions seen() { return seen_of(this_machine().devices(DeviceKind::kGpu).front()); }
  // What it says of results of this device.
  Conditions seen_of(const Device& of_results) {
    const LocalEnvironment environment = this_machine();
    ConditionWatch watch(environment, environment.devices(DeviceKind::kGpu).front());
    watch.read();
    Conditions conditions;
    watch.finish(of_results, conditions);
    return conditions;
  }

  void* library_ = nullptr;
  fake_nvml::State* state_ = nullptr;
};

TEST_F(ConditionWatchTest, CountsTheOthersOnTheGpu) {
  EXPECT_EQ(seen().other_processes, 0) << "the benchmark itself is one";
  EXPECT_FALSE(seen().disturbed());
  state_->processes = 3;
  EXPECT_EQ(seen().other_processes, 2);
  EXPECT_TRUE(seen().disturbed());
}

TEST_F(ConditionWatchTest, IdleClocksAreNotTheBenchmarks) {
  EXPECT_EQ(seen().core_clock_mhz_min, 1965);
  EXPECT_EQ(seen().memory_clock_mhz, 3201);
  state_->processes = 0;
  EXPECT_EQ(seen().core_clock_mhz_min, std::nullopt) << "nothing is on the GPU yet";
  EXPECT_EQ(seen().memory_clock_mhz, std::nullopt);
  EXPECT_EQ(seen().core_clock_mhz_max, 1965);
  EXPECT_EQ(seen().other_processes, 0);
}

TEST_F(ConditionWatchTest, WhatTheBinaryStatesStands) {
  const LocalEnvironment environment = this_machine();
  ConditionWatch watch(environment, environment.devices(DeviceKind::kGpu).front());
  watch.read();
  Conditions stated;
  stated.core_clock_mhz_min = 1700;
  watch.finish(environment.devices(DeviceKind::kGpu).front(), stated);
  EXPECT_EQ(stated.core_clock_mhz_min, 1700);
  EXPECT_EQ(stated.core_clock_mhz_max, std::nullopt);
}

// A binary may state that it ran on a CPU, or on another GPU, of a machine that has one.
TEST_F(ConditionWatchTest, SaysNothingOfAnotherDevice) {
  state_->processes = 3;
  Device device = this_machine().devices(DeviceKind::kGpu).front();
  device.uuid.reset();
  EXPECT_EQ(seen_of(device).other_processes, 2) << "it may be the one watched";
  device.uuid = "GPU-00000000-0000-0000-0000-000000000000";
  EXPECT_EQ(seen_of(device).other_processes, std::nullopt);
  EXPECT_FALSE(seen_of(device).disturbed());
  device.uuid.reset();
  device.kind = DeviceKind::kCpu;
  EXPECT_EQ(seen_of(device).core_clock_mhz_max, std::nullopt);
}

}  // namespace
}  // namespace tracker::measure
