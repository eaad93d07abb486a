// The references: cuBLAS, and cublasLt, which alone has FP8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "kernels/gemm.hpp"
#include "kernels/runtime.hpp"
#include "kernels/split.hpp"
#include "kernels/tensor_gemm.hpp"

namespace kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;  // what cuBLAS recommends for sm_90

struct Handle {
  int device = 0;
  Stream stream = nullptr;
  cublasHandle_t handle = nullptr;
  void* workspace = nullptr;
};

thread_local std::vector<Handle> handles;

// A null handle where it cannot be made.
Handle make_handle(int device, Stream stream) {
  cublasHandle_t handle = nullptr;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
    return {};
  }
  void* workspace = nullptr;
  // The stream first: setting it takes the workspace away again.
  const bool ready = cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS &&
                     cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS &&
                     cudaMalloc(&workspace, kWorkspaceBytes) == cudaSuccess &&
                     cublasSetWorkspace(handle, workspace, kWorkspaceBytes) == CUBLAS_STATUS_SUCCESS;
  if (!ready) {
    static_cast<void>(cudaFree(workspace));
    static_cast<void>(cublasDestroy(handle));
    static_cast<void>(cudaGetLastError());
    return {};
  }
  return {device, stream, handle, workspace};
}

cublasHandle_t handle_for(int device, Stream stream) {
  const auto known = std::find_if(handles.begin(), handles.end(), [&](const Handle& entry) {
    return entry.device == device && entry.stream == stream;
  });
  if (known != handles.end()) {
    return known->handle;
  }
  const Handle made = make_handle(device, stream);
  if (made.handle != nullptr) {
    handles.push_back(made);
  }
  return made.handle;
}

// The handle of the current device and this stream, with a workspace of its own and in this math mode; null
// where cuBLAS cannot be started. One a device, stream and thread: streams never share a workspace, and
// nothing is allocated after the first call. Kept until they are released, or the process ends: at that time
// destroying one is too late.
cublasHandle_t cublas_handle(Stream stream, cublasMath_t mode) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  const cublasHandle_t handle = handle_for(device, stream);
  const bool ready = handle != nullptr && cublasSetMathMode(handle, mode) == CUBLAS_STATUS_SUCCESS;
  return ready ? handle : nullptr;
}

}  // namespace

void release_cublas_handles() {
  for (const Handle& entry : handles) {
    static_cast<void>(cublasDestroy(entry.handle));
    static_cast<void>(cudaFree(entry.workspace));
  }
  handles.clear();
  static_cast<void>(cudaGetLastError());
}

namespace gemm {

// cublas, float32: in its pedantic mode, which computes in float32 throughout and never uses TF32 or
// emulation. Row-major by swapping the operands: Cᵀ = Bᵀ · Aᵀ.
// Predicted: 90 % and more of the chip's float32 rate outside the tensor cores, for large sizes.
namespace {

// C = beta · C, without a product whose leading dimensions would be 0.
int scale(cublasHandle_t handle, const GemmProblem& problem, Stream stream) {
  const std::int64_t count = problem.m * problem.n;
  if (problem.beta == 0.0F) {
    return cudaMemsetAsync(problem.c, 0, static_cast<std::size_t>(count) * sizeof(float), stream);
  }
  const auto status = cublasSscal_64(handle, count, &problem.beta, problem.c, 1);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace

int launch_cublas(const GemmProblem& problem, Stream stream) {
  if (const auto code = settled_product(problem.m, problem.n, problem.k)) {
    return *code;
  }
  const cublasHandle_t handle = cublas_handle(stream, CUBLAS_PEDANTIC_MATH);
  if (handle == nullptr) {
    return cudaErrorUnknown;
  }
  if (problem.k == 0) {
    return scale(handle, problem, stream);
  }
  const int m = static_cast<int>(problem.m);
  const int n = static_cast<int>(problem.n);
  const int k = static_cast<int>(problem.k);
  const auto status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &problem.alpha, problem.b,
                                   CUDA_R_32F, n, problem.a, CUDA_R_32F, k, &problem.beta, problem.c,
                                   CUDA_R_32F, n, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace gemm

namespace tensor_gemm {

// cublas on the tensor cores: cublasGemmEx, with both operands K-major as all variants have them and float32
// accumulation. Row-major by swapping the operands: Cᵀ = B · Aᵀ. FP8 goes by cublasLt, which alone has it:
// the first of its heuristics, with fast accumulation.
// Predicted: 70 % of the tensor cores' rate for large sizes; the power limit takes the rest.
namespace {

// How cuBLAS is told of a type.
struct Mode {
  cudaDataType_t element;
  std::size_t element_bytes;
  cublasComputeType_t compute;
  cublasMath_t math;
};

constexpr auto kMathBf16 =
    static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
constexpr Mode kBf16{CUDA_R_16BF, 2, CUBLAS_COMPUTE_32F, kMathBf16};
constexpr Mode kTf32{CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_DEFAULT_MATH};

int launch(const TensorGemmProblem& problem, const Mode& mode, Stream stream) {
  if (const auto code = settled_product(problem.m, problem.n, problem.k)) {
    return *code;
  }
  if (problem.k == 0) {  // leading dimensions of 0 are refused
    const auto count = static_cast<std::size_t>(problem.m) * static_cast<std::size_t>(problem.n);
    return cudaMemsetAsync(problem.c, 0, count * mode.element_bytes, stream);
  }
  const cublasHandle_t handle = cublas_handle(stream, mode.math);
  if (handle == nullptr) {
    return cudaErrorUnknown;
  }
  const int m = static_cast<int>(problem.m);
  const int n = static_cast<int>(problem.n);
  const int k = static_cast<int>(problem.k);
  const float one = 1;
  const float zero = 0;
  const auto status =
      cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, problem.b, mode.element, k, problem.a,
                   mode.element, k, &zero, problem.c, mode.element, n, mode.compute, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

// How cublasLt is told of a product; what could not be made is null.
class Fp8Product {
 public:
  explicit Fp8Product(const TensorGemmProblem& problem) {
    const auto m = static_cast<std::uint64_t>(problem.m);
    const auto n = static_cast<std::uint64_t>(problem.n);
    const auto k = static_cast<std::uint64_t>(problem.k);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const std::int8_t fast = 1;
    is_made_ = cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
               set(CUBLASLT_MATMUL_DESC_TRANSA, transposed) && set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast) &&
               cublasLtMatrixLayoutCreate(&a_, CUDA_R_8F_E4M3, k, m, problem.k) == CUBLAS_STATUS_SUCCESS &&
               cublasLtMatrixLayoutCreate(&b_, CUDA_R_8F_E4M3, k, n, problem.k) == CUBLAS_STATUS_SUCCESS &&
               cublasLtMatrixLayoutCreate(&c_, CUDA_R_16BF, n, m, problem.n) == CUBLAS_STATUS_SUCCESS;
  }
  ~Fp8Product() {
    static_cast<void>(cublasLtMatrixLayoutDestroy(c_));
    static_cast<void>(cublasLtMatrixLayoutDestroy(b_));
    static_cast<void>(cublasLtMatrixLayoutDestroy(a_));
    static_cast<void>(cublasLtMatmulDescDestroy(product_));
  }
  Fp8Product(const Fp8Product&) = delete;
  Fp8Product& operator=(const Fp8Product&) = delete;

  // The fastest by cublasLt's own judgement. An empty one where it has none.
  cublasLtMatmulHeuristicResult_t choose(cublasLtHandle_t handle, std::size_t workspace_bytes) const {
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    cublasLtMatmulPreference_t preference = nullptr;
    const bool has_found = is_made_ && cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS &&
                           cublasLtMatmulPreferenceSetAttribute(
                               preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                               sizeof(workspace_bytes)) == CUBLAS_STATUS_SUCCESS &&
                           cublasLtMatmulAlgoGetHeuristic(handle, product_, b_, a_, c_, c_, preference, 1,
                                                          &found, &count) == CUBLAS_STATUS_SUCCESS &&
                           count > 0;
    static_cast<void>(cublasLtMatmulPreferenceDestroy(preference));
    if (!has_found) {
      found.state = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return found;
  }

  cublasStatus_t launch(cublasLtHandle_t handle, const TensorGemmProblem& problem,
                        const cublasLtMatmulAlgo_t& algorithm, void* workspace, std::size_t workspace_bytes,
                        Stream stream) const {
    const float one = 1;
    const float zero = 0;
    return cublasLtMatmul(handle, product_, &one, problem.b, b_, problem.a, a_, &zero, problem.c, c_,
                          problem.c, c_, &algorithm, workspace, workspace_bytes, stream);
  }

 private:
  template <typename Value>
  bool set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    return cublasLtMatmulDescSetAttribute(product_, attribute, &value, sizeof(value)) ==
           CUBLAS_STATUS_SUCCESS;
  }

  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
  bool is_made_ = false;
};

}  // namespace

int launch_cublas_fp8(const TensorGemmProblem& problem, Stream stream) {
  constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;
  constexpr std::int64_t kMultiple = 16;
  if (const auto code = settled_product(problem.m, problem.n, problem.k)) {
    return *code;
  }
  if (problem.k == 0) {
    const auto count = static_cast<std::size_t>(problem.m) * static_cast<std::size_t>(problem.n);
    return cudaMemsetAsync(problem.c, 0, count * 2, stream);
  }
  if (problem.m % kMultiple != 0 || problem.n % kMultiple != 0 || problem.k % kMultiple != 0) {
    return cudaErrorNotSupported;
  }
  int device = 0;
  auto* const handle = reinterpret_cast<cublasLtHandle_t>(cublas_handle(stream, CUBLAS_DEFAULT_MATH));
  void* const memory = workspace(Workspace::kOperands, stream, kWorkspaceBytes);
  if (handle == nullptr || memory == nullptr || cudaGetDevice(&device) != cudaSuccess) {
    return cudaErrorUnknown;
  }
  const Fp8Product product(problem);
  thread_local LastChoices<cublasLtMatmulHeuristicResult_t> last;
  const auto& choice = last.find(problem.m, problem.n, problem.k, device,
                                 [&] { return product.choose(handle, kWorkspaceBytes); });
  if (choice.state != CUBLAS_STATUS_SUCCESS) {
    return cudaErrorNotSupported;
  }
  const auto status = product.launch(handle, problem, choice.algo, memory, kWorkspaceBytes, stream);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

int launch_cublas_bf16(const TensorGemmProblem& problem, Stream stream) {
  return launch(problem, kBf16, stream);
}

int launch_cublas_tf32(const TensorGemmProblem& problem, Stream stream) {
  return launch(problem, kTf32, stream);
}

}  // namespace tensor_gemm

}  // namespace kernels
