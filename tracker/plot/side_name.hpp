// What a picture calls the sides of a comparison.
#pragma once

#include <cstddef>
#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

// "main (1a2b3c4)", "1a2b3c4", or for files their name.
std::string side_name(const Side& side);

// Without the words: "1a2b3c4", and for files "base" or "candidate", whichever is given.
std::string short_side_name(const Side& side, const std::string& otherwise);

}  // namespace tracker
