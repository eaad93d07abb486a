// The sentence beside a verdict.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

// For a comparison whose verdict, estimate and interval are settled. `settles_by_more` is false where the
// spread between jobs alone hides what is asked, so that more invocations in other jobs would not help.
std::string reason_for(const Comparison& comparison, bool settles_by_more);

}  // namespace tracker
