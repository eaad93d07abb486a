#include "tracker/formats/baseline_document.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {
constexpr const char* kSchema = "tracker.baseline/1";
}

std::string write_baseline(const Baseline& baseline) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const auto& run : baseline.runs) runs.push_back(run_to_json(run));
  return print_json({{"schema", kSchema},
                     {"device", baseline.device},
                     {"commit", baseline.commit},
                     {"promoted_at", baseline.promoted_at},
                     {"runs", runs}});
}

Baseline read_baseline(std::string_view text, const std::string& source) {
  const auto document = parse_json(text, source);
  const std::string name = "'" + printable(source) + "'";
  if (!document.is_object() || document.value("schema", "") != kSchema)
    throw Error(ExitCode::kUsage, name + ": not a baseline of schema '" + kSchema + "'",
                "write it with: tracker baseline promote");
  try {
    Baseline baseline;
    baseline.device = document.at("device");
    baseline.commit = document.at("commit");
    baseline.promoted_at = document.value("promoted_at", "");
    for (const auto& run : document.at("runs")) baseline.runs.push_back(run_from_json(run, source));
    if (baseline.runs.empty()) throw Error(ExitCode::kUsage, name + ": a baseline without runs");
    return baseline;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ExitCode::kUsage, name + ": not a baseline: " + printable(error.what()));
  }
}

}  // namespace tracker
