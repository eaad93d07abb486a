// The names under which a benchmark binary states its environment, in the `context` of its JSON (through
// benchmark::AddCustomContext) and in counters of its samples. A binary that states none of them is
// measured all the same; one that states them needs no GPU library on the reader's side.
// docs/formats.md is the reference for people.
#pragma once

namespace tracker::context_key {

// The device; its kind and its model at least. A unit stands at the end of the name; peak_flops is in FLOP/s.
inline constexpr char kDeviceKind[] = "device.kind";  // "gpu" or "cpu"
inline constexpr char kDeviceModel[] = "device.model";
inline constexpr char kDeviceUuid[] = "device.uuid";
inline constexpr char kDeviceComputeCapability[] = "device.compute_capability";
inline constexpr char kDeviceMigProfile[] = "device.mig_profile";
inline constexpr char kDeviceMemoryBytes[] = "device.memory_bytes";
inline constexpr char kDeviceL2Bytes[] = "device.l2_bytes";
inline constexpr char kDeviceCoreCount[] = "device.core_count";
inline constexpr char kDeviceEcc[] = "device.ecc";  // "true" or "false"
inline constexpr char kDevicePowerLimit[] = "device.power_limit_w";
inline constexpr char kDeviceMemoryClock[] = "device.memory_clock_mhz";
inline constexpr char kDeviceCoreClock[] = "device.core_clock_mhz";
inline constexpr char kDevicePeakBandwidth[] = "device.peak_bytes_per_second";
inline constexpr char kDevicePeakFlops[] = "device.peak_flops";

inline constexpr char kHostCaches[] =
    "host.caches";  // "L1 32 KiB, L3 32 MiB", where a file lists none itself

// Versions as text ("13.0"), the compiler with its own, the flags as they were given.
inline constexpr char kSoftwareDriver[] = "software.driver";
inline constexpr char kSoftwareCudaDriver[] = "software.cuda_driver";
inline constexpr char kSoftwareCudaRuntime[] = "software.cuda_runtime";
inline constexpr char kSoftwareCublas[] = "software.cublas";
inline constexpr char kSoftwareCompiler[] = "software.compiler";
inline constexpr char kSoftwareFlags[] = "software.flags";
inline constexpr char kSoftwareBuildType[] = "software.build_type";

}  // namespace tracker::context_key

namespace tracker::counter_name {

// Per iteration; bandwidth and FLOP/s are derived from these and the time.
inline constexpr char kBytesPerIteration[] = "bytes_per_iteration";
inline constexpr char kFlopsPerIteration[] = "flops_per_iteration";
// The theoretical limit of this benchmark's FLOP/s, where it is not the device's: on tensor cores.
inline constexpr char kPeakFlops[] = "peak_flops";

// Cycles of the multiprocessors that an iteration took: time × condition_core_clock_mhz.
inline constexpr char kSmCycles[] = "sm_cycles";
// 1: the result was checked before anything was timed, and is right. How far it is from the reference; not
// there where it is exact.
inline constexpr char kResultChecked[] = "result_checked";
inline constexpr char kResultError[] = "result_error";
// Of the whole board, under sustained load.
inline constexpr char kEnergy[] = "energy_j_per_iteration";

// Conditions, of each repetition.
inline constexpr char kCoreClock[] = "condition_core_clock_mhz";
inline constexpr char kMemoryClock[] = "condition_memory_clock_mhz";
inline constexpr char kTemperature[] = "condition_temperature_c";
inline constexpr char kThrottled[] = "condition_throttled_s";  // during this repetition
inline constexpr char kOtherProcesses[] = "condition_other_processes";
inline constexpr char kRetakenBursts[] = "condition_retaken_bursts";
inline constexpr char kRetakenContexts[] = "condition_retaken_contexts";
inline constexpr char kPower[] = "condition_power_w";
// One counter a reason, 1 where it was active: condition_throttle_power_cap, …_thermal, ….
inline constexpr char kThrottleReasonPrefix[] = "condition_throttle_";

}  // namespace tracker::counter_name
