// A tile of C by wgmma: how its parts of A and B lie in shared memory, the ring of stages between the copy
// engine and the warpgroups that multiply, and what becomes of its sums. For .cu files only.
#pragma once

#include <cstdint>

#include "kernels/ptx.cuh"
#include "kernels/tensor_gemm/operand.cuh"
#include "kernels/tensor_map.hpp"

namespace kernels::tensor_gemm {

inline constexpr int kWgmmaRows = 64;
// In a thread, of so many columns.
template <int kColumns>
inline constexpr int kSumsOf = kWgmmaRows* kColumns / kWarpgroup;
// A row of a tile in shared memory: as much as the copy engine swizzles, 8 rows at a time, so that neither it
// nor wgmma meets bank conflicts. One instruction takes 32 bytes of each.
inline constexpr int kRowBytes = 128;
inline constexpr int kInstructionBytes = 32;
inline constexpr int kSwizzleBytes = 8 * kRowBytes;  // tiles start at a multiple of it

// Where a tile of rows lies, as wgmma wants it: address and distance of 8 rows in units of 16 bytes, and the
// swizzle's code (PTX ISA, "Matrix descriptor").
__device__ __forceinline__ std::uint64_t tile_descriptor(std::uint32_t address) {
  constexpr std::uint64_t kSwizzle128 = 1;
  constexpr std::uint64_t kUnit = 16;
  return kSwizzle128 << 62 | kSwizzleBytes / kUnit << 32 | std::uint64_t{1} << 16 | address / kUnit;
}
inline constexpr std::uint64_t kDescriptorStep = kInstructionBytes / 16;

// One stage: 128 bytes of each row.
template <typename Element, int kSums>
__device__ __forceinline__ void multiply_stage(float (&sums)[kSums], std::uint32_t a, std::uint32_t b,
                                               bool add) {
  const std::uint64_t tile_a = tile_descriptor(a);
  const std::uint64_t tile_b = tile_descriptor(b);
  pin(sums);
  fence_wgmma();
#pragma unroll
  for (int step = 0; step < kRowBytes / kInstructionBytes; ++step) {
    multiply_by_wgmma<Element>(sums, tile_a + step * kDescriptorStep, tile_b + step * kDescriptorStep,
                               add || step > 0 ? 1 : 0);
  }
  commit_wgmma();
  pin(sums);
}

// The copy engine wants rows that start at multiples of 16 bytes.
template <typename Element>
bool has_aligned_rows(std::int64_t columns) {
  return columns * static_cast<std::int64_t>(sizeof(Element)) % 16 == 0;
}
// Whether it can read A and B. With k = 0 there is nothing to read.
template <typename Element>
bool can_map_operands(const TensorGemmProblem& problem) {
  return problem.k > 0 && has_aligned_rows<Element>(problem.k);
}

// A dense matrix, of which so many rows of 128 bytes are copied at once.
template <typename Element>
TiledMatrix tiled_result(const void* data, std::int64_t rows, std::int64_t columns, int tile_rows) {
  return {
      .element = sizeof(Element) == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
      .element_bytes = sizeof(Element),
      .data = data,
      .rows = rows,
      .columns = columns,
      .pitch = columns,
      .tile_rows = tile_rows,
      .tile_columns = kRowBytes / static_cast<int>(sizeof(Element)),
      .is_swizzled = true};
}
// Floats are rounded to TF32 on their way: wgmma itself would cut them off.
template <typename Element>
TiledMatrix tiled_operand(const void* data, std::int64_t rows, std::int64_t k, int tile_rows) {
  TiledMatrix matrix = tiled_result<Element>(data, rows, k, tile_rows);
  matrix.element = sizeof(Element) == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                   : sizeof(Element) == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                          : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  return matrix;
}

// What a block computes of C, 64 rows for each of its warpgroups, and how many stages it has in flight.
template <int Consumers, int Columns, int Stages>
struct WgmmaTile {
  static constexpr int kConsumers = Consumers;  // warpgroups
  static constexpr int kColumns = Columns;
  static constexpr int kStages = Stages;
  static constexpr int kRows = Consumers * kWgmmaRows;
  static constexpr int kSums = kSumsOf<Columns>;
  static constexpr int kTileABytes = kRows * kRowBytes;
  static constexpr int kStageBytes = kTileABytes + Columns * kRowBytes;
  static constexpr int kBarrierBytes = 2 * Stages * 8;
};

// The stages, in the block's shared memory, and whose turn it is. A stage is full when its bytes are there,
// and empty when all warps that read it, in all blocks that get the same, are done.
template <typename Tile>
class Ring {
 public:
  __device__ __forceinline__ Ring(std::uint32_t tiles, std::uint32_t barriers)
      : tiles_(tiles), barriers_(barriers) {}

  __device__ __forceinline__ void init(std::uint32_t readers, std::uint32_t writers) const {
    for (std::uint32_t i = 0; i < Tile::kStages; ++i) {
      init_barrier(full(i), writers);
      init_barrier(empty(i), readers);
    }
    publish_barriers();
  }
  __device__ __forceinline__ std::uint32_t first_stage() const { return tiles_; }
  __device__ __forceinline__ std::uint32_t tile_a() const { return tiles_ + stage_ * Tile::kStageBytes; }
  __device__ __forceinline__ std::uint32_t tile_b() const { return tile_a() + Tile::kTileABytes; }
  __device__ __forceinline__ std::uint32_t full() const { return full(stage_); }
  __device__ __forceinline__ std::uint32_t empty() const { return empty(stage_); }
  __device__ __forceinline__ void wait_until_full() const { wait_for(full(stage_), parity_); }
  // At first, all are empty: the phase before the first one counts as ended.
  __device__ __forceinline__ void wait_until_empty() const { wait_for(empty(stage_), parity_ ^ 1); }
  __device__ __forceinline__ void advance() {
    if (++stage_ == Tile::kStages) {
      stage_ = 0;
      parity_ ^= 1;
    }
  }

 private:
  __device__ __forceinline__ std::uint32_t full(std::uint32_t stage) const { return barriers_ + stage * 16; }
  __device__ __forceinline__ std::uint32_t empty(std::uint32_t stage) const { return full(stage) + 8; }

  std::uint32_t tiles_;
  std::uint32_t barriers_;
  std::uint32_t stage_ = 0;
  std::uint32_t parity_ = 0;
};

// What becomes of a tile's sums: a warp has 16 rows of them, puts them down in shared memory 128 bytes
// of each row at a time ("chunks"), and has the copy engine take them from there.
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

// Fills a tile of `kRows` rows from row `row0` and element `x` on, without the copy engine: threads copy
// four bytes each, a row a warp; rows must be whole words. Past the end of k come zeros; rows past
// the last one, which only reach results that nobody stores, stay as they are.
template <int kRows, int kThreads, typename Element>
__device__ __forceinline__ void copy_rows_by_word(std::uint32_t tile, const Operand<Element>& from,
                                                  std::uint32_t row0, std::uint32_t x, std::uint32_t thread) {
  constexpr std::uint32_t kWarps = kThreads / 32;
  const std::uint32_t lane = thread % 32;
  const std::uint32_t column = x + lane * (4 / sizeof(Element));
  const std::uint32_t left = from.rows - min(row0, from.rows);
  const bool inside = column < from.k;
  const Element* const source = inside && left > 0 ? from.at(row0, column) : from.data;
  const std::uint64_t pitch = inside ? from.k : 0;
#pragma unroll 8
  for (std::uint32_t row = thread / 32; row < kRows; row += kWarps) {
    if (row < left) {
      copy_word_async_or_zero(tile + swizzled(row, lane / 4) + lane % 4 * 4, source + row * pitch, inside);
    }
  }
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

// The same for two bytes an element and an odd number of columns, where every other row begins between two
// words: of those rows the words are shifted by an element, and the two ends are stored by themselves.
template <typename Element>
__device__ __forceinline__ void copy_odd_chunk(const Destination<Element>& c, const unsigned char* from,
                                               std::uint32_t row0, std::uint32_t column0,
                                               std::uint32_t lane) {
  constexpr std::uint32_t kColumns = kRowBytes / sizeof(Element);
  constexpr std::uint32_t kBatch = 4;
  const auto at = [&](std::uint32_t row, std::uint32_t column) {
    const std::uint32_t byte = column * sizeof(Element);
    return std::uint32_t{*reinterpret_cast<const std::uint16_t*>(
        from + swizzled(row, byte / kChunkPieceBytes) + byte % kChunkPieceBytes)};
  };
  const auto place = [&](std::uint32_t row, std::uint32_t column) {
    return reinterpret_cast<std::uint16_t*>(
        c.data + (static_cast<std::uint64_t>(row0 + row) * c.columns + column0 + column));
  };
#pragma unroll 1
  for (std::uint32_t first = 0; first < kWarpRows; first += kBatch) {
    std::uint32_t words[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      const std::uint32_t column = lane * 2 + i % 2;
      words[i] = at(first + i, column) | at(first + i, min(column + 1, kColumns - 1)) << 16;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      const std::uint32_t column = lane * 2 + i % 2;
      if (row0 + first + i >= c.rows || column0 + column >= c.columns || column + 1 >= kColumns) {
        continue;
      }
      std::uint16_t* const to = place(first + i, column);
      if (column0 + column + 1 < c.columns) {
        *reinterpret_cast<std::uint32_t*>(to) = words[i];
      } else {
        *to = static_cast<std::uint16_t>(words[i]);
      }
    }
  }
  const std::uint32_t row = lane / 2 * 2 + 1;  // rows 1, 3, …, by two lanes each
  const std::uint32_t column = lane % 2 * (kColumns - 1);
  if (row < kWarpRows && row0 + row < c.rows && column0 + column < c.columns) {
    *place(row, column) = static_cast<std::uint16_t>(at(row, column));
  }
}

template <typename Element>
__device__ __forceinline__ void copy_chunk(const Destination<Element>& c, const unsigned char* from,
                                           std::uint32_t row0, std::uint32_t column0, std::uint32_t lane) {
  if (sizeof(Element) == 4 || c.columns % 2 == 0) {
    copy_chunk_by<std::uint32_t>(c, from, row0, column0, lane);
  } else {
    copy_odd_chunk(c, from, row0, column0, lane);
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
