#include "kernels/tensor_gemm/tensor_map.hpp"

#include <iterator>

namespace kernels::tensor_gemm {
namespace {

constexpr std::int64_t kAlignmentBytes = 16;
constexpr cuuint32_t kTileRowBytes = 128;

cuuint32_t element_bytes(TensorType type) {
  return type == TensorType::kFp8 ? 1 : type == TensorType::kBf16 ? 2 : 4;
}

CUtensorMapDataType data_type(const TiledMatrix& matrix) {
  if (matrix.type == TensorType::kFp8) {
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
  if (matrix.type == TensorType::kBf16) {
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  }
  return matrix.is_operand ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

using Encode = decltype(&cuTensorMapEncodeTiled);

// From the driver that is there, so that programs need not be linked with it. Null where it has none.
Encode find_encode() {
  constexpr unsigned kVersion = 12000;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, kVersion,
                                                             cudaEnableDefault, &result);
  return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(found)
                                                                       : nullptr;
}

}  // namespace

bool has_aligned_rows(const TiledMatrix& matrix) {
  return matrix.columns * element_bytes(matrix.type) % kAlignmentBytes == 0;
}

bool can_map_operands(const TensorGemmProblem& problem, TensorType type) {
  return problem.k > 0 && has_aligned_rows({.type = type, .rows = problem.m, .columns = problem.k});
}

cudaError_t encode(const TiledMatrix& matrix, CUtensorMap& map) {
  static const Encode kEncode = find_encode();
  if (kEncode == nullptr) {
    return cudaErrorUnknown;
  }
  const cuuint32_t bytes = element_bytes(matrix.type);
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(matrix.columns), static_cast<cuuint64_t>(matrix.rows)};
  const cuuint64_t pitch_bytes[] = {sizes[0] * bytes};
  const cuuint32_t tile[] = {kTileRowBytes / bytes, static_cast<cuuint32_t>(matrix.tile_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result =
      kEncode(&map, data_type(matrix), std::size(sizes), const_cast<void*>(matrix.data), sizes, pitch_bytes,
              tile, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace kernels::tensor_gemm
