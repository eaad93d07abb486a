// Strangers' text on its way into Markdown, XML and what GitHub Actions reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::report {

// Strangers' text, before any sink's own escaping.

// The most columns that a stranger's text takes on a terminal.
constexpr std::size_t kTextColumnsMax = 1000;

// The text as what it is: on one line, valid UTF-8, with characters that cannot be seen, or that turn the
// direction of others, as "⟨U+202E⟩"; its middle left out where it is wider than so many columns.
std::string visible_text(std::string_view text, std::size_t columns_max = kTextColumnsMax);

// Strangers' text in GitHub-flavoured Markdown.

// Text that shows as itself on one line, in a table cell, a heading, a list, an HTML element or an
// attribute's double quotes: no markup, no HTML, no links, no mentions and no references to issues, whatever
// it holds.
std::string markdown_text(std::string_view text);

// A line of a table, of cells that are Markdown already: "| a | b |".
std::string markdown_row(const std::vector<std::string>& cells);

// A code span that can be copied as it is: nothing is put into it. Not for table cells, which end at any '|'.
std::string markdown_code(std::string_view text);

// Where a picture is: a path or an http(s) URL, fit for an attribute's double quotes and for srcset.
std::string markdown_link(std::string_view target);

// Strangers' text in XML 1.0.

// Text that stands for itself in an element and in an attribute's quotes, whatever it holds.
std::string xml_text(std::string_view text);

// Strangers' text in what GitHub Actions reads: workflow commands on a step's output, and its output file.

// The message of a command: "::error::" and then this. Line ends stay, as "%0A".
std::string workflow_data(std::string_view text);

// The value of a command's property: "title=" and then this. One line.
std::string workflow_property(std::string_view text);

// An entry of $GITHUB_OUTPUT; `name` is ours. The value may have several lines, each kept apart. `delimiter`
// has to be one that nobody can guess, as a line of the value that equals it would end the value.
std::string workflow_output(const std::string& name, std::string_view value, const std::string& delimiter);

}  // namespace tracker::report
