// The transpose variants on the GPU: at their own block shape; and, as transpose_blocks_bench
// (TRANSPOSE_BLOCKS), with every block shape: which one suits this device.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "bench/cases.hpp"
#include "bench/device_check.hpp"
#include "kernels/transpose.hpp"
#include "tracker/bench.hpp"

namespace bench {
namespace {

#ifdef TRANSPOSE_BLOCKS
constexpr bool kIsBlockSweep = true;
#else
constexpr bool kIsBlockSweep = false;
#endif

// The two matrices, large enough for each of the shapes.
struct Matrices {
  tracker::Buffer input;
  tracker::Buffer output;
};

Matrices matrices_for(std::span<const TransposeShape> shapes) {
  std::size_t elements = 0;
  for (const TransposeShape& shape : shapes)
    elements = std::max(elements, static_cast<std::size_t>(element_count(shape)));
  tracker::Buffer input({"input", elements});
  return {std::move(input), tracker::Buffer({"output", elements})};
}

// `variant` must outlive the benchmark.
void add_case(const Matrices& matrices, std::string name, const kernels::TransposeVariant& variant,
              const TransposeShape& shape, const kernels::BlockShape& block, const Budget& budget) {
  const double bytes = bytes_per_launch(shape);
  const auto elements = static_cast<std::size_t>(element_count(shape));
  const auto problem = [matrices, shape, elements] {
    return kernels::TransposeProblem{.in = matrices.input.place(elements),
                                     .out = matrices.output.place(elements),
                                     .rows = shape.rows,
                                     .columns = shape.columns};
  };
  tracker::add_gpu_benchmark(
      {.name = std::move(name),
       .work = {.bytes = bytes},
       .launch = [&variant, problem,
                  block](cudaStream_t stream) { return variant.launch(problem(), block, stream); },
       .result = [matrices, elements] { return matrices.output.bytes(elements); },
       .check = [&variant, problem](
                    cudaStream_t stream) { return check_transpose(problem(), variant.is_copy, stream); },
       .launches = launches_per_repetition(bytes, budget),
       .compute_capability_min = variant.requirements.compute_capability_min,
       .compute_capability_max = variant.requirements.compute_capability_max});
}

bool can_take(const kernels::TransposeVariant& variant, const TransposeShape& shape) {  // places are aligned
  return kernels::can_take(variant, {.rows = shape.rows, .columns = shape.columns});
}

void add_variants() {
  const Matrices matrices = matrices_for(kTransposeShapes);
  for (const auto& variant : kernels::transpose_variants())
    for (const TransposeShape& shape : kTransposeShapes)
      if (can_take(variant, shape))
        add_case(matrices, case_name("transpose", variant.name, shape), variant, shape, variant.default_block,
                 kTransposeBudget);
}

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

void add_block_sweep() {
  const Matrices matrices = matrices_for(kBlockSweepShapes);
  for (const auto& variant : kernels::transpose_variants())
    for (const auto& block : blocks_of(variant))
      for (const TransposeShape& shape : kBlockSweepShapes)
        if (can_take(variant, shape))
          add_case(matrices, case_name("transpose_blocks", variant.name, shape, block), variant, shape, block,
                   kBlockSweepBudget);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if constexpr (bench::kIsBlockSweep) {
    bench::add_block_sweep();
    return tracker::benchmark_main(
        argc, argv,
        {.program = "transpose_blocks_bench",
         .summary = "transpose_blocks_bench: every variant of the matrix transpose with every block shape",
         .contexts = 1});  // differences are far above noise
  } else {
    bench::add_variants();
    return tracker::benchmark_main(
        argc, argv,
        {.program = "transpose_bench",
         .summary = "transpose_bench: every variant of the matrix transpose, float32, on the GPU"});
  }
}
