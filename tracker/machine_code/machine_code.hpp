// The machine code that an executable carries for its kernels, as nvcc put it there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/machine_code/elf.hpp"
#include "tracker/model/run.hpp"

namespace tracker::machine_code {

// A kernel or a device function.
struct KernelId {
  std::string name;      // mangled
  int architecture = 0;  // whose code runs: 90 for sm_90 and sm_90a
  bool operator==(const KernelId&) const = default;
};

class MachineCode {
 public:
  // The whole of an executable's file. Never throws: for what is none, or is damaged, there is no code.
  explicit MachineCode(std::string executable);
  // Of cubins for this architecture, as the driver loaded them.
  MachineCode(std::vector<std::string> cubins, int architecture);
  ~MachineCode();
  MachineCode(MachineCode&&) noexcept;
  MachineCode& operator=(MachineCode&&) noexcept;

  // Hash, size and instructions of the kernels; one that stands there twice counts once. Where one of them is
  // not known there is no hash, and why_no_hash says it; without kernels there is nothing. The hash is over
  // what a kernel does, in this order, of the kernel and of each function it refers to: its instructions,
  // registers and static shared memory, its own constant banks but the one of its parameters, and what the
  // loader fills in; at last its unit's own constants. No name is part of it except those of functions
  // outside of the unit, and no line, path or debug information.
  Code code_of(const std::vector<KernelId>& kernels) const;

  // Everything that has machine code here.
  std::vector<KernelId> functions() const;

 private:
  struct Unit;
  struct Found;

  void add(const FatbinEntry& entry);
  Found find(const KernelId& kernel) const;

  // The units are views of them, wherever this is moved to.
  std::vector<std::unique_ptr<const std::string>> files_;
  std::vector<Unit> units_;
  std::vector<ByteView> ptx_;
  bool has_compressed_ = false;  // of cubins
  std::string why_none_;
};

// What kinds of instructions machine code has, from sm_75 to sm_90.

// The name under which instruction_mix() counts instructions that it does not know.
inline constexpr std::string_view kOtherInstruction = "other";

// How often each stands in a function's code, by the name that nvdisasm gives it without modifiers
// ("FFMA", "LDG"); those that are not known count as "other". The NOPs that fill up the end are none of it.
// Empty for another architecture, or for what is no whole number of instructions.
std::map<std::string, std::int64_t> instruction_mix(ByteView text, int architecture);

// Kernels' names, as people know them.

// The function's name alone, with its template arguments and without namespaces, types of parameters and
// blanks: "smem_padded_kernel", "tile_kernel<128,8>". What is no mangled name stays as it is; characters that
// cannot stand in a label (blanks, colons, what is not ASCII) become "_". Long arguments become "...".
std::string kernel_name(const std::string& mangled);

}  // namespace tracker::machine_code
