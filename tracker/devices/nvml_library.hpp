// NVML's functions as they are in this driver's library, and the plain questions that are asked of them.
// Absent answers: the function is missing, or the board does not support it.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tracker/devices/nvml_api.hpp"

namespace tracker::nvml {

inline constexpr unsigned kTextBytes = 96;  // NVML's own longest buffer for names, UUIDs and versions

// Every function that is used; null where this driver has it not.
struct Library {
  void* library = nullptr;

  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*cuda_driver_version)(int*) = nullptr;
  Return (*count)(unsigned*) = nullptr;
  Return (*handle_by_index)(unsigned, Device*) = nullptr;
  Return (*handle_by_uuid)(const char*, Device*) = nullptr;
  Return (*board_of_mig)(Device, Device*) = nullptr;
  Return (*uuid)(Device, char*, unsigned) = nullptr;
  Return (*name)(Device, char*, unsigned) = nullptr;
  Return (*compute_capability)(Device, int*, int*) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*ecc)(Device, int*, int*) = nullptr;
  Return (*enforced_power_limit)(Device, unsigned*) = nullptr;
  Return (*power_limit)(Device, unsigned*) = nullptr;
  Return (*clock)(Device, int, unsigned*) = nullptr;
  Return (*clock_max)(Device, int, unsigned*) = nullptr;
  Return (*bus_width)(Device, unsigned*) = nullptr;
  Return (*fp32_cores)(Device, unsigned*) = nullptr;
  Return (*temperature_v)(Device, Temperature*) = nullptr;
  Return (*temperature)(Device, int, unsigned*) = nullptr;
  Return (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  Return (*fields)(Device, int, FieldValue*) = nullptr;
  Return (*violation)(Device, int, ViolationTime*) = nullptr;
  Return (*energy)(Device, unsigned long long*) = nullptr;
  Return (*cpu_affinity)(Device, unsigned, unsigned long*) = nullptr;
  Return (*slice_count_max)(Device, unsigned*) = nullptr;
  Return (*slice_by_index)(Device, unsigned, Device*) = nullptr;
  Return (*compute_processes)(Device, unsigned*, void*) = nullptr;

  // Looks all of them up in `library`. False where it cannot be NVML.
  bool resolve();
  std::string describe(Return code) const;

  // The handle of "GPU-…" or "MIG-…", else null.
  Device find(const std::string& uuid) const;
  // The MIG slices of a board; none where it is not divided.
  std::vector<Device> slices(Device divided) const;
  // The board a MIG slice is part of; a board is its own.
  Device board(Device device) const;

  using TextFunction = Return (*)(Device, char*, unsigned);
  using NumberFunction = Return (*)(Device, unsigned*);
  using ChosenFunction = Return (*)(Device, int, unsigned*);
  std::optional<std::string> text(TextFunction function, Device device) const;
  std::optional<unsigned> number(NumberFunction function, Device device) const;
  std::optional<unsigned> number(ChosenFunction function, Device device, int choice) const;

  struct ComputeCapability {
    int major = 0;
    int minor = 0;
  };
  std::optional<ComputeCapability> capability(Device device) const;
  std::optional<double> temperature_c(Device device) const;
  // Since the driver was loaded. Policies that overlap count twice: more than zero is what matters.
  std::optional<double> throttled_s(Device device) const;
  std::optional<double> energy_j(Device device) const;  // since the driver was loaded
  std::optional<int> processes(Device device) const;
};

}  // namespace tracker::nvml
