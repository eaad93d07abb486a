// Rules of the policy that have nothing to say: a slip in the pattern, or time to remove them.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// One sentence for every waiver that matches no benchmark of these runs, and for every rename whose old name
// none has had and whose new name none has. The runs have their names as they were recorded.
std::vector<std::string> unused_rules(const Policy& policy, const std::vector<const std::vector<Run>*>& runs);

}  // namespace tracker
