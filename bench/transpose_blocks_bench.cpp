// Every transpose variant with every block shape: which one suits this device.
#include <algorithm>

#include <cuda_runtime.h>

#include "bench/gpu_main.hpp"
#include "bench/transpose_cases.hpp"

namespace bench {
namespace {

// Asked with an empty matrix, which launches nothing.
bool refuses(const kernels::TransposeVariant& variant, const kernels::BlockShape& block) {
  return variant.launch({}, block, nullptr) == cudaErrorInvalidValue;
}

// A variant's own block belongs to the sweep as well: of some it is the only one.
std::vector<kernels::BlockShape> blocks_of(const kernels::TransposeVariant& variant) {
  std::vector<kernels::BlockShape> blocks(kSweptBlocks.begin(), kSweptBlocks.end());
  if (std::ranges::find(blocks, variant.default_block) == blocks.end())
    blocks.push_back(variant.default_block);
  std::erase_if(blocks, [&](const auto& block) { return refuses(variant, block); });
  return blocks;
}

GpuFamily blocks_family() {
  GpuFamily family;
  family.program = "transpose_blocks_bench";
  family.summary = "transpose_blocks_bench: every variant of the matrix transpose with every block shape";
  family.contexts = 1;  // differences are far above noise
  family.buffers = transpose_buffers(kBlockSweepShapes);
  for (const auto& variant : kernels::transpose_variants())
    for (const auto& block : blocks_of(variant))
      for (const TransposeShape& shape : kBlockSweepShapes) {
        if (!kernels::can_take(variant, {.rows = shape.rows, .columns = shape.columns})) continue;
        family.cases.push_back(transpose_case(case_name("transpose_blocks", variant.name, shape, block),
                                              variant, shape, block, kBlockSweepBudget));
      }
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::blocks_family());
}
