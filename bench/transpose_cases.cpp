#include "bench/transpose_cases.hpp"

#include <algorithm>
#include <utility>

#include "bench/device_check.hpp"

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
  const auto problem = [shape](const GpuSession& session, std::uint64_t turn) {
    const auto elements = static_cast<std::size_t>(element_count(shape));
    return kernels::TransposeProblem{.in = session.place(kIn, elements, turn),
                                     .out = session.place(kOut, elements, turn),
                                     .rows = shape.rows,
                                     .columns = shape.columns};
  };
  return {
      .name = std::move(name),
      .requirements = variant.requirements,
      .work = {.bytes = bytes},
      .launches = launches_per_repetition(bytes, budget),
      .launch = [&variant, problem, block](
                    const GpuSession& session, std::uint64_t turn,
                    kernels::Stream stream) { return variant.launch(problem(session, turn), block, stream); },
      .result =
          [problem, shape](const GpuSession& session, std::uint64_t turn) {
            const auto elements = static_cast<std::size_t>(element_count(shape));
            return std::as_writable_bytes(std::span(problem(session, turn).out, elements));
          },
      .check =
          [&variant, problem](const GpuSession& session, std::uint64_t turn, kernels::Stream stream) {
            return check_transpose(problem(session, turn), variant.is_copy, stream);
          }};
}

}  // namespace bench
