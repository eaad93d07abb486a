// The kernel behind wgmma.cu and best.cu, and how it is launched: one thread has the copy engine fill a ring
// of stages with tiles of A and B, two warpgroups multiply them. Blocks stay for as long as there are tiles
// of C. For .cu files only.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/block_order.cuh"
#include "kernels/runtime.hpp"
#include "kernels/tensor_gemm/wgmma_tile.cuh"

namespace kernels::tensor_gemm {

// What differs between the variants: a plan is derived from this.
struct WgmmaPlan {
  using Tile = WgmmaTile<2, 256, 4>;
  static constexpr int kCluster = 1;    // blocks above each other, which share what they load of B: 1 or 2
  static constexpr int kHeadStart = 0;  // steps by which the first warpgroup ends a block's last tile earlier
  // Stores a tile while the next one is multiplied: needs more steps than a tile has chunks, and kHeadStart.
  static constexpr bool kDefers = false;
  // Threads fill the stages, for rows that the copy engine cannot take.
  static constexpr bool kCopiesByThreads = false;
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
inline constexpr int kSumsBarrier = 2;

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
  Parts parts;                 // depth counts steps
  float4* sums;                // of parts, a block's each; of groups where parts are shared
  Sharing sharing;
  bool is_beside;            // does not need what the kernel before writes, and ends after it
  Operand<Element> plain_a;  // where threads copy them
  Operand<Element> plain_b;
};

struct Corner {
  std::uint32_t row;
  std::uint32_t column;
};

template <typename Plan, typename Element>
__device__ __forceinline__ Corner corner_of(std::uint32_t tile, std::uint32_t block,
                                            const WgmmaProduct<Element>& p) {
  const GroupedTile place = grouped_tile_soon(tile, p.cluster_rows, p.tile_columns);
  return {(place.row * Plan::kCluster + block) * Plan::Tile::kRows, place.column * Plan::Tile::kColumns};
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

// The same by all threads of the loading warpgroup.
template <typename Plan, typename Element>
__device__ __forceinline__ void produce_by_threads(const WgmmaProduct<Element>& p,
                                                   Ring<typename Plan::Tile> ring, std::uint32_t thread) {
  using Tile = typename Plan::Tile;
  if (!p.is_beside) {
    wait_for_kernel_before();
  }
  for (std::uint32_t index = blockIdx.x; index < p.units; index += gridDim.x) {
    const Unit unit = unit_of(index, p.parts, p.steps);
    const Corner corner = corner_of<Plan>(unit.tile, 0, p);
    for (std::uint32_t step = 0; step < unit.depth; ++step) {
      const std::uint32_t x = (unit.first + step) * (kRowBytes / sizeof(Element));
      ring.wait_until_empty();
      copy_rows_by_word<Tile::kRows>(ring.tile_a(), p.plain_a, corner.row, x, thread);
      copy_rows_by_word<Tile::kColumns>(ring.tile_b(), p.plain_b, corner.column, x, thread);
      if (sizeof(Element) == 4 || p.plain_a.k % 2 == 0) {
        arrive_after_copies(ring.full());
      } else {
        publish_shared();
        arrive(ring.full());
      }
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
  const std::uint32_t column =
      corner.column + index / Derived<Plan>::kConsumerThreads * 8 + thread % 4 * 2;
  const std::uint32_t first_row = corner.row + thread / 32 * kWarpRows + thread % 32 / 4;
  const float sums[2][2] = {{sum.x, sum.y}, {sum.z, sum.w}};
#pragma unroll
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t row = first_row + i * 8;
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
      ring.init(Plan::kCluster * kConsumerWarps, Plan::kCopiesByThreads ? kWarpgroup : 1);
      if constexpr (!Plan::kCopiesByThreads) {
        prefetch(p.a);
        prefetch(p.b);
      }
      if (!p.is_beside) {
        wait_for_kernel_before();
      }
      // Not earlier: a kernel beside this one may begin when all of those before have ended.
      let_next_begin();
      if constexpr (!Plan::kCopiesByThreads) {
        produce_first_step<Plan>(p, ring, block);
      }
      if (p.c.is_mapped) {
        prefetch(p.map_c);
      }
    }
    __syncwarp();
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
      if constexpr (Plan::kCopiesByThreads) {
        produce_by_threads<Plan>(p, ring, threadIdx.x - Derived<Plan>::kConsumerThreads);
      } else if (is_producer) {
        produce<Plan>(p, ring, block);
      }
      if (p.is_beside) {
        wait_for_kernel_before();
      }
      __syncwarp();
      if (Plan::kCluster == 1 && p.sharing.sharers > 0) {
        meet_cluster();  // as those that add
      }
    } else {
      if constexpr (Derived<Plan>::kMovesRegisters) {
        take_registers<kConsumerRegisters>();
      }
      consume<Plan>(p, ring, staging, block, warp);
    }
    // Nobody leaves while the others of its cluster still send to it, or read from it.
    if (Plan::kCluster > 1 || p.sharing.sharers > 1) {
      meet_cluster();
    }
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

// What A · Bᵀ is to the kernel: by tiles and steps.
struct WgmmaSize {
  std::int64_t tile_rows;
  std::int64_t tile_columns;
  std::int64_t steps;
};

template <typename Tile, typename Element>
WgmmaSize size_of(const TensorGemmProblem& problem) {
  return {divide_up(problem.m, Tile::kRows), divide_up(problem.n, Tile::kColumns),
          divide_up(problem.k, kRowBytes / static_cast<std::int64_t>(sizeof(Element)))};
}

using LaunchAttributes = std::array<cudaLaunchAttribute, 2>;

template <typename Plan, typename Element>
cudaLaunchConfig_t config_of(unsigned clusters, LaunchAttributes& attributes, Stream stream,
                             int sharers = 0) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x =
      static_cast<unsigned>(std::max(Plan::kCluster, sharers));
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(clusters * Plan::kCluster);
  config.blockDim = dim3(Derived<Plan>::kThreads);
  config.dynamicSmemBytes = Derived<Plan>::kSharedBytes;
  config.stream = stream;
  config.attrs = attributes.data();
  config.numAttrs = 1;
  return config;
}

// How many clusters the current device runs at once; asked once for each device. The kernel must have been
// allowed its shared memory, which each context is asked for.
template <typename Plan, typename Element>
cudaError_t resident_clusters(int& clusters) {
  constexpr int kDevicesMax = 64;
  static std::array<std::atomic<int>, kDevicesMax> known{};
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) {
    return error;
  }
  std::atomic<int>& cached = known[static_cast<std::size_t>(device % kDevicesMax)];
  clusters = cached.load(std::memory_order_relaxed);
  if (clusters > 0) {
    return cudaSuccess;
  }
  LaunchAttributes attributes{};
  const cudaLaunchConfig_t config = config_of<Plan, Element>(1, attributes, nullptr);
  error = cudaOccupancyMaxActiveClusters(&clusters, wgmma_kernel<Plan, Element>, &config);
  if (error == cudaSuccess) {
    cached.store(clusters, std::memory_order_relaxed);
  }
  return error;
}

// Describes the three matrices to the copy engine.
template <typename Plan, typename Element>
bool encode_maps(const TensorGemmProblem& problem, WgmmaProduct<Element>& product) {
  using Tile = typename Plan::Tile;
  using Result = ResultOf<Element>;
  product.c.is_mapped = has_aligned_rows<Result>(problem.n);
  const auto m = static_cast<std::uint32_t>(problem.m);
  const auto n = static_cast<std::uint32_t>(problem.n);
  const auto k = static_cast<std::uint32_t>(problem.k);
  product.plain_a = {static_cast<const Element*>(problem.a), m, k};
  product.plain_b = {static_cast<const Element*>(problem.b), n, k};
  return (Plan::kCopiesByThreads ||
          (encode(tiled_operand<Element>(problem.a, problem.m, problem.k, Tile::kRows), product.a) &&
           encode(tiled_operand<Element>(problem.b, problem.n, problem.k, Tile::kColumns / Plan::kCluster),
                  product.b))) &&
         (!product.c.is_mapped ||
          encode(tiled_result<Result>(problem.c, problem.m, problem.n, kWarpRows), product.map_c));
}

struct WgmmaWay {
  Split split;                   // counts along k in steps, and tiles of clusters
  bool follows_padding = false;  // begins while the kernel before still runs, and waits for it
  bool is_beside = false;        // … and does not wait for it
  int sharers = 0;  // blocks add the parts themselves, so many of them in a cluster: 1, 2, 4 or 8
};

// Where there is no memory for the parts' sums, no tile is split.
template <typename Plan, typename Element>
cudaError_t launch_mapped(const TensorGemmProblem& problem, Stream stream, const WgmmaWay& way) {
  const Split& split = way.split;
  const WgmmaSize size = size_of<typename Plan::Tile, Element>(problem);
  const std::int64_t cluster_rows = divide_up(size.tile_rows, Plan::kCluster);
  const std::int64_t tiles = cluster_rows * size.tile_columns;
  WgmmaProduct<Element> product{};
  product.c = {static_cast<ResultOf<Element>*>(problem.c), static_cast<std::uint32_t>(problem.m),
               static_cast<std::uint32_t>(problem.n), false};
  product.steps = static_cast<std::uint32_t>(size.steps);
  product.cluster_rows = static_cast<std::uint32_t>(cluster_rows);
  product.tile_columns = static_cast<std::uint32_t>(size.tile_columns);
  product.parts = parts_of(Split{});
  product.is_beside = way.is_beside;
  std::int64_t units = tiles;
  if (way.sharers > 0) {
    product.sharing.sharers = static_cast<std::uint32_t>(way.sharers);
    product.sharing.groups = static_cast<std::uint32_t>(split.parts / way.sharers);
    product.parts = {0, static_cast<std::uint32_t>(split.parts), static_cast<std::uint32_t>(size.steps / split.parts),
                     static_cast<std::uint32_t>(size.steps % split.parts)};
    units = tiles * split.parts;
    if (product.sharing.groups > 1) {
      const std::int64_t vectors = tiles * product.sharing.groups * static_cast<std::int64_t>(Derived<Plan>::kPartVectors);
      product.sums = static_cast<float4*>(workspace(Workspace::kSums, stream, static_cast<std::size_t>(vectors) * sizeof(float4)));
      product.sharing.arrivals = static_cast<std::uint32_t*>(workspace(Workspace::kArrivals, stream, static_cast<std::size_t>(tiles * way.sharers) * sizeof(std::uint32_t)));
    }
  }
  const std::int64_t split_tiles = way.sharers > 0 ? 0 : split.parts > 1 ? std::max<std::int64_t>(tiles - split.whole_tiles, 0) : 0;
  if (split_tiles > 0) {
    const std::int64_t vectors =
        split_tiles * split.parts * Plan::kCluster * static_cast<std::int64_t>(Derived<Plan>::kPartVectors);
    product.sums = static_cast<float4*>(
        workspace(Workspace::kSums, stream, static_cast<std::size_t>(vectors) * sizeof(float4)));
    if (product.sums != nullptr) {
      product.parts = parts_of(split);
      units = split.whole_tiles + split_tiles * split.parts;
    }
  }
  product.units = static_cast<std::uint32_t>(units);
  int clusters = 0;
  const auto kernel = wgmma_kernel<Plan, Element>;
  auto error = static_cast<cudaError_t>(
      allow_shared_bytes(reinterpret_cast<const void*>(kernel), Derived<Plan>::kSharedBytes));
  if (error == cudaSuccess) {
    error = resident_clusters<Plan, Element>(clusters);
  }
  if (error == cudaSuccess && !encode_maps<Plan, Element>(problem, product)) {
    error = cudaErrorUnknown;
  }
  if (error == cudaSuccess) {
    LaunchAttributes attributes{};
    const auto count = way.sharers > 0 ? units : std::min<std::int64_t>(clusters, units);
    cudaLaunchConfig_t config =
        config_of<Plan, Element>(static_cast<unsigned>(count), attributes, stream, way.sharers);
    config.numAttrs = way.follows_padding ? 2 : 1;
    error = cudaLaunchKernelEx(&config, kernel, product);
  }
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // left behind for whoever asks next
    return error;
  }
  if (product.sums == nullptr || way.sharers > 0) {
    return cudaSuccess;
  }
  return launch_adder(add_parts_kernel<Plan, Element>, split_tiles * Plan::kCluster,
                      static_cast<std::int64_t>(Derived<Plan>::kPartVectors), split.parts, stream, product);
}

// At any shape.
template <typename Plan, typename Element>
int launch_wgmma(const TensorGemmProblem& problem, Stream stream, const WgmmaWay& way = {}) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  const bool can = Plan::kCopiesByThreads ? problem.k > 0 : can_map_operands<Element>(problem);
  return can ? launch_mapped<Plan, Element>(problem, stream, way)
                                            : launch_plain<Element>(problem, stream);
}

}  // namespace kernels::tensor_gemm
