// Secrets kept out of messages.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// The text with "***" for each piece of the secret of eight characters or more: what echoes a token may be
// cut within it. A secret shorter than that is replaced only whole.
std::string without_secret(std::string_view text, std::string_view secret);

}  // namespace tracker
