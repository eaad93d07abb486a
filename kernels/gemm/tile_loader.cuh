// How a block of warp_tile.cu brings its tiles of A and B to shared memory.
//
// A is put down transposed: eight threads read a sector along k of one row and write it to eight rows of the
// tile, whose pitch keeps a warp's 8 × 4 floats in 32 banks. B goes as it lies. Nothing in the loop over k
// asks for an edge: the first tile is the one that may be shallow (zeros fill it), rows past the end of A
// repeat its last one, and what is computed from them is not stored.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/gemm/launch.cuh"
#include "kernels/ptx.cuh"

namespace kernels::gemm {

enum class Transfer {
  kRegisters,  // loaded when a tile is begun, stored when it is done
  kAsync,      // cp.async, past the registers; compute capability 8.0
};

// How B and C are accessed. Except in kNarrow, a tile that overhangs C is moved inside it.
enum class Width {
  kVectors,  // four columns at a time: n is a multiple of 4 and no less than the tile's, B and C are aligned
  kScalars,  // any alignment, n no less than the tile's
  kNarrow,   // any alignment, a smaller n
};

// Walks through the stages of shared memory, round and round.
template <typename Tile>
class Stages {
 public:
  // To the next one: how many bytes on.
  __device__ __forceinline__ int next() {
    const int bytes = step_;
    if constexpr (Tile::kStages == 2) {
      step_ = -step_;
    } else {
      at_ = at_ == Tile::kStages - 2 ? -1 : at_ + 1;
      step_ = at_ == Tile::kStages - 2 ? -(Tile::kStages - 1) * Tile::kStageBytes : Tile::kStageBytes;
    }
    return bytes;
  }

 private:
  int at_ = -1;
  int step_ = Tile::kStageBytes;
};

template <typename Tile, Transfer kTransfer, Width kWidth>
class TileLoader {
  using Value = std::conditional_t<kWidth == Width::kVectors, float4, float>;
  static constexpr int kFloats = sizeof(Value) / sizeof(float);
  static constexpr int kSector = 8;  // floats
  static constexpr int kRowStep = Tile::kThreads / kSector;
  static constexpr int kARows = (Tile::kRows + kRowStep - 1) / kRowStep;  // of a thread
  static constexpr int kASteps = Tile::kDepth / kSector;                  // along k, of a thread
  // To a row of B: of scalars a warp, whose floats lie in 32 banks, unless a row is shorter.
  static constexpr int kBThreads = kWidth != Width::kVectors ? (Tile::kColumns == 16 ? 16 : 32)
                                   : Tile::kColumns == 24    ? 8
                                                             : Tile::kThreads / Tile::kDepth;
  static constexpr int kColumnStep = kBThreads * kFloats;
  static constexpr int kBColumns =
      (Tile::kColumns + kColumnStep - 1) / kColumnStep;  // of a thread, in each of its rows
  static constexpr int kBRowStep = Tile::kThreads / kBThreads;
  static constexpr int kBRows = Tile::kDepth / kBRowStep;
  static constexpr int kBCopies = kBRows * kBColumns;
  static constexpr int kACopies = kARows * kASteps;
  static_assert(kASteps * kSector == Tile::kDepth && kBRows * kBRowStep == Tile::kDepth);
  static_assert(Tile::kStages == 2 || kTransfer == Transfer::kAsync);

 public:
  static constexpr int kCopies = kACopies + kBCopies;  // of a thread, for one tile
  // So many a step that all are under way in the first half of a tile.
  static constexpr int kCopiesPerStep = std::max(3, 2 * ((kCopies - 1) / Tile::kSteps + 1));
  static_assert(kCopiesPerStep * (Tile::kSteps - 1) >= kCopies);

  // From step `first` along k on.
  __device__ __forceinline__ TileLoader(const Product& p, std::uint32_t shared, std::uint32_t row0,
                                        std::uint32_t column0, std::uint32_t first)
      : n_(p.n) {
    const std::uint32_t a_depth = threadIdx.x % kSector;
    const std::uint32_t a_row = threadIdx.x / kSector;
#pragma unroll
    for (int i = 0; i < kARows; ++i) {
      a_[i] = p.a_at(min(row0 + a_row + i * kRowStep, p.m - 1), first + a_depth);
    }
    a_to_ = shared + (a_depth * Tile::kPitchA + a_row) * sizeof(float);
    b_column_ = column0 + threadIdx.x % kBThreads * kFloats;
    const std::uint32_t b_depth = threadIdx.x / kBThreads;
    b_ = p.b_at(first + b_depth, kWidth == Width::kNarrow ? 0 : b_column_);
    b_to_ = shared + Tile::kOffsetB +
            (b_depth * Tile::kColumns + threadIdx.x % kBThreads * kFloats) * sizeof(float);
  }

  // Stores the first tile, of which `depth` steps exist, and goes on to the next tile and the other stage.
  __device__ __forceinline__ void load_first(std::uint32_t depth) {
    const std::uint32_t a_depth = threadIdx.x % kSector;
    const std::uint32_t b_depth = threadIdx.x / kBThreads;
    float held_a[kACopies];  // all loads are under way before the first is stored
    Value held_b[kBCopies];
#pragma unroll
    for (int i = 0; i < kACopies; ++i) {
      held_a[i] = a_depth + i % kASteps * kSector < depth ? *a_from(i) : 0.0F;
    }
#pragma unroll
    for (int i = 0; i < kBCopies; ++i) {
      const std::uint32_t row = i / kBColumns * kBRowStep;
      held_b[i] = copies_b(i) && b_depth + row < depth
                      ? *b_from(i % kBColumns, static_cast<std::uint64_t>(row) * n_)
                      : Value{};
    }
#pragma unroll
    for (int i = 0; i < kACopies; ++i) {
      if (copies_a(i)) {
        store_shared(a_to_ + a_place(i), held_a[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kBCopies; ++i) {
      if (copies_b(i)) {
        store_shared(b_to_ + b_place(i), held_b[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kARows; ++i) {
      a_[i] += depth;
    }
    b_ += static_cast<std::uint64_t>(depth) * n_;
    move(stages_.next());
  }

  // With more than two stages: begins to load all but the last of them, of `tiles` that are left.
  __device__ __forceinline__ void load_ahead(std::uint32_t tiles) {
    if constexpr (Tile::kStages > 2) {
#pragma unroll
      for (std::uint32_t stage = 1; stage < Tile::kStages - 1; ++stage) {
#pragma unroll
        for (int i = 0; i < kCopies; ++i) {
          copy(i, stage <= tiles);
        }
        commit_copies();
        move(stages_.next());
      }
    }
  }

  // The copy with that number, of the tile that is to be loaded, if there is one. They are asked for in
  // order.
  __device__ __forceinline__ void copy(int index, bool exists) {
    if (index < kACopies) {
      if constexpr (kTransfer == Transfer::kAsync) {
        if (exists && copies_a(index)) {
          copy_async(a_to_ + a_place(index), a_from(index));
        }
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
      if (exists && copies_b(i)) {
        copy_async(b_to_ + b_place(i), b_from(i % kBColumns, 0));
      }
    } else {
      held_b_[i] = *b_from(i % kBColumns, 0);
    }
    if (i % kBColumns == kBColumns - 1) {
      b_ += static_cast<std::uint64_t>(n_) * kBRowStep;
    }
  }

  // After a barrier, the tile is there for the whole block.
  __device__ __forceinline__ void finish() {
    if constexpr (kTransfer == Transfer::kAsync) {
      commit_copies();
      wait_for_copies<Tile::kStages - 2>();
    } else {
#pragma unroll
      for (int i = 0; i < kACopies; ++i) {
        store_shared(a_to_ + a_place(i), held_a_[i]);
      }
#pragma unroll
      for (int i = 0; i < kBCopies; ++i) {
        store_shared(b_to_ + b_place(i), held_b_[i]);
      }
    }
  }

  // To the next stage, when the readers went `bytes` on.
  __device__ __forceinline__ void move_on(int bytes) {
    move(Tile::kStages == 2 ? -bytes : stages_.next());
  }

 private:
  __device__ __forceinline__ void move(int bytes) {
    a_to_ += bytes;
    b_to_ += bytes;
  }
  // Where rows of A, or columns of B, are fewer than its threads, some of those copy nothing.
  __device__ __forceinline__ bool copies_a(int index) const {
    const int row = index / kASteps * kRowStep;
    return row + kRowStep <= Tile::kRows || threadIdx.x / kSector + row < Tile::kRows;
  }
  __device__ __forceinline__ bool copies_b(int index) const {
    const int column = index % kBColumns * kColumnStep;
    return column + kColumnStep <= Tile::kColumns ||
           threadIdx.x % kBThreads * kFloats + column < Tile::kColumns;
  }
  static __device__ __forceinline__ std::uint32_t a_place(int index) {
    return (index % kASteps * kSector * Tile::kPitchA + index / kASteps * kRowStep) * sizeof(float);
  }
  __device__ __forceinline__ const float* a_from(int index) const {
    return a_[index / kASteps] + index % kASteps * kSector;
  }
  static __device__ __forceinline__ std::uint32_t b_place(int index) {
    return (index / kBColumns * kBRowStep * Tile::kColumns + index % kBColumns * kColumnStep) * sizeof(float);
  }
  __device__ __forceinline__ const Value* b_from(int i, std::uint64_t after) const {
    const std::uint32_t column =
        kWidth == Width::kNarrow ? min(b_column_ + i * kColumnStep, n_ - 1) : i * kColumnStep;
    return reinterpret_cast<const Value*>(b_ + (after + column));
  }

  const float* a_[kARows];
  const float* b_;  // kNarrow: at the first column
  std::uint32_t a_to_;
  std::uint32_t b_to_;
  std::uint32_t b_column_;
  std::uint32_t n_;
  Stages<Tile> stages_;
  float held_a_[kTransfer == Transfer::kRegisters ? kACopies : 1];
  Value held_b_[kTransfer == Transfer::kRegisters ? kBCopies : 1];
};

}  // namespace kernels::gemm
