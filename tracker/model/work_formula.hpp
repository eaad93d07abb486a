// The work of one iteration, computed from the numbers in a benchmark's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracker {

// "{3}/8 * ({4.1}*{4.3} + {4.3}*{4.2})": numbers, +, *, /, parentheses, and {s.n}, the n-th number in the
// s-th segment of the name, both counted from 1 ("{4}" is "{4.1}"). In "gemm/smem/bf16/128x64x32", {3} is 16
// and {4.2} is 64. 400 characters at most.
bool is_work_formula(std::string_view formula);

// Empty where the name lacks one of the numbers, or the result is not above 0 and finite.
std::optional<double> work_of(std::string_view formula, const std::string& name);

}  // namespace tracker
