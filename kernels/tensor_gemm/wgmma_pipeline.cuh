// The kernel behind wgmma_bf16.cu, wgmma_tf32.cu and best.cu: one thread has the copy engine fill a ring of
// stages with tiles of A and B, two warpgroups multiply them. Blocks stay for as long as there are tiles of
// C. For .cu files only.
#pragma once

#include "kernels/parts.cuh"
#include "kernels/tensor_gemm/wgmma_epilogue.cuh"
#include "kernels/tensor_gemm/wgmma_ring.cuh"

namespace kernels::tensor_gemm {

// What differs between the variants: a plan is derived from this.
struct WgmmaPlan {
  using Tile = WgmmaTile<2, 256, 4>;
  static constexpr int kCluster = 1;    // blocks above each other, which share what they load of B: 1 or 2
  static constexpr int kHeadStart = 0;  // steps by which the first warpgroup ends a block's last tile earlier
  // Stores a tile while the next one is multiplied: needs more steps than a tile has chunks, and kHeadStart.
  static constexpr bool kDefers = false;
};

// What follows from a plan.
template <typename Plan>
struct Derived {
  using Tile = typename Plan::Tile;
  static constexpr int kConsumerWarps = Tile::kConsumers * kWarpgroup / 32;
  static constexpr int kConsumerThreads = Tile::kConsumers * kWarpgroup;
  static constexpr int kThreads = kConsumerThreads + kWarpgroup;
  static constexpr int kStagingBytes = kConsumerWarps * Way::kBuffers * kChunkBytes;
  static constexpr int kSharedBytes =
      kSwizzleBytes + Tile::kStages * Tile::kStageBytes + kStagingBytes + Tile::kBarrierBytes;
  static_assert(kSharedBytes <= 227 * 1024);
  // One warpgroup that multiplies has the registers that it needs.
  static constexpr bool kMovesRegisters = Tile::kConsumers > 1;
  static constexpr std::uint64_t kPartVectors = std::uint64_t{kConsumerThreads} * Tile::kSums / 4;
};
// Of the 168 that each thread of 384 starts with.
inline constexpr int kProducerRegisters = 24;
inline constexpr int kConsumerRegisters = 240;
inline constexpr int kHeadStartBarrier = 1;

template <typename Element>
struct WgmmaProduct {
  CUtensorMap a;
  CUtensorMap b;
  CUtensorMap map_c;
  Destination<ResultOf<Element>> c;
  std::uint32_t steps;         // of 128 bytes of each row of A and B
  std::uint32_t cluster_rows;  // clusters' parts of C above each other
  std::uint32_t tile_columns;  // and side by side
  std::uint32_t units;         // of work: whole tiles of a cluster, and parts of tiles
  Parts parts;                 // depth counts steps
  float4* sums;                // of parts, a block's each
};

struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

// Blocks that run at the same time share rows of A and columns of B in the L2 cache: down a group of rows
// first, so that what they cover of C is nearly square.
template <typename Plan, typename Element>
__device__ __forceinline__ Corner corner_of(std::uint32_t tile, std::uint32_t block,
                                            const WgmmaProduct<Element>& p) {
  constexpr std::uint32_t kGroup = 8;
  const std::uint32_t per_group = kGroup * p.tile_columns;
  // A division takes about 100 cycles, and nothing is loaded before: the first tile of most blocks needs
  // none.
  const std::uint32_t group = tile < per_group ? 0 : tile / per_group;
  const std::uint32_t height = min(p.cluster_rows - group * kGroup, kGroup);
  const std::uint32_t in_group = tile - group * per_group;
  const std::uint32_t column = height == kGroup ? in_group / kGroup : in_group / height;
  const std::uint32_t row = group * kGroup + in_group - column * height;
  return {(row * Plan::kCluster + block) * Plan::Tile::kRows, column * Plan::Tile::kColumns};
}

// What a cluster shares can be sent when all of its blocks are there. Until then, each one loads what it
// needs first by itself.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce_first_step(const WgmmaProduct<Element>& p,
                                                   const Ring<typename Plan::Tile>& ring,
                                                   std::uint32_t block) {
  using Tile = typename Plan::Tile;
  constexpr std::uint32_t kPartRows = Tile::kColumns / Plan::kCluster;
  const Unit unit = unit_of(blockIdx.x / Plan::kCluster, p.parts, p.steps);
  const Corner corner = corner_of<Plan>(unit.tile, block, p);
  const std::uint32_t x = unit.first * (kRowBytes / sizeof(Element));
  arrive_expecting(ring.full(), Tile::kStageBytes);
  load_tile(ring.tile_a(), p.a, ring.full(), x, corner.row);
#pragma unroll
  for (std::uint32_t row = 0; row < Tile::kColumns; row += kPartRows) {
    load_tile(ring.tile_b() + row * kRowBytes, p.b, ring.full(), x, corner.column + row);
  }
}

// One thread's work after that. Each block of a cluster loads its own rows of A, and half of the rows of B
// for both.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce(const WgmmaProduct<Element>& p, Ring<typename Plan::Tile> ring,
                                        std::uint32_t block) {
  using Tile = typename Plan::Tile;
  constexpr std::uint32_t kStep = kRowBytes / sizeof(Element);
  constexpr std::uint16_t kAll = (1U << Plan::kCluster) - 1;
  constexpr std::uint32_t kPartRows = Tile::kColumns / Plan::kCluster;
  std::uint32_t step = 1;
  ring.advance();
  for (std::uint32_t index = blockIdx.x / Plan::kCluster; index < p.units;
       index += gridDim.x / Plan::kCluster) {
    const Unit unit = unit_of(index, p.parts, p.steps);
    const Corner corner = corner_of<Plan>(unit.tile, block, p);
    for (; step < unit.depth; ++step) {
      const std::uint32_t x = (unit.first + step) * kStep;
      ring.wait_until_empty();
      arrive_expecting(ring.full(), Tile::kStageBytes);
      load_tile(ring.tile_a(), p.a, ring.full(), x, corner.row);
      const std::uint32_t part = ring.tile_b() + block * kPartRows * kRowBytes;
      const std::uint32_t part_row = corner.column + block * kPartRows;
      if constexpr (Plan::kCluster > 1) {
        load_tile_to_all(part, p.b, ring.full(), x, part_row, kAll);
      } else {
        load_tile(part, p.b, ring.full(), x, part_row);
      }
      ring.advance();
    }
    step = 0;
  }
}

// A warpgroup's way along k. Two steps are under way at a time: when the next one has been issued, the one
// before is waited for, and its stage given back.
template <typename Plan, typename Element>
class Consumer {
  using Tile = typename Plan::Tile;

 public:
  __device__ __forceinline__ Consumer(const Ring<Tile>& ring, std::uint32_t group, std::uint32_t lane)
      : ring_(ring), first_row_(group * kWgmmaRows * kRowBytes), lane_(lane) {}

  __device__ __forceinline__ void issue(float (&sums)[Tile::kSums], bool add) {
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
  __device__ __forceinline__ void finish(float (&sums)[Tile::kSums]) {
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

  Ring<Tile> ring_;
  std::uint32_t previous_ = 0;
  std::uint32_t first_row_;
  std::uint32_t lane_;
};

// Near the end of a block's last tile the second warpgroup lets the first one have the tensor cores for
// itself, so that the first one's part of C is on its way while the second one's is multiplied: all blocks
// end at about the same time, and then wait for the L2 cache to take what they write.
template <typename Plan>
struct HeadStart {
  static constexpr int kThreads = Derived<Plan>::kConsumerThreads;
  std::uint32_t group;
  std::uint32_t steps;
  bool is_last_tile;

  __device__ __forceinline__ bool applies(std::uint32_t to_group) const {
    return Plan::kHeadStart > 0 && is_last_tile && group == to_group && steps >= Plan::kHeadStart;
  }
  __device__ __forceinline__ void before(std::uint32_t step) const {
    if (applies(1) && step == steps - Plan::kHeadStart) {
      wait_at(kHeadStartBarrier, kThreads);
    }
  }
  __device__ __forceinline__ void after_all() const {
    if (applies(0)) {
      arrive_at_numbered(kHeadStartBarrier, kThreads);
    }
  }
};

template <typename Plan, typename Element>
__device__ __forceinline__ void consume(const WgmmaProduct<Element>& p, const Ring<typename Plan::Tile>& ring,
                                        unsigned char* staging, std::uint32_t block, std::uint32_t warp) {
  using Tile = typename Plan::Tile;
  using TileResults = Results<ResultOf<Element>, Tile::kSums>;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t group = warp / 4;
  const std::uint32_t stride = gridDim.x / Plan::kCluster;
  Consumer<Plan, Element> consumer(ring, group, lane);
  Way way{.staging = staging + warp * (Way::kBuffers * kChunkBytes), .lane = lane};
  float sums[Tile::kSums];
  leave_undefined(sums);
  TileResults results = {};
  bool is_pending = false;
  for (std::uint32_t index = blockIdx.x / Plan::kCluster; index < p.units; index += stride) {
    const Unit unit = unit_of(index, p.parts, p.steps);
    const HeadStart<Plan> head_start{group, unit.depth, index + stride >= p.units};
    const Corner corner = corner_of<Plan>(unit.tile, block, p);
    std::uint32_t step = 0;
    if (Plan::kDefers && is_pending) {
#pragma unroll
      for (int chunk = 0; chunk < TileResults::kChunks; ++chunk) {
        consumer.issue(sums, chunk > 0);
        store_chunk(results, chunk, way, p.c, p.map_c);
        consumer.retire(chunk > 0);
      }
      step = TileResults::kChunks;
    }
    for (; step < unit.depth; ++step) {
      head_start.before(step);
      consumer.issue(sums, step > 0);
      consumer.retire(step > 0);
    }
    head_start.after_all();
    consumer.finish(sums);
    is_pending = false;
    if (unit.part != kWhole) {
      store_part(sums, p.sums + (unit.part * Plan::kCluster + block) * Derived<Plan>::kPartVectors,
                 Derived<Plan>::kConsumerThreads);
      continue;
    }
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
__global__ void __launch_bounds__(Derived<Plan>::kThreads, 1)
    wgmma_kernel(const __grid_constant__ WgmmaProduct<Element> p) {
  if constexpr (kHasHopper) {
    using Tile = typename Plan::Tile;
    constexpr int kConsumerWarps = Derived<Plan>::kConsumerWarps;
    extern __shared__ unsigned char memory[];
    const std::uint32_t unaligned = shared_address(memory);
    const std::uint32_t tiles = (unaligned + kSwizzleBytes - 1) / kSwizzleBytes * kSwizzleBytes;
    unsigned char* const staging = memory + (tiles - unaligned) + Tile::kStages * Tile::kStageBytes;
    const Ring<Tile> ring(tiles, shared_address(staging) + Derived<Plan>::kStagingBytes);
    const std::uint32_t warp = __shfl_sync(~0U, threadIdx.x / 32, 0);  // the same in all lanes, visibly
    const bool is_producer = is_elected() && warp == kConsumerWarps;
    const std::uint32_t block = Plan::kCluster > 1 ? block_in_cluster() : 0;
    if (is_producer) {
      prefetch(p.a);
      prefetch(p.b);
      ring.init(Plan::kCluster * kConsumerWarps);
      wait_for_kernel_before();
      produce_first_step<Plan>(p, ring, block);
      if (p.c.is_mapped) {
        prefetch(p.map_c);
      }
    }
    __syncwarp();
    let_next_begin();
    if constexpr (Plan::kCluster > 1) {
      arrive_at_cluster();
      wait_for_cluster();
    } else {
      __syncthreads();
    }
    if (warp >= kConsumerWarps) {
      if constexpr (Derived<Plan>::kMovesRegisters) {
        give_registers_up<kProducerRegisters>();
      }
      if (is_producer) {
        produce<Plan>(p, ring, block);
      }
      __syncwarp();
    } else {
      if constexpr (Derived<Plan>::kMovesRegisters) {
        take_registers<kConsumerRegisters>();
      }
      consume<Plan>(p, ring, staging, block, warp);
    }
    // Nobody leaves while the others of its cluster still send to it.
    if constexpr (Plan::kCluster > 1) {
      leave_cluster();
    }
  }
}

// C of the tiles that were split: a thread has what one of a part's threads had, four sums of it.
template <typename Plan, typename Element>
__global__ void __launch_bounds__(kAddThreads)
    add_parts_kernel(const __grid_constant__ WgmmaProduct<Element> p) {
  using Result = ResultOf<Element>;
  constexpr std::uint32_t kVectors = Derived<Plan>::kPartVectors;
  const std::uint32_t line = folded_block_y();  // a block of a cluster, of each tile that was split
  const std::uint32_t tile = line / Plan::kCluster;
  const std::uint32_t block = line % Plan::kCluster;
  wait_for_kernel_before();
  if (p.parts.whole_tiles + tile >= p.cluster_rows * p.tile_columns) {
    return;
  }
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t stride = kVectors * Plan::kCluster;
  const float4 sum = add_parts({p.sums, stride, p.parts.parts}, tile, block * kVectors + index);
  if (threadIdx.y > 0) {
    return;
  }
  const std::uint32_t thread = index % Derived<Plan>::kConsumerThreads;
  const std::uint32_t part = index / Derived<Plan>::kConsumerThreads;
  const Corner corner = corner_of<Plan>(p.parts.whole_tiles + tile, block, p);
  const std::uint32_t column = corner.column + part * 8 + thread % 4 * 2;
  const float sums[2][2] = {{sum.x, sum.y}, {sum.z, sum.w}};
#pragma unroll
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t row = corner.row + thread / 32 * kWarpRows + thread % 32 / 4 + i * 8;
    Result* const to = p.c.data + (static_cast<std::uint64_t>(row) * p.c.columns + column);
    if (row >= p.c.rows || column >= p.c.columns) {
      continue;
    }
    to[0] = static_cast<Result>(sums[i][0]);
    if (column + 1 < p.c.columns) {
      to[1] = static_cast<Result>(sums[i][1]);
    }
  }
}

}  // namespace kernels::tensor_gemm
