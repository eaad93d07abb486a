// Strangers' text in GitHub-flavoured Markdown.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// Text that shows as itself on one line, in a table cell, a heading, a list, an HTML element or an
// attribute's double quotes: no markup, no HTML, no links, no mentions and no references to issues, whatever
// it holds.
std::string markdown_text(std::string_view text);

// A code span that can be copied as it is: nothing is put into it. Not for table cells, which end at any '|'.
std::string markdown_code(std::string_view text);

// Where a picture is: a path or an http(s) URL, fit for an attribute's double quotes and for srcset.
std::string markdown_link(std::string_view target);

}  // namespace tracker
