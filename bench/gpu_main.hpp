// What the GPU benchmark binaries do alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gpu_case.hpp"

namespace bench {

// A family of kernels, as its binary measures it.
struct GpuFamily {
  std::string program;
  std::string summary;              // "transpose_bench: …", the first line of the help
  std::vector<BufferSpec> buffers;  // the matrices at their largest
  std::vector<GpuCase> cases;       // every row of the table at every shape
  std::function<std::optional<std::string>()> cublas_version;  // where the family uses cuBLAS
  std::function<void()> release;  // gives back what its kernels keep in a CUDA context
  int contexts = 3;               // that a repetition is measured in
};

// Exit code: 0, 2 for a wrong option, 4 where there is no usable GPU.
int gpu_main(int argc, char** argv, const GpuFamily& family);

}  // namespace bench
