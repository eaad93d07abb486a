// Strangers' text on its way into a gnuplot script: the one place that makes it safe.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// Text without control characters, and with U+25A1 for what XML cannot hold.
std::string clean_text(std::string_view text);

// A gnuplot string literal that shows `text` and does nothing else. Single quotes, because in double ones
// gnuplot runs backticks; U+2019 for a quote inside, because 5.4 misreads a doubled one; control
// characters become spaces (a line end would end the string); what UTF-8, XML or common fonts cannot hold
// (emoji among them) becomes U+25A1; marks that turn the writing direction or have no width are left out.
// Backslash, `@`, `{` and `%` stay: they mean nothing in a single-quoted label with `noenhanced`. Never use
// it for explicit tic labels, which take `%` as a format.
std::string gnuplot_string(std::string_view text);

}  // namespace tracker
