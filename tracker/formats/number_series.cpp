#include "tracker/formats/number_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using NumberJson = nlohmann::json;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

Error refused(const std::string& source, const std::string& what, const std::string& hint) {
  return {ExitCode::kUsage, in_quotes(source) + " " + what, hint};
}

std::vector<double> numbers(const NumberJson& array, const std::string& source, const std::string& name) {
  std::vector<double> values;
  for (const auto& item : array) {
    if (!item.is_number() && !item.is_null())
      throw refused(source,
                    "has something else than a number as value " + std::to_string(values.size() + 1) +
                        (name.empty() ? "" : " of " + in_quotes(name)),
                    "values are numbers, or null for a gap");
    values.push_back(item.is_null() ? kNoValue : item.get<double>());
  }
  return values;
}

// The array of numbers that an object is about, where it has one.
const NumberJson* values_of(const NumberJson& node) {
  if (node.is_array()) return &node;
  if (!node.is_object()) return nullptr;
  if (node.contains("values") && node.at("values").is_array()) return &node.at("values");
  if (node.contains("series") && node.at("series").is_array() && node.at("series").size() == 1 &&
      node.at("series")[0].is_object() && node.at("series")[0].contains("raw"))
    return values_of(node.at("series")[0].at("raw"));
  return nullptr;
}

std::vector<NumberSeries> from_json(std::string_view text, const std::string& source) {
  const NumberJson document = parse_json(text, source);
  const bool of_objects = document.is_array() && !document.empty() && document.front().is_object();
  if (const NumberJson* values = values_of(document); values != nullptr && !of_objects)
    return {{"", numbers(*values, source, ""), {}}};
  std::vector<NumberSeries> all;
  for (const auto& [key, node] : document.items()) {
    const NumberJson* values = values_of(node);
    if (values == nullptr) continue;
    const std::string name = of_objects ? node.value("name", std::to_string(all.size() + 1)) : key;
    all.push_back({name, numbers(*values, source, name), {}});
  }
  if (all.empty())
    throw refused(source, "has no series of numbers",
                  R"(JSON is an array of numbers, {"values": [...]} or {"NAME": {"values": [...]}, ...})");
  return all;
}

std::optional<double> number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '"')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '"' || text.back() == '\r'))
    text.remove_suffix(1);
  if (text.empty() || text == "NaN" || text == "nan" || text == "NA") return kNoValue;
  if (text.front() == '+') text.remove_prefix(1);
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string without_quotes(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\r'; });
  const auto from = text.find_first_not_of(' ');
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

struct Sheet {
  std::vector<std::string> header;  // empty where there is none
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  // of the rows, from 1
};

Sheet read_sheet(std::string_view text, const std::string& source) {
  const std::string_view first = text.substr(0, text.find('\n'));
  char separator = ',';
  for (const char candidate : {'\t', ';', ','})
    if (first.find(candidate) != std::string_view::npos) separator = candidate;
  Sheet sheet;
  std::size_t line = 0;
  for (const auto& row : split(text, '\n')) {
    ++line;
    if (row.empty() || row == "\r" || row.front() == '#') continue;
    sheet.rows.push_back(split(row, separator));
    sheet.lines.push_back(line);
    if (sheet.rows.back().size() != sheet.rows.front().size())
      throw refused(source,
                    "has " + count_of(sheet.rows.back().size(), "column") + " in line " +
                        std::to_string(line) + " and " + std::to_string(sheet.rows.front().size()) +
                        " before it",
                    "every line needs as many values");
  }
  if (sheet.rows.empty()) throw refused(source, "has no values", "give one value a line");
  const auto& top = sheet.rows.front();
  if (std::ranges::none_of(top, [](const auto& cell) { return number(cell).has_value(); })) {
    for (const auto& cell : top) sheet.header.push_back(without_quotes(cell));
    sheet.rows.erase(sheet.rows.begin());
    sheet.lines.erase(sheet.lines.begin());
  }
  return sheet;
}

std::size_t column_named(const Sheet& sheet, const std::string& source, const std::string& column) {
  for (std::size_t c = 0; c < sheet.header.size(); ++c)
    if (sheet.header[c] == column) return c;
  const std::size_t count = sheet.rows.empty() ? sheet.header.size() : sheet.rows.front().size();
  if (const auto place = parse_number<std::size_t>(column).value_or(0); place >= 1 && place <= count)
    return place - 1;
  throw refused(source, "has no column " + in_quotes(column),
                sheet.header.empty() ? "columns are numbered from 1 to " + std::to_string(count)
                                     : "columns: " + join(sheet.header, ", "));
}

std::vector<NumberSeries> from_csv(std::string_view text, const std::string& source,
                                   const std::string& column) {
  const Sheet sheet = read_sheet(text, source);
  const std::size_t columns = sheet.rows.empty() ? 0 : sheet.rows.front().size();
  std::optional<std::size_t> wanted;
  if (!column.empty()) wanted = column_named(sheet, source, column);
  std::vector<NumberSeries> all;
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < columns; ++c) {
    NumberSeries series;
    series.name = sheet.header.empty() ? (columns > 1 ? std::to_string(c + 1) : "") : sheet.header[c];
    std::optional<std::size_t> stranger;  // a line that has no number
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
      const auto value = number(sheet.rows[r][c]);
      if (!value && !stranger) stranger = r;
      series.values.push_back(value.value_or(kNoValue));
    }
    if (stranger && wanted == c)
      throw refused(source,
                    "has " + in_quotes(without_quotes(sheet.rows[*stranger][c])) + " for a number in line " +
                        std::to_string(sheet.lines[*stranger]),
                    "an empty field is a gap");
    if (stranger && labels.empty())
      for (const auto& row : sheet.rows) labels.push_back(without_quotes(row[c]));
    if (!stranger && (!wanted || wanted == c)) all.push_back(std::move(series));
  }
  if (all.empty())
    throw refused(source, "has no column of numbers", "give one value a line, with or without a header");
  for (auto& series : all) series.labels = labels;
  return all;
}

using Json = nlohmann::ordered_json;

Json estimate_json(const stats::Estimate& estimate) {
  const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"value", finite(estimate.value)}, {"low", finite(estimate.low)}, {"high", finite(estimate.high)}};
}

Json point_json(const NumberSeries& series, const stats::ChangePoint& point) {
  Json row{{"at", point.at}, {"first", point.first}, {"last", point.last}};
  if (!series.labels.empty()) row["label"] = series.labels[point.at];
  row["before"] = point.before;
  row["after"] = point.after;
  row["ratio"] = estimate_json(point.ratio);
  row["sure"] = point.sure;
  row["settled"] = point.settled;
  row["bends"] = point.bends;
  return row;
}

Json series_json(const FoundChanges& found) {
  Json points = Json::array();
  for (const auto& point : found.changes.points) points.push_back(point_json(found.series, point));
  Json drifts = Json::array();
  for (const auto& drift : found.changes.drifts)
    drifts.push_back({{"from", drift.from},
                      {"to", drift.to},
                      {"slope", estimate_json(drift.slope)},
                      {"total", estimate_json(drift.total)}});
  return {{"name", found.series.name},
          {"count", found.series.values.size()},
          {"change_points", points},
          {"drifts", drifts},
          {"wanders", !found.changes.wandered.empty()}};
}

}  // namespace

std::vector<NumberSeries> read_number_series(std::string_view text, const std::string& source,
                                             const std::string& column) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
    return from_json(text, source);
  return from_csv(text, source, column);
}

std::string print_change_points(const std::string& detector, const std::vector<FoundChanges>& found) {
  Json document{{"detector", detector}, {"series", Json::array()}};
  for (const auto& one : found) document["series"].push_back(series_json(one));
  return print_json(document);
}

}  // namespace tracker::formats
