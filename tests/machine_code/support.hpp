// The recorded fixture, and short names for what the tests ask of it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace tracker::machine_code {

inline std::string fixture() {
  return read_file(std::string(TRACKER_TEST_DATA) + "/machine_code.elf", 1 << 20);
}

// The kernel that people know by that name ("tile_kernel").
inline KernelId kernel_in(const MachineCode& code, const std::string& name, int architecture) {
  const auto all = code.functions();
  for (const KernelId& kernel : all)
    if (kernel.architecture == architecture && kernel_name(kernel.name) == name) return kernel;
  ADD_FAILURE() << "no " << name << " for sm_" << architecture;
  return {};
}

inline std::string hash_of(const MachineCode& code, const std::string& name, int architecture) {
  return code.code_of({kernel_in(code, name, architecture)}).hash;
}

}  // namespace tracker::machine_code
