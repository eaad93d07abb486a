// A kind of device that programs here can run on, behind one interface: device_drivers() has a row for each.
// Read-only: no setting of a device is ever changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/devices/device_facts.hpp"
#include "tracker/model/run.hpp"

namespace tracker::devices {

// One kind of device.
class Driver {
 public:
  Driver() = default;
  virtual ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // The kind of its devices. Each driver has another one.
  virtual DeviceKind kind() const = 0;
  // Why there is no such device, for people ("the driver sees no GPU"); empty where there is one.
  virtual std::string why_none() const = 0;
  // The facts of those that a program started here sees.
  virtual std::vector<Device> devices() const = 0;
  // The state of one of them; empty where nothing tells it.
  virtual std::optional<Reading> read(const Device& /*device*/) const { return {}; }
  // The CPUs next to it, in the host's memory; empty where that is not known.
  virtual std::vector<int> cpus_near(const Device& /*device*/) const { return {}; }
  // The software that it knows, such as its own version.
  virtual Software software() const { return {}; }
};

// NVIDIA's GPUs, by its management library; another `library` than the driver's own is for tests. A board
// that is divided into MIG slices is these. What CUDA_VISIBLE_DEVICES hides is left out; its numbers are
// taken for NVML's where that is CUDA's order: all boards are of one model, or CUDA_DEVICE_ORDER is
// PCI_BUS_ID.
std::unique_ptr<Driver> nvidia_driver(const char* library = "libnvidia-ml.so.1");
// This machine's CPU, by /proc: always one device.
std::unique_ptr<Driver> cpu_driver();

// All of this machine.
std::vector<std::unique_ptr<Driver>> device_drivers();

}  // namespace tracker::devices
