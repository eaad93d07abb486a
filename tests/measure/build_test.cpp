// Which kernels the disassembler is asked for: with all of an executable's it takes minutes.
#include "tracker/measure/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/base/file.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace tracker::measure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Prints its arguments.
fs::path stand_in(const testing_support::ScratchFolder& folder) {
  const fs::path path = folder.path() / "cuobjdump";
  write_file(path, "#!/bin/sh\necho \"$@\"\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(Disassemble, AsksForTheKernelsOfThatNameAlone) {
  const testing_support::ScratchFolder folder;
  const fs::path binary = TRACKER_TEST_DATA "/machine_code.elf";
  const auto functions = machine_code::MachineCode(read_file(binary, 1 << 24)).functions();
  ASSERT_FALSE(functions.empty());
  const machine_code::KernelId& wanted = functions.front();
  const std::string said =
      disassemble(stand_in(folder), binary, machine_code::kernel_name(wanted.name), wanted.architecture);
  EXPECT_THAT(said, HasSubstr("--function " + wanted.name));
  for (const auto& other : functions)
    if (machine_code::kernel_name(other.name) != machine_code::kernel_name(wanted.name)) {
      EXPECT_THAT(said, Not(HasSubstr(other.name)));
    }
}

TEST(Disassemble, AsksForAllWhereNoneCanBeListed) {
  const testing_support::ScratchFolder folder;
  const fs::path binary = folder.path() / "program";
  write_file(binary, "#!/bin/sh\n");
  const std::string said = disassemble(stand_in(folder), binary, "k", 90);
  EXPECT_THAT(said, Not(HasSubstr("--function")));
  EXPECT_THAT(said, HasSubstr("--gpu-architecture sm_90 "));
  EXPECT_THAT(said, HasSubstr("--gpu-architecture sm_90a "));
}

}  // namespace
}  // namespace tracker::measure
