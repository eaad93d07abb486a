// What becomes of a tile's sums: a warp has 16 rows of them, puts them down in shared memory 128 bytes
// of each row at a time ("chunks"), and has the copy engine take them from there. For .cu files only.
#pragma once

#include "kernels/tensor_gemm/operand.cuh"
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
template <typename Element, int kSums>
struct Results;

template <int kSums>
struct Results<__nv_bfloat16, kSums> {
  static constexpr int kPerChunk = 16;
  static constexpr int kChunks = kSums / 2 / kPerChunk;

  std::uint32_t pairs[kSums / 2];

  __device__ __forceinline__ void take(const float (&sums)[kSums]) {
#pragma unroll
    for (int i = 0; i < kSums / 2; ++i) {
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

template <int kSums>
struct Results<float, kSums> {
  static constexpr int kPerChunk = 16;
  static constexpr int kChunks = kSums / kPerChunk;

  float values[kSums];

  __device__ __forceinline__ void take(const float (&sums)[kSums]) {
#pragma unroll
    for (int i = 0; i < kSums; ++i) {
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

// For rows that the copy engine cannot write: a row of the chunk at a time, in words where all rows of C
// begin at one, a few of them read before the first is written: while sums are multiplied, registers are
// short.
template <typename Word, typename Element>
__device__ __forceinline__ void copy_chunk_by(const Destination<Element>& c, const unsigned char* from,
                                              std::uint32_t row0, std::uint32_t column0, std::uint32_t lane) {
  constexpr std::uint32_t kWords = kRowBytes / sizeof(Word);  // of a row
  constexpr std::uint32_t kElements = sizeof(Word) / sizeof(Element);
  constexpr std::uint32_t kTurns = kWarpRows * kWords / 32;
  constexpr std::uint32_t kBatch = 4;
#pragma unroll 1
  for (std::uint32_t first = 0; first < kTurns; first += kBatch) {
    Word words[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      const std::uint32_t place = (first + i) * 32 + lane;
      const std::uint32_t byte = place % kWords * sizeof(Word);
      words[i] = *reinterpret_cast<const Word*>(from + swizzled(place / kWords, byte / kChunkPieceBytes) +
                                                byte % kChunkPieceBytes);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      const std::uint32_t place = (first + i) * 32 + lane;
      const std::uint32_t row = row0 + place / kWords;
      const std::uint32_t column = column0 + place % kWords * kElements;
      if (row < c.rows && column < c.columns) {
        *reinterpret_cast<Word*>(c.data + (static_cast<std::uint64_t>(row) * c.columns + column)) = words[i];
      }
    }
  }
}

template <typename Element>
__device__ __forceinline__ void copy_chunk(const Destination<Element>& c, const unsigned char* from,
                                           std::uint32_t row0, std::uint32_t column0, std::uint32_t lane) {
  if (sizeof(Element) == 4 || c.columns % 2 == 0) {
    copy_chunk_by<std::uint32_t>(c, from, row0, column0, lane);
  } else {
    copy_chunk_by<std::uint16_t>(c, from, row0, column0, lane);
  }
}

// Where a warp's part of a tile goes, and the buffers that it goes through in turn.
struct Way {
  static constexpr int kBuffers = 2;

  unsigned char* staging;
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t lane;
  std::uint32_t turn = 0;  // how many chunks went before
};

template <typename Element, int kSums>
__device__ __forceinline__ void store_chunk(const Results<Element, kSums>& results, int chunk, Way& way,
                                            const Destination<Element>& c, const CUtensorMap& map) {
  // Of an even number of chunks, each has its buffer in all tiles.
  constexpr bool kIsEven = Results<Element, kSums>::kChunks % Way::kBuffers == 0;
  const std::uint32_t turn = kIsEven ? static_cast<std::uint32_t>(chunk) : way.turn++;
  unsigned char* const buffer = way.staging + turn % Way::kBuffers * kChunkBytes;
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

template <typename Element, int kSums>
__device__ __forceinline__ void store_all(const Results<Element, kSums>& results, Way& way,
                                          const Destination<Element>& c, const CUtensorMap& map) {
#pragma unroll
  for (int chunk = 0; chunk < Results<Element, kSums>::kChunks; ++chunk) {
    store_chunk(results, chunk, way, c, map);
  }
}

// The sums of a part of a tile, as they lie in the registers: four of a thread beside those of the next
// thread.
template <int kSums>
__device__ __forceinline__ void store_part(const float (&sums)[kSums], float4* to, std::uint32_t threads) {
#pragma unroll
  for (int i = 0; i < kSums; i += 4) {
    to[i / 4 * threads + threadIdx.x] = {sums[i], sums[i + 1], sums[i + 2], sums[i + 3]};
  }
}

}  // namespace kernels::tensor_gemm
