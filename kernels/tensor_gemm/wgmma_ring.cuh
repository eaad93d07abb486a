// The ring of stages between the copy engine and the warpgroups that multiply. For .cu files only.
#pragma once

#include "kernels/tensor_gemm/wgmma_op.cuh"

namespace kernels::tensor_gemm {

inline constexpr int kConsumers = 2;  // warpgroups
inline constexpr int kTileRows = kConsumers * kWgmmaRows;
inline constexpr int kTileColumns = kWgmmaColumns;
inline constexpr int kStages = 4;
inline constexpr int kTileABytes = kTileRows * kRowBytes;
inline constexpr int kStageBytes = kTileABytes + kTileColumns * kRowBytes;
inline constexpr int kBarrierBytes = 2 * kStages * 8;

// The stages, in the block's shared memory, and whose turn it is. A stage is full when its bytes are there,
// and empty when all warps that read it, in all blocks that get the same, are done.
class Ring {
 public:
  __device__ __forceinline__ Ring(std::uint32_t tiles, std::uint32_t barriers)
      : tiles_(tiles), barriers_(barriers) {}

  __device__ __forceinline__ void init(std::uint32_t readers) const {
    for (std::uint32_t i = 0; i < kStages; ++i) {
      init_barrier(full(i), 1);
      init_barrier(empty(i), readers);
    }
    publish_barriers();
  }
  __device__ __forceinline__ std::uint32_t tile_a() const { return tiles_ + stage_ * kStageBytes; }
  __device__ __forceinline__ std::uint32_t tile_b() const { return tile_a() + kTileABytes; }
  __device__ __forceinline__ std::uint32_t full() const { return full(stage_); }
  __device__ __forceinline__ std::uint32_t empty() const { return empty(stage_); }
  __device__ __forceinline__ void wait_until_full() const { wait_for(full(stage_), parity_); }
  // At first, all are empty: the phase before the first one counts as ended.
  __device__ __forceinline__ void wait_until_empty() const { wait_for(empty(stage_), parity_ ^ 1); }
  __device__ __forceinline__ void advance() {
    if (++stage_ == kStages) {
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
