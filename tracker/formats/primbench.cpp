// primbench's --json-out, as ROCm's libraries write it. Each specialization is a benchmark of ours.
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/imported_file.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/stated_environment.hpp"

namespace tracker {
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
      const bool is_one = properties.contains(pointer) && json_value::convert(properties[pointer], value);
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
  const JsonFields fields(document, quoted_source(path.string()));
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

}  // namespace tracker
