// How the kernel of wgmma_pipeline.cuh is launched. For .cu files only.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "kernels/runtime.hpp"
#include "kernels/tensor_gemm/wgmma_pipeline.cuh"

namespace kernels::tensor_gemm {

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

// The kernel begins while the one before still runs, if that one lets it, and waits for it before it reads.
template <typename Plan, typename Element>
cudaLaunchConfig_t config_of(std::int64_t blocks, int cluster, LaunchAttributes& attributes, Stream stream) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = static_cast<unsigned>(cluster);
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(Derived<Plan>::kThreads);
  config.dynamicSmemBytes = Derived<Plan>::kSharedBytes;
  config.stream = stream;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
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
  const cudaLaunchConfig_t config =
      config_of<Plan, Element>(Plan::kCluster, Plan::kCluster, attributes, nullptr);
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
  product.c.is_mapped =
      has_aligned_rows<Result>(product.c.columns) && (!Plan::kTurned || sizeof(Result) == 2);
  if (Plan::kTurned && sizeof(Result) == 2 && !product.c.is_mapped) {
    return false;  // choice.hpp takes no such plan
  }
  product.plain_a = {static_cast<const Element*>(problem.a), static_cast<std::uint32_t>(problem.m),
                     static_cast<std::uint32_t>(problem.k)};
  product.plain_b = {static_cast<const Element*>(problem.b), static_cast<std::uint32_t>(problem.n),
                     static_cast<std::uint32_t>(problem.k)};
  return (Plan::kCopiesByThreads ||
          (encode(tiled_operand<Element>(problem.a, problem.m, problem.k, Tile::kRows / Plan::kAcross),
                  product.a) &&
           encode(
               tiled_operand<Element>(problem.b, problem.n, problem.k, Tile::kColumns / Derived<Plan>::kDown),
               product.b))) &&
         (!product.c.is_mapped || encode(tiled_result<Result>(problem.c, product.c.rows, product.c.columns,
                                                              Plan::kTurned ? Tile::kColumns : kWarpRows),
                                         product.map_c));
}

struct WgmmaWay {
  Split split;  // counts along k in steps, and tiles of clusters; `depth` only where another kernel adds
  int sharers =
      0;  // blocks add the parts of all tiles themselves, so many in a cluster; 0: another kernel does
};

// Deals `tiles` of clusters out, and finds memory for the parts' sums; where there is none, no tile is split.
// Returns the tiles whose parts another kernel must add.
template <typename Plan, typename Element>
std::int64_t deal_out(const WgmmaWay& way, std::int64_t tiles, Stream stream,
                      WgmmaProduct<Element>& product) {
  const Split& split = way.split;
  const auto sums_of = [&](std::int64_t parts) {
    const std::int64_t vectors =
        parts * Plan::kCluster * static_cast<std::int64_t>(Derived<Plan>::kPartVectors);
    return static_cast<float4*>(
        workspace(Workspace::kSums, stream, static_cast<std::size_t>(vectors) * sizeof(float4)));
  };
  product.parts = {parts_of(Split{})};
  product.units = static_cast<std::uint32_t>(tiles);
  if (split.parts == 1) {
    return 0;
  }
  if (way.sharers == 0) {
    const std::int64_t split_tiles = tiles - split.whole_tiles;
    product.sums = sums_of(split_tiles * split.parts);
    if (product.sums == nullptr) {
      return 0;
    }
    product.parts = {parts_of(split)};
    product.units = static_cast<std::uint32_t>(split.whole_tiles + split_tiles * split.parts);
    return split_tiles;
  }
  const std::int64_t groups = split.parts / way.sharers;
  if (groups > 1) {
    product.sums = sums_of(tiles * groups);
    product.sharing.arrivals = static_cast<std::uint32_t*>(workspace(
        Workspace::kArrivals, stream, static_cast<std::size_t>(tiles * way.sharers) * sizeof(std::uint32_t)));
    if (product.sums == nullptr || product.sharing.arrivals == nullptr) {
      return 0;
    }
  }
  const auto parts = static_cast<std::uint32_t>(split.parts);
  product.sharing.sharers = static_cast<std::uint32_t>(way.sharers);
  product.sharing.groups = static_cast<std::uint32_t>(groups);
  product.parts = {{0, parts, product.steps / parts}, product.steps % parts};
  product.units = static_cast<std::uint32_t>(tiles) * parts;
  return 0;
}

template <typename Plan, typename Element>
cudaError_t launch_mapped(TensorGemmProblem problem, Stream stream, const WgmmaWay& way) {
  WgmmaProduct<Element> product{};
  product.c = {static_cast<ResultOf<Element>*>(problem.c), static_cast<std::uint32_t>(problem.m),
               static_cast<std::uint32_t>(problem.n), false};
  if constexpr (Plan::kTurned) {
    std::swap(problem.a, problem.b);
    std::swap(problem.m, problem.n);
  }
  const WgmmaSize size = size_of<typename Plan::Tile, Element>(problem);
  product.steps = static_cast<std::uint32_t>(size.steps);
  product.cluster_rows = static_cast<std::uint32_t>(divide_up(size.tile_rows, Derived<Plan>::kDown));
  product.tile_columns = static_cast<std::uint32_t>(divide_up(size.tile_columns, Plan::kAcross));
  const std::int64_t split_tiles =
      deal_out<Plan>(way, std::int64_t{product.cluster_rows} * product.tile_columns, stream, product);
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
    const auto sharers = static_cast<int>(product.sharing.sharers);
    const std::int64_t blocks =
        sharers > 0 ? product.units : std::min<std::int64_t>(clusters, product.units) * Plan::kCluster;
    const cudaLaunchConfig_t config =
        config_of<Plan, Element>(blocks, std::max(sharers, Plan::kCluster), attributes, stream);
    error = cudaLaunchKernelEx(&config, kernel, product);
  }
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // left behind for whoever asks next
    return error;
  }
  if (split_tiles == 0) {
    return cudaSuccess;
  }
  return launch_adder(add_parts_kernel<Plan, Element>, split_tiles * Plan::kCluster,
                      static_cast<std::int64_t>(Derived<Plan>::kPartVectors), way.split.parts, stream,
                      product);
}

// At any shape.
template <typename Plan, typename Element>
int launch_wgmma(const TensorGemmProblem& problem, Stream stream, const WgmmaWay& way = {}) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  const bool can = Plan::kCopiesByThreads ? problem.k > 0 : can_map_operands<Element>(problem);
  return can ? launch_mapped<Plan, Element>(problem, stream, way) : launch_plain<Element>(problem, stream);
}

}  // namespace kernels::tensor_gemm
