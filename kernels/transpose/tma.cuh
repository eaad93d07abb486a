// The Tensor Memory Accelerator of sm_90 and later, as far as a matrix of floats needs it: tiles by
// coordinates between device memory and shared memory, with one thread's instruction. What lies outside the
// matrix is zero when loaded and left out when stored. PTX ISA, "cp.async.bulk.tensor".
#pragma once

#include <cuda.h>

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

inline constexpr int kTmaAlignment = 128;  // of tiles in shared memory

// A row-major matrix, cut into boxes. cudaErrorNotSupported where there is no TMA; rows and pitch must begin
// at 16 bytes.
inline cudaError_t encode_matrix(CUtensorMap& map, const float* matrix, std::uint64_t rows,
                                 std::uint64_t columns, std::uint64_t pitch, std::uint32_t box_rows,
                                 std::uint32_t box_columns) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess) {
    static_cast<void>(cudaGetLastError());
    return cudaErrorNotSupported;
  }
  const cuuint64_t sizes[] = {columns, rows};
  const cuuint64_t pitches_bytes[] = {pitch * sizeof(float)};
  const cuuint32_t box[] = {box_columns, box_rows};
  const cuuint32_t steps[] = {1, 1};
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(matrix), sizes, pitches_bytes, box,
             steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorNotSupported;
}

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Makes what this thread has written to shared memory visible to TMA.
__device__ __forceinline__ void fence_for_tma() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// A barrier that one thread arrives at, together with the bytes that it announces.
__device__ __forceinline__ void init_barrier(std::uint64_t& barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void arrive_expecting(std::uint64_t& barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// For the barrier's first phase: it is used once.
__device__ __forceinline__ void wait_for(std::uint64_t& barrier) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again_%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again_%=;\n"
      "}" ::"r"(shared_address(&barrier))
      : "memory");
}

__device__ __forceinline__ void load_box(void* tile, const CUtensorMap& map, std::uint32_t column,
                                         std::uint32_t row, std::uint64_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(shared_address(tile)),
      "l"(&map), "r"(column), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// Waits until the tile has been read: shared memory must outlive that.
__device__ __forceinline__ void store_box(const CUtensorMap& map, std::uint32_t column, std::uint32_t row,
                                          const void* tile) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(column), "r"(row), "r"(shared_address(tile))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

}  // namespace kernels::transpose
