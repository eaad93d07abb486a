// What becomes of a tile's sums: a warp has 16 rows of 256 columns, puts them down in shared memory 128 bytes
// of each row at a time ("chunks"), and has the copy engine take them from there. For .cu files only.
#pragma once

#include "kernels/tensor_gemm/wgmma_op.cuh"

namespace kernels::tensor_gemm {

inline constexpr int kWarpRows = 16;
inline constexpr int kChunkBytes = kWarpRows * kRowBytes;
inline constexpr int kChunkPieceBytes = 16;  // what the swizzle moves

// Where C lies, and whether the copy engine can write it: its rows must start at multiples of 16 bytes.
template <typename Element>
struct Destination {
  Element* data;
  std::uint32_t rows;
  std::uint32_t columns;
  bool is_mapped;
};

// Of piece `piece` of a row: the swizzle exchanges the pieces of a row by the number of the row.
__device__ __forceinline__ std::uint32_t swizzled(std::uint32_t row, std::uint32_t piece) {
  return row * kRowBytes + (piece ^ row % 8) * kChunkPieceBytes;
}

// A thread's sums, in the type of C. Of each 8 columns a thread has two in row lane / 4, and two 8 rows
// below.
template <typename Element>
struct Results;

template <>
struct Results<__nv_bfloat16> {
  static constexpr int kPerChunk = 16;
  static constexpr int kChunks = kWgmmaSums / 2 / kPerChunk;

  std::uint32_t pairs[kWgmmaSums / 2];

  __device__ __forceinline__ void take(const float (&sums)[kWgmmaSums]) {
#pragma unroll
    for (int i = 0; i < kWgmmaSums / 2; ++i) {
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pairs[i]) : "f"(sums[2 * i + 1]), "f"(sums[2 * i]));
    }
  }
  __device__ __forceinline__ void put_down(int chunk, std::uint32_t to, std::uint32_t lane) const {
    constexpr int kMatrices = 4;
#pragma unroll
    for (int i = 0; i < kPerChunk / kMatrices; ++i) {
      const int first = chunk * kPerChunk + i * kMatrices;
      const std::uint32_t parts[kMatrices] = {pairs[first], pairs[first + 1], pairs[first + 2],
                                              pairs[first + 3]};
      store_matrices(to + swizzled(lane % kWarpRows, i * 2 + lane / kWarpRows), parts);
    }
  }
};

template <>
struct Results<float> {
  static constexpr int kPerChunk = 16;
  static constexpr int kChunks = kWgmmaSums / kPerChunk;

  float values[kWgmmaSums];

  __device__ __forceinline__ void take(const float (&sums)[kWgmmaSums]) {
#pragma unroll
    for (int i = 0; i < kWgmmaSums; ++i) {
      values[i] = sums[i];
    }
  }
  __device__ __forceinline__ void put_down(int chunk, std::uint32_t to, std::uint32_t lane) const {
#pragma unroll
    for (int i = 0; i < kPerChunk / 2; ++i) {
      const int first = chunk * kPerChunk + i * 2;
      const std::uint32_t row = lane / 4 + i % 2 * 8;
      const std::uint32_t place = swizzled(row, i / 2 * 2 + lane % 4 / 2) + lane % 2 * 8;
      asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to + place), "f"(values[first]),
                   "f"(values[first + 1])
                   : "memory");
    }
  }
};

// For rows that the copy engine cannot write.
template <typename Element>
__device__ __forceinline__ void copy_chunk(const Destination<Element>& c, const unsigned char* from,
                                           std::uint32_t row0, std::uint32_t column0, std::uint32_t lane) {
  constexpr std::uint32_t kColumns = kRowBytes / sizeof(Element);
#pragma unroll 1
  for (std::uint32_t i = lane; i < kWarpRows * kColumns; i += 32) {
    const std::uint32_t row = i / kColumns;
    const std::uint32_t byte = i % kColumns * sizeof(Element);
    const std::uint32_t column = column0 + i % kColumns;
    if (row0 + row < c.rows && column < c.columns) {
      const unsigned char* place = from + swizzled(row, byte / kChunkPieceBytes) + byte % kChunkPieceBytes;
      c.data[static_cast<std::uint64_t>(row0 + row) * c.columns + column] =
          *reinterpret_cast<const Element*>(place);
    }
  }
}

// Where a warp's part of a tile goes, and the buffers that it goes through in turn.
struct Way {
  static constexpr int kBuffers = 2;

  unsigned char* staging;
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t lane;
};

template <typename Element>
__device__ __forceinline__ void store_chunk(const Results<Element>& results, int chunk, const Way& way,
                                            const Destination<Element>& c, const CUtensorMap& map) {
  unsigned char* const buffer = way.staging + chunk % Way::kBuffers * kChunkBytes;
  const std::uint32_t column = way.column + chunk * (kRowBytes / sizeof(Element));
  if (way.lane == 0) {
    wait_for_stores<Way::kBuffers - 1>();
  }
  __syncwarp();
  results.put_down(chunk, shared_address(buffer), way.lane);
  publish_shared();
  __syncwarp();
  if (!c.is_mapped) {
    copy_chunk(c, buffer, way.row, column, way.lane);
  } else if (way.lane == 0) {
    store_tile(map, shared_address(buffer), column, way.row);
  }
}

template <typename Element>
__device__ __forceinline__ void store_all(const Results<Element>& results, const Way& way,
                                          const Destination<Element>& c, const CUtensorMap& map) {
#pragma unroll
  for (int chunk = 0; chunk < Results<Element>::kChunks; ++chunk) {
    store_chunk(results, chunk, way, c, map);
  }
}

}  // namespace kernels::tensor_gemm
