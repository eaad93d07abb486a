#include "bench/transpose_cases.hpp"

#include <algorithm>
#include <utility>

namespace bench {
namespace {

enum Buffer : std::size_t { kIn, kOut };

}  // namespace

std::vector<BufferSpec> transpose_buffers(std::span<const TransposeShape> shapes) {
  std::int64_t elements = 0;
  for (const TransposeShape& shape : shapes) elements = std::max(elements, element_count(shape));
  return {{"input", static_cast<std::size_t>(elements)}, {"output", static_cast<std::size_t>(elements)}};
}

GpuCase transpose_case(std::string name, const kernels::TransposeVariant& variant,
                       const TransposeShape& shape, const kernels::BlockShape& block, const Budget& budget) {
  const double bytes = bytes_per_launch(shape);
  return {.name = std::move(name),
          .requirements = variant.requirements,
          .work = {.bytes = bytes},
          .launches = launches_per_repetition(bytes, budget),
          .launch = [&variant, shape, block](const GpuSession& session, std::uint64_t turn,
                                             kernels::Stream stream) {
            const auto elements = static_cast<std::size_t>(element_count(shape));
            return variant.launch({.in = session.place(kIn, elements, turn),
                                   .out = session.place(kOut, elements, turn),
                                   .rows = shape.rows,
                                   .columns = shape.columns},
                                  block, stream);
          }};
}

}  // namespace bench
