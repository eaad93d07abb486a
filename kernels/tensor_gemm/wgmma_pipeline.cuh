// The kernel behind wgmma_bf16.cu and wgmma_tf32.cu: one thread has the copy engine fill a ring of stages
// with tiles of A and B, two warpgroups multiply them. Blocks stay for as long as there are tiles of C. For
// .cu files only.
#pragma once

#include "kernels/tensor_gemm/wgmma_epilogue.cuh"

namespace kernels::tensor_gemm {

// What differs between the variants: a plan is derived from this.
struct WgmmaPlan {
  static constexpr int kCluster = 1;    // blocks above each other, which share what they load of B: 1 or 2
  static constexpr int kHeadStart = 0;  // steps by which the first warpgroup ends a block's last tile earlier
  // Stores a tile while the next one is multiplied: needs more steps than a tile has chunks, and kHeadStart.
  static constexpr bool kDefers = false;
};

inline constexpr int kConsumers = 2;  // warpgroups
inline constexpr int kConsumerWarps = kConsumers * kWarpgroup / 32;
inline constexpr int kWgmmaThreads = (kConsumers + 1) * kWarpgroup;
inline constexpr int kTileRows = kConsumers * kWgmmaRows;
inline constexpr int kTileColumns = kWgmmaColumns;
inline constexpr int kStages = 4;
inline constexpr int kTileABytes = kTileRows * kRowBytes;
inline constexpr int kStageBytes = kTileABytes + kTileColumns * kRowBytes;
inline constexpr int kStagingBytes = kConsumerWarps * Way::kBuffers * kChunkBytes;
inline constexpr int kBarrierBytes = 2 * kStages * 8;
inline constexpr int kWgmmaSharedBytes =
    kSwizzleBytes + kStages * kStageBytes + kStagingBytes + kBarrierBytes;
// Of the 168 that each thread of 384 starts with.
inline constexpr int kProducerRegisters = 24;
inline constexpr int kConsumerRegisters = 240;
inline constexpr int kHeadStartBarrier = 1;

template <typename Element>
struct WgmmaProduct {
  CUtensorMap a;
  CUtensorMap b;
  CUtensorMap map_c;
  Destination<Element> c;
  std::uint32_t steps;         // of 128 bytes of each row of A and B
  std::uint32_t cluster_rows;  // clusters' parts of C above each other
  std::uint32_t tile_columns;  // and side by side
};

struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

// Blocks that run at the same time share rows of A and columns of B in the L2 cache: down a group of rows
// first, so that what they cover of C is nearly square.
template <int kCluster, typename Element>
__device__ __forceinline__ Corner corner_of(std::uint32_t tile, std::uint32_t block,
                                            const WgmmaProduct<Element>& p) {
  constexpr std::uint32_t kGroup = 8;
  const std::uint32_t per_group = kGroup * p.tile_columns;
  const std::uint32_t first = tile / per_group * kGroup;
  const std::uint32_t height = min(p.cluster_rows - first, kGroup);
  const std::uint32_t in_group = tile % per_group;
  return {((first + in_group % height) * kCluster + block) * kTileRows, in_group / height * kTileColumns};
}

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

// One thread's work. Each block of a cluster loads its own rows of A, and half of the rows of B for both.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce(const WgmmaProduct<Element>& p, Ring ring, std::uint32_t block) {
  constexpr std::uint32_t kStep = kRowBytes / sizeof(Element);
  constexpr std::uint16_t kAll = (1U << Plan::kCluster) - 1;
  constexpr std::uint32_t kPartRows = kTileColumns / Plan::kCluster;
  const std::uint32_t tiles = p.cluster_rows * p.tile_columns;
  for (std::uint32_t tile = blockIdx.x / Plan::kCluster; tile < tiles; tile += gridDim.x / Plan::kCluster) {
    const Corner corner = corner_of<Plan::kCluster>(tile, block, p);
    for (std::uint32_t step = 0; step < p.steps; ++step) {
      ring.wait_until_empty();
      arrive_expecting(ring.full(), kStageBytes);
      load_tile(ring.tile_a(), p.a, ring.full(), step * kStep, corner.row);
      const std::uint32_t part = ring.tile_b() + block * kPartRows * kRowBytes;
      const std::uint32_t part_row = corner.column + block * kPartRows;
      if constexpr (Plan::kCluster > 1) {
        load_tile_to_all(part, p.b, ring.full(), step * kStep, part_row, kAll);
      } else {
        load_tile(part, p.b, ring.full(), step * kStep, part_row);
      }
      ring.advance();
    }
  }
}

// A warpgroup's way along k. Two steps are under way at a time: when the next one has been issued, the one
// before is waited for, and its stage given back.
template <typename Plan, typename Element>
class Consumer {
 public:
  __device__ __forceinline__ Consumer(const Ring& ring, std::uint32_t group, std::uint32_t lane)
      : ring_(ring), first_row_(group * kWgmmaRows * kRowBytes), lane_(lane) {}

  __device__ __forceinline__ void issue(float (&sums)[kWgmmaSums], bool add) {
    ring_.wait_until_full();
    multiply_stage<Element>(sums, ring_.tile_a() + first_row_, ring_.tile_b(), add);
  }
  __device__ __forceinline__ void retire(bool has_previous) {
    wait_for_wgmma<1>();
    if (has_previous) {
      give_back();
    }
    previous_ = ring_.empty();
    ring_.advance();
  }
  __device__ __forceinline__ void finish(float (&sums)[kWgmmaSums]) {
    wait_for_wgmma<0>();
    pin(sums);
    give_back();
  }

 private:
  // Each warp for itself: that wgmma is done is known to the threads that waited for it.
  __device__ __forceinline__ void give_back() const {
    if (lane_ < Plan::kCluster) {
      if constexpr (Plan::kCluster > 1) {
        arrive_at(previous_, lane_);
      } else {
        arrive(previous_);
      }
    }
  }

  Ring ring_;
  std::uint32_t previous_ = 0;
  std::uint32_t first_row_;
  std::uint32_t lane_;
};

// Near the end of a block's last tile the second warpgroup lets the first one have the tensor cores for
// itself, so that the first one's part of C is on its way while the second one's is multiplied: all blocks
// end at about the same time, and then wait for the L2 cache to take what they write.
template <typename Plan>
struct HeadStart {
  std::uint32_t group;
  std::uint32_t steps;
  bool is_last_tile;

  __device__ __forceinline__ bool applies(std::uint32_t to_group) const {
    return Plan::kHeadStart > 0 && is_last_tile && group == to_group && steps >= Plan::kHeadStart;
  }
  __device__ __forceinline__ void before(std::uint32_t step) const {
    if (applies(1) && step == steps - Plan::kHeadStart) {
      wait_at(kHeadStartBarrier, kConsumers * kWarpgroup);
    }
  }
  __device__ __forceinline__ void after_all() const {
    if (applies(0)) {
      arrive_at_numbered(kHeadStartBarrier, kConsumers * kWarpgroup);
    }
  }
};

template <typename Plan, typename Element>
__device__ __forceinline__ void consume(const WgmmaProduct<Element>& p, const Ring& ring,
                                        unsigned char* staging, std::uint32_t block, std::uint32_t warp) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t group = warp / 4;
  const std::uint32_t tiles = p.cluster_rows * p.tile_columns;
  const std::uint32_t stride = gridDim.x / Plan::kCluster;
  Consumer<Plan, Element> consumer(ring, group, lane);
  Way way{.staging = staging + warp * (Way::kBuffers * kChunkBytes), .lane = lane};
  float sums[kWgmmaSums] = {};
  Results<Element> results = {};
  bool is_pending = false;
  for (std::uint32_t tile = blockIdx.x / Plan::kCluster; tile < tiles; tile += stride) {
    const HeadStart<Plan> head_start{group, p.steps, tile + stride >= tiles};
    std::uint32_t step = 0;
    if (Plan::kDefers && is_pending) {
#pragma unroll
      for (int chunk = 0; chunk < Results<Element>::kChunks; ++chunk) {
        consumer.issue(sums, chunk > 0);
        store_chunk(results, chunk, way, p.c, p.map_c);
        consumer.retire(chunk > 0);
      }
      step = Results<Element>::kChunks;
    }
    for (; step < p.steps; ++step) {
      head_start.before(step);
      consumer.issue(sums, step > 0);
      consumer.retire(step > 0);
    }
    head_start.after_all();
    consumer.finish(sums);
    const Corner corner = corner_of<Plan::kCluster>(tile, block, p);
    way.row = corner.row + warp * kWarpRows;
    way.column = corner.column;
    results.take(sums);
    is_pending = Plan::kDefers && !head_start.is_last_tile;
    if (!is_pending) {
      store_all(results, way, p.c, p.map_c);
    }
  }
  if (lane == 0) {
    wait_for_stores<0>();  // the block's shared memory must outlive them
  }
  __syncwarp();
}

template <typename Plan, typename Element>
__global__ void __launch_bounds__(kWgmmaThreads, 1)
    wgmma_kernel(const __grid_constant__ WgmmaProduct<Element> p) {
  if constexpr (kHasHopper) {
    extern __shared__ unsigned char memory[];
    const std::uint32_t unaligned = shared_address(memory);
    const std::uint32_t tiles = (unaligned + kSwizzleBytes - 1) / kSwizzleBytes * kSwizzleBytes;
    unsigned char* const staging = memory + (tiles - unaligned) + kStages * kStageBytes;
    const Ring ring(tiles, shared_address(staging) + kStagingBytes);
    const std::uint32_t warp = __shfl_sync(~0U, threadIdx.x / 32, 0);  // the same in all lanes, visibly
    const bool is_producer = warp == kConsumerWarps && threadIdx.x % 32 == 0;
    const std::uint32_t block = Plan::kCluster > 1 ? block_in_cluster() : 0;
    if (is_producer) {
      prefetch(p.a);
      prefetch(p.b);
      if (p.c.is_mapped) {
        prefetch(p.map_c);
      }
      ring.init(Plan::kCluster * kConsumerWarps);
    }
    __syncwarp();
    arrive_at_cluster();
    wait_for_cluster();
    if (warp >= kConsumerWarps) {
      give_registers_up<kProducerRegisters>();
      if (is_producer) {
        produce<Plan>(p, ring, block);
      }
      __syncwarp();
    } else {
      take_registers<kConsumerRegisters>();
      consume<Plan>(p, ring, staging, block, warp);
    }
    // Nobody leaves while the others of its cluster still send to it.
    arrive_at_cluster();
    wait_for_cluster();
  }
}

}  // namespace kernels::tensor_gemm
