// How wide text is on a terminal, and links in it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tracker {

// Columns of text on a terminal, as Unicode has them: a wide character takes two, a combining one none. The
// one place that knows; display_width() (text.hpp) is of it.

// The length in bytes of the longest beginning that takes no more than so many columns, with what combines
// with its last character.
std::size_t bytes_within(std::string_view text, std::size_t columns);

// The length in bytes of the shortest beginning that takes at least so many columns, likewise; all where
// there are fewer.
std::size_t bytes_past(std::string_view text, std::size_t columns);

// Links in a terminal's text (OSC 8): the text stays as it is, and as wide, and a click opens a page.
// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda

// A variable of the environment; empty where it is not set.
using Environment = std::function<std::string(const std::string& name)>;

// Whether this terminal is known to show links: one of a table, and none that passes text on to others
// without them (tmux before 3.4, screen). NO_COLOR and TERM=dumb want plain text.
bool knows_links(const Environment& environment);

// `text` as a link; as it is where the address is empty or has anything but printable ASCII.
std::string linked(std::string_view text, const std::string& url);

// A line of text with each word that looks like a commit's id (7 to 40 hexadecimal digits, by themselves)
// linked to the address that `url_of` gives for it; those it gives none for stay as they are. Escape
// sequences in the line stay as they are as well.
std::string link_commit_ids(std::string_view line,
                            const std::function<std::string(const std::string& word)>& url_of);

}  // namespace tracker
