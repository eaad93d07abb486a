// Shared memory by address, and copies into it that bypass the registers (cp.async, compute capability 8.0).
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace kernels::gemm {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Four floats side by side; the address must be a multiple of 16 bytes. Volatile, so that loads stay in the
// order they are written down, ahead of the arithmetic they are for.
__device__ __forceinline__ void load_shared(float* to, std::uint32_t address) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(address));
}

__device__ __forceinline__ void store_shared(std::uint32_t address, float value) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
}

__device__ __forceinline__ void store_shared(std::uint32_t address, float4 value) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(value.x), "f"(value.y),
               "f"(value.z), "f"(value.w)
               : "memory");
}

// Each enqueues one copy of the calling thread; wait_for_copies() completes all of them for that thread. What
// uses them is never launched on a device older than 8.0, but compiled for it.
template <typename Value>
__device__ __forceinline__ void copy_async(std::uint32_t to, const Value* from) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 16);
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Value) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }
#else
  __trap();
#endif
}

__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
#else
  __trap();
#endif
}

}  // namespace kernels::gemm
