// The driver functions that tell what is in a graph, cuBLAS' kernels included. They come through the runtime,
// so that a binary still starts where there is no driver.
#pragma once

#include <optional>

#include <cuda.h>

namespace bench {

struct DriverApi {
  decltype(&cuGraphKernelNodeGetParams) kernel_params = nullptr;
  decltype(&cuGraphKernelNodeGetAttribute) kernel_attribute = nullptr;
  decltype(&cuKernelGetFunction) function_of_kernel = nullptr;
  decltype(&cuFuncGetName) function_name = nullptr;
  decltype(&cuFuncGetAttribute) function_attribute = nullptr;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) blocks_per_sm = nullptr;
};

// Empty where the driver is too old to have them all (before 12.3).
std::optional<DriverApi> load_driver_api();

}  // namespace bench
