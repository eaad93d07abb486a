// A cubin: the ELF file of one translation unit's machine code for one architecture. The code of each kernel,
// and of each device function that is not part of one, is a section .text.<mangled name>.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/machine_code/elf.hpp"

namespace tracker {

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

}  // namespace tracker
