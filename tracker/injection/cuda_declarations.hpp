// The few declarations of CUPTI, of the driver and of NVTX that the injected library needs, so that it is
// built without a toolkit. All of them are stable: callbacks get what these functions take, in their order.
// The test tests/injection/cuda_declarations_test.cpp holds them against the toolkit's headers, where there
// are some.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlfcn.h>

namespace tracker::injection {

// CUPTI: CUpti_CallbackDomain, CUpti_CallbackIdResource, CUpti_ApiCallbackSite.
inline constexpr int kDomainDriver = 1;
inline constexpr int kDomainResource = 3;
inline constexpr std::uint32_t kModuleLoadedEvent = 6;
inline constexpr std::uint32_t kModuleUnloadEvent = 7;
inline constexpr int kSiteEnter = 0;
inline constexpr int kSiteExit = 1;

// CUpti_CallbackData
struct ApiCall {
  int site;
  const char* function_name;
  const void* arguments;
  void* result;
  const char* symbol;  // of launches: the kernel's mangled name
  void* context;
  std::uint32_t context_id;
  std::uint64_t* correlation_data;
  std::uint32_t correlation_id;
};

// CUpti_ResourceData
struct ResourceEvent {
  void* context;
  void* stream;
  void* descriptor;
};

// CUpti_ModuleResourceData
struct ModuleEvent {
  std::uint32_t module;
  std::size_t cubin_bytes;
  const char* cubin;
};

// CUpti_CallbackFunc: what CUPTI calls before and after a call of the driver.
using Callback = void (*)(void* user, int domain, std::uint32_t id, const void* data);

// cuLaunchKernel, cuLaunchCooperativeKernel
struct LaunchArguments {
  void* function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void* stream;
};

// CUlaunchAttribute; its value is a union of 64 bytes
struct LaunchAttribute {
  int id;
  char padding[4];
  unsigned value[16];
};
inline constexpr int kClusterDimension = 4;

// CUlaunchConfig
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

// cuLaunchKernelEx
struct LaunchExArguments {
  const LaunchConfig* config;
  void* function;
};

// CUDA_KERNEL_NODE_PARAMS_v2
struct KernelNode {
  void* function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void** parameters;
  void** extra;
  void* kernel;
  void* context;
};
inline constexpr int kKernelNodeType = 0;
inline constexpr int kCopyNodeType = 1;
inline constexpr int kMemsetNodeType = 2;

// CUfunction_attribute
inline constexpr int kThreadsMax = 0;
inline constexpr int kStaticSharedBytes = 1;
inline constexpr int kLocalBytes = 3;
inline constexpr int kRegisters = 4;
inline constexpr int kBinaryVersion = 6;

// nvtxEventAttributes_t; its `size` is in bytes.
struct RangeAttributes {
  std::uint16_t version;
  std::uint16_t size;
  std::uint32_t category;
  std::int32_t color_type;
  std::uint32_t color;
  std::int32_t payload_type;
  std::int32_t reserved;
  std::uint64_t payload;
  std::int32_t message_type;
  const void* message;
};
inline constexpr int kAsciiMessage = 1;
inline constexpr int kRegisteredMessage = 3;

// NvtxExportTableCallbacks; its `size` is in bytes.
struct RangeCallbacks {
  std::size_t size;
  int (*table_of)(int module, void (****table)(), unsigned* size);
};
inline constexpr std::uint32_t kCallbacksTable = 1;

// The library's function of that name; null where it has none, or there is no library.
template <class Function>
Function symbol_of(void* library, const char* name) {
  return reinterpret_cast<Function>(library == nullptr ? nullptr : dlsym(library, name));
}

// What is asked of the driver; it is in the process already.
struct Driver {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int (*version)(int*) = symbol_of<int (*)(int*)>(library, "cuDriverGetVersion");
  int (*attribute)(int*, int, void*) = symbol_of<int (*)(int*, int, void*)>(library, "cuFuncGetAttribute");
  int (*function_of_kernel)(void**, void*) = symbol_of<int (*)(void**, void*)>(library,
                                                                               "cuKernelGetFunction");
  int (*name)(const char**, void*) = symbol_of<int (*)(const char**, void*)>(library, "cuFuncGetName");
  int (*blocks_per_sm)(int*, void*, int, std::size_t) = symbol_of<int (*)(int*, void*, int, std::size_t)>(
      library, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  int (*capturing)(void*, int*) = symbol_of<int (*)(void*, int*)>(library, "cuStreamIsCapturing");
  int (*nodes)(void*, void**,
               std::size_t*) = symbol_of<int (*)(void*, void**, std::size_t*)>(library, "cuGraphGetNodes");
  int (*node_type)(void*, int*) = symbol_of<int (*)(void*, int*)>(library, "cuGraphNodeGetType");
  int (*kernel_node)(void*,
                     KernelNode*) = symbol_of<int (*)(void*, KernelNode*)>(library,
                                                                           "cuGraphKernelNodeGetParams_v2");
};

}  // namespace tracker::injection
