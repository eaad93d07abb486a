// Device code for one GPU among that for several, as nvcc wrote it (tests/data/fatbins). Host programs are
// compared in tests/measure/same_program_test.cpp, where they are compiled.
#include "tracker/machine_code/program_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine_code/support.hpp"
#include "tracker/machine_code/elf.hpp"

namespace tracker::machine_code {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kAmpere = 80;
constexpr int kHopper = 90;

std::string fatbin(const std::string& name) {
  return read_file(std::string(TRACKER_TEST_DATA) + "/fatbins/" + name + ".fatbin", 1 << 20);
}

std::string difference(const std::string& base, const std::string& candidate, int architecture) {
  return device_code_difference(fatbin(base), fatbin(candidate), architecture);
}

TEST(DeviceCode, AChangeForHopperAloneIsSeenThereAndNowhereElse) {
  EXPECT_EQ(difference("plain", "hopper", kHopper), "the device code for sm_90 differs");
  EXPECT_THAT(difference("plain", "hopper", kAmpere), IsEmpty());
}

TEST(DeviceCode, AChangeForAnotherGpuIsNoneForHopper) {
  EXPECT_THAT(difference("plain", "ampere", kHopper), IsEmpty());
  EXPECT_EQ(difference("plain", "ampere", kAmpere), "the device code for sm_80 differs");
}

TEST(DeviceCode, OfALowerMinorRunsWhereThereIsNoneOfItsOwn) {
  constexpr int kAmpereOfConsumers = 86;
  EXPECT_THAT(difference("plain", "ampere", kAmpereOfConsumers), HasSubstr("differs"));
  EXPECT_THAT(difference("plain", "hopper", kAmpereOfConsumers), IsEmpty());
}

TEST(DeviceCode, TheHashOfAPathInNamesIsNoDifference) {
  ASSERT_NE(fatbin("plain"), fatbin("moved"));
  for (const int architecture : {kAmpere, kHopper})
    EXPECT_THAT(difference("plain", "moved", architecture), IsEmpty()) << architecture;
}

// As nvcc does by itself where there is more code than in these.
TEST(DeviceCode, TheHashOfAPathInCompressedCodeIsNoDifference) {
  for (const std::string packing : {"zstd", "lz4"}) {
    ASSERT_NE(fatbin(packing), fatbin(packing + "_moved"));
    EXPECT_THAT(difference(packing, packing + "_moved", kHopper), IsEmpty()) << packing;
  }
  EXPECT_EQ(difference("zstd", "zstd_changed", kHopper), "the device code for sm_90 differs");
  EXPECT_EQ(difference("zstd", "lz4", kHopper), "the device code for sm_90 differs");
}

TEST(Unpack, GivesWhatWasPackedOrNothing) {
  // "abc", a copy of 4 + 5 bytes from 3 back, then "vwxyz": the last five bytes are never copied.
  const std::string lz4 = std::string(
                              "\x35"
                              "abc"
                              "\x03\x00",
                              6) +
                          "\x50vwxyz";
  EXPECT_EQ(unpack(lz4, Packing::kLz4, 17), "abcabcabcabcvwxyz");
  EXPECT_FALSE(unpack(lz4, Packing::kLz4, 16));
  EXPECT_FALSE(unpack(lz4, Packing::kLz4, 18));
  EXPECT_FALSE(unpack(lz4, Packing::kLz4, std::uint64_t{1} << 30)) << "more than so few bytes can make";
  EXPECT_FALSE(unpack(lz4, Packing::kLz4, std::uint64_t{1} << 40));
  EXPECT_FALSE(unpack("", Packing::kLz4, 0));
  for (std::size_t size = 0; size < lz4.size(); ++size)
    EXPECT_FALSE(unpack(lz4.substr(0, size), Packing::kLz4, 17)) << size;
  std::string before_the_beginning = lz4;
  before_the_beginning[4] = 4;
  EXPECT_FALSE(unpack(before_the_beginning, Packing::kLz4, 17));
  EXPECT_FALSE(unpack("no frame", Packing::kZstandard, 14));
}

TEST(DeviceCode, CodeOfAnotherLengthForAnotherGpuIsNoDifference) {
  ASSERT_NE(fatbin("plain").size(), fatbin("ptx").size());
  EXPECT_THAT(difference("plain", "ptx", kAmpere), IsEmpty()) << "machine code goes before PTX";
  EXPECT_THAT(difference("plain", "ptx", kHopper), HasSubstr("differs"));
}

TEST(DeviceCode, WithoutMachineCodeThePtxCounts) {
  EXPECT_THAT(difference("ptx", "ptx", kHopper), IsEmpty());
  EXPECT_THAT(difference("ptx", "ptx_changed", kHopper), HasSubstr("differs"));
}

TEST(DeviceCode, ContainersThatAreMoreOrFewerDiffer) {
  const std::string one = fatbin("plain");
  EXPECT_THAT(device_code_difference(one + one, one, kHopper), HasSubstr("differs"));
  EXPECT_THAT(device_code_difference(one + one, one + fatbin("ampere"), kHopper), IsEmpty());
  EXPECT_THAT(device_code_difference(one + one, one + fatbin("hopper"), kHopper), HasSubstr("differs"));
}

TEST(DeviceCode, WhatIsDamagedIsNotKnownToBeTheSame) {
  const std::string whole = fatbin("plain");
  for (std::size_t size = 1; size < whole.size(); size += 13)
    ASSERT_NE(device_code_difference(whole, whole.substr(0, size), kHopper), "") << size;
}

TEST(DeviceCode, WhatIsDamagedInsideOfItsPackingIsNotKnownToBeTheSame) {
  for (const std::string packing : {"zstd", "lz4"}) {
    const std::string whole = fatbin(packing);
    for (std::size_t at = 0; at < whole.size(); at += 7) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
      (void)device_code_difference(whole, damaged, kHopper);  // with the sanitizers: reads nothing outside
    }
  }
}

TEST(ProgramImage, EqualFilesAreTheSameWhateverTheyAre) {
  EXPECT_THAT(program_difference({"text", "/a"}, {"text", "/b"}, {}), IsEmpty());
  EXPECT_THAT(program_difference({"text", "/a"}, {"other", "/b"}, {}), HasSubstr("no executables"));
}

TEST(ProgramImage, ATruncatedFileIsNotTheSame) {
  const std::string file = fixture();
  EXPECT_THAT(program_difference({file, ""}, {file, ""}, kHopper), IsEmpty());
  for (std::size_t size = 1; size < file.size(); size += 501)
    ASSERT_NE(program_difference({file, ""}, {file.substr(0, size), ""}, kHopper), "") << size;
}

}  // namespace
}  // namespace tracker::machine_code
