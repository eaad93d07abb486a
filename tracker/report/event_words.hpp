// What an event is, in words and figures; how it is set is the formats' own. Names and subjects are
// strangers' text, fit for one line of a terminal and not yet escaped for anything else.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// "▼ −12.3 %" of what mostly got slower, "▲ +4.0 %" of what got faster; hollow where it was measured under
// other conditions. Of several benchmarks the geometric mean of those.
std::string event_mark(const ChangeEvent& event);
std::string event_size(const ChangeEvent& event);

// "12.3 % slower", "4.0 % faster": with the direction in words.
std::string event_size_in_words(const ChangeEvent& event);

// "gemm/tile_2d/f32/64" of one benchmark, "gemm/tile_2d/* (5)" of several.
std::string event_benchmarks(const ChangeEvent& event);

// "still there", "mended by 1a2b3c4", "3 of 5 mended", "accepted"; of what got faster "undone by".
std::string event_state(const ChangeEvent& event);

// "driver 580.1 → 590.2; the machine code is the same"; empty where nothing is known.
std::string event_causes(const ChangeEvent& event);

// "1a2b3c4": where it was first seen.
std::string event_commit(const ChangeEvent& event);

// "one of 12 commits since 1a2b3c4" of a step that any of them may have made, "drifts until 1a2b3c4, and no
// single commit made it"; empty where the commit is known.
std::string event_range(const ChangeEvent& event);

// The series of the event's largest change around it, as eight heights of a character a place: at most so
// many characters, oldest first. Empty where the series is not among these.
std::string event_sparkline(const ChangeEvent& event, const std::vector<Series>& all, std::size_t width);

}  // namespace tracker
