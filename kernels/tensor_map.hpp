// How the copy engine (TMA, compute capability 9.0 and later) is told of a matrix.
#pragma once

#include <cstdint>

#include <cuda.h>

namespace kernels {

// A row-major matrix, and the tile of it that is copied at once. Zeros come from outside of the matrix, and
// nothing is written there. Rows must start at multiples of 16 bytes.
struct TiledMatrix {
  CUtensorMapDataType element = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  std::int64_t element_bytes = sizeof(float);
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t pitch = 0;  // elements from one row to the next
  int tile_rows = 0;
  int tile_columns = 0;
  bool is_swizzled = false;  // in shared memory: the pieces of 16 bytes of rows of 128 bytes
};

// Takes about 0.1 µs on the host and touches no device. False where the driver has no such engine, or refuses
// the matrix.
bool encode(const TiledMatrix& matrix, CUtensorMap& map);

}  // namespace kernels
