// A part of a file that nobody vouches for: nothing is read outside of it.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace tracker {

class ByteView {
 public:
  ByteView() = default;
  explicit ByteView(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }

  // Empty where it does not lie wholly inside.
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

}  // namespace tracker
