// wgmma_plans: the kernel of wgmma_pipeline.cuh with the tile and the cluster that suit the shape, from 64 ×
// 16 to two blocks of 128 × 256 (choice.hpp has the table), and with k split over blocks where tiles do not
// occupy all multiprocessors. The parts' sums are added by the blocks of a cluster themselves, from each
// other's shared memory, or go to memory and a second kernel adds them; both always in the same order. Few
// rows of C are made columns of the tile, which come in steps of 16. Rows that the copy engine cannot take
// are copied by threads word by word, or padded first.
// Shows: that a shape decides which tile is fast: few results need small tiles or parts of k to occupy the
// device, large ones need large tiles, as each byte from L2 serves more products.
// Predicted: 1024³ is 128 tiles of 128 × 64 instead of 32 of 128 × 256: twice as fast. 256 × 256 × 65536
// reads 67 MB: 22 µs, where two tiles on two multiprocessors take 600. Padding moves twice the operands'
// bytes: 5 µs at 2049³. 272 × 6960 × 1760 in FP8 with 140 tiles of 64 × 256 reads 78 MB from L2 in two
// rounds, 14 µs; with 110 turned ones of 128 × 144 half of that in one: 7 µs.
//
// best: thin where C has next to no rows or columns, or k is a few; else the same on compute capability 9.0,
// and mma_sync elsewhere and where k is so short that it costs less than padding. FP8 has these plans alone.
// Predicted: an instruction takes 32 of k where bfloat16 takes 16 in the same cycles, so that half of the
// time is left where the power limit allows it: 1.5 times as fast at 8192³.
#include <cstddef>
#include <iterator>
#include <utility>

#include <cuda_fp8.h>

#include "kernels/tensor_gemm/choice.hpp"
#include "kernels/tensor_gemm/wgmma_launch.cuh"

namespace kernels::tensor_gemm {

int launch_mma_sync_bf16(const TensorGemmProblem&, Stream);
int launch_mma_sync_tf32(const TensorGemmProblem&, Stream);

template <typename Element>
int launch_thin(const TensorGemmProblem&, int multiprocessors, Stream);
template <typename Element>
int launch_short_k(const TensorGemmProblem&, Stream);

// A and B with rows that the copy engine can take: copied to a workspace, with zeros after the end of each
// row up to the next multiple of 128 bytes, so that each row of a step is one line.
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
  wait_for_kernel_before();  // which may still read the rows that are written here
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
  const std::int64_t chunks = padded_bytes(problem.k * static_cast<std::int64_t>(sizeof(Element))) / 16;
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
                       dim3(kPadThreads), 0, stream, operands, Begin::kEarly);
}

// A row of a table, for the kernel.
template <bool kByWords, std::size_t kIndex, bool kDefersStores>
struct PlanOf : WgmmaPlan {
  static constexpr PlanRow kRow = (kByWords ? kWordPlans : kPlans)[kIndex];
  using Tile = WgmmaTile<kRow.consumers, kRow.tile_columns,
                         stages_that_fit(kRow.consumers, kRow.tile_columns, kRow.is_turned)>;
  static constexpr int kCluster = kRow.cluster();
  static constexpr int kAcross = kRow.across;
  static constexpr int kHeadStart = kRow.consumers == 2 && !kRow.is_turned ? 3 : 0;
  static constexpr bool kDefers = kDefersStores;
  static constexpr bool kCopiesByThreads = kByWords;
  static constexpr int kCopyThreads = kByWords ? 2 * kWarpgroup : kWarpgroup;
  static constexpr bool kTurned = kRow.is_turned;
};

// Whether a block's tile may be stored while the next one is multiplied: of the largest tiles, if all units
// are long enough. Floats leave no registers for it.
template <typename Element>
constexpr bool can_defer(const PlanRow& row) {
  return sizeof(ResultOf<Element>) == 2 && row.consumers == 2 && row.tile_columns == 256 && row.down == 2;
}
inline bool may_defer(std::int64_t steps, const Split& split) {
  constexpr std::int64_t kDeferredStepsMin = 16;
  const std::int64_t last = split.parts > 1 ? steps - (split.parts - 1) * split.depth : steps;
  return std::min(last, steps) >= kDeferredStepsMin;
}

template <typename Element, bool kByWords, std::size_t kIndex>
int launch_row(const TensorGemmProblem& problem, const WgmmaWay& way, Stream stream) {
  if constexpr (can_defer<Element>((kByWords ? kWordPlans : kPlans)[kIndex])) {
    if (may_defer(divide_up(problem.k * static_cast<std::int64_t>(sizeof(Element)), kRowBytes), way.split)) {
      return launch_wgmma<PlanOf<kByWords, kIndex, true>, Element>(problem, stream, way);
    }
  }
  return launch_wgmma<PlanOf<kByWords, kIndex, false>, Element>(problem, stream, way);
}

template <typename Element, bool kByWords, std::size_t... kIndices>
int launch_one_of(std::index_sequence<kIndices...> /*rows*/, int plan, const TensorGemmProblem& problem,
                  const WgmmaWay& way, Stream stream) {
  using Launch = int (*)(const TensorGemmProblem&, const WgmmaWay&, Stream);
  static constexpr Launch kLaunches[] = {launch_row<Element, kByWords, kIndices>...};
  return kLaunches[plan](problem, way, stream);
}

template <typename Element>
int launch_choice_of(const PlanChoice& choice, const TensorGemmProblem& problem, Stream stream) {
  const WgmmaWay way{choice.split, choice.sharers};
  if constexpr (sizeof(Element) > 1) {
    if (choice.rows == Rows::kByWords) {
      return launch_one_of<Element, true>(std::make_index_sequence<std::size(kWordPlans)>(), choice.plan,
                                          problem, way, stream);
    }
  }
  return launch_one_of<Element, false>(std::make_index_sequence<std::size(kPlans)>(), choice.plan, problem,
                                       way, stream);
}

namespace {

template <typename Element>
int launch_plans(const TensorGemmProblem& problem, Stream stream) {
  if (const auto code = settled(problem)) {
    return *code;
  }
  if (problem.k == 0) {
    return launch_plain<Element>(problem, stream);
  }
  DeviceLimits limits;
  if (const int error = read_device_limits(limits); error != cudaSuccess) {
    return error;
  }
  thread_local LastChoices<PlanChoice> last;
  const PlanChoice& choice = last.find(problem.m, problem.n, problem.k, limits.multiprocessors, [&] {
    return choose_rows(problem, sizeof(Element), limits.multiprocessors);
  });
  if (choice.rows != Rows::kPadded) {
    return launch_choice_of<Element>(choice, problem, stream);
  }
  TensorGemmProblem padded = problem;
  const int error = pad_operands<Element>(padded, stream);
  if (error == cudaErrorMemoryAllocation) {
    return launch_plain<Element>(problem, stream);
  }
  return error == cudaSuccess ? launch_choice_of<Element>(choice, padded, stream) : error;
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
  if (is_best_short(problem, sizeof(Element))) {
    return launch_short_k<Element>(problem, stream);
  }
  const bool has_wgmma = limits.capability == 90;
  return has_wgmma && is_worth_padding(problem, sizeof(Element)) ? launch_plans<Element>(problem, stream)
                                                                 : other(problem, stream);
}

}  // namespace

int launch_choice(TensorType type, const PlanChoice& choice, const TensorGemmProblem& problem,
                  Stream stream) {
  switch (type) {
    case TensorType::kBf16:
      return launch_choice_of<__nv_bfloat16>(choice, problem, stream);
    case TensorType::kTf32:
      return launch_choice_of<float>(choice, problem, stream);
    case TensorType::kFp8:
      return launch_choice_of<__nv_fp8_e4m3>(choice, problem, stream);
  }
  return cudaErrorInvalidValue;
}

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
