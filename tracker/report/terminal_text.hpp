// What reports in a terminal share: colours, the heading of a report, and notes.
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

// Device, both sides, and how they were measured; each on lines no wider than `columns`.
std::string head_of(const ComparisonReport& report, std::size_t columns);

// "note: …"
std::string note_of(const std::string& note, std::size_t columns);

}  // namespace tracker
