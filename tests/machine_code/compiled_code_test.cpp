// The same source, compiled in several ways by the compiler at hand.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/machine_code/support.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace tracker::machine_code {
namespace {

constexpr const char* kKernels[] = {"scale_kernel<4>", "tile_kernel", "weigh_kernel"};

MachineCode compiled(const char* object) {
  return MachineCode(read_file(object, 16 << 20));
}

// Which kernels of the two are not the same.
std::vector<std::string> changed(const MachineCode& a, const MachineCode& b, int architecture) {
  std::vector<std::string> names;
  for (const char* name : kKernels) {
    EXPECT_FALSE(hash_of(a, name, architecture).empty()) << name;
    if (hash_of(a, name, architecture) != hash_of(b, name, architecture)) names.emplace_back(name);
  }
  return names;
}

class CompiledCode : public ::testing::TestWithParam<int> {
 protected:
  std::vector<std::string> changed_by(const char* object) {
    return changed(compiled(FIXTURE_plain), compiled(object), GetParam());
  }
};

TEST_P(CompiledCode, CommentsLinesPathsAndLineInformationAreNoneOfIt) {
  EXPECT_EQ(changed_by(FIXTURE_moved), std::vector<std::string>{});
}

TEST_P(CompiledCode, AnotherKernelInTheFileIsNoneOfIt) {
  EXPECT_EQ(changed_by(FIXTURE_one_more), std::vector<std::string>{});
}

TEST_P(CompiledCode, AChangedNumberInAnInstructionIs) {
  EXPECT_EQ(changed_by(FIXTURE_factor), std::vector<std::string>{"scale_kernel<4>"});
}

TEST_P(CompiledCode, ConstantsAreOfWhatTheFileHolds) {
  const auto names = changed_by(FIXTURE_weight);
  EXPECT_EQ(std::count(names.begin(), names.end(), "weigh_kernel"), 1);
}

TEST_P(CompiledCode, AllOfItIsKnown) {
  const MachineCode code = compiled(FIXTURE_plain);
  for (const char* name : kKernels) {
    const auto mix = code.code_of({kernel_in(code, name, GetParam())}).instructions;
    EXPECT_EQ(mix.count("EXIT"), 1u) << name;
    EXPECT_EQ(mix.count(std::string(kOtherInstruction)), 0u) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CompiledCode, ::testing::Values(75, 90),
                         [](const auto& row) { return "sm_" + std::to_string(row.param); });

}  // namespace
}  // namespace tracker::machine_code
