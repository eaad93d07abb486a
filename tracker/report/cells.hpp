// What every format says, in words and figures; how it is set is the formats' own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker::report {

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

// What a benchmark is shown among for this comparison alone.
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

// Which rows the text report prints, and what it says below each.

struct TextRow {
  Verdict verdict = Verdict::kInconclusive;
  Cells cells;
  std::string why;                    // printed with the row; empty where its figures say all
  bool shares_why = false;            // of several rows, the last has the `why` of all
  std::optional<Interval> loss = {};  // of the change, worse is positive; empty where nothing is known of it
  double threshold = 0;               // of the change, a share
};

// Without `all_rows`, the unchanged ones are left out, and all but the first inconclusive ones.
std::vector<TextRow> rows_of(const ComparisonReport& report, bool all_rows);

// What half of a bar of these rows holds, as a share: all intervals but for what is far outside the
// threshold.
double bar_span(const std::vector<TextRow>& rows);

// What rows_of left out and no count tells; empty where that is nothing.
std::string hidden_in_words(const ComparisonReport& report, bool all_rows);

// Rows that say the same are brought together, and it is said once, below the last of them.
std::vector<TextRow> share_reasons(std::vector<TextRow> rows);

// The sentence beside a verdict.

// "4.2 % slower, past the threshold of 2 % and more than noise; waived until 2026-12-31: known": what
// comparison.reasons say. Not yet made fit for a terminal or a page: names and messages are as they came.
std::string reason_in_words(const Comparison& comparison);

// "against baseline, 4.2 % slower, past the threshold … (registers 32 → 48): 10.00 µs → 10.42 µs": for
// messages that have no table. `label`: what it is compared with.
std::string change_against_in_words(const Comparison& comparison, const std::string& label);

// What three rows or more would say of what stands in the way of a verdict on all of them, once: that other
// benchmarks ran beside them on one side only, or that each side is one invocation. Empty where fewer do.
// Takes it out of their reasons.
std::string take_shared_obstacle(ComparisonReport& report);

// The heading of the lines that rename_lines() gives.
inline constexpr const char* kRenamedQuestion =
    "What is missing and what is new have like names and values. If they were renamed, add to tracker.toml:";
// The lines for tracker.toml that rename what is likely to have been renamed; empty where nothing is.
std::vector<std::string> rename_lines(const ComparisonReport& report);

// "expired on 2026-11-01": why the waiver that matches does not hold; empty where it does, or there is none.
std::string why_waiver_fails(const Comparison& comparison);

// What reports in a terminal share: colours, the heading of a report, and notes.

// The colour of the verdict; empty for one that has none.
std::string verdict_style(Verdict verdict);
// In that colour, where `color` asks for any.
std::string colored(const std::string& text, Verdict verdict, bool color);

// Device, both sides, and how they were measured; each on lines no wider than `columns`.
std::string head_of(const ComparisonReport& report, std::size_t columns);

// "note: …"
std::string note_of(const std::string& note, std::size_t columns);

}  // namespace tracker::report
