#include "tracker/devices/cpu_facts.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(CpuModel, ReadsTheFirstModelName) {
  std::istringstream x86(
      "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Intel(R) Xeon(R) 6960P  \nmodel name\t: other\n");
  EXPECT_EQ(cpu_model(x86), "Intel(R) Xeon(R) 6960P");
  std::istringstream arm("processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n");
  EXPECT_EQ(cpu_model(arm), "");
  std::istringstream cut("model name\t:");
  EXPECT_EQ(cpu_model(cut), "");
}

TEST(CpuDevice, IsNamed) {
  const Device device = cpu_device();
  EXPECT_EQ(device.kind, DeviceKind::kCpu);
  EXPECT_THAT(device.model, Not(IsEmpty()));
  EXPECT_GE(device.core_count.value_or(0), 1);
}

}  // namespace
}  // namespace tracker
