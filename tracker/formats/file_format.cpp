#include "tracker/formats/file_format.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/mended_json.hpp"

namespace tracker {
namespace {

BenchmarkFile parse_google(const std::string& text, const std::filesystem::path& path) {
  return parse_google_benchmark(text, path.string());
}

template <BenchmarkFile (*parse)(const std::string&, const std::filesystem::path&)>
Executions one(const std::string& text, const std::filesystem::path& path) {
  Executions executions;
  executions.push_back(parse(text, path));
  return executions;
}

// The first key of an object; empty where the text is none.
std::string_view first_key(std::string_view text) {
  for (const char expected : {'{', '"'}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.empty() || text.front() != expected) return {};
    text.remove_prefix(1);
  }
  return text.substr(0, text.find('"'));
}

// None where it is no JSON object.
std::vector<std::string> top_keys(std::string_view text) {
  std::vector<std::string> keys;
  try {
    const auto document = parse_json(text, "", EqualKeys::kFirstCounts);
    if (document.is_object())
      for (auto item = document.begin(); item != document.end(); ++item) keys.push_back(item.key());
  } catch (const Error&) {
    keys.clear();
  }
  return keys;
}

bool has_mark(const FileFormat& format, std::string_view text) {
  return format.mark.empty() || text.find(format.mark) != std::string_view::npos;
}

}  // namespace

const std::vector<FileFormat>& file_formats() {
  static const std::vector<FileFormat> formats{
      {"Google Benchmark's JSON", {"context", "benchmarks"}, "", one<parse_google>},
      {"nvbench's JSON", {"meta", "devices", "benchmarks"}, "", parse_nvbench},
      {"pytest-benchmark's JSON", {"machine_info", "benchmarks"}, "", one<parse_pytest_benchmark>},
      {"nanobench's JSON", {"results"}, "\"median(elapsed)\"", one<parse_nanobench>},
      {"hyperfine's JSON", {"results"}, "", one<parse_hyperfine>},
      {"primbench's JSON", {}, "", one<parse_primbench>, is_primbench},
      {"rows of CSV", {}, "", parse_csv, is_csv},
      {"JSON lines", {}, "", parse_json_lines, is_json_lines},
      {"github-action-benchmark's results", {}, "", parse_benches, is_benches},
      {"github-action-benchmark's data.js", {}, "", parse_benches_history, is_benches_history}};
  return formats;
}

const FileFormat& format_of(std::string_view text) {
  const auto& formats = file_formats();
  for (const auto& format : formats)
    if (format.is_one != nullptr && format.is_one(text)) return format;
  const std::string_view first = first_key(text);
  for (const auto& format : formats)
    if (format.is_one == nullptr && first == format.keys.front() && has_mark(format, text)) return format;
  if (first.empty()) {  // what a program printed around its rows is in its way to no reader of them
    const std::string rows = rows_in(text);
    const auto of_rows = std::ranges::find_if(formats, [&](const FileFormat& format) {
      return !rows.empty() && format.is_one != nullptr && format.is_one(rows);
    });
    return of_rows == formats.end() ? formats.front() : *of_rows;
  }
  // Another tool may have sorted the keys.
  const auto keys = top_keys(text);
  for (const auto& format : formats)
    if (format.is_one == nullptr && has_mark(format, text) &&
        std::all_of(format.keys.begin(), format.keys.end(), [&](std::string_view key) {
          return std::find(keys.begin(), keys.end(), key) != keys.end();
        }))
      return format;
  return formats.front();
}

Executions parse_results(const std::string& text, const std::filesystem::path& path) {
  const std::string_view json = json_of_file(text, path.string());
  if (json.size() == text.size()) return format_of(text).parse(text, path);
  return format_of(json).parse(std::string(json), path);
}

}  // namespace tracker
