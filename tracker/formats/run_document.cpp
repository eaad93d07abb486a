#include "tracker/formats/run_document.hpp"

#include <cmath>
#include <limits>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kSchema = "tracker.run/1";

// Each record's fields stand once, in these lists; reading and writing both walk them.
template <typename Record, typename Visit>
void device_fields(Record& d, Visit&& visit) {
  visit("model", d.model);
  visit("uuid", d.uuid);
  visit("compute_capability", d.compute_capability);
  visit("mig_profile", d.mig_profile);
  visit("memory_bytes", d.memory_bytes);
  visit("l2_bytes", d.l2_bytes);
  visit("core_count", d.core_count);
  visit("ecc", d.ecc);
  visit("power_limit_w", d.power_limit_w);
  visit("memory_clock_mhz", d.memory_clock_mhz);
  visit("core_clock_mhz", d.core_clock_mhz);
  visit("peak_bytes_per_second", d.peak_bytes_per_second);
  visit("peak_flops", d.peak_flops);
}

template <typename Record, typename Visit>
void software_fields(Record& s, Visit&& visit) {
  visit("driver", s.driver);
  visit("cuda_driver", s.cuda_driver);
  visit("cuda_runtime", s.cuda_runtime);
  visit("cublas", s.cublas);
  visit("compiler", s.compiler);
  visit("flags", s.flags);
  visit("build_type", s.build_type);
}

template <typename Record, typename Visit>
void host_fields(Record& h, Visit&& visit) {
  visit("name", h.name);
  visit("cpu", h.cpu);
  visit("cpu_count", h.cpu_count);
  visit("os", h.os);
}

template <typename Record, typename Visit>
void conditions_fields(Record& c, Visit&& visit) {
  visit("core_clock_mhz_min", c.core_clock_mhz_min);
  visit("core_clock_mhz_max", c.core_clock_mhz_max);
  visit("memory_clock_mhz", c.memory_clock_mhz);
  visit("temperature_c_max", c.temperature_c_max);
  visit("throttled_s", c.throttled_s);
  visit("throttle_reasons", c.throttle_reasons);
  visit("other_processes", c.other_processes);
  visit("load_average", c.load_average);
}

template <typename Record, typename Visit>
void benchmark_fields(Record& b, Visit&& visit) {
  visit("name", b.name);
  visit("binary", b.binary);
  visit("attributes", b.attributes);
  visit("bytes_per_iteration", b.bytes_per_iteration);
  visit("flops_per_iteration", b.flops_per_iteration);
  visit("items_per_iteration", b.items_per_iteration);
  visit("counters", b.counters);
  visit("error", b.error);
}

struct Writer {
  ordered_json& object;

  template <typename T>
  void operator()(const char* name, const T& value) const {
    object[name] = value;
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) const {
    object[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  }
};

struct Reader {
  const json& object;

  template <typename T>
  void operator()(const char* name, T& value) const {
    if (const auto found = object.find(name); found != object.end()) value = found->get<T>();
  }
  template <typename T>
  void operator()(const char* name, std::optional<T>& value) const {
    const auto found = object.find(name);
    if (found != object.end() && !found->is_null()) value = found->get<T>();
  }
};

ordered_json device_json(const Device& device) {
  ordered_json object{{"kind", device.kind == DeviceKind::kGpu ? "gpu" : "cpu"}};
  device_fields(device, Writer{object});
  return object;
}

Device read_device(const json& object) {
  Device device;
  device.kind = object.at("kind") == "gpu" ? DeviceKind::kGpu : DeviceKind::kCpu;
  device_fields(device, Reader{object});
  return device;
}

const char* time_base_name(TimeBase base) {
  return base == TimeBase::kManual ? "manual" : base == TimeBase::kReal ? "real" : "cpu";
}

ordered_json benchmark_json(const Benchmark& benchmark) {
  ordered_json object;
  benchmark_fields(benchmark, Writer{object});
  object["time_base"] = time_base_name(benchmark.time_base);
  return object;
}

Benchmark read_benchmark(const json& object) {
  Benchmark benchmark;
  benchmark_fields(benchmark, Reader{object});
  const std::string base = object.at("time_base");
  benchmark.time_base = base == "manual" ? TimeBase::kManual
                        : base == "real" ? TimeBase::kReal
                                         : TimeBase::kCpu;
  return benchmark;
}

ordered_json samples_json(const Samples& s) {
  ordered_json j{
      {"real_time_ns", s.real_time_ns}, {"cpu_time_ns", s.cpu_time_ns}, {"iterations", s.iterations}};
  if (!s.counters.empty()) j["counters"] = s.counters;
  return j;
}

Samples read_samples(const json& j) {
  Samples s;
  s.real_time_ns = j.at("real_time_ns").get<std::vector<double>>();
  s.cpu_time_ns = j.at("cpu_time_ns").get<std::vector<double>>();
  s.iterations = j.at("iterations").get<std::vector<std::int64_t>>();
  const json counters = j.value("counters", json::object());
  for (const auto& [name, values] : counters.items())
    for (const auto& value : values)  // JSON has no NaN: a repetition without the counter is null
      s.counters[name].push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                 : value.get<double>());
  const bool even =
      s.cpu_time_ns.size() == s.real_time_ns.size() && s.iterations.size() == s.real_time_ns.size();
  if (!even) throw json::other_error::create(501, "lists of samples differ in length", nullptr);
  return s;
}

ordered_json invocation_json(const Invocation& i) {
  ordered_json conditions;
  conditions_fields(i.conditions, Writer{conditions});
  ordered_json samples = ordered_json::object();
  for (const auto& [name, list] : i.samples) samples[name] = samples_json(list);
  return {{"binary", i.binary},
          {"started_at", i.started_at},
          {"length_s", i.length_s},
          {"conditions", conditions},
          {"samples", samples}};
}

Invocation read_invocation(const json& j) {
  Invocation i;
  i.binary = j.value("binary", "");
  i.started_at = j.value("started_at", "");
  i.length_s = j.value("length_s", 0.0);
  if (const auto conditions = j.find("conditions"); conditions != j.end())
    conditions_fields(i.conditions, Reader{*conditions});
  for (const auto& [name, samples] : j.at("samples").items()) i.samples[name] = read_samples(samples);
  return i;
}

}  // namespace

ordered_json run_to_json(const Run& run) {
  ordered_json benchmarks = ordered_json::array();
  for (const auto& benchmark : run.benchmarks) benchmarks.push_back(benchmark_json(benchmark));
  ordered_json invocations = ordered_json::array();
  for (const auto& invocation : run.invocations) invocations.push_back(invocation_json(invocation));
  ordered_json failures = ordered_json::array();
  for (const auto& failure : run.failures)
    failures.push_back({{"binary", failure.binary}, {"what", failure.what}});
  ordered_json software;
  software_fields(run.software, Writer{software});
  ordered_json host;
  host_fields(run.host, Writer{host});
  return {{"schema", kSchema},        {"id", run.id},
          {"job", run.job},           {"commit", run.commit},
          {"dirty", run.dirty},       {"started_at", run.started_at},
          {"length_s", run.length_s}, {"device", device_json(run.device)},
          {"software", software},     {"host", host},
          {"benchmarks", benchmarks}, {"invocations", invocations}};
}

Run run_from_json(const json& document, const std::string& source) {
  try {
    const std::string schema = document.at("schema");
    if (schema != kSchema)
      throw Error(ExitCode::kUsage,
                  "'" + printable(source) + "': schema '" + printable(schema) + "' is not '" + kSchema + "'",
                  "was it written by a newer tracker?");
    Run run;
    run.id = document.at("id");
    run.job = document.value("job", run.id);
    run.commit = document.at("commit");
    run.dirty = document.value("dirty", false);
    run.filter = document.value("filter", "");
    run.started_at = document.at("started_at");
    run.length_s = document.value("length_s", 0.0);
    run.device = read_device(document.at("device"));
    if (const auto software = document.find("software"); software != document.end())
      software_fields(run.software, Reader{*software});
    if (const auto host = document.find("host"); host != document.end()) host_fields(run.host, Reader{*host});
    for (const auto& benchmark : document.at("benchmarks"))
      run.benchmarks.push_back(read_benchmark(benchmark));
    for (const auto& invocation : document.at("invocations"))
      run.invocations.push_back(read_invocation(invocation));
    for (const auto& failure : document.value("failures", json::array()))
      run.failures.push_back({failure.at("binary"), failure.at("what")});
    return run;
  } catch (const json::exception& error) {
    throw Error(ExitCode::kUsage,
                "'" + printable(source) + "': not a run document: " + printable(error.what()));
  }
}

std::string write_run(const Run& run) {
  return print_json(run_to_json(run));
}

Run read_run(std::string_view text, const std::string& source) {
  return run_from_json(parse_json(text, source), source);
}

}  // namespace tracker
