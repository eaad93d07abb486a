// A matrix with few rows, or few columns: a block takes the whole of its short side. Then one of both sides
// is a single run of memory, whatever the sizes: with few rows the block's part of the output, with few
// columns its part of the input. The other side is rows of 64 floats and more. With few columns, a row of
// the output is written from the last 32-byte boundary before the block's first row on, for which the block
// loads eight rows more, as in shifted_tile.
// Shows: that tiles waste what hangs over: a tile of 64 rows takes 65 rows in two turns.
// Predicted: 65 × 500000 as fast as a copy by 4 bytes: 8 bytes per element in device memory.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

constexpr BlockShape kBlock{256, 1};
constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kFloatsInSector = 8;
constexpr int kBatch = 8;

// Where a column's part of the output begins: so many rows after row0, which is eight rows before the strip.
__device__ __forceinline__ std::uint32_t begin_of(const Panel& p, std::uint32_t column, std::int64_t row0) {
  const float* const to = p.out + (static_cast<std::int64_t>(column * p.out_pitch) + row0);
  return kFloatsInSector -
         static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % kFloatsInSector);
}

struct Strip {
  Panel panel;
  std::uint32_t length;  // of a block's strip along the long side: a multiple of 32
};

// Calls load(line, at) for each element of `lines` lines of `width`, one after the other, and then
// store(line, at, value): a batch of loads is in flight before the first store.
template <typename Load, typename Store>
__device__ __forceinline__ void move_lines(std::uint32_t lines, std::uint32_t width, const Load& load,
                                           const Store& store) {
  const std::uint32_t line_step = kThreads / width;
  const std::uint32_t rest = kThreads % width;
  std::uint32_t line = threadIdx.x / width;
  std::uint32_t at = threadIdx.x % width;
  while (line < lines) {
    float values[kBatch];
    std::uint32_t line_of[kBatch];
    std::uint32_t at_of[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      line_of[i] = line;
      at_of[i] = at;
      if (line < lines) {
        values[i] = load(line, at);
      }
      line += line_step;
      at += rest;
      if (at >= width) {
        at -= width;
        ++line;
      }
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      if (line_of[i] < lines) {
        store(line_of[i], at_of[i], values[i]);
      }
    }
  }
}

// tile[row][column] with a pitch of length + 1: odd, so that a warp that walks down meets 32 banks.
__global__ void __launch_bounds__(kThreads) strip_of_rows_kernel(Strip s) {
  extern __shared__ float tile[];
  const Panel& p = s.panel;
  wait_for_kernel_before();
  const std::uint32_t pitch = s.length + 1;
  const std::uint32_t column0 = blockIdx.x * s.length;
  const std::uint32_t width = min(s.length, p.columns - column0);
  const float* const from = p.in + column0;
  float* const to = p.out + column0 * p.out_pitch;  // out_pitch = rows: one run
  move_lines(
      p.rows, s.length,
      [&](std::uint32_t row, std::uint32_t column) {
        return column < width ? __ldg(from + (row * p.in_pitch + column)) : 0.0F;
      },
      [&](std::uint32_t row, std::uint32_t column, float value) { tile[row * pitch + column] = value; });
  __syncthreads();
  move_lines(
      width, p.rows, [&](std::uint32_t column, std::uint32_t row) { return tile[row * pitch + column]; },
      [&](std::uint32_t column, std::uint32_t row, float value) { to[column * p.rows + row] = value; });
}

// tile[column][row], from eight rows before the strip on.
__global__ void __launch_bounds__(kThreads) strip_of_columns_kernel(Strip s) {
  extern __shared__ float tile[];
  const Panel& p = s.panel;
  wait_for_kernel_before();
  const std::uint32_t pitch = s.length + kFloatsInSector + 1;
  const std::int64_t row0 = std::int64_t{blockIdx.x} * s.length - kFloatsInSector;
  const std::int64_t first = max(row0, std::int64_t{0});
  const std::int64_t end = min(row0 + s.length + kFloatsInSector, std::int64_t{p.rows});
  const float* const from =
      p.in + static_cast<std::int64_t>(p.in_pitch) * first;  // in_pitch = columns: one run
  const auto skipped = static_cast<std::uint32_t>(first - row0);
  move_lines(
      static_cast<std::uint32_t>(max(end - first, std::int64_t{0})), p.columns,
      [&](std::uint32_t row, std::uint32_t column) { return __ldg(from + (row * p.columns + column)); },
      [&](std::uint32_t row, std::uint32_t column, float value) {
        tile[column * pitch + skipped + row] = value;
      });
  __syncthreads();
  move_lines(
      p.columns, s.length,
      [&](std::uint32_t column, std::uint32_t i) {
        return tile[column * pitch + begin_of(p, column, row0) + i];
      },
      [&](std::uint32_t column, std::uint32_t i, float value) {
        const std::int64_t row = row0 + begin_of(p, column, row0) + i;
        if (row >= 0 && row < p.rows) {
          p.out[static_cast<std::int64_t>(column * p.out_pitch) + row] = value;
        }
      });
}

bool is_strip(const TransposeProblem& problem) {
  return problem.rows <= kStripSideMax || problem.columns <= kStripSideMax;
}

int launch_strip(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  if (!is_strip(problem)) {
    return cudaErrorNotSupported;
  }
  const bool has_few_rows = problem.rows <= problem.columns;
  const std::int64_t side = std::max<std::int64_t>(has_few_rows ? problem.rows : problem.columns, 1);
  // About 32 KiB, of 64 to 512 floats.
  constexpr std::int64_t kTileFloats = 8192;
  const std::int64_t length = std::clamp<std::int64_t>(kTileFloats / side / kLanes * kLanes, 64, 512);
  const std::int64_t extra = has_few_rows ? 0 : kFloatsInSector;
  const auto shared_bytes = static_cast<std::size_t>(side * (length + extra + 1)) * sizeof(float);
  return for_each_panel(problem, false, [&](const Panel& panel) {
    const Strip strip{panel, static_cast<std::uint32_t>(length)};
    const std::int64_t along = has_few_rows ? panel.columns : panel.rows + std::int64_t{kFloatsInSector} - 1;
    return launch_kernel(has_few_rows ? strip_of_rows_kernel : strip_of_columns_kernel,
                         dim3(static_cast<unsigned>(divide_up(along, length))), dim3(kThreads), shared_bytes,
                         stream, strip, Begin::kEarly);
  });
}

}  // namespace kernels::transpose
