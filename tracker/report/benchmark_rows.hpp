// Benchmarks across devices: what a table has as rows, where its columns are devices. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// What a benchmark is shown among: by the first of these that it is on any device.
enum class RowKind {
  kFails,  // the build
  kImproved,
  kSetAside,  // would fail but for a waiver or the policy, or is slower with the same code
  kInconclusive,
  kNew,
  kUnchanged
};

struct BenchmarkRow {
  std::string benchmark;
  std::vector<const Comparison*> cells;  // one for each report, in their order; null where it has none
  RowKind kind = RowKind::kUnchanged;

  // The cell that matters most.
  const Comparison& worst() const;
};

RowKind row_kind(const Comparison& comparison);

// All benchmarks of the reports, what matters most first. They point into `reports`.
std::vector<BenchmarkRow> rows_across(const std::vector<ComparisonReport>& reports);

// "NVIDIA H200"; with its key where the models of the reports do not tell which.
std::string device_name(const std::vector<ComparisonReport>& reports, const ComparisonReport& report);

}  // namespace tracker
