#include "bench/kit/launch_trace.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <cuda.h>
#include <cuda_runtime.h>

#include "bench/kit/cuda_error.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace tracker::kit {
namespace {

// The driver functions that tell what is in a graph, cuBLAS' kernels included. They come through the runtime,
// so that a binary still starts where there is no driver.
struct DriverApi {
  decltype(&cuGraphKernelNodeGetParams) kernel_params = nullptr;
  decltype(&cuGraphKernelNodeGetAttribute) kernel_attribute = nullptr;
  decltype(&cuKernelGetFunction) function_of_kernel = nullptr;
  decltype(&cuFuncGetName) function_name = nullptr;
  decltype(&cuFuncGetAttribute) function_attribute = nullptr;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) blocks_per_sm = nullptr;
};

// Empty where the driver is too old to have them all (before 12.3).
std::optional<DriverApi> load_driver_api() {
  DriverApi api;
  const bool loaded =
      load_driver_function("cuGraphKernelNodeGetParams", 12000, api.kernel_params) &&
      load_driver_function("cuGraphKernelNodeGetAttribute", 12000, api.kernel_attribute) &&
      load_driver_function("cuKernelGetFunction", 12000, api.function_of_kernel) &&
      load_driver_function("cuFuncGetName", 12030, api.function_name) &&
      load_driver_function("cuFuncGetAttribute", 12000, api.function_attribute) &&
      load_driver_function("cuOccupancyMaxActiveBlocksPerMultiprocessor", 12000, api.blocks_per_sm);
  if (!loaded) return {};
  return api;
}

struct GraphDeleter {
  void operator()(cudaGraph_t graph) const { static_cast<void>(cudaGraphDestroy(graph)); }
};
using Graph = std::unique_ptr<CUgraph_st, GraphDeleter>;

// Null where it cannot be captured.
Graph capture(const Launch& launch, Stream stream) {
  cudaGraph_t graph = nullptr;
  // Relaxed: only what is enqueued counts, whatever else the launch asks of CUDA.
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    const bool launched = launch(stream) == cudaSuccess;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || !launched) {
      if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
      graph = nullptr;
    }
  }
  static_cast<void>(cudaGetLastError());
  return Graph(graph);
}

// In the order they were captured.
std::optional<std::vector<cudaGraphNode_t>> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  if (cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) return {};
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0 && cudaGraphGetNodes(graph, nodes.data(), &count) != cudaSuccess) return {};
  return nodes;
}

// "256", "256x256": sides of 1 at the end say nothing.
std::string shape(unsigned x, unsigned y, unsigned z) {
  std::string text = std::to_string(x);
  if (y > 1 || z > 1) text += "x" + std::to_string(y);
  if (z > 1) text += "x" + std::to_string(z);
  return text;
}

class KernelNode {
 public:
  // Not usable where the driver does not tell.
  KernelNode(const DriverApi& driver, CUgraphNode node) : driver_(driver), node_(node) {
    if (driver.kernel_params(node, &params_) != CUDA_SUCCESS) return;
    function_ = params_.func;
    if (function_ == nullptr && driver.function_of_kernel(&function_, params_.kern) != CUDA_SUCCESS) return;
    if (driver.function_name(&name_, function_) != CUDA_SUCCESS) name_ = nullptr;
  }

  bool is_known() const { return name_ != nullptr; }

  machine_code::KernelId id() const { return {name_, attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION)}; }

  tracker::KernelLaunch launch() const {
    return {.kernel = machine_code::kernel_name(name_),
            .grid = shape(params_.gridDimX, params_.gridDimY, params_.gridDimZ),
            .block = shape(params_.blockDimX, params_.blockDimY, params_.blockDimZ),
            .cluster = cluster(),
            .shared_bytes = params_.sharedMemBytes};
  }

  int threads_per_block() const {
    return static_cast<int>(params_.blockDimX * params_.blockDimY * params_.blockDimZ);
  }

  double threads() const {
    return double{1} * params_.gridDimX * params_.gridDimY * params_.gridDimZ * threads_per_block();
  }

  std::optional<KernelResources> resources() const {
    KernelResources resources{.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
                              .shared_static_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
                              .shared_dynamic_bytes = params_.sharedMemBytes,
                              .local_bytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                              .threads_per_block = threads_per_block()};
    if (driver_.blocks_per_sm(&resources.blocks_per_sm, function_, threads_per_block(),
                              params_.sharedMemBytes) != CUDA_SUCCESS)
      return {};
    return resources;
  }

 private:
  int attribute(CUfunction_attribute which) const {
    int value = 0;
    return driver_.function_attribute(&value, which, function_) == CUDA_SUCCESS ? value : 0;
  }

  // Of the launch, or what the kernel was compiled for; empty where there is none.
  std::string cluster() const {
    CUlaunchAttributeValue value{};
    if (driver_.kernel_attribute(node_, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value) == CUDA_SUCCESS &&
        value.clusterDim.x > 0)
      return shape(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    const int x = attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
    if (x == 0) return {};
    return shape(static_cast<unsigned>(x),
                 static_cast<unsigned>(attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT)),
                 static_cast<unsigned>(attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)));
  }

  const DriverApi& driver_;
  CUgraphNode node_;
  CUDA_KERNEL_NODE_PARAMS params_{};
  CUfunction function_ = nullptr;
  const char* name_ = nullptr;
};

// Collects the nodes; false for one that it cannot say in words.
class Tracer {
 public:
  explicit Tracer(const DriverApi& driver) : driver_(driver) {}

  bool add(cudaGraphNode_t node) {
    cudaGraphNodeType type{};
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) return false;
    switch (type) {
      case cudaGraphNodeTypeKernel:
        return add_kernel(node);
      case cudaGraphNodeTypeMemset:
        trace_.launches.push_back({.kernel = "memset"});
        return true;
      case cudaGraphNodeTypeMemcpy:
        trace_.launches.push_back({.kernel = "memcpy"});
        return true;
      case cudaGraphNodeTypeEmpty:
      case cudaGraphNodeTypeEventRecord:
      case cudaGraphNodeTypeWaitEvent:
        return true;
      default:
        return false;
    }
  }

  const LaunchTrace& trace() const { return trace_; }

 private:
  bool add_kernel(cudaGraphNode_t node) {
    const KernelNode kernel(driver_, node);
    if (!kernel.is_known()) return false;
    trace_.launches.push_back(kernel.launch());
    trace_.kernels.push_back(kernel.id());
    if (kernel.threads() > threads_) {
      threads_ = kernel.threads();
      trace_.resources = kernel.resources();
    }
    return true;
  }

  const DriverApi& driver_;
  LaunchTrace trace_;
  double threads_ = 0;  // of the launch that the resources are of
};

}  // namespace

std::optional<LaunchTrace> trace_launch(const Launch& launch, Stream stream) {
  static const std::optional<DriverApi> driver = load_driver_api();
  if (!driver) return {};
  const Graph graph = capture(launch, stream);
  if (graph == nullptr) return {};
  const auto nodes = nodes_of(graph.get());
  Tracer tracer(*driver);
  const bool complete = nodes && std::all_of(nodes->begin(), nodes->end(),
                                             [&](cudaGraphNode_t node) { return tracer.add(node); });
  static_cast<void>(cudaGetLastError());
  if (!complete) return {};
  return tracer.trace();
}

}  // namespace tracker::kit
