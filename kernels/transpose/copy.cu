// Copies, the bounds of the transposes. First the flat ones: dense matrices are one long line of floats,
// whatever their shape. Then two that take the matrix by its rows and columns, as the transposes do.
#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

// memcpy: cudaMemcpyAsync from device memory to device memory: what the runtime makes of a copy of the same
// bytes.
// Shows: a bound that is nobody's code here. On an H200 it is as fast as copy_vec4, but for 8191 × 4097,
// where it took 5 % more.
// Predicted: 8 bytes per element in device memory, at 85 % of the pins' rate or more.
//
// The runtime chooses the launch: 1 × 1 is there to name a block at all.
int launch_memcpy(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != BlockShape{1, 1} || problem.rows < 0 || problem.columns < 0) {
    return cudaErrorInvalidValue;
  }
  const auto bytes = static_cast<std::size_t>(problem.rows * problem.columns) * sizeof(float);
  if (bytes == 0) {
    return cudaSuccess;
  }
  return cudaMemcpyAsync(problem.out, problem.in, bytes, cudaMemcpyDeviceToDevice, stream);
}

constexpr std::int64_t kVectorFloats = 4;

struct Line {
  const float* in;
  float* out;
  std::int64_t count;
};

// kLoads vectors a thread, a block's width apart, all loads in flight before the first store. kStream marks
// loads and stores as the first to be evicted from L2.
template <int kLoads, bool kStream>
__device__ __forceinline__ void copy_line(const Line& line) {
  const auto* in = reinterpret_cast<const float4*>(line.in);
  auto* out = reinterpret_cast<float4*>(line.out);
  const std::int64_t vectors = line.count / kVectorFloats;
  const std::int64_t threads = std::int64_t{blockDim.x} * blockDim.y;
  const std::int64_t thread = std::int64_t{threadIdx.y} * blockDim.x + threadIdx.x;
  const std::int64_t first = blockIdx.x * threads * kLoads + thread;
  float4 values[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (first + i * threads < vectors) {
      values[i] = kStream ? __ldcs(in + first + i * threads) : in[first + i * threads];
    }
  }
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (first + i * threads < vectors) {
      if (kStream) {
        __stcs(out + first + i * threads, values[i]);
      } else {
        out[first + i * threads] = values[i];
      }
    }
  }
  // What is no whole vector: up to three floats, one after the other by the last thread of all.
  if (blockIdx.x == gridDim.x - 1 && thread == threads - 1) {
    for (std::int64_t i = vectors * kVectorFloats; i < line.count; ++i) {
      line.out[i] = line.in[i];
    }
  }
}

// In pieces that a grid's x can count even with one thread a block.
static int launch_flat(void (*kernel)(Line), const TransposeProblem& problem, BlockShape block,
                       std::int64_t vectors_per_thread, Stream stream) {
  const auto [in, out, rows, columns] = problem;
  if (!is_runnable({.block = block}) || rows < 0 || columns < 0) {
    return cudaErrorInvalidValue;
  }
  if (!has_vector_pointers(problem)) {
    return cudaErrorNotSupported;
  }
  const std::int64_t count = rows * columns;
  const dim3 threads(static_cast<unsigned>(block.x), static_cast<unsigned>(block.y));
  const std::int64_t floats_per_block = std::int64_t{block.x} * block.y * vectors_per_thread * kVectorFloats;
  constexpr std::int64_t kPieceFloats = std::int64_t{1} << 32;
  for (std::int64_t first = 0; first < count; first += kPieceFloats) {
    const Line line{in + first, out + first, std::min(count - first, kPieceFloats)};
    const dim3 grid(static_cast<unsigned>(divide_up(line.count, floats_per_block)));
    const cudaError_t error = launch_kernel(kernel, grid, threads, 0, stream, line, Begin::kEarly);
    if (error != cudaSuccess) {
      return error;
    }
  }
  return cudaSuccess;
}

// copy_vec4: 16 bytes a thread.
// A warp loads 512 bytes that lie side by side and stores them side by side: four whole lines each way. Small
// blocks, each with a few KB in flight: the bytes that the device works on at any time lie close together.
// Shows: the bound for matrices larger than L2. More bytes in flight make it slower, not faster: 64 bytes a
// thread in blocks of 256 took 134.3 µs at 8192² where 16 bytes a thread in blocks of 128 took 129.5 (H200,
// 2026-11-20): they scatter the accesses over more of device memory's pages.
// Predicted: 8 bytes per element in device memory, as fast as the runtime's copy.
__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_vec4_kernel(Line line) {
  wait_for_kernel_before();
  copy_line<1, false>(line);
}

int launch_copy_vec4(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_flat(copy_vec4_kernel, problem, block, 1, stream);
}

// copy_vec4_stream: copy_vec4 with 64 bytes a thread, all in flight at once, loads and stores marked "evict
// first".
// Shows: what a small matrix wants: with one wave of blocks, the latency of a load counts, and a line that
// is read once is the one to give up when a dirty one would have to be written back.
// Predicted: faster than copy_vec4 where a matrix fits L2, slower beyond, where it scatters the accesses. So
// it is at 2048 × 1024 (8.3 µs against 8.7 on an H200) and above 2048²; in between they are level.
__global__ void __launch_bounds__(kThreadsPerBlockMax, 1) copy_vec4_stream_kernel(Line line) {
  wait_for_kernel_before();
  copy_line<4, true>(line);
}

int launch_copy_vec4_stream(const TransposeProblem& problem, BlockShape block, Stream stream) {
  return launch_flat(copy_vec4_stream_kernel, problem, block, 4, stream);
}

// copy_row: along rows, the bound for the tiled transposes. Same block, same four rows a thread, all loads in
// flight before the first store, but no transposition.
// A warp loads 32 floats that lie side by side and stores them side by side: four 32-byte sectors each way.
// Shows: what the memory system gives to the same work. With one element a thread, too few loads are in
// flight to fill an H200's memory: 2.5 TB/s at 8192², less than smem_padded's 3.5 (H200, 2026-11-20).
// Predicted: 8 bytes per element in device memory; a little faster than smem_padded, which also has the
// shared memory and a barrier to pay for.
__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_row_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t row = folded_block_y() * (blockDim.y * kRowsPerThread) + threadIdx.y;
  if (column >= p.columns) {
    return;
  }
  const float* in = p.in + (row * p.in_pitch + column);
  float* out = p.out + (row * p.out_pitch + column);
  float values[kRowsPerThread];
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    if (row + i * blockDim.y < p.rows) {
      values[i] = in[i * blockDim.y * p.in_pitch];
    }
  }
#pragma unroll
  for (int i = 0; i < kRowsPerThread; ++i) {
    if (row + i * blockDim.y < p.rows) {
      out[i * blockDim.y * p.out_pitch] = values[i];
    }
  }
}

int launch_copy_row(const TransposeProblem& problem, BlockShape block, Stream stream) {
  Plan plan = row_plan(block);
  plan.tile_rows *= kRowsPerThread;
  plan.is_copy = true;
  return launch(copy_row_kernel, problem, plan, stream);
}

// copy_col: along columns, the bound from below. Both the loads and the stores of a warp lie a row apart.
// x runs along the input's column, so each access of a warp touches 32 sectors and uses 4 bytes of each; the
// block's other side of 8 uses up the rest, from L1 for loads and merged in L2 for stores.
// Shows: what is left when neither side is coalesced. A transpose has one good side and should beat it.
// Predicted: 8 bytes per element in device memory, 8 times copy_row's traffic between SM and L2 for stores.
__global__ void __launch_bounds__(kThreadsPerBlockMax) copy_col_kernel(Panel p) {
  wait_for_kernel_before();
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t column = folded_block_y() * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns) {
    p.out[row * p.out_pitch + column] = p.in[row * p.in_pitch + column];
  }
}

int launch_copy_col(const TransposeProblem& problem, BlockShape block, Stream stream) {
  Plan plan = column_plan(block);
  plan.is_copy = true;
  return launch(copy_col_kernel, problem, plan, stream);
}

}  // namespace kernels::transpose
