#include "tracker/machine_code/unpack.hpp"

#ifdef TRACKER_HAS_ZSTD
#include <zstd.h>
#endif

namespace tracker {
namespace {

constexpr std::uint64_t kUnpackedBytesMax = std::uint64_t{1} << 30;

// One block of LZ4: again and again some bytes as they are, then a copy of earlier ones.
class Lz4Reader {
 public:
  Lz4Reader(std::string_view packed, std::uint64_t size_bytes) : packed_(packed), size_bytes_(size_bytes) {
    text_.reserve(size_bytes);
  }

  std::optional<std::string> read() {
    while (at_ < packed_.size()) {
      const auto token = static_cast<unsigned char>(packed_[at_++]);
      if (!take(token >> 4)) return {};
      if (at_ == packed_.size()) break;  // the last sequence copies nothing
      if (!copy(token & kLengthMax)) return {};
    }
    if (text_.size() != size_bytes_) return {};
    return std::move(text_);
  }

 private:
  static constexpr unsigned kLengthMax = 15;  // of a token; then bytes follow that are added
  static constexpr std::uint64_t kCopyBytesMin = 4;

  std::optional<std::uint64_t> length(unsigned in_token) {
    std::uint64_t sum = in_token;
    if (in_token < kLengthMax) return sum;
    for (unsigned char byte = 255; byte == 255;) {
      if (at_ == packed_.size()) return {};
      byte = static_cast<unsigned char>(packed_[at_++]);
      sum += byte;
    }
    return sum;
  }

  bool take(unsigned in_token) {
    const auto count = length(in_token);
    if (!count || *count > packed_.size() - at_ || *count > size_bytes_ - text_.size()) return false;
    text_.append(packed_.substr(at_, *count));
    at_ += *count;
    return true;
  }

  bool copy(unsigned in_token) {
    if (packed_.size() - at_ < 2) return false;
    const std::uint64_t back = static_cast<unsigned char>(packed_[at_]) +
                               std::uint64_t{static_cast<unsigned char>(packed_[at_ + 1])} * 256;
    at_ += 2;
    const auto more = length(in_token);
    if (!more || back == 0 || back > text_.size()) return false;
    const std::uint64_t count = *more + kCopyBytesMin;
    if (count > size_bytes_ - text_.size()) return false;
    for (std::uint64_t i = 0; i < count; ++i) text_ += text_[text_.size() - back];  // it may overlap itself
    return true;
  }

  std::string_view packed_;
  std::uint64_t size_bytes_;
  std::uint64_t at_ = 0;
  std::string text_;
};

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
      return Lz4Reader(packed, size_bytes).read();
    case Packing::kZstandard:
      return unpack_zstandard(packed, size_bytes);
  }
  return {};
}

}  // namespace tracker
