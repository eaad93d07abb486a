// The tables of tracker.toml that say what is accepted: [[policy]], [[waiver]], [[accepted]], [[rename]],
// [judge], [drift], [notify] and [sentinel].
#pragma once

#include <string>

#include <toml++/toml.h>

#include "tracker/model/policy.hpp"

namespace tracker {

PolicyRule read_policy_rule(const std::string& source, const toml::table& table);
Waiver read_waiver(const std::string& source, const toml::table& table);
Waiver read_accepted(const std::string& source, const toml::table& table);
Rename read_rename(const std::string& source, const toml::table& table);
void read_judge(const std::string& source, const toml::node& node, Policy& policy);
DriftPolicy read_drift(const std::string& source, const toml::node& node);
Notify read_notify(const std::string& source, const toml::node& node);
SentinelSettings read_sentinel(const std::string& source, const toml::node& node);

}  // namespace tracker
