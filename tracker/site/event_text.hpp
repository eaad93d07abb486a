// Words for events, as the page and the plain tables print them. Pure.
#pragma once

#include <string>

#include "tracker/model/change_event.hpp"

namespace tracker {

// "driver 580.1 → 590.2; the machine code is the same"; empty where nothing is known.
std::string causes_in_words(const ChangeEvent& event);

// "still there", "mended by", "2 of 5 mended", "not settled yet". After "mended by" follows the commit
// ChangeEvent::undone_by. Of an event that made things faster "undone" instead of "mended".
std::string state_in_words(const ChangeEvent& event);

// The first of the event's changes, which is its largest: by how much, as a share in the metric's own
// direction.
double largest_change(const ChangeEvent& event);

}  // namespace tracker
