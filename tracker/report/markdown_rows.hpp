// Benchmarks as rows of Markdown tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/report/benchmark_rows.hpp"

namespace tracker {

struct MarkdownTable {
  std::string head;
  std::vector<std::string> rows;
  std::string below;  // what all rows have in common, said once; may be empty
};

struct TableStyle {
  std::string first_column = "benchmark";
  bool has_reasons = true;                    // below the names: why, and the likely cause
  std::optional<std::string> cause_in_sight;  // stands above the table (empty: that none is known)
};

// More devices than this have no column each: a page has no room for them.
inline constexpr std::size_t kDeviceColumnsOfTableMax = 6;

// One device has columns for the change and for base → head; several have a column each. Of more than
// kDeviceColumnsOfTableMax a row shows the one where the change matters most, and counts the verdicts of all.
MarkdownTable markdown_table(const std::vector<ComparisonReport>& reports,
                             const std::vector<const BenchmarkRow*>& rows, const TableStyle& style);

// "<code>…</code>", which a narrow page may break at slashes and underscores.
std::string name_in_markdown(const std::string& benchmark, std::size_t columns_max);

// With the first fact in bold: the others would drown it.
std::string cause_in_markdown(const std::string& cause);

// Figures stay on one line, however narrow the column.
std::string unbroken(const std::string& text);

std::string small_text(const std::string& text);

}  // namespace tracker
