// A suite that exists: three kernels in plain Google Benchmark, timed by events around each launch. With
// -DWITH_TRACKER it is the same suite after two lines: the include, and time_launch() instead of the loop.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>
#ifdef WITH_TRACKER
#include <tracker/bench.hpp>
#endif

// How saxpy is launched: a change to look for.
#ifndef SAXPY_BLOCKS
#define SAXPY_BLOCKS 1056
#endif
#ifndef SAXPY_THREADS
#define SAXPY_THREADS 256
#endif

#define CUDA_CHECK(call)                                                 \
  do {                                                                   \
    const cudaError_t code = (call);                                     \
    if (code != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (false)

__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

__global__ void block_sum(int n, const float* in, float* sums) {
  __shared__ float shared[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

__global__ void histogram(int n, const std::uint32_t* in, unsigned* bins) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i] & 255u], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

template <typename Launch>
static void measure(benchmark::State& state, cudaStream_t stream, const Launch& launch) {
#ifdef WITH_TRACKER
  tracker::time_launch(state, stream, launch);
#else
  cudaEvent_t start;
  cudaEvent_t stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  for (auto _ : state) {
    CUDA_CHECK(cudaEventRecord(start, stream));
    launch();
    CUDA_CHECK(cudaEventRecord(stop, stream));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, start, stop));
    state.SetIterationTime(elapsed_ms * 1e-3);
  }
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaEventDestroy(start));
#endif
}

__global__ void fill(int n, float* x, float* y, std::uint32_t* b) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const std::uint32_t bits = (static_cast<std::uint32_t>(i) * 2654435761u) >> 8;
    x[i] = static_cast<float>(bits) * 0x1p-24f;
    y[i] = 0;
    b[i] = bits;
  }
}

// Inputs that are the same each time.
struct Data {
  explicit Data(int n) {
    const std::size_t count = static_cast<std::size_t>(n);
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&x, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&y, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&b, count * sizeof(std::uint32_t)));
    fill<<<1024, 256, 0, stream>>>(n, x, y, b);
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  ~Data() {
    cudaFree(b);
    cudaFree(y);
    cudaFree(x);
    cudaStreamDestroy(stream);
  }
  cudaStream_t stream = nullptr;
  float* x = nullptr;
  float* y = nullptr;
  std::uint32_t* b = nullptr;
};

static void saxpy_f32(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Data data(n);
  measure(state, data.stream,
          [&] { saxpy<<<SAXPY_BLOCKS, SAXPY_THREADS, 0, data.stream>>>(n, 2, data.x, data.y); });
  state.SetBytesProcessed(state.iterations() * 12 * n);
}

static void block_sum_f32(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Data data(n);
  measure(state, data.stream, [&] { block_sum<<<528, 256, 0, data.stream>>>(n, data.x, data.y); });
  state.SetBytesProcessed(state.iterations() * 4 * n);
}

static void histogram_u8(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Data data(n);
  measure(state, data.stream,
          [&] { histogram<<<528, 256, 0, data.stream>>>(n, data.b, reinterpret_cast<unsigned*>(data.y)); });
  state.SetBytesProcessed(state.iterations() * 4 * n);
}

static void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24}) benchmark->Arg(n);
  benchmark->UseManualTime()->Unit(benchmark::kMicrosecond);
}
BENCHMARK(saxpy_f32)->Apply(sizes);
BENCHMARK(block_sum_f32)->Apply(sizes);
BENCHMARK(histogram_u8)->Apply(sizes);
BENCHMARK_MAIN();
