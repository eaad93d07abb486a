#include "tracker/devices/device_facts.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::devices {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(CpuModel, ReadsTheFirstModelName) {
  std::istringstream x86(
      "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Intel(R) Xeon(R) 6960P  \nmodel name\t: other\n");
  EXPECT_EQ(cpu_model(x86), "Intel(R) Xeon(R) 6960P");
  std::istringstream cut("model name\t:");
  EXPECT_EQ(cpu_model(cut), "");
}

// What /proc/cpuinfo has of one core of Arm's architecture.
std::string arm_core(const std::string& implementer, const std::string& part) {
  return "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd sve\nCPU implementer\t: " + implementer +
         "\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: " + part + "\nCPU revision\t: 0\n\n";
}

std::string model_of(const std::string& text) {
  std::istringstream cpuinfo(text);
  return cpu_model(cpuinfo);
}

TEST(CpuModel, NamesCoresOfArmByTheirNumbers) {
  EXPECT_EQ(model_of(arm_core("0x41", "0xd4f") + arm_core("0x41", "0xd4f")), "Arm Neoverse V2");
  EXPECT_EQ(model_of(arm_core("0x41", "0xd0c")), "Arm Neoverse N1");
  // A CPU of two kinds of cores.
  EXPECT_EQ(model_of(arm_core("0x41", "0xd87") + arm_core("0x41", "0xd85") + arm_core("0x41", "0xd87")),
            "Arm Cortex-A725 + Arm Cortex-X925");
  // What the kernels of Jetsons call all of them says nothing.
  EXPECT_EQ(model_of("model name\t: ARMv8 Processor rev 0 (v8l)\n" + arm_core("0x4e", "0x004")),
            "NVIDIA Carmel");
}

TEST(CpuModel, KeepsUnknownCoresOfArmApart) {
  EXPECT_EQ(model_of(arm_core("0x41", "0xdff")), "Arm core 0x41 0xdff");
  EXPECT_EQ(model_of(arm_core("0x99", "0xd4f")), "Arm core 0x99 0xd4f");
  EXPECT_EQ(model_of("processor\t: 0\nCPU implementer\t: 0x41\n"), "");
}

TEST(CpuDevice, IsNamed) {
  const Device device = cpu_device();
  EXPECT_EQ(device.kind, DeviceKind::kCpu);
  EXPECT_THAT(device.model, Not(IsEmpty()));
  EXPECT_GE(device.core_count.value_or(0), 1);
}

}  // namespace
}  // namespace tracker::devices
