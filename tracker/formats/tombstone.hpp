// What stands beside a document that was dropped from the store: "tracker.dropped/1".
#pragma once

#include <string>
#include <string_view>

namespace tracker {

std::string write_tombstone(const std::string& reason, const std::string& dropped_at);

// The reason; empty where there is none to be read. A document is dropped by the tombstone's place, whatever
// it says.
std::string reason_of_tombstone(std::string_view text);

}  // namespace tracker
