#include "tracker/machine_code/elf.hpp"

#include <algorithm>
#include <set>
#include <tuple>

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

std::optional<std::vector<ElfSymbol>> read_symbols(const std::vector<ElfSection>& sections,
                                                   const ElfSection& table) {
  std::vector<ElfSymbol> symbols;
  if (table.link >= sections.size()) return {};
  const ByteView names = sections[table.link].content;
  for (std::uint64_t at = 0; at + kSymbolBytes <= table.content.size(); at += kSymbolBytes) {
    const ByteView row = table.content.part(at, kSymbolBytes).value();
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

std::optional<std::vector<ElfSymbol>> read_symbols(const std::vector<ElfSection>& sections) {
  const auto table = std::find_if(sections.begin(), sections.end(),
                                  [](const ElfSection& section) { return section.type == kSymbolTable; });
  if (table == sections.end()) return std::vector<ElfSymbol>();
  return read_symbols(sections, *table);
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
  std::sort(relocations.begin(), relocations.end(), [](const ElfRelocation& a, const ElfRelocation& b) {
    return std::tie(a.offset, a.type) < std::tie(b.offset, b.type);
  });
  return relocations;
}

}  // namespace tracker::machine_code
