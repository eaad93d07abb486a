// What an event is, in words and figures; how it is set is the formats' own. Names and subjects are
// strangers' text, as they came: what prints them escapes them.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::report {

// "12.3 % slower", "1.1 % less bandwidth": the change in the words of its metric; "slower" or "faster" where
// the benchmarks are of several metrics. Of several benchmarks the geometric mean.
std::string event_size_in_words(const ChangeEvent& event);

// "gemm/tile_2d/f32/64" of one benchmark, "gemm/tile_2d/* (5)" of several, "transpose f32
// family (20)" of what a family shows together.
std::string event_benchmarks(const ChangeEvent& event);

// The narrowest pattern that has all of its benchmarks, as commands take one: "gemm/tile_2d/*".
std::string event_glob(const ChangeEvent& event);

// "20 benchmarks about 0.5 % slower together (0.3 % to 0.7 %), too little in any one alone" of what related
// benchmarks show only together; empty of all else.
std::string event_together(const ChangeEvent& event);

// "still there", "mended by 1a2b3c4", "3 of 5 mended", "accepted"; of what got faster "undone by".
std::string event_state(const ChangeEvent& event);

// "driver 580.1 → 590.2; the machine code is the same"; empty where nothing is known.
std::string event_causes(const ChangeEvent& event);

// Both: what only a group of benchmarks shows, and the likely causes.
std::string event_reason(const ChangeEvent& event);

// "1a2b3c4": where it was first seen.
std::string event_commit(const ChangeEvent& event);

// "one of 12 commits since 1a2b3c4" of a step that any of them may have made; of a drift its pace, with an
// interval (95 %): "−1.1 % (−1.3 % to −0.9 %) a month since March, no single commit; up to 1a2b3c4"; empty
// where the commit is known.
std::string event_range(const ChangeEvent& event);

// "from 1a2b3c4 to 5d6e7f8": both ends of a drift, which no single commit made.
std::string event_ends(const ChangeEvent& event);

// "since 1a2b3c4" of a step, "since March" or "since 1a2b3c4" of a drift.
std::string event_since(const ChangeEvent& event);

// "6.2 % lost since release v1.2 by a drift, no single commit: transpose/tile 6.2 %, transpose/copy 5.1 %,
// and 3 more".
std::string drift_alarm_in_words(const DriftAlarm& alarm);

// What `check` found, as JSON for a webhook of Slack, Mattermost and their like: a heading with `place` (the
// repository; `page`: where the job is read, may be empty), and a line an event, ten at most. No text in it
// can be a link or call people.
std::string chat_message(const std::vector<ChangeEvent>& regressions, const std::vector<DriftAlarm>& drifts,
                         const std::string& place, const std::string& page);

// The series of the event's largest change around it, as eight heights of a character a place: at most so
// many characters, oldest first. Empty where the series is not among these.
std::string event_sparkline(const ChangeEvent& event, const std::vector<Series>& all, std::size_t width);

// The points [from, to) as eight heights of a character, oldest first: the medians of as many equal stretches
// as there are characters, at most `width`; where there are more points than that, the newest has a character
// of its own, so that what has just changed is seen. The lowest and the highest height are as far apart as
// the values, and at least `span_min`, a share of them: less would make noise look like a change. Empty
// without points.
std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min = 0);

}  // namespace tracker::report
