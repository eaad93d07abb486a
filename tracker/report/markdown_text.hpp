// Strangers' text in GitHub-flavoured Markdown.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// Text that shows as itself on one line, in a table cell, a heading, a list or an HTML element: no markup, no
// HTML, no links, no mentions and no references to issues, whatever it holds.
std::string markdown_text(std::string_view text);

}  // namespace tracker
