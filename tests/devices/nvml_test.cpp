// No driver is at hand where this runs, so NVML's edge is tested against a stand-in library.
#include "tracker/devices/nvml.hpp"

#include <cmath>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/devices/fake_nvml.hpp"
#include "tracker/devices/device_driver.hpp"
#include "tracker/devices/device_facts.hpp"

namespace tracker::devices {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FakeNvml : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    library_ = dlopen(GetParam(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    const auto function = reinterpret_cast<fake_nvml::StateFunction>(dlsym(library_, "fake_nvml_state"));
    ASSERT_NE(function, nullptr);
    state_ = function();
    *state_ = {};
  }
  void TearDown() override {
    if (library_ != nullptr) dlclose(library_);
  }
  bool is_old() const { return std::string(GetParam()) == FAKE_NVML_OLD_PATH; }

  void* library_ = nullptr;
  fake_nvml::State* state_ = nullptr;
};

TEST_P(FakeNvml, TellsTheFactsOfABoard) {
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->device_count(), 1);
  EXPECT_THAT(nvml->uuids(), ElementsAre(fake_nvml::kBoardUuid));
  EXPECT_EQ(nvml->driver_version(), "580.159.04");
  EXPECT_EQ(nvml->cuda_driver_version(), is_old() ? "12.4" : "13.0");

  const auto device = nvml->device(fake_nvml::kBoardUuid);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->kind, DeviceKind::kGpu);
  EXPECT_EQ(device->model, "NVIDIA H200");
  EXPECT_EQ(device->uuid, fake_nvml::kBoardUuid);
  EXPECT_EQ(device->mig_profile, std::nullopt);
  EXPECT_EQ(device->compute_capability, "9.0");
  EXPECT_EQ(device->memory_bytes, 143771ll << 20);
  EXPECT_EQ(device->ecc, true);
  EXPECT_EQ(device->power_limit_w, is_old() ? 600 : 700);
  EXPECT_EQ(device->core_count, 132);
  EXPECT_EQ(device->memory_clock_mhz, 3201);
  EXPECT_EQ(device->core_clock_mhz, 1980);
  EXPECT_DOUBLE_EQ(device->peak_bytes_per_second.value(), 2 * 3201e6 * 6144 / 8);
  EXPECT_DOUBLE_EQ(device->peak_flops.value(), 2 * 16896 * 1980e6);
}

TEST_P(FakeNvml, TellsASliceFromItsBoard) {
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  const auto slice = nvml->device(fake_nvml::kSliceUuid);
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->model, "NVIDIA H200");
  EXPECT_EQ(slice->mig_profile, "1g.18gb");
  EXPECT_EQ(slice->memory_bytes, 16384ll << 20);
  EXPECT_EQ(slice->compute_capability, "9.0");
  EXPECT_EQ(slice->peak_flops, std::nullopt);  // the board's would be a lie
  EXPECT_EQ(slice->peak_bytes_per_second, std::nullopt);
  const auto reading = nvml->read(fake_nvml::kSliceUuid);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->core_clock_mhz, 1965);  // of the board
}

TEST_P(FakeNvml, NamesAllBoardsAndTheSlicesOfADividedOne) {
  state_->boards = 2;
  state_->has_slices = true;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_THAT(nvml->uuids(), ElementsAre(fake_nvml::kSliceUuid, fake_nvml::kSecondUuid));
}

TEST_P(FakeNvml, TellsTheCpusNextToABoard) {
  state_->boards = 2;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_THAT(nvml->cpus_near(fake_nvml::kBoardUuid), ElementsAre(0, 1));
  EXPECT_THAT(nvml->cpus_near(fake_nvml::kSecondUuid), ElementsAre(0));
  EXPECT_THAT(nvml->cpus_near("GPU-0"), IsEmpty());
}

// CUDA counts boards of one model as NVML does.
TEST_P(FakeNvml, SeesWhatCudaVisibleDevicesNames) {
  state_->boards = 2;
  const auto seen = [&](const char* visible) {
    ::setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    std::vector<std::string> uuids;
    for (const auto& device : nvidia_driver(GetParam())->devices()) uuids.push_back(device.uuid.value());
    ::unsetenv("CUDA_VISIBLE_DEVICES");
    return uuids;
  };
  EXPECT_THAT(seen("1"), ElementsAre(fake_nvml::kSecondUuid));
  EXPECT_THAT(seen("GPU-5d7f"), ElementsAre(fake_nvml::kBoardUuid));
  EXPECT_THAT(seen("1,0"), ElementsAre(fake_nvml::kSecondUuid, fake_nvml::kBoardUuid));
  EXPECT_THAT(seen("7"), ElementsAre(fake_nvml::kBoardUuid, fake_nvml::kSecondUuid));
}

TEST_P(FakeNvml, ReadsTheConditions) {
  // Idle, application clocks and display settings are no disturbance.
  state_->throttle_reasons = 0x1 | 0x2 | 0x100 | 0x04 | 0x20 | 0x80;
  state_->power_policy_ns = 1'500'000'000;
  state_->thermal_policy_ns = 250'000'000;
  state_->processes = 3;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  const auto reading = nvml->read(fake_nvml::kBoardUuid);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->core_clock_mhz, 1965);
  EXPECT_EQ(reading->memory_clock_mhz, 3201);
  EXPECT_EQ(reading->temperature_c, is_old() ? 41 : 40);
  EXPECT_THAT(reading->throttle_reasons, ElementsAre("power_cap", "sw_thermal", "power_brake"));
  EXPECT_DOUBLE_EQ(reading->throttled_s.value(), 1.75);
  EXPECT_EQ(reading->processes, 3);
}

TEST_P(FakeNvml, TakesThePolicyTimesFromWhereTheyAre) {
  state_->supports_fields = false;
  state_->power_policy_ns = 2'000'000'000;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_DOUBLE_EQ(nvml->read(fake_nvml::kBoardUuid).value().throttled_s.value(), 2.0);
}

TEST_P(FakeNvml, ReadsTheEnergyOfABoard) {
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  if (std::string_view(GetParam()) == FAKE_NVML_OLD_PATH) {
    EXPECT_FALSE(nvml->energy_j(fake_nvml::kBoardUuid));
    return;
  }
  EXPECT_DOUBLE_EQ(nvml->energy_j(fake_nvml::kBoardUuid).value(), 1234.567);
  EXPECT_FALSE(nvml->energy_j(fake_nvml::kSliceUuid));
  state_->supports_optional = false;
  EXPECT_FALSE(nvml->energy_j(fake_nvml::kBoardUuid));
}

TEST_P(FakeNvml, CountsNoProcesses) {
  state_->processes = 0;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->read(fake_nvml::kBoardUuid).value().processes, 0);
}

TEST_P(FakeNvml, WhatIsNotSupportedIsAbsent) {
  state_->supports_optional = false;
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->cuda_driver_version(), std::nullopt);
  const auto device = nvml->device(fake_nvml::kBoardUuid);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->model, "NVIDIA H200");
  EXPECT_EQ(device->ecc, std::nullopt);
  EXPECT_EQ(device->power_limit_w, std::nullopt);
  EXPECT_EQ(device->core_count, std::nullopt);
  EXPECT_EQ(device->compute_capability, std::nullopt);
  EXPECT_EQ(device->peak_bytes_per_second, std::nullopt);
  EXPECT_EQ(device->peak_flops, std::nullopt);
  const auto reading = nvml->read(fake_nvml::kBoardUuid);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->core_clock_mhz, std::nullopt);
  EXPECT_EQ(reading->temperature_c, std::nullopt);
  EXPECT_THAT(reading->throttle_reasons, IsEmpty());
  EXPECT_EQ(reading->throttled_s, std::nullopt);
  EXPECT_EQ(reading->processes, std::nullopt);
}

TEST_P(FakeNvml, AnUnknownBoardIsAbsent) {
  const auto nvml = Nvml::load(nullptr, GetParam());
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->device("GPU-00000000-0000-0000-0000-000000000000"), std::nullopt);
  EXPECT_FALSE(nvml->read(""));
}

TEST_P(FakeNvml, ShutsDownWhatItStarted) {
  {
    const auto nvml = Nvml::load(nullptr, GetParam());
    ASSERT_NE(nvml, nullptr);
    EXPECT_EQ(state_->init_count, 1);
  }
  EXPECT_EQ(state_->init_count, 0);
}

TEST_P(FakeNvml, SaysWhyItDoesNotStart) {
  state_->init_result = 9;
  std::string reason;
  EXPECT_EQ(Nvml::load(&reason, GetParam()), nullptr);
  EXPECT_THAT(reason, HasSubstr("Driver Not Loaded"));
}

INSTANTIATE_TEST_SUITE_P(Drivers, FakeNvml, ::testing::Values(FAKE_NVML_PATH, FAKE_NVML_OLD_PATH),
                         [](const auto& driver) { return driver.index == 0 ? "Today" : "Old"; });

TEST(Nvml, SaysThatTheLibraryIsMissing) {
  std::string reason;
  EXPECT_EQ(Nvml::load(&reason, "libno-such-nvml.so.1"), nullptr);
  EXPECT_THAT(reason, HasSubstr("libno-such-nvml.so.1"));
}

TEST(Nvml, RefusesAnotherLibrary) {
  std::string reason;
  EXPECT_EQ(Nvml::load(&reason, "libc.so.6"), nullptr);
  EXPECT_THAT(reason, HasSubstr("'libc.so.6' is not"));
}

TEST(Nvml, TheDriversOwnAnswersOrIsMissingWithAReason) {
  std::string reason;
  const auto nvml = Nvml::load(&reason);
  if (nvml == nullptr) {
    EXPECT_THAT(reason, HasSubstr("no NVIDIA driver"));
    return;
  }
  for (const auto& uuid : nvml->uuids()) {
    const auto device = nvml->device(uuid);
    ASSERT_TRUE(device) << uuid;
    EXPECT_GT(device->memory_bytes.value_or(0), 0);
    EXPECT_TRUE(nvml->read(uuid)) << uuid;
  }
}

TEST(GpuFacts, CoresOfEachGeneration) {
  EXPECT_EQ(fp32_cores_per_sm(6, 1), std::nullopt);
  EXPECT_EQ(fp32_cores_per_sm(7, 5), 64);
  EXPECT_EQ(fp32_cores_per_sm(8, 0), 64);
  EXPECT_EQ(fp32_cores_per_sm(8, 6), 128);
  EXPECT_EQ(fp32_cores_per_sm(8, 9), 128);
  EXPECT_EQ(fp32_cores_per_sm(9, 0), 128);
  EXPECT_EQ(fp32_cores_per_sm(12, 0), 128);
}

TEST(GpuFacts, PeaksOfAnH200) {
  EXPECT_DOUBLE_EQ(peak_bytes_per_second(3201, 6144), 4.916736e12);
  EXPECT_DOUBLE_EQ(peak_flops(132 * 128, 1980), 6.690816e13);
}

// As the data sheets state them, to the digits they have: 312 and 989 TFLOP/s.
TEST(GpuFacts, PeaksOfTensorCores) {
  const auto peak = [](Arithmetic arithmetic, int major, int minor, int multiprocessors, double clock_mhz) {
    const auto rate = tensor_flops_per_clock(arithmetic, major, minor);
    return rate ? std::round(peak_tensor_flops(multiprocessors, *rate, clock_mhz) / 1e11) / 10 : 0;
  };
  EXPECT_EQ(peak(Arithmetic::kTensorBf16, 8, 0, 108, 1410), 311.9);
  EXPECT_EQ(peak(Arithmetic::kTensorTf32, 8, 0, 108, 1410), 155.9);
  EXPECT_EQ(peak(Arithmetic::kTensorBf16, 9, 0, 132, 1830), 989.4);
  EXPECT_EQ(peak(Arithmetic::kTensorTf32, 9, 0, 132, 1830), 494.7);
  EXPECT_EQ(tensor_flops_per_clock(Arithmetic::kFp32, 9, 0), std::nullopt);
  EXPECT_EQ(tensor_flops_per_clock(Arithmetic::kTensorBf16, 8, 6), std::nullopt);
  EXPECT_EQ(tensor_flops_per_clock(Arithmetic::kTensorTf32, 7, 5), std::nullopt);
  EXPECT_EQ(tensor_flops_per_clock(Arithmetic::kTensorFp8, 9, 0), 8192);
  EXPECT_EQ(tensor_flops_per_clock(Arithmetic::kTensorFp8, 8, 0), std::nullopt);
}

TEST(GpuFacts, NamesOfSlices) {
  EXPECT_EQ(split_gpu_name("NVIDIA H200").board, "NVIDIA H200");
  EXPECT_EQ(split_gpu_name("NVIDIA H200").mig_profile, std::nullopt);
  EXPECT_EQ(split_gpu_name("NVIDIA H200 MIG 1g.18gb").board, "NVIDIA H200");
  EXPECT_EQ(split_gpu_name("NVIDIA H200 MIG 1g.18gb").mig_profile, "1g.18gb");
}

TEST(GpuFacts, UuidsAsNvmlWritesThem) {
  std::array<unsigned char, 16> bytes{};
  for (unsigned char i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(i * 0x11);
  EXPECT_EQ(format_gpu_uuid(bytes), "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(format_gpu_uuid(bytes, "MIG-"), "MIG-00112233-4455-6677-8899-aabbccddeeff");
}

}  // namespace
}  // namespace tracker::devices
