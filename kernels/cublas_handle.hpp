// cuBLAS handles for the variants that are cuBLAS itself. For the files that wrap it only.
#pragma once

#include <cublas_v2.h>

#include "kernels/kernel.hpp"

namespace kernels {

// The handle of the current device and this stream, with a workspace of its own and in this math mode; null
// where cuBLAS cannot be started. One a device, stream and thread: streams never share a workspace, and
// nothing is allocated after the first call. Kept until they are released, or the process ends: at that time
// destroying one is too late.
cublasHandle_t cublas_handle(Stream stream, cublasMath_t mode);

// Destroys this thread's handles, with their workspaces: to be called before cudaDeviceReset().
void release_cublas_handles();

}  // namespace kernels
