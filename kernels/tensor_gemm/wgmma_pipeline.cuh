// The kernel behind wgmma.cu and best.cu: one thread has the copy engine fill a ring of stages with tiles of
// A and B (or a warpgroup copies them), one to three warpgroups multiply them. Blocks stay for as long as
// there are tiles of C. For .cu files only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/block_order.cuh"
#include "kernels/runtime.hpp"
#include "kernels/tensor_gemm/wgmma_tile.cuh"

namespace kernels::tensor_gemm {

// What differs between the variants: a plan is derived from this.
struct WgmmaPlan {
  using Tile = WgmmaTile<2, 256, 4>;
  static constexpr int kCluster = 1;    // blocks of a cluster
  static constexpr int kAcross = 1;     // of them side by side, which share what they load of A; others of B
  static constexpr int kHeadStart = 0;  // steps by which the first warpgroup ends a block's last tile earlier
  // Stores a tile while the next one is multiplied: needs more steps than a tile has chunks, and kHeadStart.
  static constexpr bool kDefers = false;
  // Threads fill the stages, for rows that the copy engine cannot take: so many.
  static constexpr bool kCopiesByThreads = false;
  static constexpr int kCopyThreads = kWarpgroup;
  // A and B change places, and C is stored turned: its columns are cut in tiles' rows.
  static constexpr bool kTurned = false;
};

// As many stages as a multiprocessor has shared memory for, beside what results go through.
constexpr int staging_bytes(int consumers, int columns, bool is_turned) {
  return is_turned ? consumers * columns * kRowBytes : consumers * 4 * Way::kBuffers * kChunkBytes;
}
constexpr int stages_that_fit(int consumers, int columns, bool is_turned) {
  constexpr int kStagesMax = 12;
  constexpr int kBarriers = 16 * kStagesMax;
  const int left = 227 * 1024 - kSwizzleBytes - kBarriers - staging_bytes(consumers, columns, is_turned);
  return std::min(kStagesMax, left / ((consumers * kWgmmaRows + columns) * kRowBytes));
}

// What follows from a plan.
template <typename Plan>
struct Derived {
  using Tile = typename Plan::Tile;
  static constexpr int kDown = Plan::kCluster / Plan::kAcross;
  static constexpr int kConsumerWarps = Tile::kConsumers * kWarpgroup / 32;
  static constexpr int kConsumerThreads = Tile::kConsumers * kWarpgroup;
  static constexpr int kThreads = kConsumerThreads + Plan::kCopyThreads;
  static constexpr int kStagingBytes = staging_bytes(Tile::kConsumers, Tile::kColumns, Plan::kTurned);
  static constexpr int kSharedBytes =
      kSwizzleBytes + Tile::kStages * Tile::kStageBytes + kStagingBytes + Tile::kBarrierBytes;
  static_assert(kSharedBytes <= 227 * 1024);
  // Of two warpgroups, each has the registers that it needs.
  static constexpr bool kMovesRegisters = kThreads > 2 * kWarpgroup;
  static constexpr std::uint64_t kPartVectors = std::uint64_t{kConsumerThreads} * Tile::kSums / 4;
};
// Of the 168 that each thread of 384 starts with.
template <typename Plan>
inline constexpr int kProducerRegisters = Plan::kCopiesByThreads ? 96 : 24;
template <typename Plan>
inline constexpr int kConsumerRegisters = Plan::Tile::kConsumers > 2 ? 160 : 240;
inline constexpr int kHeadStartBarrier = 1;
inline constexpr int kSumsBarrier = 2;
inline constexpr int kStoreBarrier = 3;  // and those after it, one for each warpgroup

// How blocks add the parts of a tile themselves.
struct Sharing {
  std::uint32_t sharers = 0;  // neighbours in a cluster that take parts of the same tile; 0: nobody shares
  std::uint32_t groups = 1;   // of sharers, for each tile
  std::uint32_t* arrivals = nullptr;  // for each sharer's share of each tile; all 0 between launches
};

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
  EvenParts parts;             // depth counts steps
  float4* sums;                // of parts, a block's each; of groups where parts are shared
  Sharing sharing;
  Operand<Element> plain_a;  // where threads copy them
  Operand<Element> plain_b;
};

struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

// Where in its cluster a block is.
template <typename Plan>
__device__ __forceinline__ std::uint32_t down_of(std::uint32_t block) {
  return Plan::kAcross > 1 ? block % Derived<Plan>::kDown : block;
}
template <typename Plan>
__device__ __forceinline__ std::uint32_t across_of(std::uint32_t block) {
  return Plan::kAcross > 1 ? block / Derived<Plan>::kDown : 0;
}

template <typename Plan, typename Element>
__device__ __forceinline__ Corner corner_of(std::uint32_t tile, std::uint32_t block,
                                            const WgmmaProduct<Element>& p) {
  constexpr std::uint32_t kDown = Derived<Plan>::kDown;
  const GroupedTile place = grouped_tile_soon(tile, p.cluster_rows, p.tile_columns);
  return {(place.row * kDown + down_of<Plan>(block)) * Plan::Tile::kRows,
          (place.column * Plan::kAcross + across_of<Plan>(block)) * Plan::Tile::kColumns};
}

// What a cluster shares can be sent when all of its blocks are there. Until then, each one loads what it
// needs first by itself.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce_first_step(const WgmmaProduct<Element>& p,
                                                   const Ring<typename Plan::Tile>& ring,
                                                   std::uint32_t block) {
  using Tile = typename Plan::Tile;
  constexpr std::uint32_t kPartA = Tile::kRows / Plan::kAcross;
  constexpr std::uint32_t kPartB = Tile::kColumns / Derived<Plan>::kDown;
  const Unit unit = unit_of(blockIdx.x / Plan::kCluster, p.parts, p.steps);
  const Corner corner = corner_of<Plan>(unit.tile, block, p);
  const std::uint32_t x = unit.first * (kRowBytes / sizeof(Element));
  arrive_expecting(ring.full(), Tile::kStageBytes);
#pragma unroll
  for (std::uint32_t row = 0; row < Tile::kRows; row += kPartA) {
    load_tile(ring.tile_a() + row * kRowBytes, p.a, ring.full(), x, corner.row + row);
  }
#pragma unroll
  for (std::uint32_t row = 0; row < Tile::kColumns; row += kPartB) {
    load_tile(ring.tile_b() + row * kRowBytes, p.b, ring.full(), x, corner.column + row);
  }
}

// A part of a tile, for those blocks of the cluster that need it.
template <bool kShared>
__device__ __forceinline__ void load_part(std::uint32_t to, const CUtensorMap& map, std::uint32_t barrier,
                                          std::uint32_t x, std::uint32_t row, std::uint32_t blocks) {
  if constexpr (kShared) {
    load_tile_to_all(to, map, barrier, x, row, static_cast<std::uint16_t>(blocks));
  } else {
    load_tile(to, map, barrier, x, row);
  }
}

// One thread's work after that. Blocks of a cluster side by side have the same rows of A, those above each
// other the same rows of B: each loads a share of them for all.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce(const WgmmaProduct<Element>& p, Ring<typename Plan::Tile> ring,
                                        std::uint32_t block) {
  using Tile = typename Plan::Tile;
  constexpr std::uint32_t kStep = kRowBytes / sizeof(Element);
  constexpr std::uint32_t kDown = Derived<Plan>::kDown;
  constexpr std::uint32_t kPartA = Tile::kRows / Plan::kAcross;
  constexpr std::uint32_t kPartB = Tile::kColumns / kDown;
  const std::uint32_t down = down_of<Plan>(block);
  const std::uint32_t across = across_of<Plan>(block);
  std::uint32_t row_mates = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < Plan::kAcross; ++i) {
    row_mates |= 1U << (i * kDown + down);
  }
  const std::uint32_t column_mates = ((1U << kDown) - 1) << (across * kDown);
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
      load_part<(Plan::kAcross > 1)>(ring.tile_a() + across * kPartA * kRowBytes, p.a, ring.full(), x,
                                     corner.row + across * kPartA, row_mates);
      load_part<(kDown > 1)>(ring.tile_b() + down * kPartB * kRowBytes, p.b, ring.full(), x,
                             corner.column + down * kPartB, column_mates);
      ring.advance();
    }
    step = 0;
  }
}

// The same by all threads that load.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce_by_threads(const WgmmaProduct<Element>& p,
                                                   Ring<typename Plan::Tile> ring, std::uint32_t thread) {
  using Tile = typename Plan::Tile;
  wait_for_kernel_before();
  for (std::uint32_t index = blockIdx.x; index < p.units; index += gridDim.x) {
    const Unit unit = unit_of(index, p.parts, p.steps);
    const Corner corner = corner_of<Plan>(unit.tile, 0, p);
    for (std::uint32_t step = 0; step < unit.depth; ++step) {
      const std::uint32_t x = (unit.first + step) * (kRowBytes / sizeof(Element));
      ring.wait_until_empty();
      copy_rows_by_word<Tile::kRows, Plan::kCopyThreads>(ring.tile_a(), p.plain_a, corner.row, x, thread);
      copy_rows_by_word<Tile::kColumns, Plan::kCopyThreads>(ring.tile_b(), p.plain_b, corner.column, x,
                                                            thread);
      arrive_after_copies(ring.full());
      ring.advance();
    }
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
    if constexpr (Plan::kCopiesByThreads) {
      publish_shared();  // what copies of threads brought, to wgmma
    }
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

// Stores vector `index` of a block's sums, four of what one thread had.
template <typename Plan, typename Element>
__device__ __forceinline__ void store_vector(const Destination<ResultOf<Element>>& c, const Corner& corner,
                                             std::uint32_t index, const float4& sum) {
  using Result = ResultOf<Element>;
  const std::uint32_t thread = index % Derived<Plan>::kConsumerThreads;
  const std::uint32_t column = corner.column + index / Derived<Plan>::kConsumerThreads * 8 + thread % 4 * 2;
  const std::uint32_t first_row = corner.row + thread / 32 * kWarpRows + thread % 32 / 4;
  const float sums[2][2] = {{sum.x, sum.y}, {sum.z, sum.w}};
#pragma unroll
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t row = first_row + i * 8;
    if constexpr (Plan::kTurned) {
#pragma unroll
      for (std::uint32_t j = 0; j < 2; ++j) {
        if (row < c.columns && column + j < c.rows) {
          c.data[static_cast<std::uint64_t>(column + j) * c.columns + row] = static_cast<Result>(sums[i][j]);
        }
      }
      continue;
    }
    Result* const to = c.data + (static_cast<std::uint64_t>(row) * c.columns + column);
    if (row >= c.rows || column >= c.columns) {
      continue;
    }
    struct alignas(2 * sizeof(Result)) Pair {
      Result first;
      Result second;
    };
    if (c.columns % 2 == 0) {
      *reinterpret_cast<Pair*>(to) = {static_cast<Result>(sums[i][0]), static_cast<Result>(sums[i][1])};
      continue;
    }
    to[0] = static_cast<Result>(sums[i][0]);
    if (column + 1 < c.columns) {
      to[1] = static_cast<Result>(sums[i][1]);
    }
  }
}

// Adds the parts of a tile, always in the same order: first those of the cluster, each block a share of the
// tile, from each other's shared memory; then those of all groups, by the one that comes last, from global
// memory. `at` is where a block may put its sums down.
template <typename Plan, typename Element>
__device__ __forceinline__ void add_shared(const WgmmaProduct<Element>& p,
                                           const float (&sums)[Plan::Tile::kSums], std::uint32_t at,
                                           unsigned char* flag, const Unit& unit, const Corner& corner) {
  constexpr std::uint32_t kThreads = Derived<Plan>::kConsumerThreads;
  constexpr std::uint32_t kVectors = Derived<Plan>::kPartVectors;
  const std::uint32_t sharers = p.sharing.sharers;
  const std::uint32_t groups = p.sharing.groups;
  const std::uint32_t rank = block_in_cluster();
  wait_at(kSumsBarrier, kThreads);  // all have read the last stages
#pragma unroll
  for (int i = 0; i < Plan::Tile::kSums; i += 4) {
    store_shared(at + (i / 4 * kThreads + threadIdx.x) * sizeof(float4),
                 make_float4(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]));
  }
  meet_cluster();
  const std::uint32_t begin = rank * (kVectors / sharers) + threadIdx.x;
  const std::uint32_t end = (rank + 1) * (kVectors / sharers);
  const auto plus = [](const float4& sum, const float4& more) {
    return make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
  };
  float4* const all = p.sums + static_cast<std::uint64_t>(unit.tile) * groups * kVectors;
  float4* const own = all + unit.part % p.parts.parts / sharers * kVectors;
#pragma unroll 2
  for (std::uint32_t i = begin; i < end; i += kThreads) {
    float4 sum = load_shared_of(0, at + i * sizeof(float4));
#pragma unroll 4
    for (std::uint32_t block = 1; block < sharers; ++block) {
      sum = plus(sum, load_shared_of(block, at + i * sizeof(float4)));
    }
    if (groups == 1) {
      store_vector<Plan, Element>(p.c, corner, i, sum);
    } else {
      own[i] = sum;
    }
  }
  if (groups == 1) {
    return;
  }
  auto* const is_last = reinterpret_cast<volatile std::uint32_t*>(flag);
  __threadfence();
  wait_at(kSumsBarrier, kThreads);
  if (threadIdx.x == 0) {
    std::uint32_t* const arrived = p.sharing.arrivals + unit.tile * sharers + rank;
    *is_last = atomicAdd(arrived, 1) == groups - 1 ? 1 : 0;
    __threadfence();
    if (*is_last != 0) {
      *arrived = 0;
    }
  }
  wait_at(kSumsBarrier, kThreads);
  if (*is_last == 0) {
    return;
  }
#pragma unroll 2
  for (std::uint32_t i = begin; i < end; i += kThreads) {
    float4 sum = __ldcg(all + i);
#pragma unroll 4
    for (std::uint32_t group = 1; group < groups; ++group) {
      sum = plus(sum, __ldcg(all + group * kVectors + i));
    }
    store_vector<Plan, Element>(p.c, corner, i, sum);
  }
}

// Stores a warp's sums turned: 32 bytes of four rows of C at a time.
template <int kSums>
__device__ __forceinline__ void store_turned(const Destination<float>& c, const float (&sums)[kSums],
                                             std::uint32_t row, std::uint32_t column, std::uint32_t lane) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    const std::uint32_t down = column + i / 4 * 8 + lane % 4 * 2 + i % 2;
    const std::uint32_t across = row + i % 4 / 2 * 8 + lane / 4;
    if (down < c.rows && across < c.columns) {
      c.data[static_cast<std::uint64_t>(down) * c.columns + across] = sums[i];
    }
  }
}

// The same of two bytes each, by the copy engine: a warpgroup's 64 columns of C, turned on their way to
// shared memory.
template <int kSums>
__device__ __forceinline__ void store_turned_tile(const CUtensorMap& map, const float (&sums)[kSums],
                                                  unsigned char* staging, std::uint32_t row,
                                                  std::uint32_t column) {
  const std::uint32_t group = threadIdx.x / kWarpgroup;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x % kWarpgroup / 32;
  const std::uint32_t to = shared_address(staging) + group * (kSums * 2 * kRowBytes);
  const int barrier = kStoreBarrier + static_cast<int>(group);
  if (threadIdx.x % kWarpgroup == 0) {
    wait_for_stores<0>();
  }
  wait_at(barrier, kWarpgroup);
#pragma unroll
  for (int i = 0; i < kSums; i += 8) {
    std::uint32_t pairs[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pairs[j]) : "f"(sums[i + 2 * j + 1]), "f"(sums[i + 2 * j]));
    }
    const std::uint32_t of_tile = i * 2 + lane / 16 * 8 + lane % 8;
    store_turned_matrices(to + swizzled(of_tile, warp * 2 + lane / 8 % 2), pairs);
  }
  publish_shared();
  wait_at(barrier, kWarpgroup);
  if (threadIdx.x % kWarpgroup == 0) {
    store_tile(map, to, row + group * kWgmmaRows, column);
  }
}

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
    if (Plan::kCluster == 1 && p.sharing.sharers > 0) {
      add_shared<Plan>(p, sums, ring.first_stage(), staging, unit, corner);
      break;  // a block has one part
    }
    if (unit.part != kWhole) {
      store_part(sums, p.sums + (unit.part * Plan::kCluster + block) * Derived<Plan>::kPartVectors,
                 Derived<Plan>::kConsumerThreads);
      continue;
    }
    if constexpr (Plan::kTurned) {
      if constexpr (sizeof(ResultOf<Element>) == 2) {
        store_turned_tile(p.map_c, sums, staging, corner.row, corner.column);
      } else {
        store_turned(p.c, sums, corner.row + warp * kWarpRows, corner.column, lane);
      }
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
      ring.init(Plan::kCluster * kConsumerWarps, Plan::kCopiesByThreads ? Plan::kCopyThreads : 1);
      if constexpr (!Plan::kCopiesByThreads) {
        prefetch(p.a);
        prefetch(p.b);
        wait_for_kernel_before();
        produce_first_step<Plan>(p, ring, block);
      }
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
        give_registers_up<kProducerRegisters<Plan>>();
      }
      if constexpr (Plan::kCopiesByThreads) {
        produce_by_threads<Plan>(p, ring, threadIdx.x - Derived<Plan>::kConsumerThreads);
      } else if (is_producer) {
        produce<Plan>(p, ring, block);
      }
      __syncwarp();
      if (Plan::kCluster == 1 && p.sharing.sharers > 0) {
        meet_cluster();  // as those that add
      }
    } else {
      if constexpr (Derived<Plan>::kMovesRegisters) {
        take_registers<kConsumerRegisters<Plan>>();
      }
      consume<Plan>(p, ring, staging, block, warp);
    }
    // Nobody leaves while the others of its cluster still send to it, or read from it.
    if (Plan::kCluster > 1 || p.sharing.sharers > 1) {
      meet_cluster();
    }
  } else {
    __trap();  // not compiled for sm_90a: an error, and no result that nobody wrote
  }
}

// C of the tiles that were split: a thread has what one of a part's threads had, four sums of it.
template <typename Plan, typename Element>
__global__ void __launch_bounds__(kAddThreads)
    add_parts_kernel(const __grid_constant__ WgmmaProduct<Element> p) {
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
  const Corner corner = corner_of<Plan>(p.parts.whole_tiles + tile, block, p);
  store_vector<Plan, Element>(p.c, corner, index, sum);
}

}  // namespace kernels::tensor_gemm
