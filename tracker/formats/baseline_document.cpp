#include "tracker/formats/baseline_document.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

using nlohmann::ordered_json;

constexpr const char* kSchema = "tracker.baseline/1";

// What is known of a benchmark's noise, one row each.
struct Part {
  const char* name;
  NoiseVariance BenchmarkNoise::*variance;
};

constexpr Part kParts[] = {{"invocation", &BenchmarkNoise::invocation},
                           {"neighbours", &BenchmarkNoise::neighbours},
                           {"same_board", &BenchmarkNoise::same_board},
                           {"other_board", &BenchmarkNoise::other_board}};

ordered_json noise_to_json(const NoiseModel& model) {
  ordered_json benchmarks = ordered_json::object();
  auto& by_name = benchmarks.get_ref<ordered_json::object_t&>();  // names are unique: none is looked up
  for (const auto& [name, noise] : model.benchmarks) {
    ordered_json one{{"metric", noise.metric}};
    for (const auto& part : kParts)
      if (const NoiseVariance& variance = noise.*part.variance; variance.degrees > 0)
        one[part.name] = {{"variance", variance.value}, {"degrees", variance.degrees}};
    by_name.emplace_back(name, std::move(one));
  }
  return {{"jobs", model.jobs}, {"benchmarks", std::move(benchmarks)}};
}

double not_negative(const JsonFields& fields, const char* name) {
  const auto value = fields.required<double>(name);
  if (value < 0) fields.fail(name, "a number that is not negative");
  return value;
}

NoiseModel noise_from_json(const JsonFields& fields) {
  NoiseModel model;
  model.jobs = fields.required<int>("jobs");
  if (model.jobs < 0) fields.fail("jobs", "a number that is not negative");
  for (const auto& [name, one] : fields.named_objects("benchmarks")) {
    BenchmarkNoise noise;
    noise.metric = one.required<std::string>("metric");
    for (const auto& part : kParts) {
      if (!one.has(part.name)) continue;
      const JsonFields variance = one.object(part.name);
      noise.*part.variance = {not_negative(variance, "variance"), not_negative(variance, "degrees")};
    }
    model.benchmarks[name] = noise;
  }
  return model;
}

}  // namespace

std::string write_baseline(const Baseline& baseline) {
  ordered_json runs = ordered_json::array();
  for (const auto& run : baseline.runs) runs.push_back(run_to_json(run));
  ordered_json document{{"schema", kSchema},
                        {"device", baseline.device},
                        {"commit", baseline.commit},
                        {"promoted_at", baseline.promoted_at},
                        {"runs", std::move(runs)}};
  if (baseline.noise) document["noise"] = noise_to_json(*baseline.noise);
  return print_json(document);
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
  if (fields.has("noise")) baseline.noise = noise_from_json(fields.object("noise"));
  return baseline;
}

}  // namespace tracker
