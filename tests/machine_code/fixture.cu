// Kernels whose machine code is known: tests/data/machine_code.elf is this file, compiled for sm_75 and
// sm_90a by nvcc 13.0.88 (-std=c++20 -O3 --no-compress -c). The test compiles it again in other ways.
#ifndef FACTOR
#define FACTOR 3.0F
#endif
#ifndef LAST_WEIGHT
#define LAST_WEIGHT 4
#endif

__constant__ float weights[4] = {1, 2, 3, LAST_WEIGHT};
__device__ int counter = 5;

__device__ __noinline__ float step(float x, int n) {
  return n == 0 ? x : step(x * 0.5F, n - 1) + 1.0F;
}

namespace {

template <int kCount>
__global__ void scale_kernel(float* data) {
  for (int i = 0; i < kCount; ++i) {
    data[threadIdx.x + i * blockDim.x] *= FACTOR;
  }
}

}  // namespace

namespace fixture {

#ifdef ONE_MORE
__device__ int one_more;

__global__ void one_more_kernel(float* data) {
  data[threadIdx.x] += static_cast<float>(atomicAdd(&one_more, 1));
}
#endif

__global__ void tile_kernel(const float* in, float* out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void weigh_kernel(float* data, int n) {
  const int at = atomicAdd(&counter, 1) & 3;
  data[threadIdx.x] = step(data[threadIdx.x], n) * weights[at];
}

void launch_all(float* data) {
  scale_kernel<4><<<1, 32>>>(data);
  tile_kernel<<<1, dim3(32, 32)>>>(data, data);
  weigh_kernel<<<1, 32>>>(data, 3);
}

}  // namespace fixture
