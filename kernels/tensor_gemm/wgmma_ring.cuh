// The ring of stages between the copy engine and the warpgroups that multiply. For .cu files only.
#pragma once

#include "kernels/tensor_gemm/wgmma_op.cuh"

namespace kernels::tensor_gemm {

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

  __device__ __forceinline__ void init(std::uint32_t readers) const {
    for (std::uint32_t i = 0; i < Tile::kStages; ++i) {
      init_barrier(full(i), 1);
      init_barrier(empty(i), readers);
    }
    publish_barriers();
  }
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

}  // namespace kernels::tensor_gemm
