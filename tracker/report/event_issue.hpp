// An event as an issue: what it says to whoever has to mend it.
#pragma once

#include <string>

#include "tracker/model/change_event.hpp"

namespace tracker {

// "17.2 % slower since 1a2b3c4: copy/* (2)": plain text on one line.
std::string event_issue_title(const ChangeEvent& event);

// Markdown: size, commit, cause, the benchmarks with their levels, what became of it, and the commands that
// go on. `commit_url` as EventReportOptions has it.
std::string event_issue_body(const ChangeEvent& event, const std::string& commit_url);

}  // namespace tracker
