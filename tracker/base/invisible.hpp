// Characters that leave no mark, or turn the text around them: a name must not hide behind them.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// "⟨U+202E⟩" for valid UTF-8 of one such character; empty for any other.
std::string invisible_in_words(std::string_view character);

// A JSON document with them as \u escapes, so that its values stay what they are. So is a "##[", which the
// log of GitHub Actions reads as a command.
std::string escape_invisible(const std::string& json);

}  // namespace tracker
