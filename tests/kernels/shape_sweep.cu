// Random shapes against the reference: right, and how fast. Shares no code with the benchmarks: launches go
// hot, in bursts between two events, all variants in turn; of 25 rounds the median counts.
//
// usage: shape_sweep [--count N] [--seed S] [--all] [--heuristics] [f32|bf16|tf32|fp8|transpose[:AxB[xC]]...]
//   --all         times every variant, not only `best` and its reference
//   --heuristics  of products on tensor cores also times up to 16 of cublasLt's heuristics, each with 32 MiB
//                 of workspace: the fastest of them is a second reference
// Prints a line a shape, and at the end a table of families: how often `best` reaches its reference and, with
// --all, the fastest variant of its family, and the worst ten of both. exit codes: 0 all results are right, 1
// not, 2 usage, 4 a launch failed
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include "kernels/gemm.hpp"
#include "kernels/tensor_gemm.hpp"
#include "kernels/transpose.hpp"

namespace {

using kernels::Stream;

constexpr std::int64_t kSideMax = 8192;
constexpr int kRounds = 25;
constexpr double kBurstUs = 300;
constexpr int kSamples = 4096;  // results that are computed again, in double

void require(int code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "shape_sweep: %s failed: %s\n", what,
               cudaGetErrorString(static_cast<cudaError_t>(code)));
  std::exit(4);
}

struct Shape {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;  // 1 for a transpose
};

struct Way {
  std::string name;
  bool is_reference = false;
  std::function<int()> launch;
  bool is_heuristic = false;
};

enum class Type { kFloat, kBf16, kE4m3 };

__device__ float value_of(const void* data, Type type, std::int64_t place) {
  switch (type) {
    case Type::kFloat:
      return static_cast<const float*>(data)[place];
    case Type::kBf16:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[place]);
    case Type::kE4m3:
      return static_cast<float>(static_cast<const __nv_fp8_e4m3*>(data)[place]);
  }
  return 0;
}

__global__ void fill(void* data, Type type, std::int64_t count, std::uint32_t seed) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) + seed) * 0x9e3779b97f4a7c15U;
    bits = (bits ^ bits >> 31) * 0xbf58476d1ce4e5b9U;
    const float value = static_cast<float>(bits >> 40) * 0x1p-23F - 1;
    switch (type) {
      case Type::kFloat:
        static_cast<float*>(data)[i] = value;
        break;
      case Type::kBf16:
        static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value);
        break;
      case Type::kE4m3:
        static_cast<__nv_fp8_e4m3*>(data)[i] = __nv_fp8_e4m3(value);
        break;
    }
  }
}

struct Checked {
  Type operands;
  Type result;
  bool b_is_k_major;
  Shape shape;
  const void* a;
  const void* b;
  const void* c;
};

// Adds up the squares of what is off.
__global__ void check_samples(Checked p, std::uint32_t seed, double* error) {
  const int sample = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (sample >= kSamples) return;
  const std::uint64_t bits =
      (std::uint64_t{seed} << 20 | static_cast<std::uint64_t>(sample)) * 0x9e3779b97f4a7c15U;
  const std::int64_t row = static_cast<std::int64_t>((bits >> 8) % static_cast<std::uint64_t>(p.shape.m));
  const std::int64_t column = static_cast<std::int64_t>((bits >> 30) % static_cast<std::uint64_t>(p.shape.n));
  double expected = 0;
  for (std::int64_t l = 0; l < p.shape.k; ++l)
    expected += double{value_of(p.a, p.operands, row * p.shape.k + l)} *
                value_of(p.b, p.operands, p.b_is_k_major ? column * p.shape.k + l : l * p.shape.n + column);
  const double off = value_of(p.c, p.result, row * p.shape.n + column) - expected;
  atomicAdd(error, isfinite(off) ? off * off : INFINITY);
}

__global__ void check_turned(const float* in, const float* out, Shape shape, double* error) {
  const std::int64_t count = shape.m * shape.n;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x)
    if (out[i % shape.n * shape.m + i / shape.n] != in[i]) *error = 1;
}

struct Family {
  std::string name;
  Type operands;
  Type result;
  double error_max;
  kernels::TensorType tensor = kernels::TensorType::kBf16;
};
// FP8 sums are cut to some 13 bits at every 32 of k.
const std::vector<Family> kFamilies{{"f32", Type::kFloat, Type::kFloat, 1e-5},
                                    {"bf16", Type::kBf16, Type::kBf16, 5e-3, kernels::TensorType::kBf16},
                                    {"tf32", Type::kFloat, Type::kFloat, 2e-3, kernels::TensorType::kTf32},
                                    {"fp8", Type::kE4m3, Type::kBf16, 5e-2, kernels::TensorType::kFp8},
                                    {"transpose", Type::kFloat, Type::kFloat, 0}};

struct Device {
  Stream stream = nullptr;
  void* a = nullptr;
  void* b = nullptr;
  void* c = nullptr;
  double* error = nullptr;
  std::size_t bytes = 0;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
};

void reserve(Device& device, std::size_t bytes) {
  if (bytes <= device.bytes) return;
  for (void** buffer : {&device.a, &device.b, &device.c}) {
    require(cudaFree(*buffer), "cudaFree");
    require(cudaMalloc(buffer, bytes), "cudaMalloc");
  }
  device.bytes = bytes;
}

// A product by cublasLt, and the algorithms that it proposes for it, its favourite first. Row-major by
// swapping the operands: Cᵀ = B · Aᵀ.
class Heuristics {
 public:
  static constexpr int kMost = 16;
  static constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

  Heuristics(const kernels::TensorGemmProblem& problem, kernels::TensorType type) : problem_(problem) {
    const bool is_tf32 = type == kernels::TensorType::kTf32;
    const bool is_fp8 = type == kernels::TensorType::kFp8;
    const cudaDataType_t operand = is_tf32 ? CUDA_R_32F : is_fp8 ? CUDA_R_8F_E4M3 : CUDA_R_16BF;
    const cudaDataType_t result = is_tf32 ? CUDA_R_32F : CUDA_R_16BF;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const auto fast = static_cast<std::int8_t>(is_fp8);
    const auto need = [](cublasStatus_t status) {
      if (status != CUBLAS_STATUS_SUCCESS) require(cudaErrorUnknown, cublasLtGetStatusString(status));
    };
    need(cublasLtCreate(&handle_));
    need(cublasLtMatmulDescCreate(&product_, is_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                                  CUDA_R_32F));
    need(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                        sizeof(transposed)));
    need(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof(fast)));
    const auto k = static_cast<std::uint64_t>(problem.k);
    need(cublasLtMatrixLayoutCreate(&a_, operand, k, static_cast<std::uint64_t>(problem.m), problem.k));
    need(cublasLtMatrixLayoutCreate(&b_, operand, k, static_cast<std::uint64_t>(problem.n), problem.k));
    need(cublasLtMatrixLayoutCreate(&c_, result, static_cast<std::uint64_t>(problem.n),
                                    static_cast<std::uint64_t>(problem.m), problem.n));
    cublasLtMatmulPreference_t preference = nullptr;
    need(cublasLtMatmulPreferenceCreate(&preference));
    need(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &kWorkspaceBytes, sizeof(kWorkspaceBytes)));
    if (cublasLtMatmulAlgoGetHeuristic(handle_, product_, b_, a_, c_, c_, preference, kMost, found_.data(),
                                       &count_) != CUBLAS_STATUS_SUCCESS)
      count_ = 0;
    need(cublasLtMatmulPreferenceDestroy(preference));
    require(cudaMalloc(&workspace_, kWorkspaceBytes), "cudaMalloc");
  }
  ~Heuristics() {
    cublasLtMatrixLayoutDestroy(a_);
    cublasLtMatrixLayoutDestroy(b_);
    cublasLtMatrixLayoutDestroy(c_);
    cublasLtMatmulDescDestroy(product_);
    cublasLtDestroy(handle_);
    cudaFree(workspace_);
  }
  Heuristics(const Heuristics&) = delete;
  Heuristics& operator=(const Heuristics&) = delete;

  int count() const { return count_; }
  int launch(int place, Stream stream) const {
    const float one = 1;
    const float zero = 0;
    const auto status = cublasLtMatmul(
        handle_, product_, &one, problem_.b, b_, problem_.a, a_, &zero, problem_.c, c_, problem_.c, c_,
        &found_[static_cast<std::size_t>(place)].algo, workspace_, kWorkspaceBytes, stream);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  }

 private:
  kernels::TensorGemmProblem problem_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
  std::array<cublasLtMatmulHeuristicResult_t, kMost> found_{};
  int count_ = 0;
  void* workspace_ = nullptr;
};

struct Wanted {
  bool all = false;
  bool heuristics = false;
};

std::vector<Way> ways_of(const Family& family, const Shape& shape, const Device& device,
                         const Wanted& which) {
  std::vector<Way> ways;
  const auto wanted = [&](std::string_view name, bool is_reference) {
    return which.all || name == "best" || is_reference;
  };
  if (family.name == "transpose") {
    const kernels::TransposeProblem problem{static_cast<const float*>(device.a),
                                            static_cast<float*>(device.c), shape.m, shape.n};
    for (const auto& variant : kernels::transpose_variants())
      if (can_take(variant, problem) && wanted(variant.name, variant.is_copy) && variant.name != "copy_col")
        ways.push_back({std::string(variant.name), variant.is_copy, [&variant, problem, &device] {
                          return variant.launch(problem, variant.default_block, device.stream);
                        }});
  } else if (family.name == "f32") {
    const kernels::GemmProblem problem{.m = shape.m,
                                       .n = shape.n,
                                       .k = shape.k,
                                       .a = static_cast<const float*>(device.a),
                                       .b = static_cast<const float*>(device.b),
                                       .c = static_cast<float*>(device.c)};
    const std::int64_t side = std::max({shape.m, shape.n, shape.k});
    // What the benchmarks leave out as too slow is not the fastest; `thin`, which has no such side, may be.
    for (const auto& variant : kernels::gemm_variants())
      if (wanted(variant.name, variant.name == "cublas") &&
          (variant.measured_side_max == 0 || side <= variant.measured_side_max))
        ways.push_back({std::string(variant.name), variant.name == "cublas",
                        [&variant, problem, &device] { return variant.launch(problem, device.stream); }});
  } else {
    const kernels::TensorGemmProblem problem{
        .m = shape.m, .n = shape.n, .k = shape.k, .a = device.a, .b = device.b, .c = device.c};
    for (const auto& variant : kernels::tensor_gemm_variants())
      if (variant.type == family.tensor && wanted(variant.name, variant.name == "cublas"))
        ways.push_back({std::string(variant.name), variant.name == "cublas",
                        [&variant, problem, &device] { return variant.launch(problem, device.stream); }});
    if (which.heuristics) {
      const auto heuristics = std::make_shared<Heuristics>(problem, family.tensor);
      for (int i = 0; i < heuristics->count(); ++i)
        ways.push_back({"cublasLt " + std::to_string(i), false,
                        [heuristics, i, &device] { return heuristics->launch(i, device.stream); }, true});
    }
  }
  return ways;
}

double burst_us(const Way& way, int launches, const Device& device) {
  require(cudaEventRecord(device.begin, device.stream), "cudaEventRecord");
  for (int i = 0; i < launches; ++i) require(way.launch(), way.name.c_str());
  require(cudaEventRecord(device.end, device.stream), "cudaEventRecord");
  require(cudaEventSynchronize(device.end), "cudaEventSynchronize");
  float ms = 0;
  require(cudaEventElapsedTime(&ms, device.begin, device.end), "cudaEventElapsedTime");
  return double{ms} * 1e3 / launches;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Of samples, the root of the mean square over what is usual; of a transpose, whether any element is off.
double error_of(const Family& family, const Shape& shape, const Way& way, const Device& device) {
  const bool turns = family.name == "transpose";
  const std::size_t result_bytes =
      static_cast<std::size_t>(shape.m * shape.n) * (family.result == Type::kFloat ? 4 : 2);
  require(cudaMemsetAsync(device.c, 0xff, result_bytes, device.stream), "cudaMemsetAsync");
  require(way.launch(), way.name.c_str());
  require(cudaMemsetAsync(device.error, 0, sizeof(double), device.stream), "cudaMemsetAsync");
  if (turns)
    check_turned<<<1024, 256, 0, device.stream>>>(static_cast<const float*>(device.a),
                                                  static_cast<const float*>(device.c), shape, device.error);
  else
    check_samples<<<kSamples / 64, 64, 0, device.stream>>>(
        {family.operands, family.result, family.name != "f32", shape, device.a, device.b, device.c}, 7,
        device.error);
  double error = 0;
  require(cudaMemcpyAsync(&error, device.error, sizeof(error), cudaMemcpyDeviceToHost, device.stream),
          "copying");
  require(cudaStreamSynchronize(device.stream), way.name.c_str());
  // A sum of k products of factors uniform in [-1, 1) is usually as large as the root of k / 9.
  return turns ? error : std::sqrt(error / kSamples / (static_cast<double>(shape.k) / 9));
}

struct Row {
  Shape shape;
  double reference_us = INFINITY;
  double best_us = INFINITY;
  double fastest_us = INFINITY;  // of all variants that were timed, `best` among them
  std::string fastest;
  double heuristics_us = INFINITY;  // of the fastest of cublasLt's heuristics
  bool is_right = true;
  std::string times;  // of all variants
};

double of_reference(const Row& row) {
  return row.reference_us / row.best_us;
}
double of_fastest(const Row& row) {
  return row.fastest_us / row.best_us;
}

Row measure(const Family& family, const Shape& shape, Device& device, const Wanted& which) {
  const bool turns = family.name == "transpose";
  const std::int64_t elements =
      turns ? shape.m * shape.n : std::max({shape.m * shape.k, shape.n * shape.k, shape.m * shape.n});
  reserve(device, static_cast<std::size_t>(elements) * sizeof(float));
  fill<<<1024, 256, 0, device.stream>>>(device.a, family.operands, turns ? elements : shape.m * shape.k, 1);
  fill<<<1024, 256, 0, device.stream>>>(device.b, family.operands, turns ? elements : shape.n * shape.k, 2);
  const std::vector<Way> ways = ways_of(family, shape, device, which);
  Row row;
  row.shape = shape;
  std::vector<int> launches;
  for (const Way& way : ways) {
    const double error = way.is_reference && turns ? 0 : error_of(family, shape, way, device);
    if (!(error <= family.error_max)) {
      std::printf("WRONG: %s %s is off by %.3g\n", family.name.c_str(), way.name.c_str(), error);
      row.is_right = false;
    }
    launches.push_back(static_cast<int>(std::clamp(kBurstUs / burst_us(way, 2, device), 1.0, 100.0)));
  }
  std::vector<std::vector<double>> times(ways.size());
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) times[i].push_back(burst_us(ways[i], launches[i], device));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const double us = median(times[i]);
    char text[64];
    std::snprintf(text, sizeof(text), " %.2f", us);
    row.times += " " + ways[i].name + text;
    if (ways[i].is_reference) row.reference_us = std::min(row.reference_us, us);
    if (ways[i].name == "best") row.best_us = us;
    if (ways[i].is_heuristic) row.heuristics_us = std::min(row.heuristics_us, us);
    if (!ways[i].is_reference && !ways[i].is_heuristic && us < row.fastest_us) {
      row.fastest_us = us;
      row.fastest = ways[i].name;
    }
  }
  return row;
}

std::string text_of(const Shape& shape, bool turns) {
  const std::string text = std::to_string(shape.m) + "×" + std::to_string(shape.n);
  return turns ? text : text + "×" + std::to_string(shape.k);
}

std::vector<Shape> random_shapes(const Family& family, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Shape> shapes;
  const auto side = [&] {
    const double exponent = static_cast<double>(random()) / 0x1p32 * std::log(static_cast<double>(kSideMax));
    const auto length = static_cast<std::int64_t>(std::exp(exponent));
    return family.name == "fp8" ? (length + 15) / 16 * 16 : length;  // what cuBLAS has
  };
  for (int i = 0; i < count; ++i) {
    const std::int64_t m = side();
    const std::int64_t n = side();
    const std::int64_t k = side();
    shapes.push_back(family.name == "transpose" ? Shape{m, n, 1} : Shape{m, n, k});
  }
  return shapes;
}

// The ten rows with the least share, those first: "420×3773×42 .63, …".
std::string worst_of(std::vector<Row> rows, double (*share)(const Row&), bool turns) {
  std::sort(rows.begin(), rows.end(),
            [&](const Row& one, const Row& other) { return share(one) < share(other); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 10); ++i) {
    char number[32];
    std::snprintf(number, sizeof(number), " %.2f", share(rows[i]));
    text += (i > 0 ? ", " : "") + text_of(rows[i].shape, turns) + number;
  }
  return text;
}

// Launches below 10 µs are mostly the host's and the device's part of a launch: goals are for those above.
bool is_long(const Row& row) {
  return std::min(row.reference_us, row.best_us) >= 10;
}

constexpr const char* kSummaryHead =
    "| family | right | `best` reaches its reference | of those over 10 µs | median | worst ten | within 3 % "
    "of the fastest "
    "variant, over 10 µs | worst ten of these |\n|---|--:|--:|--:|--:|---|--:|---|\n";

// A family's row of the table at the end. Without --all nothing is known of the fastest variant.
std::string summary_of(const Family& family, const std::vector<Row>& rows, bool all) {
  const bool turns = family.name == "transpose";
  std::vector<Row> long_rows;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(long_rows), is_long);
  const auto count = [](const std::vector<Row>& of, const auto& holds) {
    return std::to_string(std::count_if(of.begin(), of.end(), holds));
  };
  const auto reaches = [](const Row& row) { return of_reference(row) >= 1; };
  const std::string long_count = std::to_string(long_rows.size());
  std::vector<double> shares;
  for (const Row& row : rows) shares.push_back(of_reference(row));
  char middle[32];
  std::snprintf(middle, sizeof(middle), "%.2f", median(shares));
  const std::string near =
      all ? count(long_rows, [](const Row& row) { return of_fastest(row) >= 0.97; }) + " of " + long_count
          : "–";
  return "| " + family.name + " | " + count(rows, [](const Row& row) { return row.is_right; }) + " of " +
         std::to_string(rows.size()) + " | " + count(rows, reaches) + " | " + count(long_rows, reaches) +
         " of " + long_count + " | " + middle + " | " + worst_of(rows, of_reference, turns) + " | " + near +
         " | " + (all ? worst_of(long_rows, of_fastest, turns) : "–") + " |\n";
}

// Appends a row to `summary`; says whether all results are right.
bool sweep(const Family& family, const std::vector<Shape>& shapes, Device& device, const Wanted& which,
           std::string& summary) {
  const bool turns = family.name == "transpose";
  std::vector<Row> rows;
  std::printf("%s\n", family.name.c_str());
  for (const Shape& shape : shapes) {
    rows.push_back(measure(family, shape, device, which));
    const Row& row = rows.back();
    std::printf("  %-16s best %.3f of the reference, %.3f of %s", text_of(shape, turns).c_str(),
                of_reference(row), of_fastest(row), row.fastest.c_str());
    if (std::isfinite(row.heuristics_us))
      std::printf(", %.3f of the fastest heuristic", row.heuristics_us / row.best_us);
    std::printf("; us:%s\n", row.times.c_str());
    std::fflush(stdout);
  }
  summary += summary_of(family, rows, which.all);
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.is_right; });
}

[[noreturn]] void refuse(const char* text) {
  std::fprintf(stderr,
               "shape_sweep: '%s' is none of --count N, --seed S, --all, --heuristics, FAMILY, FAMILY:MxN, "
               "FAMILY:MxNxK\n",
               text);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  int count = 200;
  unsigned seed = 1;
  Wanted which;
  std::vector<std::pair<const Family*, std::vector<Shape>>> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    if (text == "--all") {
      which.all = true;
    } else if (text == "--heuristics") {
      which.heuristics = true;
    } else if ((text == "--count" || text == "--seed") && i + 1 < argc) {
      const int value = std::atoi(argv[++i]);
      if (value < 1) refuse(argv[i]);
      text == "--count" ? count = value : seed = static_cast<unsigned>(value);
    } else {
      const auto name = text.substr(0, text.find(':'));
      const auto family = std::find_if(kFamilies.begin(), kFamilies.end(),
                                       [&](const Family& one) { return one.name == name; });
      if (family == kFamilies.end()) refuse(argv[i]);
      if (wanted.empty() || wanted.back().first != &*family) wanted.push_back({&*family, {}});
      Shape shape;
      if (name.size() == text.size()) continue;
      const int read = std::sscanf(text.c_str() + name.size(), ":%ldx%ldx%ld", &shape.m, &shape.n, &shape.k);
      if (read < 2 || shape.m < 1 || shape.n < 1 || shape.k < 1) refuse(argv[i]);
      wanted.back().second.push_back(shape);
    }
  }
  if (wanted.empty())
    for (const Family& family : kFamilies) wanted.push_back({&family, {}});
  Device device;
  require(cudaStreamCreate(&device.stream), "cudaStreamCreate");
  require(cudaEventCreate(&device.begin), "cudaEventCreate");
  require(cudaEventCreate(&device.end), "cudaEventCreate");
  require(cudaMalloc(&device.error, sizeof(double)), "cudaMalloc");
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::printf("%s\n", properties.name);
  bool is_right = true;
  std::string summary = kSummaryHead;
  for (auto& [family, shapes] : wanted)
    is_right &=
        sweep(*family, shapes.empty() ? random_shapes(*family, count, seed) : shapes, device, which, summary);
  std::printf("\n%s", summary.c_str());
  return is_right ? 0 : 1;
}
