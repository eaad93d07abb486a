// A small picture with a few words, for a README.
#pragma once

#include <string>

namespace tracker {

enum class BadgeColour { kGood, kBad, kNeutral };

// An SVG with `label` on a dark ground and `words` beside it.
std::string make_badge(const std::string& label, const std::string& words, BadgeColour colour);

}  // namespace tracker
