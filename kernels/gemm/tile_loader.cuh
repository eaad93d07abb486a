// How a block of warp_tiles.cuh brings its tiles of A and B to shared memory.
//
// A is put down transposed: eight threads read a sector along k of one row and write it to eight rows of the
// tile, whose pitch keeps a warp's 8 × 4 floats in 32 banks. B goes as it lies. Nothing in the loop over k
// asks for an edge: the first tile is the one that may be shallow (zeros fill it), rows past the end of A
// repeat its last one, and what is computed from them is not stored.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/gemm/copy.cuh"
#include "kernels/gemm/launch.cuh"

namespace kernels::gemm {

enum class Transfer {
  kRegisters,  // loaded when a tile is begun, stored when it is done
  kAsync,      // cp.async, past the registers; compute capability 8.0
};

enum class Width {
  kVectors,  // of four columns: n is a multiple of 4 and no less than the tile's, B and C are aligned
  kScalars,  // any n, any alignment
};

template <typename Tile, Transfer kTransfer, Width kWidth>
class TileLoader {
  using Value = std::conditional_t<kWidth == Width::kVectors, float4, float>;
  static constexpr int kFloats = sizeof(Value) / sizeof(float);
  static constexpr int kSector = 8;  // floats
  static constexpr int kRowStep = Tile::kThreads / kSector;
  static constexpr int kARows = Tile::kRows / kRowStep;            // of a thread
  static constexpr int kASteps = Tile::kDepth / kSector;           // along k, of a thread
  static constexpr int kBThreads = Tile::kThreads / Tile::kDepth;  // to a row of B
  static constexpr int kColumnStep = kBThreads * kFloats;
  static constexpr int kBCopies = Tile::kColumns / kColumnStep;
  static constexpr int kACopies = kARows * kASteps;
  static_assert(kARows * kRowStep == Tile::kRows && kASteps * kSector == Tile::kDepth);
  static_assert(kBCopies * kColumnStep == Tile::kColumns);

 public:
  static constexpr int kCopies = kACopies + kBCopies;  // of a thread, for one tile
  // So many a step that all are under way in the first half of a tile.
  static constexpr int kCopiesPerStep = std::max(3, 2 * ((kCopies - 1) / Tile::kSteps + 1));
  static_assert(kCopiesPerStep * (Tile::kSteps - 1) >= kCopies);

  __device__ __forceinline__ TileLoader(const Product& p, std::uint32_t shared, std::uint32_t row0,
                                        std::uint32_t column0)
      : n_(p.n) {
    const std::uint32_t a_depth = threadIdx.x % kSector;
    const std::uint32_t a_row = threadIdx.x / kSector;
#pragma unroll
    for (int i = 0; i < kARows; ++i) {
      a_[i] = p.a_at(min(row0 + a_row + i * kRowStep, p.m - 1), a_depth);
    }
    a_to_ = shared + (a_depth * Tile::kPitchA + a_row) * sizeof(float);
    b_column_ = column0 + threadIdx.x % kBThreads * kFloats;
    const std::uint32_t b_depth = threadIdx.x / kBThreads;
    b_ = p.b_at(b_depth, kWidth == Width::kVectors ? b_column_ : 0);
    b_to_ = shared + Tile::kOffsetB +
            (b_depth * Tile::kColumns + threadIdx.x % kBThreads * kFloats) * sizeof(float);
  }

  // Stores the first tile, of which `depth` steps exist, and goes on to the next tile and the other stage.
  __device__ __forceinline__ void load_first(std::uint32_t depth) {
    const std::uint32_t a_depth = threadIdx.x % kSector;
    const std::uint32_t b_depth = threadIdx.x / kBThreads;
#pragma unroll
    for (int i = 0; i < kACopies; ++i) {
      const bool exists = a_depth + i % kASteps * kSector < depth;
      store_shared(a_to_ + a_place(i), exists ? *a_from(i) : 0.0F);
    }
#pragma unroll
    for (int i = 0; i < kBCopies; ++i) {
      store_shared(b_to_ + i * kColumnStep * sizeof(float), b_depth < depth ? *b_from(i) : Value{});
    }
#pragma unroll
    for (int i = 0; i < kARows; ++i) {
      a_[i] += depth;
    }
    b_ += static_cast<std::uint64_t>(depth) * n_;
    move(Tile::kStageBytes);
  }

  // The copy with that number, of the tile that is to be loaded. They are asked for in order.
  __device__ __forceinline__ void copy(int index) {
    if (index < kACopies) {
      if constexpr (kTransfer == Transfer::kAsync) {
        copy_async(a_to_ + a_place(index), a_from(index));
      } else {
        held_a_[index] = *a_from(index);
      }
      if (index % kASteps == kASteps - 1) {
        a_[index / kASteps] += Tile::kDepth;
      }
      return;
    }
    const int i = index - kACopies;
    if constexpr (kTransfer == Transfer::kAsync) {
      copy_async(b_to_ + i * kColumnStep * sizeof(float), b_from(i));
    } else {
      held_b_[i] = *b_from(i);
    }
    if (i == kBCopies - 1) {
      b_ += static_cast<std::uint64_t>(n_) * Tile::kDepth;
    }
  }

  // After a barrier, the tile is there for the whole block.
  __device__ __forceinline__ void finish() {
    if constexpr (kTransfer == Transfer::kAsync) {
      wait_for_copies();
    } else {
#pragma unroll
      for (int i = 0; i < kACopies; ++i) {
        store_shared(a_to_ + a_place(i), held_a_[i]);
      }
#pragma unroll
      for (int i = 0; i < kBCopies; ++i) {
        store_shared(b_to_ + i * kColumnStep * sizeof(float), held_b_[i]);
      }
    }
  }

  __device__ __forceinline__ void move(int bytes) {
    a_to_ += bytes;
    b_to_ += bytes;
  }

 private:
  static __device__ __forceinline__ std::uint32_t a_place(int index) {
    return (index % kASteps * kSector * Tile::kPitchA + index / kASteps * kRowStep) * sizeof(float);
  }
  __device__ __forceinline__ const float* a_from(int index) const {
    return a_[index / kASteps] + index % kASteps * kSector;
  }
  __device__ __forceinline__ const Value* b_from(int i) const {
    if constexpr (kWidth == Width::kVectors) {
      return reinterpret_cast<const Value*>(b_ + i * kColumnStep);
    } else {
      return b_ + min(b_column_ + i * kColumnStep, n_ - 1);
    }
  }

  const float* a_[kARows];
  const float* b_;  // kScalars: at the first column
  std::uint32_t a_to_;
  std::uint32_t b_to_;
  std::uint32_t b_column_;
  std::uint32_t n_;
  float held_a_[kTransfer == Transfer::kRegisters ? kACopies : 1];
  Value held_b_[kTransfer == Transfer::kRegisters ? kBCopies : 1];
};

}  // namespace kernels::gemm
