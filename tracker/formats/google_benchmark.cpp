#include "tracker/formats/google_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <set>
#include <tuple>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/aggregate_rows.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/method_suffix.hpp"
#include "tracker/formats/stated_environment.hpp"

namespace tracker {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& source, const std::string& why, const std::string& hint = {}) {
  throw Error(ExitCode::kUsage, "'" + printable(source) + "': " + why, hint);
}

// Fields of a row that are Google Benchmark's own; every other number is a user counter.
const std::set<std::string>& own_fields() {
  static const std::set<std::string> fields{"name",
                                            "family_index",
                                            "per_family_instance_index",
                                            "run_name",
                                            "run_type",
                                            "repetitions",
                                            "threads",
                                            "repetition_index",
                                            "iterations",
                                            "real_time",
                                            "cpu_time",
                                            "time_unit",
                                            "label",
                                            "error_occurred",
                                            "error_message",
                                            "skipped",
                                            "skip_message",
                                            "aggregate_name",
                                            "aggregate_unit",
                                            "big_o",
                                            "rms"};
  return fields;
}

double unit_ns(const std::string& unit, const std::string& source) {
  static const std::map<std::string, double> factors{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  const auto found = factors.find(unit);
  if (found == factors.end()) refuse(source, "unknown time unit '" + printable(unit) + "'");
  return found->second;
}

TimeBase time_base_of(const std::map<std::string, std::string>& attributes) {
  if (attributes.count("manual_time") != 0) return TimeBase::kManual;
  return attributes.count("real_time") != 0 ? TimeBase::kReal : TimeBase::kCpu;
}

std::string text_or(const JsonFields& row, const char* name, std::string otherwise) {
  row(name, otherwise);
  return otherwise;
}

bool is_true(const JsonFields& row, const char* name) {
  bool value = false;
  row(name, value);
  return value;
}

// What tells benchmarks apart: two may be registered under one name.
struct Identity {
  std::string run_name;
  std::int64_t family = -1;
  std::int64_t instance = -1;

  auto operator<=>(const Identity&) const = default;
};

Identity identity_of(const JsonFields& row) {
  Identity identity;
  row("name", identity.run_name);
  row("run_name", identity.run_name);
  row("family_index", identity.family);
  row("per_family_instance_index", identity.instance);
  return identity;
}

// The rows, in the order they stand in the file.
class Reader {
 public:
  explicit Reader(BenchmarkFile& file) : file_(file) {}

  void read_rows(const json& rows) {
    const std::string source = "'" + printable(file_.source) + "'";
    std::vector<std::pair<Identity, const json*>> samples;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const JsonFields row(rows[i], source + ": benchmarks[" + std::to_string(i) + "]");
      if (text_or(row, "run_type", "iteration") != "iteration") {
        ++aggregates_;
        continue;
      }
      const Identity identity = identity_of(row);
      if (identity.run_name.empty()) row.fail("name", "a name");
      sharing_[split_method_suffixes(identity.run_name).name].insert(identity.run_name);
      if (is_true(row, "skipped"))
        ++skipped_;
      else
        samples.emplace_back(identity, &rows[i]);
    }
    // Random interleaving writes them as they ran; people know them as they were registered.
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.family, a.first.instance) < std::tie(b.first.family, b.first.instance);
    });
    for (const auto& [identity, row] : samples)
      read_row(identity, *row,
               JsonFields(*row, source + ": benchmark '" + printable(identity.run_name) + "'"));
  }
  int aggregates() const { return aggregates_; }
  int skipped() const { return skipped_; }

 private:
  // The name without method suffixes, unless that would make two different benchmarks one. Which of them
  // comes first must not matter: another filter must not give a benchmark another's name.
  std::string settle_name(const std::string& run_name, const SplitName& split) {
    const std::string wanted = sharing_[split.name].size() > 1 ? run_name : split.name;
    std::string name = wanted;
    for (int copy = 2; !taken_.insert(name).second; ++copy) name = wanted + "#" + std::to_string(copy);
    return name;
  }

  Benchmark& benchmark_of(const Identity& identity) {
    const auto known = index_.find(identity);
    if (known != index_.end()) return file_.benchmarks[known->second];
    const SplitName split = split_method_suffixes(identity.run_name);
    Benchmark benchmark;
    benchmark.name = settle_name(identity.run_name, split);
    benchmark.binary = file_.invocation.binary;
    benchmark.attributes = split.attributes;
    benchmark.time_base = time_base_of(split.attributes);
    index_[identity] = file_.benchmarks.size();
    file_.benchmarks.push_back(benchmark);
    return file_.benchmarks.back();
  }

  void read_row(const Identity& identity, const json& row, const JsonFields& fields) {
    Benchmark& benchmark = benchmark_of(identity);
    if (is_true(fields, "error_occurred")) {
      fail(benchmark, text_or(fields, "error_message", "an error without a message"));
      return;
    }
    if (benchmark.error) return;
    const double factor = unit_ns(text_or(fields, "time_unit", "ns"), file_.source);
    const double real_ns = fields.required<double>("real_time") * factor;
    const double cpu_ns = fields.required<double>("cpu_time") * factor;
    const double judged_ns = benchmark.time_base == TimeBase::kCpu ? cpu_ns : real_ns;
    for (const double time_ns : {judged_ns, real_ns, cpu_ns}) {
      if (time_ns >= 0 && std::isfinite(time_ns) && judged_ns > 0) continue;
      fail(benchmark, "reported a time of " + format_quantity(time_ns * 1e-9, "s"));
      return;
    }
    Samples& samples = file_.invocation.samples[benchmark.name];
    samples.real_time_ns.push_back(real_ns);
    samples.cpu_time_ns.push_back(cpu_ns);
    samples.iterations.push_back(0);
    fields("iterations", samples.iterations.back());
    if (samples.iterations.back() < 0) fields.fail("iterations", "a count, not below zero");
    read_counters(row, samples);
  }

  void fail(Benchmark& benchmark, const std::string& why) {
    benchmark.error = why;
    file_.invocation.samples.erase(benchmark.name);
  }

  // A repetition without a counter that others have gets NaN for it, so that places stay repetitions.
  static void read_counters(const json& row, Samples& samples) {
    const std::size_t repetitions = samples.real_time_ns.size();
    for (const auto& [name, value] : row.items()) {
      if (!value.is_number() || own_fields().count(name) != 0) continue;
      auto& values = samples.counters[name];
      values.resize(repetitions - 1, std::numeric_limits<double>::quiet_NaN());
      values.push_back(value.get<double>());
    }
    for (auto& [name, values] : samples.counters)
      values.resize(repetitions, std::numeric_limits<double>::quiet_NaN());
  }

  BenchmarkFile& file_;
  std::map<Identity, std::size_t> index_;                 // → benchmark
  std::map<std::string, std::set<std::string>> sharing_;  // stripped name → the run names that have it
  std::set<std::string> taken_;
  int aggregates_ = 0;
  int skipped_ = 0;
};

void read_context(const json& context, BenchmarkFile& file) {
  const JsonFields fields(context, "'" + printable(file.source) + "': context");
  const std::string executable = text_or(fields, "executable", "");
  file.invocation.binary = std::filesystem::path(executable).filename().string();
  if (const auto time = parse_time(text_or(fields, "date", "")))
    file.invocation.started_at = format_utc(*time);
  fields("host_name", file.host.name);
  fields("num_cpus", file.host.cpu_count);
  std::vector<double> load;
  fields("load_avg", load);
  if (!load.empty()) file.invocation.conditions.load_average = load.front();
  file.device = stated_device(context);
  file.software = stated_software(context);
}

}  // namespace

BenchmarkFile parse_google_benchmark(std::string_view text, const std::string& source) {
  const json document = parse_json(without_aggregate_nans(text), source);
  const bool shaped = document.is_object() && document.contains("context") &&
                      document["context"].is_object() && document.contains("benchmarks") &&
                      document["benchmarks"].is_array();
  if (!shaped)
    refuse(source, "not Google Benchmark's JSON: it has no 'context' and 'benchmarks'",
           "make it with --benchmark_out=FILE --benchmark_out_format=json");
  BenchmarkFile file;
  file.source = source;
  read_context(document["context"], file);
  Reader reader(file);
  reader.read_rows(document["benchmarks"]);
  if (file.benchmarks.empty() && reader.skipped() > 0) refuse(source, "all its benchmarks were skipped");
  if (file.benchmarks.empty() && reader.aggregates() > 0)
    refuse(source, "it has aggregates alone, and no repetitions to judge the noise by",
           "run the benchmark without --benchmark_report_aggregates_only");
  if (file.benchmarks.empty()) refuse(source, "it has no benchmarks", "does --benchmark_filter match any?");
  gather_conditions(file.invocation, file.invocation.conditions);
  return file;
}

BenchmarkFile read_google_benchmark(const std::filesystem::path& path) {
  return parse_google_benchmark(read_file(path, kBenchmarkFileBytesMax), path.string());
}

}  // namespace tracker
