// 64-bit FNV-1a: each byte changes what all before it gave in a way that can be undone, so one changed byte
// always gives another value. Fit to tell code apart, not against forgery.
#pragma once

#include <concepts>
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

  // Adds each number as eight bytes, the lowest first.
  void add(std::integral auto... numbers) {
    for (const auto number : {static_cast<std::uint64_t>(numbers)...})
      for (int shift = 0; shift < 64; shift += 8) {
        const char byte = static_cast<char>(number >> shift & 0xff);
        add(std::string_view(&byte, 1));
      }
  }

  // With its length, so that what follows cannot be taken for a part of it.
  void add_counted(std::string_view bytes) {
    add(bytes.size());
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
