// The results that tracker reads, one row a tool: docs/formats.md says what becomes of each.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"

namespace tracker {

struct FileFormat {
  std::string_view name;               // for messages: "hyperfine's JSON"
  std::vector<std::string_view> keys;  // a document that has all of them is one; the first comes first
  std::string_view mark;               // that the text of one has, where the keys are those of others, too
  BenchmarkFile (*parse)(const std::string& text, const std::filesystem::path& path);
};

const std::vector<FileFormat>& file_formats();

// The format of a text, by its content; that of Google Benchmark where it is none of the others', which
// then says what is wrong.
const FileFormat& format_of(std::string_view text);

// kUsage, naming the file, for what is no result of a known tool. One file is one execution: one invocation.
BenchmarkFile parse_results(const std::string& text, const std::filesystem::path& path);

// The readers.
BenchmarkFile parse_nvbench(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_pytest_benchmark(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_nanobench(const std::string& text, const std::filesystem::path& path);
BenchmarkFile parse_hyperfine(const std::string& text, const std::filesystem::path& path);

// Criterion writes a folder of folders: these are the executions that lie at or below a folder, each one
// invocation; none where there is no benchmark of Criterion's.
std::vector<std::filesystem::path> criterion_folders(const std::filesystem::path& folder);
// All files of one of them as one text, for a hash.
std::string criterion_text(const std::filesystem::path& folder);
BenchmarkFile read_criterion(const std::filesystem::path& folder);
// One benchmark of it, from its two files.
BenchmarkFile parse_criterion(std::string_view about, std::string_view measured,
                              const std::filesystem::path& folder);

}  // namespace tracker
