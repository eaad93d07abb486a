// How well found change points fit labelled ones, as the Turing Change Point Dataset defines it (van den Burg
// and Williams 2020, arXiv 2003.06222).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::changepoints {

using Places = std::vector<std::size_t>;  // in order, without repetition

inline constexpr std::size_t kMargin = 5;

// How many of the labels have a found place within the margin; no place serves two labels.
std::size_t matched(const Places& labels, const Places& found, std::size_t margin = kMargin);

// F1 with the trivial point 0 on both sides: precision against what any annotator marked, recall averaged
// over them.
double f1(const std::vector<Places>& annotators, const Places& found);

// The share of every labelled segment that the best found one covers (Jaccard), weighted by length, averaged
// over the annotators.
double covering(const std::vector<Places>& annotators, const Places& found, std::size_t count);

}  // namespace tracker::changepoints
