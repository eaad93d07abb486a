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
#include "tracker/machine_code/fatbin.hpp"
#include "tracker/model/run.hpp"

namespace tracker::machine_code {

// A cubin: the ELF file of one translation unit's machine code for one architecture. The code of each kernel,
// and of each device function that is not part of one, is a section .text.<mangled name>.

// A kernel, and the functions that it calls.
struct KernelCode {
  std::string hash;             // 16 hexadecimal digits
  std::vector<ByteView> texts;  // their instructions, the kernel's first
};

// Views into the bytes that it was read from.
class Cubin {
 public:
  // Empty for what is no cubin.
  static std::optional<Cubin> read(ByteView file);

  // The mangled names of all functions that have code.
  std::vector<std::string_view> functions() const;

  // The hash is over what the kernel does, in this order, of the kernel and of each function it refers to:
  // its instructions, registers and static shared memory, its own constant banks but the one of its
  // parameters, and what the loader fills in; at last the unit's own constants. No name is part of it except
  // those of functions outside of the cubin, and no line, path or debug information. Empty where there is no
  // such kernel, or the file is damaged.
  std::optional<KernelCode> kernel(std::string_view name) const;

 private:
  explicit Cubin(ElfFile file);

  const ElfSection* find(const std::string& name) const;

  ElfFile file_;
  std::map<std::string_view, std::size_t> index_;     // section name → section
  std::map<std::uint32_t, std::uint32_t> registers_;  // symbol → a thread's registers

  friend class KernelReader;
};

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

  // Hash, size and instructions of the kernels; one that stands there twice counts once. Where one of them is
  // not known there is no hash, and why_no_hash says it; without kernels there is nothing.
  Code code_of(const std::vector<KernelId>& kernels) const;

  // Everything that has machine code here.
  std::vector<KernelId> functions() const;

 private:
  struct Unit {
    int architecture = 0;
    bool is_specific = false;
    Cubin cubin;
  };
  struct Found;

  void add(const FatbinEntry& entry);
  Found find(const KernelId& kernel) const;

  std::vector<std::unique_ptr<const std::string>>
      files_;  // the units are views of them, wherever this is moved to
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
