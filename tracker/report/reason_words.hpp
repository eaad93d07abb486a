// The sentence beside a verdict.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// "4.2 % slower, past the threshold of 2 % and more than noise; waived until 2026-12-31: known": what
// comparison.reasons say. Not yet made fit for a terminal or a page: names and messages are as they came.
std::string reason_in_words(const Comparison& comparison);

// "against baseline, 4.2 % slower, past the threshold … (registers 32 → 48): 10.00 µs → 10.42 µs": for
// messages that have no table. `label`: what it is compared with.
std::string change_against_in_words(const Comparison& comparison, const std::string& label);

// What three rows or more would say of what stands in the way of a verdict on all of them, once: that other
// benchmarks ran beside them on one side only, or that each side is one invocation. Empty where fewer do.
// Takes it out of their reasons.
std::string take_shared_obstacle(ComparisonReport& report);

// The heading of the lines that rename_lines() gives.
inline constexpr const char* kRenamedQuestion =
    "What is missing and what is new have like names and values. If they were renamed, add to tracker.toml:";
// The lines for tracker.toml that rename what is likely to have been renamed; empty where nothing is.
std::vector<std::string> rename_lines(const ComparisonReport& report);

// "expired on 2026-11-01": why the waiver that matches does not hold; empty where it does, or there is none.
std::string why_waiver_fails(const Comparison& comparison);

}  // namespace tracker
