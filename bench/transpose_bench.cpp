// The transpose variants on the GPU.
#include <algorithm>

#include "bench/cases.hpp"
#include "bench/gpu_main.hpp"
#include "kernels/transpose.hpp"

namespace bench {
namespace {

enum Buffer : std::size_t { kIn, kOut };

GpuCase transpose_case(const kernels::TransposeVariant& variant, const TransposeShape& shape) {
  const double bytes = bytes_per_launch(shape);
  return {.name = case_name("transpose", variant.name, shape),
          .requirements = variant.requirements,
          .work = {.bytes = bytes},
          .launches = launches_per_repetition(bytes, kTransposeBudget),
          .launch = [&variant, shape](const GpuSession& session, std::uint64_t turn, kernels::Stream stream) {
            const auto elements = static_cast<std::size_t>(element_count(shape));
            return variant.launch({.in = session.place(kIn, elements, turn),
                                   .out = session.place(kOut, elements, turn),
                                   .rows = shape.rows,
                                   .columns = shape.columns},
                                  variant.default_block, stream);
          }};
}

GpuFamily transpose_family() {
  GpuFamily family;
  family.program = "transpose_bench";
  family.summary = "transpose_bench: every variant of the matrix transpose, float32, on the GPU";
  std::int64_t elements = 0;
  for (const TransposeShape& shape : kTransposeShapes) elements = std::max(elements, element_count(shape));
  family.buffers = {{"input", static_cast<std::size_t>(elements)},
                    {"output", static_cast<std::size_t>(elements)}};
  for (const auto& variant : kernels::transpose_variants())
    for (const TransposeShape& shape : kTransposeShapes)
      family.cases.push_back(transpose_case(variant, shape));
  return family;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::gpu_main(argc, argv, bench::transpose_family());
}
