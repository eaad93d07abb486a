#include "bench/driver_api.hpp"

#include <cuda_runtime.h>

namespace bench {
namespace {

template <typename Function>
bool load(const char* name, int version, Function& function) {
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

}  // namespace

std::optional<DriverApi> load_driver_api() {
  DriverApi api;
  const bool loaded = load("cuGraphKernelNodeGetParams", 12000, api.kernel_params) &&
                      load("cuGraphKernelNodeGetAttribute", 12000, api.kernel_attribute) &&
                      load("cuKernelGetFunction", 12000, api.function_of_kernel) &&
                      load("cuFuncGetName", 12030, api.function_name) &&
                      load("cuFuncGetAttribute", 12000, api.function_attribute) &&
                      load("cuOccupancyMaxActiveBlocksPerMultiprocessor", 12000, api.blocks_per_sm);
  if (!loaded) return {};
  return api;
}

}  // namespace bench
