// A CUDA call that failed, as an exception: what was being done, and CUDA's words for it.
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

}  // namespace tracker::kit
