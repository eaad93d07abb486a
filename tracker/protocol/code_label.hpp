// What a benchmark says of its kernels' machine code: words of its label (Google Benchmark's SetLabel),
// separated by blanks, among any other words. docs/formats.md has the grammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tracker/model/run.hpp"

namespace tracker {

// Words of another form, or stated twice, are left aside; empty where none is left. Never throws.
std::optional<Code> read_code_label(std::string_view label);

// The words that read_code_label makes the same of. Kernels must have no colons; what has blanks in
// its name is another call.
std::string code_label(const Code& code);

}  // namespace tracker
