#include "tracker/formats/google_benchmark.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
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

// One pass over the rows, in the order they stand in the file.
class Reader {
 public:
  explicit Reader(BenchmarkFile& file) : file_(file) {}

  void read_rows(const json& rows) {
    for (const auto& row : rows) {
      if (!row.is_object()) refuse(file_.source, "a benchmark is no object");
      if (row.value("run_type", "iteration") != "iteration") {
        ++aggregates_;
        continue;
      }
      read_row(row);
    }
  }
  int aggregates() const { return aggregates_; }

 private:
  // The name without method suffixes, unless that would make two different benchmarks one.
  std::string settle_name(const std::string& run_name, const std::string& identity, const SplitName& split) {
    std::string name = split.name;
    for (int copy = 1; owner_.count(name) != 0 && owner_[name] != identity; ++copy)
      name = copy == 1 ? run_name : run_name + "#" + std::to_string(copy);
    owner_[name] = identity;
    return name;
  }

  Benchmark& benchmark_of(const json& row) {
    const std::string run_name = row.value("run_name", row.value("name", ""));
    if (run_name.empty()) refuse(file_.source, "a benchmark has no name");
    const std::string identity = run_name + "\n" + std::to_string(row.value("family_index", -1)) + "\n" +
                                 std::to_string(row.value("per_family_instance_index", -1));
    const auto known = index_.find(identity);
    if (known != index_.end()) return file_.benchmarks[known->second];
    const SplitName split = split_method_suffixes(run_name);
    Benchmark benchmark;
    benchmark.name = settle_name(run_name, identity, split);
    benchmark.binary = file_.invocation.binary;
    benchmark.attributes = split.attributes;
    benchmark.time_base = time_base_of(split.attributes);
    index_[identity] = file_.benchmarks.size();
    file_.benchmarks.push_back(benchmark);
    return file_.benchmarks.back();
  }

  void read_row(const json& row) {
    if (row.value("skipped", false)) return;
    Benchmark& benchmark = benchmark_of(row);
    if (row.value("error_occurred", false)) {
      fail(benchmark, row.value("error_message", "an error without a message"));
      return;
    }
    if (benchmark.error) return;
    const double factor = unit_ns(row.value("time_unit", "ns"), file_.source);
    const double real_ns = row.value("real_time", 0.0) * factor;
    const double cpu_ns = row.value("cpu_time", 0.0) * factor;
    const double judged_ns = benchmark.time_base == TimeBase::kCpu ? cpu_ns : real_ns;
    if (!(judged_ns > 0) || !std::isfinite(judged_ns) || !(real_ns >= 0) || !(cpu_ns >= 0)) {
      fail(benchmark, "reported a time of " + format_quantity(judged_ns * 1e-9, "s"));
      return;
    }
    Samples& samples = file_.invocation.samples[benchmark.name];
    samples.real_time_ns.push_back(real_ns);
    samples.cpu_time_ns.push_back(cpu_ns);
    samples.iterations.push_back(row.value("iterations", std::int64_t{0}));
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
  std::map<std::string, std::size_t> index_;  // identity → benchmark
  std::map<std::string, std::string> owner_;  // settled name → identity
  int aggregates_ = 0;
};

void read_context(const json& context, BenchmarkFile& file) {
  const std::string executable = context.value("executable", "");
  file.invocation.binary = std::filesystem::path(executable).filename().string();
  if (const auto time = parse_time(context.value("date", ""))) file.invocation.started_at = format_utc(*time);
  file.host.name = context.value("host_name", "");
  if (context.contains("num_cpus")) file.host.cpu_count = context.value("num_cpus", 0);
  if (const auto load = context.find("load_avg"); load != context.end() && load->is_array() && !load->empty())
    file.invocation.conditions.load_average = load->front().get<double>();
  file.device = stated_device(context);
  file.software = stated_software(context);
}

}  // namespace

BenchmarkFile parse_google_benchmark(std::string_view text, const std::string& source) {
  const json document = parse_json(text, source);
  const bool shaped = document.is_object() && document.contains("context") &&
                      document["context"].is_object() && document.contains("benchmarks") &&
                      document["benchmarks"].is_array();
  if (!shaped)
    refuse(source, "not Google Benchmark's JSON: it has no 'context' and 'benchmarks'",
           "make it with --benchmark_out=FILE --benchmark_out_format=json");
  BenchmarkFile file;
  file.source = source;
  try {
    read_context(document["context"], file);
    Reader reader(file);
    reader.read_rows(document["benchmarks"]);
    if (file.benchmarks.empty() && reader.aggregates() > 0)
      refuse(source, "it has aggregates alone, and no repetitions to judge the noise by",
             "run the benchmark without --benchmark_report_aggregates_only");
    if (file.benchmarks.empty()) refuse(source, "it has no benchmarks", "does --benchmark_filter match any?");
  } catch (const json::exception&) {
    refuse(source, "a field has another type than Google Benchmark gives it");
  }
  gather_conditions(file.invocation, file.invocation.conditions);
  return file;
}

BenchmarkFile read_google_benchmark(const std::filesystem::path& path) {
  return parse_google_benchmark(read_file(path, kBenchmarkFileBytesMax), path.string());
}

}  // namespace tracker
