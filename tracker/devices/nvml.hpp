// NVIDIA's management library, loaded at run time: where it is absent, so are its answers.
// Read-only: nothing here changes a setting of the GPU. Also used by the benchmark binaries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/devices/gpu_facts.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

class Nvml {
 public:
  // Null where the library or a driver is missing; `reason` then says which. Another `library` than the
  // driver's own is for tests.
  static std::unique_ptr<Nvml> load(std::string* reason = nullptr, const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  int device_count() const;  // boards
  // Of what programs run on, in NVML's order, which need not be CUDA's: of a board, or of its MIG slices
  // where it is divided.
  std::vector<std::string> uuids() const;

  // Facts about the board with this UUID ("GPU-…"), or the MIG slice ("MIG-…", whose peaks and cores NVML
  // does not tell); empty where there is none of it. The peaks and the compute capability are filled in
  // where NVML knows the clocks, the bus width and the cores.
  std::optional<Device> device(const std::string& uuid) const;
  std::optional<DeviceReading> read(const std::string& uuid) const;
  // What the board has used since the driver was loaded, in joules. The counter moves in steps, of 100 ms on
  // an H200. Empty for a MIG slice, whose part nobody knows.
  std::optional<double> energy_j(const std::string& uuid) const;
  // The CPUs that the board is connected to; empty where NVML does not tell.
  std::vector<int> cpus_near(const std::string& uuid) const;
  std::optional<std::string> driver_version() const;
  std::optional<std::string> cuda_driver_version() const;  // "13.0"

 private:
  Nvml();
  struct Symbols;
  std::unique_ptr<Symbols> symbols_;
};

}  // namespace tracker
