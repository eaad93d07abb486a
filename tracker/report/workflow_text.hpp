// Strangers' text in what GitHub Actions reads: workflow commands on a step's output, and its output file.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// The message of a command: "::error::" and then this. Line ends stay, as "%0A".
std::string workflow_data(std::string_view text);

// The value of a command's property: "title=" and then this. One line.
std::string workflow_property(std::string_view text);

// An entry of $GITHUB_OUTPUT; `name` is ours. The value may have several lines, each kept apart. `delimiter`
// has to be one that nobody can guess, as a line of the value that equals it would end the value.
std::string workflow_output(const std::string& name, std::string_view value, const std::string& delimiter);

}  // namespace tracker
