#include "tracker/machine_code/unpack.hpp"

#include <lz4.h>
#ifdef TRACKER_HAS_ZSTD
#include <zstd.h>
#endif

namespace tracker {
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

}  // namespace tracker
