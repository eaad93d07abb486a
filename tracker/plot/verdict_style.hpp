// How pictures show a verdict: by a shape and by a colour, either of which alone tells it apart from its
// opposite.
#pragma once

#include "tracker/model/comparison.hpp"
#include "tracker/plot/canvas.hpp"

namespace tracker {

// Hollow where the policy or a waiver excuses it.
MarkStyle verdict_mark(Verdict verdict, bool excused = false);

// Whether it says something: neither unchanged nor inconclusive.
bool is_decided(Verdict verdict);

}  // namespace tracker
