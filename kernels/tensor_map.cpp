#include "kernels/tensor_map.hpp"

#include <iterator>

#include <cuda_runtime_api.h>

namespace kernels {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

// From the driver that is there, so that programs need not be linked with it. Null where it has none.
Encode find_encode() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
  if (error != cudaSuccess || result != cudaDriverEntryPointSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return reinterpret_cast<Encode>(found);
}

}  // namespace

bool encode(const TiledMatrix& matrix, CUtensorMap& map) {
  static const Encode kEncode = find_encode();
  if (kEncode == nullptr) {
    return false;
  }
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(matrix.columns), static_cast<cuuint64_t>(matrix.rows)};
  const cuuint64_t pitch_bytes[] = {static_cast<cuuint64_t>(matrix.pitch * matrix.element_bytes)};
  const cuuint32_t tile[] = {static_cast<cuuint32_t>(matrix.tile_columns),
                             static_cast<cuuint32_t>(matrix.tile_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result =
      kEncode(&map, matrix.element, std::size(sizes), const_cast<void*>(matrix.data), sizes, pitch_bytes,
              tile, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
              matrix.is_swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS;
}

}  // namespace kernels
