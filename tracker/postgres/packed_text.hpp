// Documents as a database keeps them: compressed by Zstandard, with a checksum.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracker {

std::string pack_text(std::string_view text);

// The text of `size_bytes` bytes. kEnvironment, naming `where`, for what is damaged or of another size.
std::string unpack_text(std::string_view packed, std::size_t size_bytes, const std::string& where);

}  // namespace tracker
