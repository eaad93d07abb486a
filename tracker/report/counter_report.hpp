// Profiles → text for people and programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/profile/counters.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {

struct CounterOptions {
  int columns = 0;          // of the terminal; 0: as wide as it gets. Text only
  bool all = false;         // every counter, and the kernels' names. Text and Markdown
  profile::TimesS times_s;  // of a search: the fastest comes first, and why is said
};

// What `profile --format` accepts.
using CounterFormat = FormatOf<std::vector<Profile>, CounterOptions>;
const std::vector<CounterFormat>& counter_formats();

// Profiles → tables of counters: what every format prints, in words and figures. Pure.

// Strangers' text in it is fit for one line of a terminal, and not yet escaped for anything else.
struct CounterTable {
  struct Row {
    std::string label;               // the parts of the benchmark's name in which the rows differ
    std::string kernel;              // whose counters these are
    std::vector<std::string> cells;  // one a column; "–" where there is no value
  };

  std::string heading;  // "NVIDIA H200 (nvidia-h200-…), commit 1a2b3c4, ncu 2025.3.1, medians of 3 launches"
  std::string common;   // what the names have in common: "transpose/*/f32/2048x2048"
  std::vector<const profile::Counter*> columns;
  std::vector<Row> rows;           // as the profile has them, or by time
  std::vector<std::string> notes;  // what is not in the table, and why
};

// `times_s`: of a search; the rows are then in the order of their times, which have a column, and the first
// notes say which is the fastest and what goes with the time.
// `all`: every counter. Otherwise those of a table, but for columns that are empty, zero or below 0.5 % all
// the way down. Notes hold no strangers' text.
CounterTable table_of(const Profile& profile, bool all, const profile::TimesS& times_s = {});

}  // namespace tracker::report
