#include "tracker/formats/tombstone.hpp"

#include <nlohmann/json.hpp>

namespace tracker {

std::string write_tombstone(const std::string& reason, const std::string& dropped_at) {
  const nlohmann::ordered_json document{
      {"schema", "tracker.dropped/1"}, {"reason", reason}, {"dropped_at", dropped_at}};
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string reason_of_tombstone(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("reason") || !document["reason"].is_string()) return {};
  return document["reason"].get<std::string>();
}

}  // namespace tracker
