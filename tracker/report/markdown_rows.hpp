// Comparisons as rows of Markdown tables.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

// Above the rows; with a column for the verdict where rows of several stand together.
std::string table_head(bool has_verdicts);
std::string table_row(const Comparison& comparison, bool has_verdict);

}  // namespace tracker
