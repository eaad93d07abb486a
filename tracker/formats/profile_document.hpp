// Profiles ↔ JSON, "tracker.profile/1": what the store keeps beside a commit's runs. docs/formats.md
// describes it for people.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tracker/model/run.hpp"

namespace tracker {

std::string write_profile(const Profile& profile);

// kUsage, naming `source` and the field, for what is no such document. Fields that are not known are left
// aside.
Profile read_profile(std::string_view text, const std::string& source);

// The same on parsed JSON.
nlohmann::ordered_json profile_to_json(const Profile& profile);
Profile profile_from_json(const nlohmann::json& document, const std::string& source);

}  // namespace tracker
