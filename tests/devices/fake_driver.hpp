// A machine's devices, made up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracker/devices/device_driver.hpp"

namespace tracker::devices {

class FakeDriver final : public Driver {
 public:
  explicit FakeDriver(std::vector<Device> devices, std::string why_none = "")
      : devices_(std::move(devices)), why_none_(std::move(why_none)) {}

  DeviceKind kind() const override { return devices_.empty() ? DeviceKind::kGpu : devices_.front().kind; }
  std::string why_none() const override { return why_none_; }
  std::vector<Device> devices() const override { return devices_; }
  std::optional<Reading> read(const Device& device) const override {
    if (!device.uuid) return {};
    return reading;
  }
  std::vector<int> cpus_near(const Device&) const override { return near; }
  Software software() const override { return known; }

  std::optional<Reading> reading;
  Software known;
  std::vector<int> near;

 private:
  std::vector<Device> devices_;
  std::string why_none_;
};

inline Device fake_gpu(const std::string& model, const std::string& uuid) {
  Device device;
  device.kind = DeviceKind::kGpu;
  device.model = model;
  device.uuid = uuid;
  return device;
}

}  // namespace tracker::devices
