#include "tracker/machine_code/fatbin.hpp"

#include <lz4.h>
#include <zstd.h>

#ifdef TRACKER_HAS_ZSTD
#endif

namespace tracker::machine_code {
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
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstandard = 0x8000;

Packing packing_of(std::uint64_t flags) {
  if ((flags & kZstandard) != 0) return Packing::kZstandard;
  return (flags & kLz4) != 0 ? Packing::kLz4 : Packing::kNone;
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
