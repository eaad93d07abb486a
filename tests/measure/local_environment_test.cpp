// Which device a binary that says nothing is taken to run on, and what is read of it meanwhile.

#include "tracker/measure/local_environment.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/devices/fake_driver.hpp"
#include "tracker/base/error.hpp"

namespace tracker::measure {
namespace {

using testing::HasSubstr;

// A machine with these GPUs; without one where there are none.
class Machine {
 public:
  explicit Machine(std::vector<Device> gpus) {
    auto gpu = std::make_unique<devices::FakeDriver>(gpus, gpus.empty() ? "no driver" : "");
    auto cpu = devices::cpu_driver();
    gpu_driver = gpu.get();
    std::vector<std::unique_ptr<devices::Driver>> drivers;
    drivers.push_back(std::move(gpu));
    drivers.push_back(std::move(cpu));
    environment = std::make_unique<LocalEnvironment>(std::move(drivers));
  }

  devices::FakeDriver* gpu_driver = nullptr;
  std::unique_ptr<LocalEnvironment> environment;
};

std::string what_is_wrong(const LocalEnvironment& environment, RunsOn runs_on) {
  try {
    environment.device_for(runs_on);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(LocalEnvironment, TakesTheOnlyGpu) {
  const Machine machine({devices::fake_gpu("NVIDIA H200", "GPU-1")});
  EXPECT_TRUE(machine.environment->has_gpu());
  EXPECT_EQ(machine.environment->why_no_gpu(), "");
  EXPECT_EQ(machine.environment->device_for(RunsOn::kAuto).uuid, "GPU-1");
  EXPECT_EQ(machine.environment->device_for(RunsOn::kGpu).model, "NVIDIA H200");
  EXPECT_EQ(machine.environment->device_for(RunsOn::kCpu).kind, DeviceKind::kCpu);
  EXPECT_TRUE(machine.environment->wants(RunsWhere::kGpu));
  EXPECT_FALSE(machine.environment->wants(RunsWhere::kNoGpu));
}

TEST(LocalEnvironment, WithoutAGpuTakesTheCpu) {
  const Machine machine({});
  EXPECT_FALSE(machine.environment->has_gpu());
  EXPECT_EQ(machine.environment->device_for(RunsOn::kAuto).kind, DeviceKind::kCpu);
  EXPECT_EQ(what_is_wrong(*machine.environment, RunsOn::kGpu), "no GPU here: no driver");
  EXPECT_TRUE(machine.environment->wants(RunsWhere::kNoGpu));
}

TEST(LocalEnvironment, OfSeveralAlikeDoesNotKnowWhich) {
  const Machine machine(
      {devices::fake_gpu("NVIDIA H200", "GPU-1"), devices::fake_gpu("NVIDIA H200", "GPU-2")});
  const Device device = machine.environment->device_for(RunsOn::kAuto);
  EXPECT_EQ(device.model, "NVIDIA H200");
  EXPECT_EQ(device.uuid, std::nullopt);
}

TEST(LocalEnvironment, OfDifferentOnesAsksWhich) {
  const Machine machine(
      {devices::fake_gpu("NVIDIA H200", "GPU-1"), devices::fake_gpu("NVIDIA A100", "GPU-2")});
  EXPECT_THAT(what_is_wrong(*machine.environment, RunsOn::kAuto), HasSubstr("different GPUs"));
}

TEST(LocalEnvironment, KnowsTheDriversSoftware) {
  Machine machine({devices::fake_gpu("NVIDIA H200", "GPU-1")});
  machine.gpu_driver->known.driver = "580.1";
  EXPECT_EQ(machine.environment->software().driver, "580.1");
  EXPECT_EQ(machine.environment->software().cuda_driver, std::nullopt);
}

TEST(LocalEnvironment, ReadsTheDeviceThatIsWatched) {
  Machine machine({devices::fake_gpu("NVIDIA H200", "GPU-1")});
  devices::Reading reading;
  reading.temperature_c = 61;
  reading.processes = 1;
  machine.gpu_driver->reading = reading;
  const Device gpu = machine.environment->devices(DeviceKind::kGpu).front();
  ConditionWatch watch(*machine.environment, gpu);
  watch.read();
  Conditions conditions;
  watch.finish(gpu, conditions);
  EXPECT_EQ(conditions.temperature_c_max, 61);
  EXPECT_EQ(conditions.other_processes, 0);
}

TEST(LocalEnvironment, WatchesNothingWithoutADevice) {
  Machine machine({devices::fake_gpu("NVIDIA H200", "GPU-1")});
  machine.gpu_driver->reading = devices::Reading{};
  ConditionWatch watch(*machine.environment, std::nullopt);
  watch.read();
  Conditions conditions;
  conditions.load_average = 0.5;
  watch.finish(devices::fake_gpu("NVIDIA H200", "GPU-1"), conditions);
  EXPECT_EQ(conditions.load_average, 0.5);
  EXPECT_EQ(conditions.other_processes, std::nullopt);
}

TEST(CpuTimes, AreReadFromProcStat) {
  std::istringstream stat(
      "cpu  300 0 100 800 0 0 0 0\ncpu0 100 10 50 400 40 5 5 30 0 0\ncpu1 200 0 50 400 0 0 0 0\n"
      "intr 1234\n");
  const auto times_s = read_busy_times_s(stat, 100);
  ASSERT_EQ(times_s.size(), 2u);
  EXPECT_DOUBLE_EQ(times_s.at(0), 2.0) << "with what the hypervisor took away";
  EXPECT_DOUBLE_EQ(times_s.at(1), 2.5);
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

}  // namespace tracker::measure
