#include "tracker/formats/baseline_document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::formats {
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
  fields.each_object("benchmarks", [&](std::string_view name, const JsonFields& one) {
    BenchmarkNoise& noise = model.benchmarks[std::string(name)];
    noise.metric = one.required<std::string>("metric");
    for (const auto& part : kParts) {
      if (!one.has(part.name)) continue;
      const JsonFields variance = one.object(part.name);
      noise.*part.variance = {not_negative(variance, "variance"), not_negative(variance, "degrees")};
    }
  });
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
        times[name].push_back(stats::median(times_of_base(samples, benchmark->time_base)));
      }
  std::map<std::string, Middle> middles;
  for (const auto& [name, of_invocations] : times) {
    const auto [low, high] = std::ranges::minmax_element(of_invocations);
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
  std::size_t shown = 0;
  fields.each_object("medians", [&](std::string_view name, const JsonFields& one) {
    ++shown;
    const auto real = middles.find(std::string(name));
    const auto time_ns = one.required<double>("time_ns");
    if (real == middles.end() || std::abs(time_ns - real->second.time_ns) > kRounding * real->second.time_ns)
      throw Error(ExitCode::kUsage,
                  source + ": the median of " + in_quotes(name) + " is not that of its samples",
                  "write the file with: tracker baseline promote");
  });
  if (shown != middles.size())
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
  const std::string name = in_quotes(source);
  const JsonFields fields(document, name);
  std::string schema;
  fields("schema", schema);
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
                  name + ": run '" + run.id + "' was measured on '" + device_key(run.device) + "', not on " +
                      in_quotes(baseline.device),
                  "a baseline is of one device: write it with: tracker baseline promote");
  if (fields.has("medians")) require_medians_of_samples(fields, name, baseline.runs);  // older ones have none
  if (fields.has("noise")) baseline.noise = noise_from_json(fields.object("noise"));
  return baseline;
}

namespace {

using nlohmann::json;

constexpr const char* kHistorySchema = "tracker.history/1";
constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// RFC 4648.
std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < there ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= there ? kBase64Digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int waiting = 0;  // bits that are in no byte yet
  for (const char c : text) {
    const auto digit = kBase64Digits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    waiting += 6;
    if (waiting < 8) continue;
    waiting -= 8;
    bytes += static_cast<char>(bits >> waiting & 0xff);
  }
  return bytes;
}

std::string in_one_line(const ordered_json& value) {
  return value.dump() + "\n";
}

}  // namespace

std::string history_head() {
  return in_one_line({{"schema", kHistorySchema}});
}

std::string history_line(const HistoryLine& line) {
  try {
    return in_one_line({{"path", line.path}, {"text", line.text}});
  } catch (const json::type_error&) {  // no UTF-8
    return in_one_line({{"path", line.path}, {"base64", to_base64(line.text)}});
  }
}

std::string history_end(std::size_t lines) {
  return in_one_line({{"end", lines}});
}

std::optional<HistoryLine> HistoryLines::read(std::string_view line) {
  ++number_;
  const auto fail = [&](const std::string& what) {
    return Error(ExitCode::kUsage, in_quotes(source_) + ", line " + std::to_string(number_) + ": " + what,
                 "name a file that tracker store export wrote");
  };
  const auto document = json::parse(line, nullptr, false);
  if (!document.is_object()) throw fail("no JSON object");
  const auto text_at = [&](const char* key) -> std::optional<std::string> {
    const auto found = document.find(key);
    if (found == document.end() || !found->is_string()) return {};
    return found->get<std::string>();
  };
  if (number_ == 1) {
    const auto schema = text_at("schema");
    if (!schema) throw fail("no history: its first line has no schema");
    if (*schema != kHistorySchema)
      throw fail("schema " + in_quotes(*schema) + " is not '" + kHistorySchema + "'");
    return {};
  }
  if (ended_) throw fail("a line after the end");
  if (const auto end = document.find("end"); end != document.end()) {
    if (*end != lines_)
      throw fail("the end counts " + end->dump() + " lines, and there are " + std::to_string(lines_));
    ended_ = true;
    return {};
  }
  const auto path = text_at("path");
  auto text = text_at("text");
  if (const auto packed = text_at("base64"); packed && !text) text = from_base64(*packed);
  if (!path || !text) throw fail("no path, or no text");
  ++lines_;
  return HistoryLine{*path, std::move(*text)};
}

void HistoryLines::require_end() const {
  if (!ended_)
    throw Error(ExitCode::kUsage,
                in_quotes(source_) + " ends after line " + std::to_string(number_) + ", and is cut off",
                "what it has was recorded; import the whole file, and the rest is added");
}

}  // namespace tracker::formats
