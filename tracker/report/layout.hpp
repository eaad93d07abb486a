// Text on a terminal of so many columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// Its beginning and its end around an ellipsis, where it is wider than so many columns (3 at least).
std::string shorten_middle(std::string_view text, std::size_t width);

// Its beginning, and an ellipsis.
std::string shorten_end(std::string_view text, std::size_t width);

// Lines no wider than so many columns (1 at least), broken at spaces where there are any. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// A hint as lines of so many columns, broken where another remedy or a command begins ("; " or ": ") and
// nowhere else: a command to copy stays whole, and its line may be wider.
std::vector<std::string> wrap_hint(std::string_view hint, std::size_t width);

// A command's help: no line wider than so many columns (60 at least). What describes an option goes on below
// its own beginning, in the column `described_at`, counted from 0. Sentences are broken anew.
std::string wrap_help(std::string_view help, std::size_t width, std::size_t described_at);

}  // namespace tracker
