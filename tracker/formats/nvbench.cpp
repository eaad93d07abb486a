// nvbench's --json and --jsonbin. Each state of a benchmark, a choice of its axes, is a benchmark of ours.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/stated_environment.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::formats {
namespace {

namespace fs = std::filesystem;

// How it measures a state: cold launches between CUDA events, or the host's clock alone.
struct Method {
  std::string tag;    // what the tags of its summaries begin with
  const char* clock;  // whose times are judged
  TimeBase time_base;
};

const Method kMethods[] = {{"nv/cold/", "gpu", TimeBase::kManual}, {"nv/cpu_only/", "cpu", TimeBase::kReal}};

// The summaries of a state by their tags, each a list of named values, which nvbench writes as texts.
class Summaries {
 public:
  explicit Summaries(const JsonFields& state) {
    for (const auto& summary : state.objects_if_any("summaries")) {
      auto& values = by_tag_[summary.required<std::string>("tag")];
      for (const auto& one : summary.objects_if_any("data"))
        values[one.required<std::string>("name")] = one.required<std::string>("value");
    }
  }

  const std::string* text(const std::string& tag, const char* name) const {
    const auto values = by_tag_.find(tag);
    if (values == by_tag_.end()) return nullptr;
    const auto value = values->second.find(name);
    return value == values->second.end() ? nullptr : &value->second;
  }

  std::optional<double> number(const std::string& tag, const char* name = "value") const {
    const std::string* found = text(tag, name);
    const auto value = found == nullptr ? std::nullopt : parse_number<double>(*found);
    return value && std::isfinite(*value) ? value : std::nullopt;
  }

 private:
  std::map<std::string, std::map<std::string, std::string>> by_tag_;
};

// Beside the JSON, and nowhere else: the name is a stranger's.
fs::path times_path(const fs::path& file, const std::string& name) {
  const fs::path stated(name);
  const fs::path folder = stated.parent_path().filename();
  const bool is_plain = stated.has_filename() && stated.filename() != ".." && stated.filename() != "." &&
                        folder != ".." && folder != ".";
  return is_plain ? file.parent_path() / folder / stated.filename() : fs::path();
}

// Little-endian float32, each times `factor`.
std::vector<double> read_samples(const fs::path& file, const std::string& name, std::optional<double> count,
                                 double factor) {
  const std::string source = in_quotes(file.string());
  const fs::path path = times_path(file, name);
  std::error_code missing;
  if (path.empty() || !fs::is_regular_file(path, missing))
    throw Error(ExitCode::kUsage, source + ": its sample times " + in_quotes(name) + " are not beside it",
                "copy the folder that --jsonbin makes together with the file");
  const std::string bytes = read_file(path, kBenchmarkFileBytesMax);
  constexpr std::size_t kSampleBytes = sizeof(float);
  const std::size_t samples = bytes.size() / kSampleBytes;
  if (bytes.size() % kSampleBytes != 0 || (count && static_cast<double>(samples) != *count))
    throw Error(ExitCode::kUsage,
                in_quotes(path.string()) + " has " + std::to_string(bytes.size()) + " bytes, and " + source +
                    " says another number of samples",
                "is it of the same run?");
  std::vector<double> values;
  values.reserve(samples);
  for (std::size_t at = 0; at < bytes.size(); at += kSampleBytes) {
    std::uint32_t word = 0;
    for (std::size_t i = kSampleBytes; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    values.push_back(static_cast<double>(std::bit_cast<float>(word)) * factor);
  }
  return values;
}

// A rate is work / mean time; whole where it is whole but for rounding.
std::optional<double> work_behind(std::optional<double> rate, std::optional<double> mean_s) {
  constexpr double kPrecision = 1e-6;
  if (!rate || !mean_s || !(*rate > 0) || !(*mean_s > 0)) return {};
  const double work = *rate * *mean_s;
  const double whole = std::round(work);
  return std::abs(work - whole) < kPrecision * work ? whole : work;
}

// Of each cold sample, where --jsonbin wrote them: releases from 2025 on. With --profile the file is empty.
std::vector<double> read_clocks_mhz(const Summaries& summaries, const fs::path& file) {
  constexpr const char* kClocks = "nv/json/freqs-bin:nv/cold/sample_freqs";
  const std::string* name = summaries.text(kClocks, "filename");
  std::error_code missing;
  if (name == nullptr) return {};
  const fs::path path = times_path(file, *name);
  if (!fs::is_regular_file(path, missing) || fs::file_size(path, missing) == 0) return {};
  return read_samples(file, *name, summaries.number(kClocks, "size"), 1e-6);
}

// False where the state was not measured in this way.
bool read_times(const Summaries& summaries, const Method& method, const fs::path& file,
                ImportedBenchmark& benchmark) {
  const std::string times_file = "nv/json/bin:" + method.tag + "sample_times";
  const std::string time = method.tag + "time/" + method.clock;
  const auto mean_s = summaries.number(time + "/mean");
  if (const std::string* name = summaries.text(times_file, "filename")) {
    benchmark.times_ns = read_samples(file, *name, summaries.number(times_file, "size"), 1e9);
  } else {
    const auto median_s = summaries.number(time + "/median");
    if (!median_s && !mean_s) return false;
    benchmark.times_ns = {(median_s ? *median_s : *mean_s) * 1e9};
    constexpr double kCountMax = 1e15;
    const double count = std::clamp(summaries.number(method.tag + "sample_size").value_or(1), 1.0, kCountMax);
    benchmark.iterations = {static_cast<std::int64_t>(count)};
  }
  if (method.time_base == TimeBase::kManual) benchmark.clocks_mhz = read_clocks_mhz(summaries, file);
  const auto work_of = [&](const char* rate) {
    return work_behind(summaries.number(method.tag + rate), mean_s);
  };
  benchmark.time_base = method.time_base;
  benchmark.cpu_time_ns = summaries.number(method.tag + "time/cpu/mean").value_or(0) * 1e9;
  benchmark.bytes_per_iteration = work_of("bw/global/bytes_per_second");
  benchmark.items_per_iteration = work_of("bw/item_rate");
  return true;
}

// "Device=0 Elements=2^20" without the device, which is the run's.
std::string without_device(const std::string& state) {
  if (!state.starts_with("Device=")) return state;
  const std::size_t blank = state.find(' ');
  return blank == std::string::npos ? "" : state.substr(blank + 1);
}

Device read_nvbench_device(const JsonFields& fields) {
  constexpr double kHzPerMhz = 1e6;
  Device device;
  device.kind = DeviceKind::kGpu;
  device.model = fields.required<std::string>("name");
  if (device.model.empty()) fields.fail("name", "a GPU's name");
  std::optional<std::int64_t> version;
  std::optional<double> clock_hz;
  std::optional<double> memory_clock_hz;
  fields("sm_version", version);
  fields("sm_default_clock_rate", clock_hz);
  fields("global_memory_bus_peak_clock_rate", memory_clock_hz);
  fields("global_memory_size", device.memory_bytes);
  fields("global_memory_bus_bandwidth", device.peak_bytes_per_second);
  fields("l2_cache_size", device.l2_bytes);
  fields("number_of_sms", device.core_count);
  fields("ecc_state", device.ecc);
  if (version)  // 900 is 9.0
    device.compute_capability = std::to_string(*version / 100) + "." + std::to_string(*version / 10 % 10);
  if (clock_hz) device.core_clock_mhz = *clock_hz / kHzPerMhz;
  if (memory_clock_hz) device.memory_clock_mhz = *memory_clock_hz / kHzPerMhz;
  return device;
}

std::map<std::int64_t, Device> read_devices(const JsonFields& fields) {
  std::map<std::int64_t, Device> devices;
  for (const auto& device : fields.objects_if_any("devices"))
    devices.emplace(device.required<std::int64_t>("id"), read_nvbench_device(device));
  return devices;
}

class NvbenchReader {
 public:
  // `model`: the key of the device whose states are read.
  NvbenchReader(const nlohmann::json& document, const fs::path& path, const std::string& model)
      : path_(path),
        fields_(document, in_quotes(path.string())),
        model_(model),
        imported_(path.string(), "nvbench") {}

  BenchmarkFile read() {
    const auto devices = read_devices(fields_);
    read_binary();
    for (const auto& benchmark : fields_.objects_if_any("benchmarks")) {
      const auto name = benchmark.required<std::string>("name");
      if (name.empty()) benchmark.fail("name", "a name");
      for (const auto& state : benchmark.objects_if_any("states")) read_state(name, state, devices);
    }
    for (auto& benchmark : imported_.file().benchmarks) benchmark.attributes = method_;
    return imported_.finish();
  }

 private:
  void read_binary() {
    const JsonFields meta = fields_.object("meta");
    std::vector<std::string> arguments;
    meta("argv", arguments);
    // -b and -a choose among benchmarks and the values of their axes.
    constexpr std::string_view kChoosing[] = {"-b", "--benchmark", "-a", "--axis"};
    imported_.file().selected = std::ranges::any_of(
        arguments, [&](const std::string& argument) { return std::ranges::count(kChoosing, argument) > 0; });
    method_ = method_arguments(arguments);
    if (!arguments.empty())
      imported_.file().invocation.binary = fs::path(arguments.front()).filename().string();
  }

  void read_state(const std::string& name, const JsonFields& state,
                  const std::map<std::int64_t, Device>& devices) {
    bool is_skipped = false;
    std::string why_skipped;
    state("is_skipped", is_skipped);
    state("skip_reason", why_skipped);
    std::optional<std::int64_t> device;
    state("device", device);
    if (device && !use_device(*device, devices)) return;
    std::string axes = without_device(state.required<std::string>("name"));
    // Boards after the first, which is the run's, stay in the name: each is held against itself.
    if (device && device_ && *device != *device_)
      axes = "Device=" + std::to_string(*device) + (axes.empty() ? "" : " " + axes);
    ImportedBenchmark benchmark;
    benchmark.name = name + (axes.empty() ? "" : "/" + axes);
    if (is_skipped) {
      benchmark.skipped = why_skipped;
      imported_.add(std::move(benchmark));
      return;
    }
    const Summaries summaries(state);
    for (const auto& method : kMethods)
      if (read_times(summaries, method, path_, benchmark)) break;
    keep_clock(summaries.number("nv/cold/sm_clock_rate/mean"));
    imported_.add(std::move(benchmark));
  }

  // False for one of another model.
  bool use_device(std::int64_t id, const std::map<std::int64_t, Device>& devices) {
    const auto known = devices.find(id);
    if (known != devices.end() && device_key(known->second) != model_) return false;
    if (device_) return true;
    device_ = id;
    if (known != devices.end()) imported_.file().device = known->second;
    return true;
  }

  // The clock of each state is a mean over its samples.
  void keep_clock(std::optional<double> clock_hz) {
    if (!clock_hz) return;
    const double clock_mhz = *clock_hz / 1e6;
    Conditions& seen = imported_.file().invocation.conditions;
    seen.core_clock_mhz_min = std::min(seen.core_clock_mhz_min.value_or(clock_mhz), clock_mhz);
    seen.core_clock_mhz_max = std::max(seen.core_clock_mhz_max.value_or(clock_mhz), clock_mhz);
  }

  const fs::path& path_;
  JsonFields fields_;
  const std::string& model_;
  ImportedFile imported_;
  std::optional<std::int64_t> device_;
  std::map<std::string, std::string> method_;  // that the arguments give
};

}  // namespace

Executions parse_nvbench(const std::string& text, const fs::path& path) {
  const auto document = parse_json(text, path.string());
  const JsonFields fields(document, in_quotes(path.string()));
  const auto devices = read_devices(fields);
  std::vector<std::string> models;  // of the devices that have states, in their order
  for (const auto& benchmark : fields.objects_if_any("benchmarks"))
    for (const auto& state : benchmark.objects_if_any("states")) {
      std::optional<std::int64_t> id;
      state("device", id);
      const auto known = id ? devices.find(*id) : devices.end();
      const std::string model = known == devices.end() ? "" : device_key(known->second);
      if (!model.empty() && std::ranges::find(models, model) == models.end()) models.push_back(model);
    }
  if (models.empty()) models.emplace_back();
  Executions executions;
  for (const auto& model : models) executions.push_back(NvbenchReader(document, path, model).read());
  return executions;
}

// primbench's --json-out, as ROCm's libraries write it. Each specialization is a benchmark of ours.

namespace {

void read_general(const nlohmann::json& document, const JsonFields& general, BenchmarkFile& file) {
  Device device;
  device.kind = DeviceKind::kGpu;
  device.model = general.required<std::string>("gpu_name");
  if (device.model.empty()) general.fail("gpu_name", "a GPU's name");
  general("gpu_arch", device.compute_capability);
  const nlohmann::json properties =
      document["context"].value("hip_device_properties", nlohmann::json::object());
  if (properties.is_object()) {
    const auto number = [&](const char* place) -> std::optional<std::int64_t> {
      const nlohmann::json::json_pointer pointer(place);
      std::int64_t value = 0;
      const bool is_one =
          properties.contains(pointer) && json_value::convert(JsonNode(properties[pointer]), value);
      return is_one && value > 0 ? std::optional(value) : std::nullopt;
    };
    device.memory_bytes = number("/memory/global/total");
    device.l2_bytes = number("/memory/global/l2_cache_size");
    if (const auto count = number("/compute/execution/multi_processor_count"); count && *count < 1'000'000)
      device.core_count = static_cast<int>(*count);
  }
  file.device = device;
  general("host_name", file.host.name);
  general("clang_version", file.software.compiler);
  general("library_build_type", file.software.build_type);
  general("date", file.invocation.started_at);
  file.commit = stated_commit(document["context"].value("general", nlohmann::json::object()));
}

// Of each iteration, with --output-batches; else the one behind the rate.
void read_times(const JsonFields& fields, ImportedBenchmark& benchmark) {
  for (const auto& batch : fields.objects_if_any("batches"))
    for (const double time_ms : batch.required<std::vector<double>>("iterations_ms"))
      benchmark.times_ns.push_back(time_ms * 1e6);
  double items = 0;
  double bytes_per_item = 0;
  double items_per_second = 0;
  fields("items", items);
  fields("bytes_per_item", bytes_per_item);
  fields("items_per_second", items_per_second);
  if (items > 0) benchmark.items_per_iteration = items;
  if (items * bytes_per_item > 0) benchmark.bytes_per_iteration = items * bytes_per_item;
  if (benchmark.times_ns.empty() && items > 0 && items_per_second > 0)
    benchmark.times_ns = {items / items_per_second * 1e9};
}

}  // namespace

// It begins as Google Benchmark's does.
bool is_primbench(std::string_view text) {
  constexpr std::size_t kHeadBytes = 4096;
  const std::string_view head = text.substr(0, kHeadBytes);
  return head.find("\"context\"") != std::string_view::npos &&
         head.find("\"specialization_count\"") != std::string_view::npos;
}

BenchmarkFile parse_primbench(const std::string& text, const std::filesystem::path& path) {
  const auto document = parse_json(text, path.string());
  const JsonFields fields(document, in_quotes(path.string()));
  const JsonFields general = fields.object("context").object("general");
  const auto algorithm = general.required<std::string>("algorithm");
  ImportedFile imported(path.string(), algorithm);
  read_general(document, general, imported.file());
  for (const auto& one : fields.objects("specializations")) {
    ImportedBenchmark benchmark;
    benchmark.time_base = TimeBase::kManual;
    benchmark.name = algorithm + "/" + one.required<std::string>("name");
    read_times(one, benchmark);
    imported.add(std::move(benchmark));
  }
  return imported.finish();
}

}  // namespace tracker::formats
