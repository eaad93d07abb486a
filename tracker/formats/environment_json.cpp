#include "tracker/formats/environment_json.hpp"

#include "tracker/formats/run_fields.hpp"

namespace tracker {

using nlohmann::ordered_json;

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
  if (!software.build) object.erase("build");
  return object;
}

Software read_software(const JsonFields& fields) {
  Software software;
  software_fields(software, fields);
  return software;
}

}  // namespace tracker
