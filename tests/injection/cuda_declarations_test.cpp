// Our declarations of CUPTI, the driver and NVTX against theirs: sizes, places of fields, numbers.
#include "tracker/injection/cuda_declarations.hpp"

#include <cstddef>
#include <set>
#include <string>

#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nvtx3/nvToolsExt.h>

namespace tracker::injection {
namespace {

#define SAME_PLACE(ours, our_field, theirs, their_field) \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field))

static_assert(sizeof(ApiCall) == sizeof(CUpti_CallbackData));
SAME_PLACE(ApiCall, site, CUpti_CallbackData, callbackSite);
SAME_PLACE(ApiCall, function_name, CUpti_CallbackData, functionName);
SAME_PLACE(ApiCall, arguments, CUpti_CallbackData, functionParams);
SAME_PLACE(ApiCall, symbol, CUpti_CallbackData, symbolName);
SAME_PLACE(ResourceEvent, descriptor, CUpti_ResourceData, resourceDescriptor);
SAME_PLACE(ModuleEvent, module, CUpti_ModuleResourceData, moduleId);
SAME_PLACE(ModuleEvent, cubin_bytes, CUpti_ModuleResourceData, cubinSize);
SAME_PLACE(ModuleEvent, cubin, CUpti_ModuleResourceData, pCubin);
SAME_PLACE(LaunchArguments, function, cuLaunchKernel_ptsz_params, f);
SAME_PLACE(LaunchArguments, grid, cuLaunchKernel_ptsz_params, gridDimX);
SAME_PLACE(LaunchArguments, block, cuLaunchKernel_ptsz_params, blockDimX);
SAME_PLACE(LaunchArguments, shared_bytes, cuLaunchKernel_ptsz_params, sharedMemBytes);
SAME_PLACE(LaunchArguments, stream, cuLaunchKernel_ptsz_params, hStream);
SAME_PLACE(LaunchArguments, block, cuLaunchCooperativeKernel_ptsz_params, blockDimX);
SAME_PLACE(LaunchArguments, stream, cuLaunchCooperativeKernel_ptsz_params, hStream);
SAME_PLACE(LaunchExArguments, config, cuLaunchKernelEx_ptsz_params, config);
SAME_PLACE(LaunchExArguments, function, cuLaunchKernelEx_ptsz_params, f);
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
SAME_PLACE(LaunchAttribute, value, CUlaunchAttribute, value);
SAME_PLACE(LaunchConfig, block, CUlaunchConfig, blockDimX);
SAME_PLACE(LaunchConfig, shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME_PLACE(LaunchConfig, stream, CUlaunchConfig, hStream);
SAME_PLACE(LaunchConfig, attributes, CUlaunchConfig, attrs);
SAME_PLACE(LaunchConfig, attribute_count, CUlaunchConfig, numAttrs);
SAME_PLACE(KernelNode, block, CUDA_KERNEL_NODE_PARAMS_v2, blockDimX);
SAME_PLACE(KernelNode, shared_bytes, CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes);
SAME_PLACE(KernelNode, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
static_assert(sizeof(KernelNode) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
SAME_PLACE(RangeAttributes, message_type, nvtxEventAttributes_t, messageType);
SAME_PLACE(RangeAttributes, message, nvtxEventAttributes_t, message);
SAME_PLACE(RangeCallbacks, table_of, NvtxExportTableCallbacks, GetModuleFunctionTable);

TEST(Declarations, HaveTheNumbersOfTheToolkit) {
  EXPECT_EQ(kDomainDriver, CUPTI_CB_DOMAIN_DRIVER_API);
  EXPECT_EQ(kDomainResource, CUPTI_CB_DOMAIN_RESOURCE);
  EXPECT_EQ(kModuleLoadedEvent, unsigned{CUPTI_CBID_RESOURCE_MODULE_LOADED});
  EXPECT_EQ(kModuleUnloadEvent, unsigned{CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING});
  EXPECT_EQ(kSiteEnter, CUPTI_API_ENTER);
  EXPECT_EQ(kSiteExit, CUPTI_API_EXIT);
  EXPECT_EQ(kClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  EXPECT_EQ(kKernelNodeType, CU_GRAPH_NODE_TYPE_KERNEL);
  EXPECT_EQ(kCopyNodeType, CU_GRAPH_NODE_TYPE_MEMCPY);
  EXPECT_EQ(kMemsetNodeType, CU_GRAPH_NODE_TYPE_MEMSET);
  EXPECT_EQ(kStaticSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  EXPECT_EQ(kLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  EXPECT_EQ(kRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
  EXPECT_EQ(kBinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  EXPECT_EQ(kAsciiMessage, NVTX_MESSAGE_TYPE_ASCII);
  EXPECT_EQ(kRegisteredMessage, NVTX_MESSAGE_TYPE_REGISTERED);
}

// What a function of this kind is called; several words where any of them will do.
std::vector<std::string> words_of(const Watched& watched) {
  const std::string what = watched.what;
  switch (watched.kind) {
    case Kind::kLaunch:
      return {"cuLaunchKernel", "cuLaunchCooperativeKernel"};
    case Kind::kLaunchEx:
      return {"cuLaunchKernelEx"};
    case Kind::kGraphMade:
      return {"cuGraphInstantiate"};
    case Kind::kGraphLaunch:
      return {"cuGraphLaunch"};
    case Kind::kEventRecord:
      return {"cuEventRecord"};
    case Kind::kElapsed:
      return {"cuEventElapsedTime"};
    case Kind::kModuleLoaded:
      return {"cuModuleLoad"};
    case Kind::kFunctionFound:
      return {"cuModuleGetFunction"};
    case Kind::kMoved:
    case Kind::kPlain:
      break;
  }
  if (what == kToHost) return {"cuMemcpyDtoH"};
  if (what == kToDevice) return {"cuMemcpyHtoD"};
  if (what == kWithin) return {"cuMemcpyDtoD"};
  if (what == kAnyCopy) return {"cuMemcpy"};
  if (what == kFill) return {"cuMemset"};
  if (what == kAllocation) return {"cuMemAlloc"};
  if (what == kRelease) return {"cuMemFree"};
  if (what == kDeviceWait) return {"cuCtxSynchronize"};
  if (what == kStreamWait) return {"cuStreamSynchronize"};
  return {"cuEventSynchronize"};
}

TEST(Declarations, NumberTheCallsAsCuptiDoes) {
  void* library = nullptr;
  for (const char* name : {"libcupti.so", "/usr/local/cuda/lib64/libcupti.so"})
    if (library == nullptr) library = dlopen(name, RTLD_NOW);
  if (library == nullptr) GTEST_SKIP() << "no libcupti.so here";
  const auto name_of =
      reinterpret_cast<decltype(&cuptiGetCallbackName)>(dlsym(library, "cuptiGetCallbackName"));
  ASSERT_NE(name_of, nullptr);
  std::set<std::uint32_t> seen;
  for (const auto& watched : kWatched)
    for (const std::uint32_t id : watched.ids) {
      if (id == 0) continue;
      EXPECT_TRUE(seen.insert(id).second) << id << " stands twice";
      const char* name = nullptr;
      ASSERT_EQ(name_of(CUPTI_CB_DOMAIN_DRIVER_API, id, &name), CUPTI_SUCCESS) << id;
      std::vector<testing::Matcher<std::string>> any;
      for (const auto& word : words_of(watched)) any.push_back(testing::StartsWith(word));
      EXPECT_THAT(std::string(name), testing::AnyOfArray(any)) << id;
    }
}

}  // namespace
}  // namespace tracker::injection
