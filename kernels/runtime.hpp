// What launchers share on the host: facts of the current device, asked for once, and what is kept of it
// between launches: memory beside a problem's own (partial sums, operands with padded rows), and which
// kernels may use how much shared memory. No CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/kernel.hpp"

namespace kernels {

// What choices between variants depend on.
struct DeviceLimits {
  int capability = 0;  // major * 10 + minor
  int multiprocessors = 0;
};

// Whether the compute capability of the device lies in the range that a variant needs.
inline bool can_run(const Requirements& requirements, const DeviceLimits& limits) {
  return limits.capability >= requirements.compute_capability_min &&
         limits.capability <= requirements.compute_capability_max;
}

// Of the current device. Returns a cudaError_t.
int read_device_limits(DeviceLimits& limits);

// What the launch of a product returns at once: cudaErrorInvalidValue for sizes below 0 or above 2³¹ − 1,
// success for a C without elements. Empty where there is something to do.
std::optional<int> settled_product(std::int64_t m, std::int64_t n, std::int64_t k);

// More than this no variant asks for.
inline constexpr std::size_t kWorkspaceBytesMax = std::size_t{512} << 20;

// What for: a launch may need both.
enum class Workspace { kSums, kOperands, kArrivals };

// At least so many bytes, aligned to 256, for what is launched on this stream of the current device by this
// thread: the next launch there uses the same ones. Null where there are no more, and where a stream that is
// being captured would need more than it has: then the variant goes another way. Never given back before
// release_workspaces(), so that graphs may keep the address.
void* workspace(Workspace purpose, Stream stream, std::size_t bytes);

// Lets a kernel have so many bytes of shared memory, on the current device; asks the runtime the first time
// only, which takes as long as a launch. Returns a cudaError_t, and leaves none behind.
int allow_shared_bytes(const void* kernel, int bytes);

// Whether what the current device runs of this kernel was compiled for 9.0 or later: older code has no
// wait_for_kernel_before(), also where a newer device runs it.
bool can_wait_for_kernel_before(const void* kernel);

// Gives back and forgets all of this for this thread: to be called before cudaDeviceReset().
void release_workspaces();

// The same for its cuBLAS handles and their workspaces (cublas.cpp).
void release_cublas_handles();

}  // namespace kernels
