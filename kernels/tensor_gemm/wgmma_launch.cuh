// How the kernel of wgmma_pipeline.cuh is launched. For .cu files only.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/tensor_gemm/plain.cuh"
#include "kernels/tensor_gemm/tensor_map.hpp"
#include "kernels/tensor_gemm/wgmma_pipeline.cuh"
#include "kernels/workspace.hpp"

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

template <typename Plan, typename Element>
cudaLaunchConfig_t config_of(unsigned clusters, LaunchAttributes& attributes, Stream stream) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = Plan::kCluster;
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
cudaError_t encode_maps(const TensorGemmProblem& problem, WgmmaProduct<Element>& product) {
  using Tile = typename Plan::Tile;
  constexpr TensorType kType = kTypeOf<Element>;
  const TiledMatrix c{kTypeOf<ResultOf<Element>>, problem.c, problem.m, problem.n, kWarpRows};
  product.c.is_mapped = has_aligned_rows(c);
  cudaError_t error = encode({kType, problem.a, problem.m, problem.k, Tile::kRows, true}, product.a);
  if (error == cudaSuccess) {
    error =
        encode({kType, problem.b, problem.n, problem.k, Tile::kColumns / Plan::kCluster, true}, product.b);
  }
  if (error == cudaSuccess && product.c.is_mapped) {
    error = encode(c, product.map_c);
  }
  return error;
}

struct WgmmaWay {
  Split split;                   // counts along k in steps, and tiles of clusters
  bool follows_padding = false;  // begins while the kernel that pads A and B still runs, and waits for it
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
  std::int64_t units = tiles;
  const std::int64_t split_tiles = split.parts > 1 ? std::max<std::int64_t>(tiles - split.whole_tiles, 0) : 0;
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
  if (error == cudaSuccess) {
    error = encode_maps<Plan, Element>(problem, product);
  }
  if (error == cudaSuccess) {
    LaunchAttributes attributes{};
    const auto count = std::min<std::int64_t>(clusters, units);
    cudaLaunchConfig_t config = config_of<Plan, Element>(static_cast<unsigned>(count), attributes, stream);
    config.numAttrs = way.follows_padding ? 2 : 1;
    error = cudaLaunchKernelEx(&config, kernel, product);
  }
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // left behind for whoever asks next
    return error;
  }
  if (product.sums == nullptr) {
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
  return can_map_operands(problem, kTypeOf<Element>) ? launch_mapped<Plan, Element>(problem, stream, way)
                                                     : launch_plain<Element>(problem, stream);
}

}  // namespace kernels::tensor_gemm
