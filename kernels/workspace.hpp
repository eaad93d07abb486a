// What variants keep of a device between launches: memory beside a problem's own (partial sums, operands with
// padded rows), and which kernels may use how much shared memory.
#pragma once

#include <cstddef>

#include "kernels/kernel.hpp"

namespace kernels {

// More than this no variant asks for.
inline constexpr std::size_t kWorkspaceBytesMax = std::size_t{512} << 20;

// What for: a launch may need both.
enum class Workspace { kSums, kOperands };

// At least so many bytes, aligned to 256, for what is launched on this stream of the current device by this
// thread: the next launch there uses the same ones. Null where there are no more, and where a stream that is
// being captured would need more than it has: then the variant goes another way. Never given back before
// release_workspaces(), so that graphs may keep the address.
void* workspace(Workspace purpose, Stream stream, std::size_t bytes);

// Lets a kernel have so many bytes of shared memory, on the current device; asks the runtime the first time
// only, which takes as long as a launch. Returns a cudaError_t, and leaves none behind.
int allow_shared_bytes(const void* kernel, int bytes);

// Gives back and forgets all of this for this thread: to be called before cudaDeviceReset().
void release_workspaces();

}  // namespace kernels
