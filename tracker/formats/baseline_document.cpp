#include "tracker/formats/baseline_document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

using nlohmann::ordered_json;

constexpr const char* kSchema = "tracker.baseline/1";

// A line for each of their entries.
constexpr std::string_view kTables[] = {"medians", "benchmarks", "samples"};

// What is known of a benchmark's noise, one row each.
struct Part {
  const char* name;
  NoiseVariance BenchmarkNoise::*variance;
};

constexpr Part kParts[] = {{"invocation", &BenchmarkNoise::invocation},
                           {"neighbours", &BenchmarkNoise::successive},
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

// What a reviewer looks at first.
struct Middle {
  double time_ns =
      0;  // of an iteration, by the clock that the benchmark's rates refer to: the median invocation
  double spread = 0;  // largest less smallest of the invocations' medians, as a share of time_ns
  std::size_t invocations = 0;
};

// By benchmark, of all that counts.
std::map<std::string, Middle> middles_of(const std::vector<Run>& runs) {
  std::map<std::string, std::vector<double>> times;
  for (const auto& run : runs)
    for (const auto& invocation : run.invocations)
      for (const auto& [name, samples] : invocation.samples) {
        const Benchmark* benchmark = find_benchmark(run, name);
        if (invocation.excluded || benchmark == nullptr) continue;
        const bool by_cpu_time = benchmark->time_base == TimeBase::kCpu;
        times[name].push_back(stats::median(by_cpu_time ? samples.cpu_time_ns : samples.real_time_ns));
      }
  std::map<std::string, Middle> middles;
  for (const auto& [name, of_invocations] : times) {
    const auto [low, high] = std::minmax_element(of_invocations.begin(), of_invocations.end());
    const double time_ns = stats::median(of_invocations);
    if (!std::isfinite(time_ns)) continue;
    middles[name] = {time_ns, time_ns > 0 ? (*high - *low) / time_ns : 0, of_invocations.size()};
  }
  return middles;
}

double rounded(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return std::strtod(text.data(), nullptr);
}

ordered_json medians_to_json(const std::map<std::string, Middle>& middles) {
  ordered_json medians = ordered_json::object();
  auto& by_name = medians.get_ref<ordered_json::object_t&>();  // names are unique: none is looked up
  for (const auto& [name, middle] : middles)
    by_name.emplace_back(name, ordered_json{{"time_ns", rounded(middle.time_ns, 6)},
                                            {"spread", rounded(middle.spread, 2)},
                                            {"invocations", middle.invocations}});
  return medians;
}

// What a person approved has to be what later commits are compared with.
void require_medians_of_samples(const JsonFields& fields, const std::string& source,
                                const std::vector<Run>& runs) {
  constexpr double kRounding = 1e-4;
  const auto middles = middles_of(runs);
  const auto shown = fields.named_objects("medians");
  for (const auto& [name, one] : shown) {
    const auto real = middles.find(name);
    const auto time_ns = one.required<double>("time_ns");
    if (real == middles.end() || std::abs(time_ns - real->second.time_ns) > kRounding * real->second.time_ns)
      throw Error(ExitCode::kUsage,
                  source + ": the median of '" + printable(name) + "' is not that of its samples",
                  "write the file with: tracker baseline promote");
  }
  if (shown.size() != middles.size())
    throw Error(ExitCode::kUsage, source + ": the medians are not those of its benchmarks",
                "write the file with: tracker baseline promote");
}

}  // namespace

std::string write_baseline(const Baseline& baseline) {
  ordered_json runs = ordered_json::array();
  for (const auto& run : baseline.runs) runs.push_back(run_to_json(run));
  ordered_json document{{"schema", kSchema},
                        {"device", baseline.device},
                        {"commit", baseline.commit},
                        {"promoted_at", baseline.promoted_at},
                        {"medians", medians_to_json(middles_of(baseline.runs))},
                        {"runs", std::move(runs)}};
  if (baseline.noise) document["noise"] = noise_to_json(*baseline.noise);
  return print_json(document, kTables);
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
  if (fields.has("medians")) require_medians_of_samples(fields, name, baseline.runs);  // older ones have none
  if (fields.has("noise")) baseline.noise = noise_from_json(fields.object("noise"));
  return baseline;
}

}  // namespace tracker
