// 64-bit FNV-1a: each byte changes what all before it gave in a way that can be undone, so one changed byte
// always gives another value. Fit to tell code apart, not against forgery.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracker::machine_code {

// The digest of the bytes that were added until now.
class Digest {
 public:
  // Adds the bytes without their length: add("ab") is the same as add("a"), add("b").
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      value_ ^= static_cast<unsigned char>(byte);
      value_ *= 0x100000001b3;
    }
  }

  // Adds the number as eight bytes, the lowest first.
  void add(std::uint64_t number) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(number >> (8 * i) & 0xff);
    add(std::string_view(bytes.data(), bytes.size()));
  }

  // With its length, so that what follows cannot be taken for a part of it.
  void add_counted(std::string_view bytes) {
    add(std::uint64_t{bytes.size()});
    add(bytes);
  }

  // 16 hexadecimal digits.
  std::string text() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[value_ >> shift & 0xf];
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace tracker::machine_code
