// The device and the software of a measurement ↔ JSON, alike in every document.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "tracker/formats/json_fields.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

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

}  // namespace tracker
