#include "tracker/measure/boards.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/devices/fake_driver.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LeaseBoards : public ::testing::Test {
 protected:
  LeaseBoards() { ::setenv(kLeaseFolderVariable, folder_.path().c_str(), 1); }
  ~LeaseBoards() override { ::unsetenv(kLeaseFolderVariable); }

  static LocalEnvironment machine(std::vector<Device> gpus) {
    std::vector<std::unique_ptr<devices::Driver>> drivers;
    drivers.push_back(std::make_unique<devices::FakeDriver>(std::move(gpus)));
    drivers.push_back(devices::cpu_driver());
    return LocalEnvironment(std::move(drivers));
  }
  static BoardRequest asked(const std::string& gpus, RunsOn runs_on = RunsOn::kGpu) {
    BoardRequest request;
    request.gpus = gpus;
    request.binaries.emplace_back().device = runs_on;
    request.wait_max_s = 0;
    return request;
  }
  static std::vector<std::string> uuids_of(const std::vector<Device>& boards) {
    std::vector<std::string> uuids;
    for (const auto& board : boards) uuids.push_back(board.uuid.value());
    return uuids;
  }

  TemporaryDirectory folder_;
};

TEST_F(LeaseBoards, DifferentModelsAndSlicesAreGroupsOfTheirOwn) {
  Device slice = devices::fake_gpu("NVIDIA H200", "MIG-1");
  slice.mig_profile = "1g.18gb";
  const auto here =
      machine({devices::fake_gpu("NVIDIA H200", "GPU-a"), devices::fake_gpu("NVIDIA L4", "GPU-b"),
               devices::fake_gpu("NVIDIA H200", "GPU-c"), slice});
  const auto all = lease_boards(asked("all"), here);
  ASSERT_THAT(all.groups, SizeIs(3));
  std::vector<std::vector<std::string>> groups;
  for (const auto& group : all.groups) groups.push_back(uuids_of(group));
  EXPECT_THAT(groups, ::testing::UnorderedElementsAre(ElementsAre("GPU-a", "GPU-c"), ElementsAre("GPU-b"),
                                                      ElementsAre("MIG-1")));
}

TEST_F(LeaseBoards, ACountTakesBoardsOfOneModel) {
  const auto here =
      machine({devices::fake_gpu("NVIDIA L4", "GPU-b"), devices::fake_gpu("NVIDIA H200", "GPU-a"),
               devices::fake_gpu("NVIDIA H200", "GPU-c")});
  const auto two = lease_boards(asked("2"), here);
  ASSERT_THAT(two.groups, SizeIs(1));
  EXPECT_THAT(uuids_of(two.groups[0]), ElementsAre("GPU-a", "GPU-c"));
  EXPECT_THROW(lease_boards(asked("3"), here), Error);
}

TEST_F(LeaseBoards, AllMeansThoseThatAreFree) {
  const auto here =
      machine({devices::fake_gpu("NVIDIA H200", "GPU-a"), devices::fake_gpu("NVIDIA H200", "GPU-b")});
  const auto first = lease_boards(asked("GPU-a"), here);
  EXPECT_THAT(lease_boards(asked("all"), here).boards.names(), ElementsAre("GPU-b"));
  const auto second = lease_boards(asked("1"), here);
  EXPECT_THAT(second.boards.names(), ElementsAre("GPU-b"));
  EXPECT_THROW(lease_boards(asked("all"), here), Error);
}

// Which GPU a benchmark takes that is told nothing is not known: nobody else may use any.
TEST_F(LeaseBoards, WithoutAChoiceAllAreLeasedAndNoneIsChosen) {
  const auto here =
      machine({devices::fake_gpu("NVIDIA H200", "GPU-a"), devices::fake_gpu("NVIDIA H200", "GPU-b")});
  const auto leased = lease_boards(asked(""), here);
  EXPECT_THAT(leased.boards.names(), ElementsAre("GPU-a", "GPU-b"));
  EXPECT_THAT(leased.groups, ElementsAre(IsEmpty()));
  EXPECT_THAT(leased.host.names(), IsEmpty());
  EXPECT_EQ(leased.visible_gpus, "");
}

TEST_F(LeaseBoards, ABenchmarkOfTheCpuLeasesTheHost) {
  const auto here = machine({devices::fake_gpu("NVIDIA H200", "GPU-a")});
  const auto leased = lease_boards(asked("", RunsOn::kCpu), here);
  EXPECT_THAT(leased.host.names(), ElementsAre(kCpuLease));
  EXPECT_THAT(leased.boards.names(), IsEmpty());
  EXPECT_THROW(lease_boards(asked("", RunsOn::kCpu), here), Error);
}

TEST_F(LeaseBoards, NoGpuIsSaid) {
  std::vector<std::unique_ptr<devices::Driver>> drivers;
  drivers.push_back(std::make_unique<devices::FakeDriver>(std::vector<Device>{}, "the driver sees no GPU"));
  drivers.push_back(devices::cpu_driver());
  const LocalEnvironment here(std::move(drivers));
  try {
    lease_boards(asked("all"), here);
    FAIL() << "there is none";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("the driver sees no GPU"));
  }
}

TEST(IllnessOf, IdleBoardsThatAreHeldDownAreIll) {
  devices::Reading reading;
  reading.processes = 0;
  EXPECT_EQ(illness_of(reading), "");
  reading.throttle_reasons = {"hw_thermal", "power_brake"};
  EXPECT_EQ(illness_of(reading), "hw_thermal, power_brake");
  reading.throttle_reasons = {"power_cap"};
  EXPECT_EQ(illness_of(reading), "") << "as an idle laptop says";
  reading.throttle_reasons = {"hw_thermal"};
  reading.processes = 1;  // somebody's work may heat it
  EXPECT_EQ(illness_of(reading), "");
  reading.processes.reset();
  EXPECT_EQ(illness_of(reading), "");
}

TEST(IllnessOf, ABoardFarBelowItsClockWhileItMeasuresIsIll) {
  Device board = devices::fake_gpu("NVIDIA H200", "GPU-a");
  board.core_clock_mhz = 1980;
  Conditions conditions;
  conditions.core_clock_mhz_max = 480;
  EXPECT_EQ(illness_of(conditions, board), "") << "nothing held it: it was hardly used";
  conditions.throttle_reasons = {"hw_thermal"};
  EXPECT_EQ(illness_of(conditions, board), "480 of 1980 MHz, hw_thermal");
  conditions.core_clock_mhz_max = 1600;
  conditions.throttle_reasons = {"power_cap"};
  EXPECT_EQ(illness_of(conditions, board), "") << "a GEMM at full power";
}

}  // namespace
}  // namespace tracker::measure
