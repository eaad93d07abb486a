// Strangers' text in XML 1.0.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// Text that stands for itself in an element and in an attribute's quotes, whatever it holds.
std::string xml_text(std::string_view text);

}  // namespace tracker
