// Calls of CUDA: one that failed is an exception that says what was being done, in CUDA's words; functions of
// the driver come through the runtime.
#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace tracker::kit {

// What `check` throws: "<what was being done>: <CUDA's words>".
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws CudaError for all but cudaSuccess. `doing` is the start of its message: "allocating 4 MiB".
inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw CudaError(std::string(doing) + ": " + cudaGetErrorString(code));
}

// A function of the driver, through the runtime, so that a binary still starts where there is no driver.
// `version`: that of CUDA which has it in this form, as 12030. False where the driver is older.
template <typename Function>
bool load_driver_function(const char* name, int version, Function& function) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &address, static_cast<unsigned>(version),
                                                             cudaEnableDefault, &result);
#else
  static_cast<void>(version);
  const cudaError_t error = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &result);
#endif
  if (error != cudaSuccess || result != cudaDriverEntryPointSuccess || address == nullptr) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  function = reinterpret_cast<Function>(address);
  return true;
}

}  // namespace tracker::kit
