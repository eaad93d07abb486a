// Runs ↔ JSON, "tracker.run/1", and "tracker.run/2" for compacted ones: what the store keeps.
// docs/documents.md describes it for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "tracker/formats/json_text.hpp"
#include "tracker/model/run.hpp"

namespace tracker::formats {

// The schema of a run with all of its repetitions.
inline constexpr const char* kRunSchema = "tracker.run/1";
// Of a run without single repetitions (Run::compacted), which earlier versions refuse by this name.
inline constexpr const char* kCompactRunSchema = "tracker.run/2";

// The id under which the run's document lies: its own, or of a compacted one that with "-compact" behind it,
// as the whole document keeps its place.
std::string document_id(const Run& run);

// The ids under which a run's document may be stored: its own, and its compacted form.
std::vector<std::string> document_ids_beside(const std::string& id);

// The document's text, in one of these two schemas.
std::string write_run(const Run& run);

// kUsage, naming `source` and the field, for what is no such document. Fields that are not known are
// left aside: a newer tracker of the same schema may have written them.
Run read_run(std::string_view text, const std::string& source);

// The same on parsed JSON, for documents that hold runs.
nlohmann::ordered_json run_to_json(const Run& run);
Run run_from_json(const nlohmann::json& document, const std::string& source);

// The device and the software of a measurement ↔ JSON, alike in every document.

// Facts that are not known are null.
nlohmann::ordered_json device_json(const Device& device);
nlohmann::ordered_json software_json(const Software& software);

// kUsage, naming the field, where a value is not what it should be, or the device has no kind or name.
Device read_device(const JsonFields& fields);
Software read_software(const JsonFields& fields);

// Writes a record's fields; what is not known becomes null. The counterpart of JsonFields' own call.
struct JsonWriter {
  nlohmann::ordered_json& object;

  template <typename T>
  void operator()(const char* name, const T& value) const {
    object[name] = value;
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) const {
    object[name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  }
};

// What stands beside a document that was dropped from the store: "tracker.dropped/1".

// The text of such a document. `dropped_at`: UTC, ISO 8601.
std::string write_tombstone(const std::string& reason, const std::string& dropped_at);

// The reason; empty where there is none to be read. A document is dropped by the tombstone's place, whatever
// it says.
std::string reason_of_tombstone(std::string_view text);

}  // namespace tracker::formats
