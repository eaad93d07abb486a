// What nvcc has compressed in an executable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracker {

enum class Packing { kNone, kLz4, kZstandard };

// The content, which has so many bytes unpacked. Empty where it is damaged or has another size, where it
// claims more than any device code has, or where this program was built without Zstandard.
std::optional<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t size_bytes);

}  // namespace tracker
