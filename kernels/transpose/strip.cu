// A matrix with 2 to 24 rows, or columns: a block takes the whole of its short side, so that one of both
// sides is a single run of memory, whatever the sizes: with few rows the block's part of the output, with few
// columns its part of the input. That side is moved 16 bytes a thread, the other one 4 bytes a thread, 128
// bytes a warp. With few columns, a row of the output is written from the last 32-byte boundary before the
// block's first row on, for which the block loads eight rows more, as in shifted_tile. The short side is a
// constant of the kernel: then a place in the run is divided by a multiplication, and all loads of a thread
// are under way before its first store. Shows: that tiles waste what hangs over: a tile of 32 rows moves 5
// rows no faster than 32. Predicted: 5 × 1000003 as fast as a copy by 4 bytes: 8 bytes per element in device
// memory.
#include <array>
#include <utility>

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

constexpr BlockShape kBlock{256, 1};
constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kVector = 4;  // floats
constexpr int kSector = 8;

// Where element `place` of the run lies in shared memory. Lines of the run are the short side long; an odd
// pitch keeps a warp that takes the same element of 32 lines in 32 banks.
template <int Side>
struct Run {
  static constexpr bool kIsFlat = Side % 2 == 1;
  static constexpr int kPitch = kIsFlat ? Side : Side + 1;
  static __device__ __forceinline__ int at(int place) { return kIsFlat ? place : place + place / Side; }
};

// Rows: each warp takes kColumns columns, with a part of shared memory of its own.
template <int Rows>
struct RowsStrip : Run<Rows> {
  static constexpr int kGroups = Rows <= 4 ? 4 : Rows <= 8 ? 2 : 1;  // of 32 columns
  static constexpr int kColumns = kGroups * kWarp;                   // of a warp
  static constexpr int kLong = kColumns * (kThreads / kWarp);        // of a block
};

template <int Rows>
__global__ void __launch_bounds__(kThreads) strip_of_rows_kernel(Panel p) {
  using Strip = RowsStrip<Rows>;
  __shared__ alignas(16) float tiles[kThreads / kWarp][Strip::kColumns * Strip::kPitch];
  float* const tile = tiles[threadIdx.x / kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::uint32_t column0 = blockIdx.x * Strip::kLong + threadIdx.x / kWarp * Strip::kColumns;
  wait_for_kernel_before();
  if (column0 >= p.columns) {
    return;
  }
  const int width = static_cast<int>(min(p.columns - column0, std::uint32_t{Strip::kColumns}));
  const float* const from = p.in + column0 + lane;
  float values[Rows][Strip::kGroups];
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
#pragma unroll
    for (int i = 0; i < Strip::kGroups; ++i) {
      if (i * kWarp + lane < width) {
        values[row][i] = from[row * p.in_pitch + i * kWarp];
      }
    }
  }
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
#pragma unroll
    for (int i = 0; i < Strip::kGroups; ++i) {
      tile[(i * kWarp + lane) * Strip::kPitch + row] = values[row][i];
    }
  }
  __syncwarp();
  float* const to = p.out + std::uint64_t{column0} * Rows;  // out_pitch is Rows: one run
  const int count = width * Rows;
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(float4) != 0) {
    for (int place = lane; place < count; place += kWarp) {
      to[place] = tile[Strip::at(place)];
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < (Strip::kColumns * Rows / kVector + kWarp - 1) / kWarp; ++i) {
    const int place = (i * kWarp + lane) * kVector;
    if (place + kVector <= count) {
      *reinterpret_cast<float4*>(to + place) =
          Strip::kIsFlat ? *reinterpret_cast<const float4*>(tile + place)
                         : make_float4(tile[Strip::at(place)], tile[Strip::at(place + 1)],
                                       tile[Strip::at(place + 2)], tile[Strip::at(place + 3)]);
    } else {
      for (int more = place; more < count; ++more) {
        to[more] = tile[Strip::at(more)];
      }
    }
  }
}

// Columns: a block takes kLong rows of the output's, each warp its part of them, and loads eight more.
template <int Columns>
struct ColumnsStrip : Run<Columns> {
  static constexpr int kGroups = Columns <= 4 ? 4 : Columns <= 8 ? 2 : 1;  // of 32 rows, of a warp
  static constexpr int kLong = kGroups * kThreads;
  static constexpr int kFloats = (kLong + kSector) * Columns;
  static constexpr int kVectors = (kFloats + kThreads * kVector - 1) / (kThreads * kVector);  // of a thread
};

template <int Columns>
__global__ void __launch_bounds__(kThreads) strip_of_columns_kernel(Panel p) {
  using Strip = ColumnsStrip<Columns>;
  __shared__ alignas(16) float tile[(Strip::kLong + kSector) * Strip::kPitch];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t row0 = std::int64_t{blockIdx.x} * Strip::kLong - kSector;
  wait_for_kernel_before();
  // What exists of the run that begins at row0; in_pitch is Columns.
  const std::int64_t run = row0 * Columns;
  const int begin = row0 < 0 ? kSector * Columns : 0;
  const int end = static_cast<int>(min(std::int64_t{p.rows} * Columns - run, std::int64_t{Strip::kFloats}));
  const float* const from = p.in + run;
  if (reinterpret_cast<std::uintptr_t>(from) % sizeof(float4) == 0) {
    float4 values[Strip::kVectors];
#pragma unroll
    for (int i = 0; i < Strip::kVectors; ++i) {
      const int place = (i * kThreads + thread) * kVector;
      if (place >= begin && place + kVector <= end) {
        values[i] = *reinterpret_cast<const float4*>(from + place);
      }
    }
#pragma unroll
    for (int i = 0; i < Strip::kVectors; ++i) {
      const int place = (i * kThreads + thread) * kVector;
      if (place >= begin && place + kVector <= end) {
        if constexpr (Strip::kIsFlat) {
          *reinterpret_cast<float4*>(tile + place) = values[i];
        } else {
          tile[Strip::at(place)] = values[i].x;
          tile[Strip::at(place + 1)] = values[i].y;
          tile[Strip::at(place + 2)] = values[i].z;
          tile[Strip::at(place + 3)] = values[i].w;
        }
      } else {
        for (int more = max(place, begin); more < min(place + kVector, end); ++more) {
          tile[Strip::at(more)] = from[more];
        }
      }
    }
  } else {
    for (int place = begin + thread; place < end; place += kThreads) {
      tile[Strip::at(place)] = from[place];
    }
  }
  __syncthreads();
  const int row = thread / kWarp * (Strip::kGroups * kWarp) + thread % kWarp;
  const bool is_inside = row0 >= 0 && row0 + Strip::kLong + kSector <= p.rows;
  const float* const line = tile + row * Strip::kPitch;
  float* to = p.out + (row0 + row);
#pragma unroll
  for (int column = 0; column < Columns; ++column, to += p.out_pitch) {
    const int before = kSector - static_cast<int>((reinterpret_cast<std::uintptr_t>(to) / sizeof(float) -
                                                   static_cast<std::uintptr_t>(row)) %
                                                  kSector);
#pragma unroll
    for (int i = 0; i < Strip::kGroups; ++i) {
      const std::int64_t at = row0 + row + before + i * kWarp;
      if (is_inside || (at >= 0 && at < p.rows)) {
        to[before + i * kWarp] = line[(before + i * kWarp) * Strip::kPitch + column];
      }
    }
  }
}

struct StripKernels {
  void (*rows)(Panel);
  std::int64_t rows_long;
  void (*columns)(Panel);
  std::int64_t columns_long;
};

template <int... Sides>
constexpr std::array<StripKernels, sizeof...(Sides)> kernels_of(std::integer_sequence<int, Sides...>) {
  return {StripKernels{strip_of_rows_kernel<Sides + kStripSideMin>, RowsStrip<Sides + kStripSideMin>::kLong,
                       strip_of_columns_kernel<Sides + kStripSideMin>,
                       ColumnsStrip<Sides + kStripSideMin>::kLong}...};
}

bool is_strip(const TransposeProblem& problem) {
  const std::int64_t side = std::min(problem.rows, problem.columns);
  return side >= kStripSideMin && side <= kStripSideMax;
}

int launch_strip(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  if (problem.rows <= 0 || problem.columns <= 0) {
    return for_each_panel(problem, false, [](const Panel&) { return cudaSuccess; });
  }
  if (!is_strip(problem)) {
    return cudaErrorNotSupported;
  }
  static constexpr auto kKernels =
      kernels_of(std::make_integer_sequence<int, kStripSideMax - kStripSideMin + 1>{});
  const bool has_few_rows = problem.rows <= problem.columns;
  const std::int64_t side = has_few_rows ? problem.rows : problem.columns;
  const StripKernels& kernels = kKernels[static_cast<std::size_t>(side - kStripSideMin)];
  return for_each_panel(problem, false, [&](const Panel& panel) {
    const std::int64_t blocks = has_few_rows ? divide_up(panel.columns, kernels.rows_long)
                                             : divide_up(panel.rows + kSector - 1, kernels.columns_long);
    return launch_kernel(has_few_rows ? kernels.rows : kernels.columns, dim3(static_cast<unsigned>(blocks)),
                         dim3(kThreads), 0, stream, panel, Begin::kEarly);
  });
}

}  // namespace kernels::transpose
