// Quads of 4 × 4 floats turned in the registers of one thread, and nothing else: no shared memory, no
// barrier. A warp loads 128 bytes of 16 rows and stores 64 bytes of 32 rows: whole sectors on both sides.
// Shows: what a small matrix that lies in L2 waits for: the way there and back. A tile in shared memory adds
// a barrier and a second way. Predicted: at 512² and 1024², hot, as fast as a copy; slower than vec4_tile
// where memory is the limit, as 64 bytes in one place are too few (146 µs against 133 at 8192², H200).
#include "kernels/transpose/quad.cuh"

namespace kernels::transpose {

constexpr BlockShape kBlock{128, 1};
constexpr int kQuadsAcross = 8;
constexpr int kQuadsDown = kBlock.x / kQuadsAcross;

__global__ void __launch_bounds__(kBlock.x) quad_tile_kernel(Panel p) {
  const std::uint32_t column = (blockIdx.x * kQuadsAcross + threadIdx.x % kQuadsAcross) * kQuad;
  const std::uint32_t row = (folded_block_y() * kQuadsDown + threadIdx.x / kQuadsAcross) * kQuad;
  if (column >= p.columns || row >= p.rows) {
    return;
  }
  Quad quad;
#pragma unroll
  for (int k = 0; k < kQuad; ++k) {
    quad.rows[k] = *reinterpret_cast<const float4*>(p.in + ((row + k) * p.in_pitch + column));
  }
  quad.transpose();
#pragma unroll
  for (int k = 0; k < kQuad; ++k) {
    *reinterpret_cast<float4*>(p.out + ((column + k) * p.out_pitch + row)) = quad.rows[k];
  }
}

int launch_quad_tile(const TransposeProblem& problem, BlockShape block, Stream stream) {
  if (block != kBlock) {
    return cudaErrorInvalidValue;
  }
  return launch_vector_rows(
      quad_tile_kernel, problem,
      {.block = kBlock, .tile_rows = kQuadsDown * kQuad, .tile_columns = kQuadsAcross * kQuad}, stream);
}

}  // namespace kernels::transpose
