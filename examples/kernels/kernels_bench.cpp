// The kernels' benchmarks, by tracker's measuring kit.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <tracker/bench.hpp>

#ifndef TRACKER_BENCH_CPU_ONLY
#include <cuda_runtime.h>
#endif

#include "kernels.hpp"

namespace {

constexpr int kSizes[] = {1 << 16, 1 << 20, 1 << 24};

// The largest error of the blocks' sums, in units of their root mean square.
tracker::ResultError check_scan([[maybe_unused]] int n, [[maybe_unused]] const float* in,
                                [[maybe_unused]] const float* out) {
  double largest = 0;
  double squares = 0;
#ifndef TRACKER_BENCH_CPU_ONLY
  std::vector<float> values(static_cast<std::size_t>(n));
  std::vector<float> found(values.size());
  cudaMemcpy(values.data(), in, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(found.data(), out, found.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum = (i % 256 == 0 ? 0 : sum) + double{values[i]};
    const double off = std::abs(double{found[i]} - sum);
    largest = std::isfinite(off) ? std::max(largest, off) : INFINITY;
    squares += sum * sum;
  }
#endif
  return tracker::product_error(largest, std::sqrt(squares / n), tracker::Arithmetic::kFp32);
}

}  // namespace

int main(int argc, char** argv) {
  const auto largest = static_cast<std::size_t>(kSizes[2]);
  const tracker::Buffer x({"x", largest});
  const tracker::Buffer y({"y", largest});
  for (const int n : kSizes) {
    const auto count = static_cast<std::size_t>(n);
    const std::string size = std::to_string(n);
    TRACKER_GPU_BENCHMARK("saxpy/f32/" + size, tracker::bytes_of_work(12.0 * n), [=](cudaStream_t stream) {
      kernels::saxpy(n, 2, x.place(count), y.place(count), stream);
    });
    TRACKER_GPU_BENCHMARK(
        "scan/block/f32/" + size, tracker::bytes_of_work(8.0 * n),
        [=](cudaStream_t stream) { kernels::block_scan(n, x.place(count), y.place(count), stream); },
        .result = [=] { return y.bytes(count); },
        .check = [=](cudaStream_t) { return check_scan(n, x.place(count), y.place(count)); });
  }
  return tracker::benchmark_main(argc, argv);
}
