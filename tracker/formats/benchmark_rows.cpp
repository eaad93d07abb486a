#include "tracker/formats/benchmark_rows.hpp"

#include <limits>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/formats/json_fields.hpp"

namespace tracker {
namespace {

using nlohmann::json;

std::string_view text_or(const JsonFields& row, const json& object, const char* name,
                         std::string_view otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (!found->is_string()) row.fail(name, "a text");
  return found->get_ref<const std::string&>();
}

bool is_true(const JsonFields& row, const char* name) {
  bool value = false;
  row(name, value);
  return value;
}

// What without_bare_nans() puts in place of one.
bool is_no_number(const json& value) {
  return value.is_string() && value.get_ref<const std::string&>().empty();
}

std::optional<double> number(const JsonFields& row, const json& object, const char* name) {
  const auto found = object.find(name);
  if (found != object.end() && is_no_number(*found)) return std::numeric_limits<double>::quiet_NaN();
  if (!row.has(name)) return {};
  return row.required<double>(name);
}

}  // namespace

RowField row_field(std::string_view key) {
  static const std::map<std::string_view, RowField> fields{{"name", RowField::kName},
                                                           {"family_index", RowField::kFamily},
                                                           {"per_family_instance_index", RowField::kInstance},
                                                           {"run_name", RowField::kRunName},
                                                           {"run_type", RowField::kRunType},
                                                           {"repetitions", RowField::kNotRead},
                                                           {"threads", RowField::kNotRead},
                                                           {"repetition_index", RowField::kNotRead},
                                                           {"iterations", RowField::kIterations},
                                                           {"real_time", RowField::kRealTime},
                                                           {"cpu_time", RowField::kCpuTime},
                                                           {"time_unit", RowField::kTimeUnit},
                                                           {"label", RowField::kLabel},
                                                           {"error_occurred", RowField::kErrorOccurred},
                                                           {"error_message", RowField::kErrorMessage},
                                                           {"skipped", RowField::kSkipped},
                                                           {"skip_message", RowField::kNotRead},
                                                           {"aggregate_name", RowField::kNotRead},
                                                           {"aggregate_unit", RowField::kNotRead},
                                                           {"big_o", RowField::kNotRead},
                                                           {"rms", RowField::kNotRead}};
  const auto found = fields.find(key);
  return found == fields.end() ? RowField::kCounter : found->second;
}

BenchmarkRows rows_of_json(const json& list, const std::string& source) {
  BenchmarkRows table;
  std::map<std::string_view, std::size_t> counter_index;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& object = list[i];
    const JsonFields unnamed(object, "'" + printable(source) + "': benchmarks[" + std::to_string(i) + "]");
    if (text_or(unnamed, object, "run_type", "iteration") != "iteration") {
      table.add_aggregate(text_or(unnamed, object, "run_name", text_or(unnamed, object, "name", "")));
      continue;
    }
    ResultRow row;
    row.run_name = text_or(unnamed, object, "run_name", text_or(unnamed, object, "name", ""));
    if (row.run_name.empty()) unnamed.fail("name", "a name");
    const JsonFields fields(object,
                            "'" + printable(source) + "': benchmark '" + printable(row.run_name) + "'");
    if (is_true(unnamed, "skipped")) {
      table.skipped.push_back(row.run_name);
      continue;
    }
    fields("family_index", row.family);
    fields("per_family_instance_index", row.instance);
    if (is_true(fields, "error_occurred"))
      row.error = text_or(fields, object, "error_message", "an error without a message");
    row.time_unit = text_or(fields, object, "time_unit", row.time_unit);
    if (const auto label = object.find("label"); label != object.end() && label->is_string())
      row.label = label->get_ref<const std::string&>();
    row.real_time = number(fields, object, "real_time");
    row.cpu_time = number(fields, object, "cpu_time");
    fields("iterations", row.iterations);
    if (row.iterations < 0) fields.fail("iterations", "a count, not below zero");
    row.first_counter = table.counters.size();
    for (const auto& [name, value] : object.items()) {
      if (row_field(name) != RowField::kCounter) continue;
      if (is_no_number(value)) table.no_numbers.emplace_back(row.run_name, name);
      if (!value.is_number()) continue;
      const auto [known, is_new] = counter_index.try_emplace(name, table.counter_names.size());
      if (is_new) table.counter_names.push_back(name);
      table.counters.emplace_back(known->second, value.get<double>());
    }
    row.counter_count = table.counters.size() - row.first_counter;
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace tracker
