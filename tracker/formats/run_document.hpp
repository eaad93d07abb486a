// Runs ↔ JSON, "tracker.run/1", and "tracker.run/2" for compacted ones: what the store keeps. docs/formats.md
// describes it for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tracker/model/run.hpp"

namespace tracker {

inline constexpr const char* kRunSchema = "tracker.run/1";
// Of a run without single repetitions (Run::compacted), which earlier versions refuse by this name.
inline constexpr const char* kCompactRunSchema = "tracker.run/2";

// The id under which the run's document lies: its own, or of a compacted one that with "-compact" behind it,
// as the whole document keeps its place.
std::string document_id(const Run& run);

// The ids under which a run's document may be stored: its own, and its compacted form.
std::vector<std::string> document_ids_beside(const std::string& id);

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
