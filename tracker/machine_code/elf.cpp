#include "tracker/machine_code/elf.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <lz4.h>
#ifdef TRACKER_HAS_ZSTD
#include <zstd.h>
#endif

namespace tracker::machine_code {
namespace {

constexpr std::string_view kMagic = "\177ELF\2\1";  // 64 bits, little-endian
constexpr std::uint64_t kSectionHeaderBytes = 64;
constexpr std::uint64_t kSegmentHeaderBytes = 56;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint64_t kRelaBytes = 24;
constexpr std::uint64_t kRelBytes = 16;
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::uint32_t kRela = 4;
constexpr std::uint32_t kNoBits = 8;
constexpr std::uint32_t kRel = 9;
constexpr std::uint32_t kNull = 0;

struct Header {
  ElfSection section;
  std::uint32_t name = 0;
};

std::optional<Header> read_header(ByteView file, ByteView header) {
  Header read;
  read.name = header.number<std::uint32_t>(0).value();
  ElfSection& section = read.section;
  section.type = header.number<std::uint32_t>(4).value();
  section.flags = header.number<std::uint64_t>(8).value();
  section.address = header.number<std::uint64_t>(16).value();
  section.size = header.number<std::uint64_t>(32).value();
  section.link = header.number<std::uint32_t>(40).value();
  section.info = header.number<std::uint32_t>(44).value();
  if (section.type == kNoBits || section.type == kNull) return read;
  const auto content = file.part(header.number<std::uint64_t>(24).value(), section.size);
  if (!content) return {};
  section.content = *content;
  return read;
}

// Cubins of some architectures have none.
std::optional<std::vector<ElfSegment>> read_segments(ByteView file) {
  std::vector<ElfSegment> segments;
  const auto offset = file.number<std::uint64_t>(32);
  const auto count = file.number<std::uint16_t>(56);
  if (!offset || !count) return {};
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto header = file.part(*offset, (i + 1) * kSegmentHeaderBytes);
    if (!header) return {};
    const std::uint64_t at = i * kSegmentHeaderBytes;
    segments.push_back({.type = header->number<std::uint32_t>(at).value(),
                        .flags = header->number<std::uint32_t>(at + 4).value(),
                        .alignment = header->number<std::uint64_t>(at + 48).value()});
  }
  return segments;
}

std::optional<std::vector<ElfSymbol>> read_symbols(const std::vector<ElfSection>& sections) {
  std::vector<ElfSymbol> symbols;
  const auto table = std::ranges::find(sections, kSymbolTable, &ElfSection::type);
  if (table == sections.end()) return symbols;
  if (table->link >= sections.size()) return {};
  const ByteView names = sections[table->link].content;
  for (std::uint64_t at = 0; at + kSymbolBytes <= table->content.size(); at += kSymbolBytes) {
    const ByteView row = table->content.part(at, kSymbolBytes).value();
    const auto name = names.text(row.number<std::uint32_t>(0).value());
    if (!name) return {};
    symbols.push_back({.name = *name,
                       .type = static_cast<std::uint8_t>(row.number<std::uint8_t>(4).value() & 15),
                       .section = row.number<std::uint16_t>(6).value(),
                       .value = row.number<std::uint64_t>(8).value(),
                       .size = row.number<std::uint64_t>(16).value()});
  }
  return symbols;
}

}  // namespace

std::optional<ElfFile> read_elf(ByteView file) {
  if (!file.bytes().starts_with(kMagic)) return {};
  const auto table_offset = file.number<std::uint64_t>(40);
  const auto header_bytes = file.number<std::uint16_t>(58);
  const auto count = file.number<std::uint16_t>(60);
  const auto names_index = file.number<std::uint16_t>(62);
  if (!table_offset || !header_bytes || !count || !names_index) return {};
  if (*header_bytes != kSectionHeaderBytes || *names_index >= *count) return {};
  const auto table = file.part(*table_offset, *count * kSectionHeaderBytes);
  if (!table) return {};
  std::vector<Header> headers;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto header = read_header(file, table->part(i * kSectionHeaderBytes, kSectionHeaderBytes).value());
    if (!header) return {};
    headers.push_back(*header);
  }
  ElfFile read;
  const ByteView names = headers[*names_index].section.content;
  for (const Header& header : headers) {
    const auto name = names.text(header.name);
    if (!name) return {};
    read.sections.push_back(header.section);
    read.sections.back().name = *name;
  }
  auto symbols = read_symbols(read.sections);
  auto segments = read_segments(file);
  if (!symbols || !segments) return {};
  read.symbols = std::move(*symbols);
  read.segments = std::move(*segments);
  read.type = file.number<std::uint16_t>(16).value();
  read.machine = file.number<std::uint16_t>(18).value();
  read.entry = file.number<std::uint64_t>(24).value();
  return read;
}

namespace {

// "12.2.0" of "GCC: (Debian 12.2.0-14) 12.2.0", "8.5.0" of "GCC: (GNU) 8.5.0 20210514 (Red Hat 8.5.0-20)":
// what the distribution calls it is no other compiler.
std::string_view gcc_version(std::string_view entry) {
  const auto end = entry.find(") ");
  entry.remove_prefix(end == std::string_view::npos ? entry.find_last_of(' ') + 1 : end + 2);
  return entry.substr(0, entry.find(' '));
}

}  // namespace

std::string compiler_of(const ElfFile& file) {
  std::set<std::string> compilers;
  bool any_other = false;
  for (const auto& section : file.sections) {
    if (section.name != ".comment") continue;
    std::string_view left = section.content.bytes();
    while (!left.empty()) {
      const std::string_view entry = left.substr(0, left.find('\0'));
      left.remove_prefix(std::min(left.size(), entry.size() + 1));
      if (entry.empty() || entry.starts_with("Linker:") || entry.starts_with("mold ")) continue;
      const bool is_gcc = entry.starts_with("GCC:");
      any_other = any_other || !is_gcc;
      compilers.insert(is_gcc ? "GCC " + std::string(gcc_version(entry)) : std::string(entry));
    }
  }
  std::string words;
  for (const auto& compiler : compilers)
    if (!any_other || !compiler.starts_with("GCC ")) words += (words.empty() ? "" : ", ") + compiler;
  return words;
}

std::optional<std::vector<ElfRelocation>> relocations_of(const ElfFile& file, std::size_t section) {
  std::vector<ElfRelocation> relocations;
  for (const ElfSection& table : file.sections) {
    if ((table.type != kRela && table.type != kRel) || table.info != section) continue;
    const std::uint64_t row_bytes = table.type == kRela ? kRelaBytes : kRelBytes;
    for (std::uint64_t at = 0; at + row_bytes <= table.content.size(); at += row_bytes) {
      const ByteView row = table.content.part(at, row_bytes).value();
      const auto info = row.number<std::uint64_t>(8).value();
      relocations.push_back(
          {.offset = row.number<std::uint64_t>(0).value(),
           .type = static_cast<std::uint32_t>(info),
           .symbol = static_cast<std::uint32_t>(info >> 32),
           .addend = table.type == kRela ? row.number<std::int64_t>(16).value() : std::int64_t{0}});
      if (relocations.back().symbol >= file.symbols.size()) return {};
    }
  }
  std::ranges::sort(relocations, [](const ElfRelocation& a, const ElfRelocation& b) {
    return std::tie(a.offset, a.type) < std::tie(b.offset, b.type);
  });
  return relocations;
}

namespace {

constexpr std::uint64_t kUnpackedBytesMax = std::uint64_t{1} << 30;  // LZ4 counts with an int

// A block without a frame around it. A byte of it makes 255 at most: what claims more is damaged, and gets no
// memory.
std::optional<std::string> unpack_lz4(std::string_view packed, std::uint64_t size_bytes) {
  constexpr std::uint64_t kUnpackedByByteMax = 255;
  if (packed.size() > LZ4_MAX_INPUT_SIZE || size_bytes > kUnpackedByByteMax * packed.size()) return {};
  std::string text(size_bytes, '\0');
  const int size = LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()),
                                       static_cast<int>(size_bytes));
  if (size < 0 || static_cast<std::uint64_t>(size) != size_bytes) return {};
  return text;
}

std::optional<std::string> unpack_zstandard([[maybe_unused]] std::string_view packed,
                                            [[maybe_unused]] std::uint64_t size_bytes) {
#ifdef TRACKER_HAS_ZSTD
  std::string text(size_bytes, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != size_bytes) return {};
  return text;
#else
  return {};
#endif
}

}  // namespace

std::optional<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t size_bytes) {
  if (size_bytes > kUnpackedBytesMax) return {};
  switch (packing) {
    case Packing::kNone:
      return std::string(packed);
    case Packing::kLz4:
      return unpack_lz4(packed, size_bytes);
    case Packing::kZstandard:
      return unpack_zstandard(packed, size_bytes);
  }
  return {};
}

namespace {

constexpr std::uint32_t kFatbinMagic = 0xba55ed50;
constexpr std::uint64_t kContainerAlignment = 8;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint64_t kEntryHeaderBytesMin = 64;
constexpr std::uint64_t kSpecific = 0x100000;
constexpr std::uint64_t kPackedByLz4 = 0x2000;
constexpr std::uint64_t kPackedByZstandard = 0x8000;

Packing packing_of(std::uint64_t flags) {
  if ((flags & kPackedByZstandard) != 0) return Packing::kZstandard;
  return (flags & kPackedByLz4) != 0 ? Packing::kLz4 : Packing::kNone;
}

// Entries lie one after the other, each a header and a payload.
bool read_entries(ByteView entries, std::vector<FatbinEntry>& read) {
  while (entries.size() > 0) {
    const auto kind = entries.number<std::uint16_t>(0);
    const auto header_bytes = entries.number<std::uint32_t>(4);
    const auto payload_bytes = entries.number<std::uint64_t>(8);
    const auto packed_bytes = entries.number<std::uint32_t>(16);  // the payload is filled up to eight bytes
    const auto architecture = entries.number<std::uint32_t>(28);
    const auto flags = entries.number<std::uint64_t>(40);
    const auto unpacked_bytes = entries.number<std::uint64_t>(56);
    if (!kind || !header_bytes || !payload_bytes || !packed_bytes || !architecture || !flags ||
        !unpacked_bytes)
      return false;
    if (*header_bytes < kEntryHeaderBytesMin) return false;
    const auto payload = entries.part(*header_bytes, *payload_bytes);
    const Packing packing = packing_of(*flags);
    const auto content = packing == Packing::kNone ? payload : entries.part(*header_bytes, *packed_bytes);
    if (!payload || !content || *packed_bytes > *payload_bytes) return false;
    read.push_back({.is_cubin = *kind == kCubin,
                    .architecture = static_cast<int>(*architecture & 0xffff),
                    .is_specific = (*flags & kSpecific) != 0,
                    .packing = packing,
                    .content = *content,
                    .unpacked_bytes = *unpacked_bytes});
    const std::uint64_t entry_bytes = *header_bytes + *payload_bytes;
    entries = entries.part(entry_bytes, entries.size() - entry_bytes).value();
  }
  return true;
}

}  // namespace

std::optional<std::vector<FatbinEntry>> read_fatbins(ByteView section) {
  std::vector<FatbinEntry> read;
  std::uint64_t at = 0;
  std::size_t container = 0;
  while (at < section.size()) {
    const auto magic = section.number<std::uint32_t>(at);
    if (magic == 0u) {  // between containers
      at += kContainerAlignment;
      continue;
    }
    const auto header_bytes = section.number<std::uint16_t>(at + 6);
    const auto entries_bytes = section.number<std::uint64_t>(at + 8);
    if (magic != kFatbinMagic || !header_bytes || !entries_bytes) return {};
    const auto entries = section.part(at + *header_bytes, *entries_bytes);
    const std::size_t known = read.size();
    if (!entries || !read_entries(*entries, read)) return {};
    for (std::size_t i = known; i < read.size(); ++i) {
      read[i].container = container;
      read[i].offset = at;
    }
    ++container;
    at += *header_bytes + *entries_bytes;
    at += (kContainerAlignment - at % kContainerAlignment) % kContainerAlignment;
  }
  return read;
}

}  // namespace tracker::machine_code
