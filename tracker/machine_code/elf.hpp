// The 64-bit little-endian ELF files of hosts and of CUDA's cubins: sections, symbols, relocations; and the
// device code in those of hosts.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::machine_code {

// A part of a file that nobody vouches for: nothing is read outside of it.
class ByteView {
 public:
  ByteView() = default;
  explicit ByteView(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }

  // `size` bytes from there on. Empty where they do not lie wholly inside.
  std::optional<ByteView> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
    return ByteView(bytes_.substr(offset, size));
  }

  // Little-endian, as CUDA's hosts are; at any alignment.
  template <std::integral T>
  std::optional<T> number(std::uint64_t offset) const {
    const auto found = part(offset, sizeof(T));
    if (!found) return {};
    T value{};
    std::memcpy(&value, found->bytes_.data(), sizeof(T));
    return value;
  }

  // Up to a zero; empty where there is none behind it.
  std::optional<std::string_view> text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const auto end = bytes_.find('\0', offset);
    if (end == std::string_view::npos) return {};
    return bytes_.substr(offset, end - offset);
  }

 private:
  std::string_view bytes_;
};

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t info = 0;
  std::uint32_t link = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;  // where it lies in memory
  std::uint64_t size = 0;     // bytes
  ByteView content;           // nothing where the section only takes place in memory
};

struct ElfSymbol {
  std::string_view name;
  std::uint8_t type = 0;      // data, a function, …
  std::uint32_t section = 0;  // 0: defined elsewhere
  std::uint64_t value = 0;    // its place in the section
  std::uint64_t size = 0;     // bytes
};

// A place in a section that whoever loads the file fills in.
struct ElfRelocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

// A part of the file that the loader maps, or reads.
struct ElfSegment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t alignment = 0;
  bool operator==(const ElfSegment&) const = default;
};

// Views into the bytes that it was read from.
struct ElfFile {
  std::uint32_t type = 0;     // executable or shared object
  std::uint32_t machine = 0;  // the processor
  std::uint64_t entry = 0;    // the address of the first instruction
  std::vector<ElfSegment> segments;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
};

// Empty for what is no such file, or has a table or a section that does not lie inside of it.
std::optional<ElfFile> read_elf(ByteView file);

// What compiled it, as its section .comment says: "GCC 12.2.0", "clang 14.0.6", several in order. Of a clang
// the parts of the C library that GCC compiled are left out. Empty where it has no such section.
std::string compiler_of(const ElfFile& file);

// Those of one section, by their offset. Empty where their table is damaged.
std::optional<std::vector<ElfRelocation>> relocations_of(const ElfFile& file, std::size_t section);

// How nvcc has compressed device code in an executable.
enum class Packing { kNone, kLz4, kZstandard };

// The content, which has so many bytes unpacked. Empty where it is damaged or has another size, where it
// claims more than any device code has, or where this program was built without Zstandard.
std::optional<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t size_bytes);

// nvcc puts device code into containers in a host executable's section .nv_fatbin: one of them for each
// translation unit, each with an entry for every architecture it was compiled for.
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
