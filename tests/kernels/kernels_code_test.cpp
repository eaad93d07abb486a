// The machine code of our kernels, as it lies in their object files.
#include <algorithm>

#include <gtest/gtest.h>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace kernels {
namespace {

constexpr std::uintmax_t kObjectBytesMax = std::uintmax_t{64} << 20;

// A thread's own memory, which registers are spilled to.
constexpr std::string_view kLocalMemory[] = {"LDL", "STL"};

// Kernels that need it, and why.
struct Exception {
  std::string_view kernel;  // with * and ?
  std::string_view why;
};
constexpr std::initializer_list<Exception> kExceptions = {};

bool may_use_local_memory(std::string_view kernel) {
  return std::any_of(kExceptions.begin(), kExceptions.end(),
                     [&](const Exception& row) { return tracker::glob_match(row.kernel, kernel); });
}

TEST(KernelsCode, NoRegistersAreSpilled) {
  int kernels = 0;
  const auto objects = tracker::split(tracker::read_file(KERNEL_OBJECTS, kObjectBytesMax), '\n');
  for (const std::string& object : objects) {
    if (object.empty()) continue;
    const tracker::machine_code::MachineCode code(tracker::read_file(object, kObjectBytesMax));
    const auto functions = code.functions();
    for (const auto& kernel : functions) {
      const tracker::Code made = code.code_of({kernel});
      const std::string name = tracker::machine_code::kernel_name(kernel.name);
      EXPECT_EQ(made.why_no_hash, "") << name;
      ++kernels;
      if (may_use_local_memory(name)) continue;
      for (const std::string_view mnemonic : kLocalMemory)
        EXPECT_EQ(made.instructions.count(std::string(mnemonic)), 0u)
            << name << " for sm_" << kernel.architecture << " has " << mnemonic;
    }
  }
  EXPECT_GT(kernels, 10);
}

}  // namespace
}  // namespace kernels
