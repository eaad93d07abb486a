// ANSI colours of the reports for a terminal.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

inline constexpr const char* kReset = "\x1b[0m";
inline constexpr const char* kBold = "\x1b[1m";
inline constexpr const char* kYellow = "\x1b[33m";
inline constexpr const char* kDim = "\x1b[2m";

// In the colour of the verdict, where `color` asks for any.
std::string colored(const std::string& text, Verdict verdict, bool color);

}  // namespace tracker
