// What of a kernel's machine code is known. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

// One kernel that an iteration launches, or another operation on the device ("memset", "memcpy").
struct KernelLaunch {
  std::string kernel;             // "smem_padded_kernel"
  std::string grid;               // blocks: "256x256"
  std::string block;              // threads: "32x8"
  std::string cluster;            // blocks: "2x1"; empty without clusters
  std::int64_t shared_bytes = 0;  // dynamic
  bool operator==(const KernelLaunch&) const = default;
};

// Of all kernels that one iteration launches. Every part may be missing: benchmarks of strangers state
// what they know.
struct Code {
  std::string hash;                    // of the machine code, hexadecimal; empty where it is not known
  std::int64_t bytes = 0;              // of machine code
  std::vector<KernelLaunch> launches;  // in their order
  std::map<std::string, std::int64_t> instructions;  // how many of each are in the code: {"FFMA": 512}
  std::string why_no_hash;  // in words, where it is known why: "compiled by the driver from PTX"
  bool operator==(const Code&) const = default;
};

// Both are known, and neither the code nor the way it is launched differs.
bool is_same_code(const Code& a, const Code& b);

// What two invocations of one benchmark say, put together. Where they disagree the code is not known: there
// is no hash, why_no_hash says so, and launches stay only where both have the same.
std::optional<Code> common_code(const std::optional<Code>& a, const std::optional<Code>& b);

}  // namespace tracker
