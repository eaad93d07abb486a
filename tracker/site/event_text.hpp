// Words for events, as the page and the plain tables print them. Pure.
#pragma once

#include <string>

#include "tracker/model/change_event.hpp"

namespace tracker {

// "still there", "mended by", "2 of 5 mended", "not settled yet". After "mended by" follows the commit
// ChangeEvent::undone_by. Of an event that made things faster "undone" instead of "mended".
std::string state_in_words(const ChangeEvent& event);

// The first of the event's changes, which is its largest: by how much, as a share in the metric's own
// direction.
double largest_change(const ChangeEvent& event);

}  // namespace tracker
