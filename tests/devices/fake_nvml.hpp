// A stand-in for NVIDIA's library where no driver is: what it shall answer. The boards have the figures of an
// H200; the slice is one of a board in MIG mode. A program that loads it as the driver's library sets it by
// the environment: FAKE_NVML_BOARDS is their number, FAKE_NVML_SECOND_MODEL what the
// second one is called, FAKE_NVML_ILL the UUID of one that heat holds down (from
// the time on when a file FAKE_NVML_ILL_FROM is there).
#pragma once

namespace fake_nvml {

inline constexpr char kBoardUuid[] = "GPU-5d7fcfd0-1111-2222-3333-444455556666";
inline constexpr char kSecondUuid[] = "GPU-6d7fcfd0-1111-2222-3333-444455556666";
inline constexpr char kSliceUuid[] = "MIG-0a1b2c3d-1111-2222-3333-444455556666";

struct State {
  int init_result = 0;
  bool supports_optional = true;  // false: every optional question is NOT_SUPPORTED
  bool supports_fields = true;    // nvmlDeviceGetFieldValues knows the policy times
  unsigned long long throttle_reasons = 0;
  unsigned long long power_policy_ns = 0;
  unsigned long long thermal_policy_ns = 0;
  unsigned processes = 1;
  unsigned long long energy_mj = 1234567;
  unsigned boards = 1;      // up to two
  bool has_slices = false;  // the first board is divided into one slice
  int init_count = 0;       // inits less shutdowns
};

// The library exports this under the name "fake_nvml_state".
using StateFunction = State* (*)();

}  // namespace fake_nvml
