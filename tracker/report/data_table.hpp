// What commands list: plain tables for programs, with one writer of JSON, one of CSV and one of SQL for all
// of them; and for people what was measured, what a store holds and what a machine can resolve. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"
#include "tracker/model/store_stats.hpp"

namespace tracker::report {

// A text, a number (NaN and infinity are written as not known), a count, yes or no, or nothing that is known.
using DataCell = std::variant<std::monostate, std::string, double, std::int64_t, bool>;

struct DataTable {
  std::string name;  // its key in JSON: "benchmarks"
  std::vector<std::string> columns;
  std::vector<std::vector<DataCell>> rows;  // as many cells as columns
};

// {"schema": "tracker.list/1", "benchmarks": [{"name": …}, …], …}
std::string write_json(const std::string& schema, const std::vector<DataTable>& tables);
// With a row of names, as RFC 4180 has it. What a spreadsheet would take for a formula begins with a quote.
std::string write_csv(const DataTable& table);
// Statements for SQLite and PostgreSQL that make the tables anew, with all numbers as they are. Words of SQL
// get other names: docs/outputs.md.
std::string write_sql(const std::vector<DataTable>& tables);
// By the name of one of these formats; of CSV the first table.
std::string write_tables(const std::string& format, const std::string& schema,
                         const std::vector<DataTable>& tables);

// What was measured: of each benchmark the median over its invocations in the metric's unit, and as `noise`
// the standard deviation of these as a share of it; not known of one invocation.
DataTable measured_table(const Run& run, const Policy& policy);
// The same for people: "transpose/copy/f32/64  15.10 µs ± 0.8 %", at most so many lines (0: all).
std::string write_measured(const Run& run, const Policy& policy, std::size_t rows_max);

// Every value of the series, oldest first; and their steps and drifts.
DataTable values_table(const std::vector<Series>& all);
DataTable changes_table(const std::vector<Series>& all);

// What a store holds, for people and for programs.

// Lines of at most `columns` (40 at least); of 80, and with all of each device's key, where it is 0.
std::string store_stats_text(const StoreStats& stats, std::size_t columns);

// docs/outputs.md says what its keys mean.
std::string store_stats_json(const StoreStats& stats);

// A calibration as text: what can be resolved, and a proposal for tracker.toml.

// `benchmarks_max`: so many rows at most, the noisiest; the last line counts the others.
std::string calibration_text(const Calibration& calibration, std::size_t benchmarks_max);

// [[policy]] tables whose thresholds hold with ten pairs: one for each first segment of the names (and one
// more for each benchmark that needs a larger one than nine in ten of its kind), to be pasted and reviewed.
std::string calibration_proposal(const Calibration& calibration);

}  // namespace tracker::report
