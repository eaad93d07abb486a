// The few declarations of CUPTI, of the driver and of NVTX that the injected library needs, so that it is
// built without a toolkit; and the calls of the driver that it hears. All of them are stable: callbacks get
// what these functions take, in their order. The test tests/injection/cuda_declarations_test.cpp holds them
// against the toolkit's headers, where there are some.
#pragma once

#include <array>
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

// What the injected library makes of the calls that it hears.
enum class Kind {
  kLaunch,
  kLaunchEx,
  kGraphMade,
  kGraphLaunch,
  kMoved,  // a copy, a fill, an allocation
  kPlain,  // a wait, a release
  kEventRecord,
  kElapsed,
  kModuleLoaded,
  kFunctionFound
};

// Functions of the driver that do the same, by CUPTI's numbers of them; 0: none. `bytes_at`: where their
// arguments have the number of bytes, or of elements of `element_bytes`; 0: nowhere.
struct Watched {
  Kind kind;
  const char* what;
  std::array<std::uint32_t, 14> ids;
  std::size_t bytes_at = 0;
  std::size_t element_bytes = 1;
};

// The names that the lines give to calls that take time.
inline constexpr const char* kToHost = "copy to the host";
inline constexpr const char* kToDevice = "copy to the device";
inline constexpr const char* kWithin = "copy on the device";
inline constexpr const char* kAnyCopy = "copy";
inline constexpr const char* kFill = "memset";
inline constexpr const char* kAllocation = "allocation";
inline constexpr const char* kRelease = "release of memory";
inline constexpr const char* kDeviceWait = "wait for the device";
inline constexpr const char* kStreamWait = "wait for a stream";
inline constexpr const char* kEventWait = "wait for an event";

// The table of the calls.
inline constexpr Watched kWatched[] = {
    {Kind::kPlain, kDeviceWait, {17, 800}},
    {Kind::kPlain, kStreamWait, {126, 440}},
    {Kind::kPlain, kEventWait, {121}},
    {Kind::kModuleLoaded, "", {18, 19, 20, 21}},
    {Kind::kFunctionFound, "", {23}},
    {Kind::kMoved, kAllocation, {243, 371, 598, 599, 611, 612}, 8},
    {Kind::kMoved, kAllocation, {244}},
    {Kind::kPlain, kRelease, {245, 600, 601}},
    {Kind::kMoved, kToDevice, {276, 277, 397, 421}, 16},
    {Kind::kMoved, kToHost, {278, 279, 398, 422}, 16},
    {Kind::kMoved, kWithin, {280, 281, 399, 423}, 16},
    {Kind::kMoved, kAnyCopy, {305, 306, 408, 418}, 16},
    {Kind::kMoved, kAnyCopy, {318, 319, 409, 426}, 32},
    {Kind::kMoved, kAnyCopy, {287, 288, 289, 290, 291, 405, 406, 407, 424, 425, 776, 777, 796, 797}},
    {Kind::kMoved, kFill, {249, 216, 411, 428}, 16},
    {Kind::kMoved, kFill, {250, 218, 412, 429}, 16, 2},
    {Kind::kMoved, kFill, {251, 220, 413, 430}, 16, 4},
    {Kind::kMoved, kFill, {252, 222, 253, 224, 254, 226}},
    {Kind::kEventRecord, "", {119, 441, 587, 588}},
    {Kind::kElapsed, "", {123, 780}},
    {Kind::kLaunch, "", {307, 442, 477, 478}},
    {Kind::kLaunchEx, "", {652, 653}},
    {Kind::kGraphMade, "", {513, 578, 643, 656, 657}},
    {Kind::kGraphLaunch, "", {514, 515}},
};

// The library's function of that name; null where it has none, or there is no library.
struct Symbol {
  void* library;
  const char* name;
  template <class Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(library == nullptr ? nullptr : dlsym(library, name));
  }
};

// What is asked of the driver; it is in the process already.
struct Driver {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int (*version)(int*) = Symbol{library, "cuDriverGetVersion"};
  int (*attribute)(int*, int, void*) = Symbol{library, "cuFuncGetAttribute"};
  int (*function_of_kernel)(void**, void*) = Symbol{library, "cuKernelGetFunction"};
  int (*name)(const char**, void*) = Symbol{library, "cuFuncGetName"};
  int (*blocks_per_sm)(int*, void*, int, std::size_t) = Symbol{library,
                                                               "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
  int (*capturing)(void*, int*) = Symbol{library, "cuStreamIsCapturing"};
  int (*nodes)(void*, void**, std::size_t*) = Symbol{library, "cuGraphGetNodes"};
  int (*node_type)(void*, int*) = Symbol{library, "cuGraphNodeGetType"};
  int (*kernel_node)(void*, KernelNode*) = Symbol{library, "cuGraphKernelNodeGetParams_v2"};
};

}  // namespace tracker::injection
