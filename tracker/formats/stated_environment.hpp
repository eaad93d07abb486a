// What a benchmark binary states of its environment, in its JSON's context and counters.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "tracker/model/run.hpp"

namespace tracker::formats {

// The device, where the context names its kind and its model. Other values that are not what they should be
// (no number, below zero, neither "true" nor "false") are taken as absent.
std::optional<Device> stated_device(const nlohmann::json& context);
// What Google Benchmark itself says of its release and the machine; what has another form is not known.
void read_library_facts(const nlohmann::json& context, Software& software, Host& host);

// The software under the names of context_keys.hpp; what is not stated is empty.
Software stated_software(const nlohmann::json& context);

// The commit that a file says it was measured at, as lower-case hexadecimal digits, 7 to 40 of them: under
// one of the usual keys ("GIT_COMMIT_HASH", "git.commit", "sha", …). Empty where there is none.
std::string stated_commit(const nlohmann::json& context);
// The same of a text: the first word of 7 to 40 hexadecimal digits that has a letter and a digit, as a date
// has no letter. Empty where there is none.
std::string commit_in_name(const std::string& name);

// The condition_* counters of all samples (context_keys.hpp), over the whole invocation.
void gather_conditions(const Invocation& invocation, Conditions& conditions);

}  // namespace tracker::formats
