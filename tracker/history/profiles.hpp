// What was counted of a commit, out of the store.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// All profiles of the commit, of all devices, newest first.
std::vector<Profile> profiles_of(const Store& store, const std::string& commit);

// One profile a device, in order of its key, with every benchmark that any of them has: one profiled twice as
// the newest has it, all else from the newest. Those of a dirty tree count only where a device has no other.
// `profiles`: of one commit, newest first.
std::vector<Profile> merge_profiles(const std::vector<Profile>& profiles);

}  // namespace tracker
