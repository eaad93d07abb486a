// How the copy engine is told of a matrix.
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_runtime.h>

#include "kernels/tensor_gemm.hpp"

namespace kernels::tensor_gemm {

// A dense, row-major matrix, and the tile of it that is copied at once: 128 bytes of each of so many rows,
// swizzled in shared memory.
struct TiledMatrix {
  TensorType type = TensorType::kBf16;
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int tile_rows = 0;
  bool is_operand = false;  // its floats are rounded to TF32 on their way: wgmma itself would cut them off
};

// The copy engine wants rows that start at multiples of 16 bytes.
bool has_aligned_rows(const TiledMatrix& matrix);
// Whether it can read A and B. With k = 0 there is nothing to read.
bool can_map_operands(const TensorGemmProblem& problem, TensorType type);

// Takes about 0.1 µs on the host and touches no device. cudaErrorUnknown where the driver refuses the matrix.
cudaError_t encode(const TiledMatrix& matrix, CUtensorMap& map);

}  // namespace kernels::tensor_gemm
