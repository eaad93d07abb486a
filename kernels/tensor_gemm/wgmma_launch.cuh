// How the kernel of wgmma_pipeline.cuh is launched. For .cu files only.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/tensor_gemm/plain.cuh"
#include "kernels/tensor_gemm/tensor_map.hpp"
#include "kernels/tensor_gemm/wgmma_pipeline.cuh"

namespace kernels::tensor_gemm {

template <typename Element>
inline constexpr TensorType kTypeOf = sizeof(Element) == 2 ? TensorType::kBf16 : TensorType::kTf32;

// What A · Bᵀ is to the kernel: by tiles and steps.
struct WgmmaSize {
  std::int64_t tile_rows;
  std::int64_t tile_columns;
  std::int64_t steps;
};

template <typename Element>
WgmmaSize size_of(const TensorGemmProblem& problem) {
  return {divide_up(problem.m, kTileRows), divide_up(problem.n, kTileColumns),
          divide_up(problem.k, kRowBytes / static_cast<std::int64_t>(sizeof(Element)))};
}

template <typename Plan, typename Element>
cudaLaunchConfig_t config_of(unsigned clusters, cudaLaunchAttribute& attribute, Stream stream) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = Plan::kCluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(clusters * Plan::kCluster);
  config.blockDim = dim3(kWgmmaThreads);
  config.dynamicSmemBytes = kWgmmaSharedBytes;
  config.stream = stream;
  config.attrs = &attribute;
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
  cudaLaunchAttribute attribute{};
  const cudaLaunchConfig_t config = config_of<Plan, Element>(1, attribute, nullptr);
  error = cudaOccupancyMaxActiveClusters(&clusters, wgmma_kernel<Plan, Element>, &config);
  if (error == cudaSuccess) {
    cached.store(clusters, std::memory_order_relaxed);
  }
  return error;
}

template <typename Plan, typename Element>
cudaError_t launch_mapped(const TensorGemmProblem& problem, Stream stream) {
  constexpr TensorType kType = kTypeOf<Element>;
  const WgmmaSize size = size_of<Element>(problem);
  const std::int64_t cluster_rows = divide_up(size.tile_rows, Plan::kCluster);
  WgmmaProduct<Element> product{};
  product.c = {static_cast<Element*>(problem.c), static_cast<std::uint32_t>(problem.m),
               static_cast<std::uint32_t>(problem.n), false};
  product.steps = static_cast<std::uint32_t>(size.steps);
  product.cluster_rows = static_cast<std::uint32_t>(cluster_rows);
  product.tile_columns = static_cast<std::uint32_t>(size.tile_columns);
  const TiledMatrix c{kType, problem.c, problem.m, problem.n, kWarpRows};
  product.c.is_mapped = has_aligned_rows(c);
  int clusters = 0;
  const auto kernel = wgmma_kernel<Plan, Element>;
  cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kWgmmaSharedBytes);
  if (error == cudaSuccess) {
    error = resident_clusters<Plan, Element>(clusters);
  }
  if (error == cudaSuccess) {
    error = encode({kType, problem.a, problem.m, problem.k, kTileRows, true}, product.a);
  }
  if (error == cudaSuccess) {
    error = encode({kType, problem.b, problem.n, problem.k, kTileColumns / Plan::kCluster, true}, product.b);
  }
  if (error == cudaSuccess && product.c.is_mapped) {
    error = encode(c, product.map_c);
  }
  if (error == cudaSuccess) {
    cudaLaunchAttribute attribute{};
    const auto count = std::min<std::int64_t>(clusters, cluster_rows * size.tile_columns);
    const cudaLaunchConfig_t config =
        config_of<Plan, Element>(static_cast<unsigned>(count), attribute, stream);
    error = cudaLaunchKernelEx(&config, kernel, product);
  }
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // left behind for whoever asks next
  }
  return error;
}

// At any shape.
template <typename Plan, typename Element>
int launch_wgmma(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  return can_map_operands(problem, kTypeOf<Element>) ? launch_mapped<Plan, Element>(problem, stream)
                                                     : launch_plain<Element>(problem, stream);
}

}  // namespace kernels::tensor_gemm
