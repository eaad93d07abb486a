// The transpose variants on the GPU.
#include "bench/gpu_main.hpp"
#include "bench/transpose_cases.hpp"

namespace bench {
namespace {

GpuFamily transpose_family() {
  GpuFamily family;
  family.program = "transpose_bench";
  family.summary = "transpose_bench: every variant of the matrix transpose, float32, on the GPU";
  family.buffers = transpose_buffers(kTransposeShapes);
  for (const auto& variant : kernels::transpose_variants())
    for (const TransposeShape& shape : kTransposeShapes)
      if (kernels::can_take(variant, {.rows = shape.rows, .columns = shape.columns}))  // places are aligned
        family.cases.push_back(transpose_case(case_name("transpose", variant.name, shape), variant, shape,
                                              variant.default_block, kTransposeBudget));
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::transpose_family());
}
