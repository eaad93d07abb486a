// What every format says, in words and figures; how it is set is the formats' own.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// One row; strangers' text is fit for one line of a terminal, and not yet escaped for anything else.
struct Cells {
  std::string mark;  // one column wide: "✗"; "~" where it fails nothing, as it is waived or only reported
  std::string verdict;    // "regressed"
  std::string benchmark;  // its name
  std::string base;       // "3.482 TB/s"; "–" where there is none
  std::string candidate;
  std::string change;    // "−29.4 %"; empty where there is none
  std::string interval;  // "[−29.9, −28.8]", in per cent; "[unknown]"; empty where there is no change
  std::string reason;
  std::string cause;        // "spills 0 → 96 bytes"; empty where none is known
  bool is_excused = false;  // it would fail the build, but for a waiver or the policy
};
Cells cells_of(const Comparison& comparison);

// "HEAD~1", "3f9a0c1e", "Pad the tile": those of label, short id and subject that are known and differ.
std::vector<std::string> side_in_words(const Side& side);

// "NVIDIA H200 (nvidia-h200-141gib-700w)".
std::string device_in_words(const ComparisonReport& report);

// "5 invocations a side, measured side by side in one job"; "…; what was confirmed side by side".
std::string measuring_in_words(const ComparisonReport& report);

// "1 regressed, 2 inconclusive, 105 unchanged".
std::string counts_in_words(const ComparisonReport& report);

// "confirmed 7 benchmarks in 12 rounds: 48 s of measuring, 5 min 10 s saved"; empty where none was.
std::string effort_in_words(const ComparisonReport& report);

// What was not measured, as both sides are the same program; empty where all was.
std::string not_measured_in_words(const ComparisonReport& report);

// Behind other words: "; all intervals together hold with 99 % confidence"; empty where nothing was measured.
std::string confidence_in_words(const ComparisonReport& report);

// Benchmarks across devices: what a table has as rows, where its columns are devices. Pure.

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

// One sentence for many rows: a hundred that say the same hide the one that says more.

// The sentence with every figure replaced: those that share it differ in their figures alone.
std::string shape_of(const std::string& sentence);

// Sentences of one shape (one at least) as one: figures that differ become a range.
// "about 3 more" and "about 40 more" are "about 3–40 more".
std::string merge_sentences(const std::vector<std::string>& sentences);

}  // namespace tracker
