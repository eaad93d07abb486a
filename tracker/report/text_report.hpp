// Which rows the text report prints, and what it says below each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/report/cells.hpp"

namespace tracker {

struct TextRow {
  Verdict verdict = Verdict::kInconclusive;
  Cells cells;
  std::string why;                    // printed with the row; empty where its figures say all
  bool shares_why = false;            // of several rows, the last has the `why` of all
  std::optional<Interval> loss = {};  // of the change, worse is positive; empty where nothing is known of it
  double threshold = 0;
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

}  // namespace tracker
