// Runs ↔ JSON, "tracker.run/1": what the store keeps. docs/formats.md describes it for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tracker/model/run.hpp"

namespace tracker {

inline constexpr const char* kRunSchema = "tracker.run/1";

std::string write_run(const Run& run);

// As documents call it: "manual", "real", "cpu".
std::optional<TimeBase> find_time_base(std::string_view name);

// kUsage, naming `source` and the field, for what is no such document. Fields that are not known are
// left aside: a newer tracker of the same schema may have written them.
Run read_run(std::string_view text, const std::string& source);

// The same on parsed JSON, for documents that hold runs.
nlohmann::ordered_json run_to_json(const Run& run);
Run run_from_json(const nlohmann::json& document, const std::string& source);

}  // namespace tracker
