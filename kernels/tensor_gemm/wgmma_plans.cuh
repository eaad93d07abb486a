// The plans that best.cu chooses from, for all types. For .cu files only.
#pragma once

#include "kernels/tensor_gemm/choice.hpp"
#include "kernels/tensor_gemm/wgmma_launch.cuh"

namespace kernels::tensor_gemm {

template <int Consumers, int Columns, int Stages, int Cluster, bool Defers>
struct SomePlan : WgmmaPlan {
  using Tile = WgmmaTile<Consumers, Columns, Stages>;
  static constexpr int kCluster = Cluster;
  static constexpr int kHeadStart = Consumers > 1 ? 3 : 0;
  static constexpr bool kDefers = Defers;
};

// Whether a block's tile may be stored while the next one is multiplied: all units are long enough.
inline bool may_defer(const WgmmaSize& size, const Split& split) {
  constexpr std::int64_t kStepsMin = 16;
  const std::int64_t last = split.parts > 1 ? size.steps - (split.parts - 1) * split.depth : size.steps;
  return std::min(last, size.steps) >= kStepsMin;
}

template <typename Element>
int launch_plan(Plan plan, const TensorGemmProblem& problem, const WgmmaWay& way, Stream stream) {
  using Large = SomePlan<2, 256, 4, 2, false>;
  switch (plan) {
    case Plan::kLarge:
      if constexpr (sizeof(ResultOf<Element>) == 2) {  // float32 leaves no registers to defer stores
        if (may_defer(size_of<Large::Tile, Element>(problem), way.split)) {
          return launch_wgmma<SomePlan<2, 256, 4, 2, true>, Element>(problem, stream, way);
        }
      }
      return launch_wgmma<Large, Element>(problem, stream, way);
    case Plan::kMedium:
      return launch_wgmma<SomePlan<2, 192, 4, 2, false>, Element>(problem, stream, way);
    case Plan::kSquare:
      return launch_wgmma<SomePlan<2, 128, 6, 1, false>, Element>(problem, stream, way);
    case Plan::kSquarePair:
      return launch_wgmma<SomePlan<2, 128, 6, 2, false>, Element>(problem, stream, way);
    case Plan::kTall:
      return launch_wgmma<SomePlan<2, 64, 8, 1, false>, Element>(problem, stream, way);
    case Plan::kTallPair:
      return launch_wgmma<SomePlan<2, 64, 8, 2, false>, Element>(problem, stream, way);
    case Plan::kWide:
      return launch_wgmma<SomePlan<1, 256, 5, 1, false>, Element>(problem, stream, way);
    case Plan::kFlat:
      return launch_wgmma<SomePlan<1, 128, 8, 1, false>, Element>(problem, stream, way);
    case Plan::kTiny:
      return launch_wgmma<SomePlan<1, 64, 12, 1, false>, Element>(problem, stream, way);
  }
  return cudaErrorInvalidValue;
}

}  // namespace kernels::tensor_gemm
