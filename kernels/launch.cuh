// What the launchers of all families share: the limits of a launch, and the launch itself. For .cu files
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "kernels/kernel.hpp"
#include "kernels/runtime.hpp"

namespace kernels {

inline constexpr std::int64_t kThreadsPerBlockMax = 1024;
inline constexpr std::size_t kSharedBytesMax = 48 * 1024;  // what every device has without opting in
inline constexpr std::int64_t kGridYMax = 65535;           // and z

constexpr std::int64_t divide_up(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

// When a kernel's blocks may begin: once the kernel before it on the stream has ended; or once that one lets
// it, or begins to end, for a kernel whose blocks all call wait_for_kernel_before() before they touch memory.
enum class Begin { kInTurn, kEarly };

// Returns this launch's own error, and leaves none behind for whoever asks next.
template <typename Argument>
cudaError_t launch_kernel(void (*kernel)(Argument), dim3 grid, dim3 block, std::size_t shared_bytes,
                          Stream stream, const Argument& argument, Begin begin = Begin::kInTurn) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs =
      begin == Begin::kEarly && can_wait_for_kernel_before(reinterpret_cast<const void*>(kernel)) ? 1 : 0;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, argument);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
  return error;
}

}  // namespace kernels
