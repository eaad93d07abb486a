// What kinds of instructions machine code has, from sm_75 to sm_90.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tracker/machine_code/byte_view.hpp"

namespace tracker {

inline constexpr std::string_view kOtherInstruction = "other";

// How often each stands in a function's code, by the name that nvdisasm gives it without modifiers
// ("FFMA", "LDG"); those that are not known count as "other". The NOPs that fill up the end are none of it.
// Empty for another architecture, or for what is no whole number of instructions.
std::map<std::string, std::int64_t> instruction_mix(ByteView text, int architecture);

}  // namespace tracker
