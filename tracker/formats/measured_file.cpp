#include "tracker/formats/measured_file.hpp"

#include <algorithm>
#include <array>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
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
  const std::string name = "'" + printable(path.string()) + "'";
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

}  // namespace tracker
