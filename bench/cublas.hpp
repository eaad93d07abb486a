// For the binaries that link cuBLAS: its version, and what it keeps in a CUDA context.
#pragma once

#include <optional>
#include <string>

#include <cublas_v2.h>

#include "kernels/runtime.hpp"

namespace bench {

// "13.1.0"
inline std::optional<std::string> cublas_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  if (cublasGetProperty(MAJOR_VERSION, &major) != CUBLAS_STATUS_SUCCESS ||
      cublasGetProperty(MINOR_VERSION, &minor) != CUBLAS_STATUS_SUCCESS ||
      cublasGetProperty(PATCH_LEVEL, &patch) != CUBLAS_STATUS_SUCCESS)
    return {};
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

inline void release_libraries() {
  kernels::release_cublas_handles();
  kernels::release_workspaces();
}

}  // namespace bench
