#include "tracker/formats/environment_json.hpp"

namespace tracker {
namespace {

using nlohmann::ordered_json;

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

}  // namespace

ordered_json device_json(const Device& device) {
  ordered_json object{{"kind", device.kind == DeviceKind::kGpu ? "gpu" : "cpu"}};
  device_fields(device, JsonWriter{object});
  return object;
}

Device read_device(const JsonFields& fields) {
  Device device;
  const auto kind = fields.required<std::string>("kind");
  if (kind != "gpu" && kind != "cpu") fields.fail("kind", "'gpu' or 'cpu'");
  device.kind = kind == "gpu" ? DeviceKind::kGpu : DeviceKind::kCpu;
  device_fields(device, fields);
  if (device.model.empty()) fields.fail("model", "a name");
  return device;
}

ordered_json software_json(const Software& software) {
  ordered_json object;
  software_fields(software, JsonWriter{object});
  return object;
}

Software read_software(const JsonFields& fields) {
  Software software;
  software_fields(software, fields);
  return software;
}

}  // namespace tracker
