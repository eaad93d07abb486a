#include "tracker/report/data_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/report/json_report.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::report {
namespace {

Json cell_json(const DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return number_json(*number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return *count;
  if (const auto* is_so = std::get_if<bool>(&cell)) return *is_so;
  return nullptr;
}

std::string csv_text(const std::string& cell) {
  std::string text = cell;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    if (c != '\0') quoted.append(c == '\'' ? 2 : 1, c);  // no database takes a NUL
  return quoted + "'";
}

// How a format for programs writes a cell.
struct CellStyle {
  std::string (*text)(const std::string& cell);
  const char* yes;
  const char* no;
  const char* unknown;
  const char* number;  // its format, as C has them
};
constexpr CellStyle kCsv{csv_text, "yes", "no", "", "%.10g"};
constexpr CellStyle kSql{sql_text, "TRUE", "FALSE", "NULL", "%.17g"};

std::string cell_text(const DataCell& cell, const CellStyle& style) {
  if (const auto* text = std::get_if<std::string>(&cell)) return style.text(*text);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return std::to_string(*count);
  if (const auto* is_so = std::get_if<bool>(&cell)) return *is_so ? style.yes : style.no;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr || !std::isfinite(*number)) return style.unknown;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), style.number, *number);
  return text.data();
}

std::string row_text(const std::vector<DataCell>& row, const CellStyle& style, const char* separator) {
  std::vector<std::string> cells;
  for (const auto& cell : row) cells.push_back(cell_text(cell, style));
  return join(cells, separator);
}

std::string sql_name(const std::string& name) {
  if (name == "commit") return "commit_id";
  return name == "values" ? "results" : name;
}

const char* sql_type(const DataTable& table, std::size_t column) {
  for (const auto& row : table.rows) {
    if (std::holds_alternative<double>(row[column])) return "DOUBLE PRECISION";
    if (std::holds_alternative<std::int64_t>(row[column])) return "BIGINT";
    if (std::holds_alternative<bool>(row[column])) return "BOOLEAN";
    if (std::holds_alternative<std::string>(row[column])) return "TEXT";
  }
  return "TEXT";
}

struct Measured {
  const Benchmark* benchmark = nullptr;
  Metric metric;
  std::vector<double> values;  // one an invocation
  std::size_t repetitions = 0;
};

std::vector<Measured> measured_of(const Run& run, const Policy& policy) {
  std::vector<Measured> all;
  for (const auto& benchmark : run.benchmarks) {
    if (benchmark.error) continue;
    Benchmark now = benchmark;
    now.name = renamed(benchmark.name, policy.renames);
    Measured one{&benchmark, gate_for(without_renames(policy), now).metric, {}, 0};
    one.values = metric_values(one.metric, benchmark, run);
    for (const auto& invocation : run.invocations)
      if (const Samples* samples = counted_samples(invocation, benchmark.name))
        one.repetitions += samples->real_time_ns.size();
    if (!one.values.empty()) all.push_back(std::move(one));
  }
  return all;
}

// As a share of the mean; not known of a single value.
std::optional<double> noise_of(const std::vector<double>& values) {
  const double mean = stats::mean(values);
  if (values.size() < 2 || !(mean > 0)) return {};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean;
}

DataCell number_cell(const std::optional<double>& number) {
  return number ? DataCell(*number) : DataCell();
}

std::int64_t count_cell(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

}  // namespace

std::string write_json(const std::string& schema, const std::vector<DataTable>& tables) {
  Json document{{"schema", schema}};
  for (const auto& table : tables) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
      Json cells = Json::object();
      for (std::size_t i = 0; i < table.columns.size(); ++i) cells[table.columns[i]] = cell_json(row[i]);
      rows.push_back(std::move(cells));
    }
    document[table.name] = std::move(rows);
  }
  return json_text(document);
}

std::string write_csv(const DataTable& table) {
  std::string out = join(table.columns, ",") + "\r\n";
  for (const auto& row : table.rows) out += row_text(row, kCsv, ",") + "\r\n";
  return out;
}

std::string write_sql(const std::vector<DataTable>& tables) {
  std::string out = "BEGIN;\n";
  for (const auto& table : tables) {
    const std::string name = sql_name(table.name);
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      columns.push_back(sql_name(table.columns[i]) + " " + sql_type(table, i));
    out += "DROP TABLE IF EXISTS " + name + ";\nCREATE TABLE " + name + " (" + join(columns, ", ") + ");\n";
    for (const auto& row : table.rows)
      out += "INSERT INTO " + name + " VALUES (" + row_text(row, kSql, ", ") + ");\n";
  }
  return out + "COMMIT;\n";
}

std::string write_tables(const std::string& format, const std::string& schema,
                         const std::vector<DataTable>& tables) {
  if (format == "csv") return write_csv(tables.front());
  return format == "sql" ? write_sql(tables) : write_json(schema, tables);
}

DataTable measured_table(const Run& run, const Policy& policy) {
  DataTable table{"benchmarks",
                  {"run", "commit", "device", "benchmark", "metric", "unit", "median", "noise", "invocations",
                   "repetitions"},
                  {}};
  for (const auto& one : measured_of(run, policy))
    table.rows.push_back({run.id, run.commit, device_key(run.device), one.benchmark->name, one.metric.name,
                          one.metric.unit, stats::median(one.values), number_cell(noise_of(one.values)),
                          count_cell(one.values.size()), count_cell(one.repetitions)});
  return table;
}

std::string write_measured(const Run& run, const Policy& policy, std::size_t rows_max) {
  const auto all = measured_of(run, policy);
  const std::size_t shown = rows_max == 0 ? all.size() : std::min(rows_max, all.size());
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto noise = noise_of(all[i].values);
    rows.push_back({all[i].benchmark->name, format_quantity(stats::median(all[i].values), all[i].metric.unit),
                    noise ? "± " + format_share(*noise) : ""});
  }
  std::string out = text_table({{}, {.right = true, .width_min = 11}, {.gap = 1}}, rows, 0, "  ");
  if (shown < all.size()) out += "  …" + and_more(all.size() - shown) + "\n";
  return out;
}

DataTable values_table(const std::vector<Series>& all) {
  DataTable table{"values",
                  {"device", "benchmark", "metric", "unit", "commit", "date", "subject", "value", "low",
                   "high", "invocations", "disturbed"},
                  {}};
  for (const auto& series : all)
    for (const auto& point : series.points)
      table.rows.push_back({series.device, series.benchmark, series.metric.name, series.metric.unit,
                            point.commit.str(), point.date.str(), point.subject.str(), point.median,
                            point.spread.low, point.spread.high, static_cast<std::int64_t>(point.invocations),
                            point.disturbed});
  return table;
}

DataTable changes_table(const std::vector<Series>& all) {
  DataTable table{"changes",
                  {"device", "benchmark", "metric", "kind", "first_commit", "last_commit", "before", "after",
                   "change", "worse", "state"},
                  {}};
  for (const auto& series : all) {
    const auto add = [&](const std::string& kind, std::size_t first, std::size_t last, double before,
                         double after, bool worse, const std::string& state) {
      table.rows.push_back({series.device, series.benchmark, series.metric.name, kind,
                            series.points[first].commit.str(), series.points[last].commit.str(), before,
                            after, after / before - 1, worse, state});
    };
    for (const auto& step : series.steps)
      add("step", step.point, step.point, step.before, step.after, step.worse,
          !step.other_conditions.empty() ? "other_conditions"
          : !step.accepted.empty()       ? "accepted"
          : step.settled                 ? "settled"
                                         : "not_settled");
    for (const auto& drift : series.drifts)
      add("drift", drift.from, drift.to - 1, drift.before, drift.after, drift.worse,
          drift.other_conditions.empty() ? "settled" : "other_conditions");
  }
  return table;
}

}  // namespace tracker::report
