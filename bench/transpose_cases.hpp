// A transpose as a benchmark: what the binaries of the family share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "bench/gpu_case.hpp"
#include "kernels/transpose.hpp"

namespace bench {

// The two matrices, large enough for each of the shapes.
std::vector<BufferSpec> transpose_buffers(std::span<const TransposeShape> shapes);

// `variant` must outlive the benchmark.
GpuCase transpose_case(std::string name, const kernels::TransposeVariant& variant,
                       const TransposeShape& shape, const kernels::BlockShape& block, const Budget& budget);

}  // namespace bench
