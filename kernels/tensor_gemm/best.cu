// wgmma_plans: the kernel of wgmma_pipeline.cuh with the tile that suits the shape, from 64 × 64 to two
// blocks of 128 × 256, and with k split over blocks where the tiles that are left over do not occupy all
// multiprocessors: each part's sums go to memory, and a second kernel adds them, in order. Operands whose
// rows the copy engine cannot take are copied first, with padded rows.
// Shows: that a shape decides which tile is fast: few results need small tiles or parts of k to occupy the
// device, large ones need large tiles, as each byte from L2 serves more products.
// Predicted: 1024³ is 128 tiles of 128 × 64 instead of 32 of 128 × 256: twice as fast. 256 × 256 × 65536
// reads 67 MB: 22 µs, where two tiles on two multiprocessors take 600. Padding moves twice the operands'
// bytes: 5 µs at 2049³.
//
// best: thin where C has next to no rows or columns; else the same on compute capability 9.0, and mma_sync
// elsewhere and where k is so short that it costs less than padding. FP8 has these plans alone.
// Predicted: an instruction takes 32 of k where bfloat16 takes 16 in the same cycles, so that half of the
// time is left where the power limit allows it: 1.5 times as fast at 8192³.
#include <cuda_fp8.h>

#include "kernels/tensor_gemm/choice.hpp"
#include "kernels/tensor_gemm/wgmma_pipeline.cuh"

namespace kernels::tensor_gemm {

int launch_mma_sync_bf16(const TensorGemmProblem&, Stream);
int launch_mma_sync_tf32(const TensorGemmProblem&, Stream);

template <typename Element>
int launch_thin(const TensorGemmProblem&, int multiprocessors, Stream);

// A and B with rows that the copy engine can take: copied to a workspace, with zeros after the end of each
// row up to the next multiple of 16 bytes.
constexpr int kPadThreads = 256;

struct PaddedOperands {
  const void* a;
  const void* b;
  uint4* to;  // A's rows, then B's
  std::uint32_t a_rows;
  std::uint32_t rows;       // of both
  std::uint32_t row_words;  // of A and B
  std::uint32_t chunks;     // of 16 bytes, of a padded row
};

// Word is the largest that every row of A and B is a multiple of. A thread makes a chunk.
template <typename Word>
__global__ void __launch_bounds__(kPadThreads) pad_rows_kernel(PaddedOperands p) {
  constexpr std::uint32_t kWords = sizeof(uint4) / sizeof(Word);
  let_next_begin();
  const std::uint32_t index = blockIdx.x * kPadThreads + threadIdx.x;
  const std::uint32_t row = index / p.chunks;
  if (row >= p.rows) {
    return;
  }
  const std::uint32_t first = (index - row * p.chunks) * kWords;
  const bool is_a = row < p.a_rows;
  const Word* const from = static_cast<const Word*>(is_a ? p.a : p.b) +
                           static_cast<std::uint64_t>(is_a ? row : row - p.a_rows) * p.row_words;
  union {
    uint4 whole;
    Word words[kWords];
  } parts = {make_uint4(0, 0, 0, 0)};
#pragma unroll
  for (std::uint32_t i = 0; i < kWords; ++i) {
    if (first + i < p.row_words) {
      parts.words[i] = __ldg(from + first + i);
    }
  }
  p.to[index] = parts.whole;
}

// `problem` with padded copies of A and B. cudaErrorMemoryAllocation where there is no workspace for them.
template <typename Element>
int pad_operands(TensorGemmProblem& problem, Stream stream) {
  constexpr std::int64_t kChunk = 16 / sizeof(Element);
  const std::int64_t chunks = divide_up(problem.k, kChunk);
  const std::int64_t rows = problem.m + problem.n;
  if (rows > static_cast<std::int64_t>(kWorkspaceBytesMax / sizeof(uint4)) / chunks) {
    return cudaErrorMemoryAllocation;
  }
  auto* const to = static_cast<uint4*>(
      workspace(Workspace::kOperands, stream, static_cast<std::size_t>(rows * chunks) * sizeof(uint4)));
  if (to == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  const std::int64_t row_bytes = problem.k * static_cast<std::int64_t>(sizeof(Element));
  const std::int64_t word_bytes = row_bytes % 8 == 0   ? 8
                                  : row_bytes % 4 == 0 ? 4
                                  : row_bytes % 2 == 0 ? 2
                                                       : 1;
  const PaddedOperands operands{.a = problem.a,
                                .b = problem.b,
                                .to = to,
                                .a_rows = static_cast<std::uint32_t>(problem.m),
                                .rows = static_cast<std::uint32_t>(rows),
                                .row_words = static_cast<std::uint32_t>(row_bytes / word_bytes),
                                .chunks = static_cast<std::uint32_t>(chunks)};
  const auto kernel = word_bytes == 8   ? pad_rows_kernel<uint2>
                      : word_bytes == 4 ? pad_rows_kernel<std::uint32_t>
                      : word_bytes == 2 ? pad_rows_kernel<std::uint16_t>
                                        : pad_rows_kernel<std::uint8_t>;
  problem.a = to;
  problem.b = to + problem.m * chunks;
  problem.k = chunks * kChunk;
  return launch_kernel(kernel, dim3(static_cast<unsigned>(divide_up(rows * chunks, kPadThreads))),
                       dim3(kPadThreads), 0, stream, operands);
}

// The plans, for all types.
template <int Consumers, int Columns, int Stages, int Cluster, bool Defers, bool CopiesByThreads = false>
struct SomePlan : WgmmaPlan {
  using Tile = WgmmaTile<Consumers, Columns, Stages>;
  static constexpr int kCluster = Cluster;
  static constexpr int kHeadStart = Consumers > 1 ? 3 : 0;
  static constexpr bool kDefers = Defers;
  static constexpr bool kCopiesByThreads = CopiesByThreads;
};

// Whether a block's tile may be stored while the next one is multiplied: all units are long enough.
inline bool may_defer(const WgmmaSize& size, const Split& split) {
  constexpr std::int64_t kStepsMin = 16;
  const std::int64_t last = split.parts > 1 ? size.steps - (split.parts - 1) * split.depth : size.steps;
  return std::min(last, size.steps) >= kStepsMin;
}

template <typename Element>
int launch_plan_by_threads(Plan plan, const TensorGemmProblem& problem, const WgmmaWay& way, Stream stream) {
  switch (plan) {
    case Plan::kWide:
      return launch_wgmma<SomePlan<1, 256, 5, 1, false, true>, Element>(problem, stream, way);
    case Plan::kFlat:
      return launch_wgmma<SomePlan<1, 128, 8, 1, false, true>, Element>(problem, stream, way);
    case Plan::kTiny:
      return launch_wgmma<SomePlan<1, 64, 12, 1, false, true>, Element>(problem, stream, way);
    default:
      return cudaErrorInvalidValue;
  }
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

namespace {

template <typename Element>
int launch_mapped_plan(const TensorGemmProblem& problem, bool follows_padding, int multiprocessors,
                       Stream stream) {
  thread_local LastChoices<PlanChoice> last;
  const PlanChoice& choice = last.find(problem.m, problem.n, problem.k, multiprocessors, [&] {
    return choose_plan(kPlans, problem, sizeof(Element), multiprocessors);
  });
  return launch_plan<Element>(choice.row->plan, problem, {choice.split, follows_padding}, stream);
}

template <typename Element>
int launch_plans(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  if (problem.k == 0 || can_map_operands<Element>(problem)) {
    return launch_mapped_plan<Element>(problem, false, limits.multiprocessors, stream);
  }
  TensorGemmProblem padded = problem;
  const int error = pad_operands<Element>(padded, stream);
  if (error == cudaErrorMemoryAllocation) {
    return launch_plain<Element>(problem, stream);
  }
  return error == cudaSuccess ? launch_mapped_plan<Element>(padded, true, limits.multiprocessors, stream)
                              : error;
}

template <typename Element>
int launch_best_of(int (*other)(const TensorGemmProblem&, Stream), const TensorGemmProblem& problem,
                   Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  if (is_best_thin(problem, sizeof(Element))) {
    return launch_thin<Element>(problem, limits.multiprocessors, stream);
  }
  const bool has_wgmma = limits.capability == 90;
  return has_wgmma && is_worth_padding(problem, sizeof(Element)) ? launch_plans<Element>(problem, stream)
                                                                 : other(problem, stream);
}

}  // namespace

int launch_wgmma_plans_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_plans<__nv_bfloat16>(problem, stream);
}

int launch_wgmma_plans_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_plans<float>(problem, stream);
}

int launch_best_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<__nv_bfloat16>(launch_mma_sync_bf16, problem, stream);
}

int launch_best_fp8(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<__nv_fp8_e4m3>(launch_plans<__nv_fp8_e4m3>, problem, stream);
}

int launch_best_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch_best_of<float>(launch_mma_sync_tf32, problem, stream);
}

}  // namespace kernels::tensor_gemm
