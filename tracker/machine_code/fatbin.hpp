// The containers in which nvcc puts device code into a host executable: its section .nv_fatbin holds one of
// them for each translation unit, each with an entry for every architecture it was compiled for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/machine_code/elf.hpp"

namespace tracker::machine_code {

// What nvcc has compressed in an executable.

enum class Packing { kNone, kLz4, kZstandard };

// The content, which has so many bytes unpacked. Empty where it is damaged or has another size, where it
// claims more than any device code has, or where this program was built without Zstandard.
std::optional<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t size_bytes);

struct FatbinEntry {
  bool is_cubin = false;     // machine code; otherwise PTX, or what this does not know
  int architecture = 0;      // 90 for sm_90
  bool is_specific = false;  // sm_90a: for that architecture alone
  Packing packing = Packing::kNone;
  std::size_t container = 0;         // its place among the section's containers
  std::uint64_t offset = 0;          // of that container, in the section
  ByteView content;                  // as it lies in the file
  std::uint64_t unpacked_bytes = 0;  // of what is packed
};

// The section's entries in their order, of all its containers. Empty where one of them is damaged.
// The layout is nowhere documented: it was read off what nvcc 12 and 13 write.
std::optional<std::vector<FatbinEntry>> read_fatbins(ByteView section);

}  // namespace tracker::machine_code
