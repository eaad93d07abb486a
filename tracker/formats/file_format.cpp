#include "tracker/formats/file_format.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
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

namespace {

namespace fs = std::filesystem;

}  // namespace

std::string_view schema_of(std::string_view text) {
  for (const std::string_view token : {"{", "\"schema\"", ":", "\""}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(token)) return {};
    text.remove_prefix(token.size());
  }
  return text.substr(0, text.find('"'));
}

std::uint32_t fnv1a(std::uint32_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

MeasuredFile read_measured_file(const fs::path& path, std::uint32_t* content_hash) {
  MeasuredFile file;
  file.source = path.string();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (content_hash != nullptr) *content_hash = fnv1a(*content_hash, criterion_text(path));
    file.invocations.push_back(read_criterion(path));
    return file;
  }
  const std::string text = read_file(path, kBenchmarkFileBytesMax);
  const std::string_view schema = schema_of(text);
  if (schema.starts_with("tracker.baseline/")) {
    Baseline baseline = read_baseline(text, file.source);
    file.runs = std::move(baseline.runs);
    file.noise = std::move(baseline.noise);
  } else if (schema.starts_with("tracker.")) {
    file.runs.push_back(read_run(text, file.source));
  } else {
    if (content_hash != nullptr) *content_hash = fnv1a(*content_hash, text);
    file.invocations = parse_results(text, path);
  }
  return file;
}

bool is_result_file(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kEndings{".json", ".csv", ".ndjson", ".jsonl"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

std::vector<fs::path> measured_files_at(const fs::path& path) {
  const std::string name = in_quotes(path.string());
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    throw Error(ExitCode::kUsage, "no file or folder " + name,
                "name a file or folder of results, or a revision");
  if (!fs::is_directory(status)) return {path};
  std::vector<fs::path> files;
  bool has_folders = false;
  for (const auto& entry : fs::directory_iterator(path, failure)) {
    std::error_code ignored;
    if (entry.is_directory(ignored))
      has_folders = true;
    else if (is_result_file(entry.path()))
      files.push_back(entry.path());
  }
  if (failure) throw Error(ExitCode::kUsage, "cannot list " + name + ": " + failure.message());
  if (files.empty() && has_folders)
    if (auto folders = criterion_folders(path); !folders.empty()) return folders;
  if (files.empty())
    throw Error(ExitCode::kUsage, "the folder " + name + " has no result file (*.json, *.csv, *.ndjson)",
                has_folders
                    ? "folders in it are not looked into: name one of them"
                    : "fill it with --benchmark_out=FILE.json --benchmark_out_format=json, one file an "
                      "execution");
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
  return files;
}

std::vector<MeasuredFile> read_measured_files(const std::vector<fs::path>& paths) {
  std::vector<MeasuredFile> files(paths.size());
  constexpr std::size_t kReadersMax = 8;
  for_each_in_parallel(
      paths.size(), [&](std::size_t i) { files[i] = read_measured_file(paths[i]); }, kReadersMax);
  return files;
}

}  // namespace tracker::formats
