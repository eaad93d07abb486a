// One sentence for many rows: a hundred that say the same hide the one that says more.
#pragma once

#include <string>
#include <vector>

namespace tracker {

// The sentence with every figure replaced: those that share it differ in their figures alone.
std::string shape_of(const std::string& sentence);

// Sentences of one shape (one at least) as one: figures that differ become a range.
// "about 3 more" and "about 40 more" are "about 3–40 more".
std::string merge_sentences(const std::vector<std::string>& sentences);

}  // namespace tracker
