// What the launchers of all families share: the limits of a launch, and the launch itself. For .cu files
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "kernels/kernel.hpp"

namespace kernels {

inline constexpr std::int64_t kThreadsPerBlockMax = 1024;
inline constexpr std::size_t kSharedBytesMax = 48 * 1024;  // what every device has without opting in
inline constexpr std::int64_t kGridYMax = 65535;           // and z

constexpr std::int64_t divide_up(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

// Returns this launch's own error, and leaves none behind for whoever asks next. `begins_early`: may begin
// while the kernel before runs, if that one lets it, and waits for it; for devices of 9.0 alone.
template <typename Argument>
cudaError_t launch_kernel(void (*kernel)(Argument), dim3 grid, dim3 block, std::size_t shared_bytes,
                          Stream stream, const Argument& argument, bool begins_early = false) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = begins_early ? 1 : 0;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, argument);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
  return error;
}

}  // namespace kernels
