// Small functions on text that every module needs.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracker {

// Whether the whole of `text` matches: `*` is any run of characters, `?` any one. No other is special.
bool glob_match(std::string_view pattern, std::string_view text);

// Whether a regular expression is small enough for libraries that follow it, and what it is held against, by
// recursion: parentheses 100 deep, alternatives of 4,000 bytes.
bool is_bounded_expression(std::string_view text);

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn one into
// the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// A TOML basic string, in its quotes.
std::string toml_text(const std::string& text);

// The one of `known` nearest to `word`, where it is near enough to be a slip of the finger.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// As people sort names: runs of digits by their value, so that "run-2" comes before "run-10".
bool natural_less(std::string_view a, std::string_view b);

// ASCII alone.
std::string lower_case(std::string_view text);

// Each `from` becomes `to`; what was put in is not looked at again. `from` is not empty.
void replace_every(std::string& text, std::string_view from, std::string_view to);

// The parts between separators: one more than there are separators; empty ones are kept.
std::vector<std::string> split(std::string_view text, char separator);
// The parts with the separator between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// As RFC 3986 has it: of all bytes but letters, digits and these, "%2F".
std::string percent_encoded(std::string_view text, std::string_view kept = "-._~");

// " and 3 more"; empty for none.
std::string and_more(std::size_t count);
// "a, b and 3 more": all of the names, or as many as `named_max` and how many more there are.
std::string join_some(std::vector<std::string> names, std::size_t named_max);

// The words of both between those that both begin and end with: "cc -O3 a.c" and "cc -O1 a.c" give "-O3",
// "-O1".
std::pair<std::string, std::string> changed_words(std::string_view before, std::string_view after);

// Lower-case letters, digits, '.' and single '-': fit for a path, a ref and a URL. Never empty.
std::string slug(std::string_view text);

// "1 run", "3 runs"
std::string count_of(std::integral auto count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// "+1.24 %", "−0.30 %": two decimals below 10 %, one below 100 %, none above. Zero has no sign.
std::string format_percent(double share);
// "[−29.9, −28.8]": in per cent, as format_percent() has each.
std::string format_percent_range(double low, double high);
// Without a sign for what is no change: "2 %", "0.5 %".
std::string format_share(double share);

// Four significant digits and an SI prefix: (3.48e12, "B/s") → "3.480 TB/s", (15.1e-6, "s") → "15.10 µs".
std::string format_quantity(double value, std::string_view unit);

// A number without a unit, whole ones with all their digits: "2304", "0.4", "1e+300".
std::string format_plain(double value);

// A size in memory: "96 bytes", "4 KiB", "33.5 KiB", "1.25 MiB".
std::string format_bytes(double bytes);

// Strangers' text made fit for one line of a terminal or a log: control characters (escape sequences
// among them) and line ends become spaces, bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

// The same between single quotes, as a name stands in a sentence: 'sort/8'.
std::string in_quotes(std::string_view text);

// A word to be pasted into a shell: in single quotes, unless it is plain.
std::string shell_word(const std::string& word);

// Columns the text takes on a terminal: two for a wide character, none for a combining one
// (terminal.hpp).
std::size_t display_width(std::string_view text);

// The text with spaces after it, or before it, up to so many columns; longer text stays as it is.
std::string left_aligned(std::string_view text, std::size_t columns);
std::string right_aligned(std::string_view text, std::size_t columns);

// What to offer for a name that is not there.

// What to try instead of patterns that match none of these names: "'*padded*' matches 6, such as a/padded/8",
// or names that are near; empty where there is nothing near.
std::string near_names_hint(const std::vector<std::string>& patterns, const std::vector<std::string>& known);

// Two values of one unit, to be read side by side.

// As format_quantity() (text.hpp), but both with the prefix of the larger: (1.307e12, 872.6e9, "B/s") →
// "1.307 TB/s", "0.8726 TB/s". One that is less than a hundredth in it keeps its own; "–" for what is not
// there.
std::pair<std::string, std::string> format_quantities(const std::optional<double>& a,
                                                      const std::optional<double>& b, std::string_view unit);

// A JSON document with characters that leave no mark, or turn the text around them, as \u escapes, so that
// its values stay what they are. So is a "##[", which the log of GitHub Actions reads as a command.
std::string escape_invisible(const std::string& json);

}  // namespace tracker
