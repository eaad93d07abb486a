#include "bench/cases.hpp"

namespace bench {
namespace {

std::string join_name(std::string_view family, std::string_view variant, std::string_view type,
                      const std::string& shape) {
  return std::string(family) + "/" + std::string(variant) + "/" + std::string(type) + "/" + shape;
}

}  // namespace

std::int64_t element_count(const TransposeShape& shape) {
  return shape.rows * shape.columns;
}

double bytes_per_launch(const TransposeShape& shape) {
  return 2.0 * static_cast<double>(element_count(shape)) * sizeof(float);
}

double flops_per_launch(const GemmShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

std::string case_name(std::string_view family, std::string_view variant, const TransposeShape& shape) {
  return join_name(family, variant, "f32", std::to_string(shape.rows) + "x" + std::to_string(shape.columns));
}

std::string case_name(std::string_view family, std::string_view variant, const GemmShape& shape,
                      std::string_view type) {
  return join_name(family, variant, type,
                   std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k));
}

std::string case_name(std::string_view family, std::string_view variant, const TransposeShape& shape,
                      const kernels::BlockShape& block) {
  return case_name(family, variant, shape) + "/" + std::to_string(block.x) + "x" + std::to_string(block.y);
}

}  // namespace bench
