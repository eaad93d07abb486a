#include "tracker/formats/google_benchmark_writer.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/formats/json_text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/protocol/code_label.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker {
namespace {

using nlohmann::ordered_json;
namespace key = context_key;

// What a binary states of itself are texts.
struct ContextWriter {
  ordered_json& context;

  void operator()(const char* name, const std::optional<std::string>& value) const {
    if (value) context[name] = *value;
  }
  template <typename Number>
  void operator()(const char* name, const std::optional<Number>& value) const {
    if (value) context[name] = ordered_json(*value).dump();
  }
};

void write_device(const Device& device, ordered_json& context) {
  const ContextWriter write{context};
  context[key::kDeviceKind] = device.kind == DeviceKind::kGpu ? "gpu" : "cpu";
  context[key::kDeviceModel] = device.model;
  write(key::kDeviceUuid, device.uuid);
  write(key::kDeviceComputeCapability, device.compute_capability);
  write(key::kDeviceMigProfile, device.mig_profile);
  write(key::kDeviceMemoryBytes, device.memory_bytes);
  write(key::kDeviceL2Bytes, device.l2_bytes);
  write(key::kDeviceCoreCount, device.core_count);
  write(key::kDeviceEcc, device.ecc);
  write(key::kDevicePowerLimit, device.power_limit_w);
  write(key::kDeviceMemoryClock, device.memory_clock_mhz);
  write(key::kDeviceCoreClock, device.core_clock_mhz);
  write(key::kDevicePeakBandwidth, device.peak_bytes_per_second);
  write(key::kDevicePeakFlops, device.peak_flops);
}

void write_software(const Software& software, ordered_json& context) {
  const ContextWriter write{context};
  write(key::kSoftwareDriver, software.driver);
  write(key::kSoftwareCudaDriver, software.cuda_driver);
  write(key::kSoftwareCudaRuntime, software.cuda_runtime);
  write(key::kSoftwareCublas, software.cublas);
  write(key::kSoftwareCompiler, software.compiler);
  write(key::kSoftwareFlags, software.flags);
  write(key::kSoftwareBuildType, software.build_type);
}

ordered_json context_of(const Run& run, const Invocation& invocation) {
  ordered_json context = ordered_json::object();
  context["date"] = invocation.started_at;
  context["host_name"] = run.host.name;
  context["executable"] = invocation.binary;
  if (run.host.cpu_count) context["num_cpus"] = *run.host.cpu_count;
  if (run.host.cpu_mhz) context["mhz_per_cpu"] = *run.host.cpu_mhz;
  if (run.host.cpu_scaling) context["cpu_scaling_enabled"] = *run.host.cpu_scaling;
  if (run.host.caches) context[key::kHostCaches] = *run.host.caches;
  if (run.software.library) context["library_version"] = "v" + *run.software.library;
  context["load_avg"] = ordered_json::array();
  if (invocation.conditions.load_average) context["load_avg"].push_back(*invocation.conditions.load_average);
  write_device(run.device, context);
  write_software(run.software, context);
  return context;
}

// With the suffixes that say how it was measured, which reading splits off again.
std::string run_name_of(Benchmark benchmark) {
  if (benchmark.time_base == TimeBase::kManual) benchmark.attributes.emplace("manual_time", "");
  if (benchmark.time_base == TimeBase::kReal && benchmark.attributes.count("manual_time") == 0)
    benchmark.attributes.emplace("real_time", "");
  return printed_name(benchmark);
}

// Per iteration, which is exact, and per second, which others read.
void write_work(const Benchmark& benchmark, double time_ns, ordered_json& row) {
  const struct {
    const char* amount;
    const char* rate;
    const std::optional<double>& work;
  } works[] = {{counter_name::kBytesPerIteration, "bytes_per_second", benchmark.bytes_per_iteration},
               {counter_name::kFlopsPerIteration, "flops", benchmark.flops_per_iteration},
               {"items_per_iteration", "items_per_second", benchmark.items_per_iteration}};
  for (const auto& [amount, rate, work] : works) {
    if (!work) continue;
    row[amount] = *work;
    const double per_second = *work / (time_ns * 1e-9);
    if (std::isfinite(per_second)) row[rate] = per_second;
  }
}

ordered_json row_of(const Benchmark& benchmark, const std::string& run_name, std::size_t family) {
  return {{"name", run_name},
          {"family_index", family},
          {"per_family_instance_index", benchmark.instance.value_or(0)},
          {"run_name", run_name},
          {"run_type", "iteration"},
          {"repetitions", 1},
          {"repetition_index", 0},
          {"threads", thread_count(benchmark.name)},
          {"iterations", 0},
          {"real_time", 0.0},
          {"cpu_time", 0.0},
          {"time_unit", "ns"},
          {"label", benchmark.code ? code_label(*benchmark.code) : ""}};
}

void write_rows(const Benchmark& benchmark, const Samples& samples, const ordered_json& common,
                ordered_json& rows) {
  const auto& base_times = benchmark.time_base == TimeBase::kCpu ? samples.cpu_time_ns : samples.real_time_ns;
  for (std::size_t i = 0; i < samples.real_time_ns.size(); ++i) {
    ordered_json row = common;
    row["repetitions"] = samples.real_time_ns.size();
    row["repetition_index"] = i;
    row["iterations"] = samples.iterations[i];
    row["real_time"] = samples.real_time_ns[i];
    row["cpu_time"] = samples.cpu_time_ns[i];
    write_work(benchmark, base_times[i], row);
    for (const auto& [name, value] : benchmark.counters) row.emplace(name, value);
    for (const auto& [name, values] : samples.counters)
      if (std::isfinite(values[i])) row.emplace(name, values[i]);
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::string write_google_benchmark(const Run& run, const Invocation& invocation) {
  ordered_json rows = ordered_json::array();
  std::size_t families = 0;
  for (const Benchmark& benchmark : run.benchmarks) {
    if (benchmark.instance.value_or(0) == 0 || families == 0) ++families;
    const auto samples = invocation.samples.find(benchmark.name);
    if (benchmark.time_base == TimeBase::kNone) continue;  // its JSON has times alone
    const bool has_samples = samples != invocation.samples.end();
    if (!has_samples && (!benchmark.error || benchmark.binary != invocation.binary)) continue;
    ordered_json row = row_of(benchmark, run_name_of(benchmark), families - 1);
    if (has_samples) {
      write_rows(benchmark, samples->second, row, rows);
      continue;
    }
    row["error_occurred"] = true;
    row["error_message"] = *benchmark.error;
    rows.push_back(std::move(row));
  }
  ordered_json document;
  document["context"] = context_of(run, invocation);
  document["benchmarks"] = std::move(rows);
  return print_json(document);
}

}  // namespace tracker
