#include "tracker/report/benchmark_rows.hpp"

#include <algorithm>
#include <unordered_map>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"

namespace tracker {

const Comparison& BenchmarkRow::worst() const {
  const Comparison* worst = nullptr;
  for (const auto* cell : cells)
    if (cell != nullptr && row_kind(*cell) == kind && (worst == nullptr || matters_more(*cell, *worst)))
      worst = cell;
  return *worst;
}

RowKind row_kind(const Comparison& comparison) {
  if (fails_gate(comparison)) return RowKind::kFails;
  switch (comparison.verdict) {
    case Verdict::kImproved:
      return RowKind::kImproved;
    case Verdict::kInconclusive:
      return RowKind::kInconclusive;
    case Verdict::kNew:
      return RowKind::kNew;
    case Verdict::kUnchanged:
      return RowKind::kUnchanged;
    default:
      return RowKind::kSetAside;
  }
}

std::vector<BenchmarkRow> rows_across(const std::vector<ComparisonReport>& reports) {
  std::vector<BenchmarkRow> rows;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const auto& comparison : reports[i].comparisons) {
      const auto [place, is_new] = places.try_emplace(comparison.benchmark, rows.size());
      const RowKind kind = row_kind(comparison);
      if (is_new) rows.push_back({comparison.benchmark, {}, kind});
      BenchmarkRow& row = rows[place->second];
      row.cells.resize(reports.size());
      row.cells[i] = &comparison;
      row.kind = std::min(row.kind, kind);
    }
  for (auto& row : rows) row.cells.resize(reports.size());
  std::stable_sort(rows.begin(), rows.end(), [](const BenchmarkRow& a, const BenchmarkRow& b) {
    return a.kind != b.kind ? a.kind < b.kind : matters_more(a.worst(), b.worst());
  });
  return rows;
}

std::string device_name(const std::vector<ComparisonReport>& reports, const ComparisonReport& report) {
  const auto alike = std::count_if(reports.begin(), reports.end(), [&](const ComparisonReport& other) {
    return other.details.model == report.details.model;
  });
  return alike > 1 || report.details.model.empty() ? device_in_words(report)
                                                   : printable(report.details.model);
}

}  // namespace tracker
