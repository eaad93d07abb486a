#include "tracker/formats/baseline_document.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"
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
  const JsonFields fields(document, name);
  std::string schema;
  if (document.contains("schema")) schema = fields.required<std::string>("schema");
  if (schema != kSchema)
    throw Error(ExitCode::kUsage, name + ": not a baseline of schema '" + kSchema + "'",
                "write it with: tracker baseline promote");
  Baseline baseline;
  baseline.device = fields.required<std::string>("device");
  baseline.commit = fields.required<std::string>("commit");
  fields("promoted_at", baseline.promoted_at);
  const auto runs = document.find("runs");
  if (runs == document.end() || !runs->is_array()) fields.fail("runs", "a list of runs");
  for (const auto& run : *runs) baseline.runs.push_back(run_from_json(run, source));
  if (baseline.runs.empty()) throw Error(ExitCode::kUsage, name + ": a baseline without runs");
  for (const auto& run : baseline.runs)
    if (device_key(run.device) != baseline.device)
      throw Error(ExitCode::kUsage,
                  name + ": run '" + run.id + "' was measured on '" + device_key(run.device) + "', not on '" +
                      printable(baseline.device) + "'",
                  "a baseline is of one device: write it with: tracker baseline promote");
  return baseline;
}

}  // namespace tracker
