// What Criterion (Rust) leaves in target/criterion: <benchmark>/new/{benchmark,sample}.json.
#include <algorithm>
#include <map>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/imported_file.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFoldersMax = 200'000;  // that are looked into
constexpr int kDepthMax = 8;                  // copy / group / function / value / new, and a little more
constexpr std::uintmax_t kFileBytesMax = std::uintmax_t{64} << 20;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The folders that hold a benchmark's `new`, in order.
std::vector<fs::path> benchmark_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failure;
  std::size_t seen = 0;
  for (auto entry = fs::recursive_directory_iterator(folder, failure);
       !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    if (!entry->is_directory(failure)) continue;
    if (++seen > kFoldersMax)
      throw Error(
          ExitCode::kUsage,
          quoted_source(folder.string()) + " has more than " + std::to_string(kFoldersMax) + " folders",
          "name the folder target/criterion");
    if (entry.depth() >= kDepthMax) entry.disable_recursion_pending();
    if (entry->path().filename() != "new") continue;
    entry.disable_recursion_pending();
    if (is_file(entry->path() / "benchmark.json") && is_file(entry->path() / "sample.json"))
      found.push_back(entry->path().parent_path());
  }
  if (failure)
    throw Error(ExitCode::kUsage, "cannot list " + quoted_source(folder.string()) + ": " + failure.message());
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return natural_less(a.string(), b.string()); });
  return found;
}

nlohmann::json read_json(const fs::path& path) {
  return parse_json(read_file(path, kFileBytesMax), path.string());
}

// The folder of the execution: without the part of the path that is the benchmark's own.
fs::path root_of(const fs::path& benchmark) {
  const fs::path path = benchmark / "new" / "benchmark.json";
  const auto document = read_json(path);
  const auto name =
      JsonFields(document, quoted_source(path.string())).required<std::string>("directory_name");
  fs::path root = benchmark;
  for (auto parts = split(name, '/'); !parts.empty(); parts.pop_back()) {
    if (root.filename() != parts.back())
      throw Error(ExitCode::kUsage,
                  quoted_source(path.string()) + ": it belongs into a folder '" + printable(name) + "'",
                  "copy target/criterion as a whole");
    root = root.parent_path();
  }
  return root;
}

// "throughput": {"Bytes": 1024}; null where there is none.
void read_throughput(const nlohmann::json& document, const std::string& place, ImportedBenchmark& benchmark) {
  const auto throughput = document.find("throughput");
  if (throughput == document.end() || throughput->is_null()) return;
  const JsonFields fields(*throughput, place + ": throughput");
  std::optional<double> bytes;
  std::optional<double> bits;
  for (const char* key : {"Bytes", "BytesDecimal"}) fields(key, bytes);
  fields("Bits", bits);
  fields("Elements", benchmark.items_per_iteration);
  benchmark.bytes_per_iteration = bits ? std::optional(*bits / 8) : bytes;
}

ImportedBenchmark parse_benchmark(std::string_view about, std::string_view measured, const fs::path& folder) {
  const std::string about_path = (folder / "benchmark.json").string();
  const std::string measured_path = (folder / "sample.json").string();
  ImportedBenchmark benchmark;
  const auto id = parse_json(about, about_path);
  const std::string place = quoted_source(about_path);
  benchmark.name = JsonFields(id, place).required<std::string>("full_id");
  if (benchmark.name.empty()) JsonFields(id, place).fail("full_id", "a name");
  read_throughput(id, place, benchmark);
  const auto document = parse_json(measured, measured_path);
  const JsonFields sample(document, quoted_source(measured_path));
  const auto iterations = sample.required<std::vector<double>>("iters");
  const auto times_ns = sample.required<std::vector<double>>("times");
  if (iterations.size() != times_ns.size()) sample.fail("times", "as many entries as iters has");
  constexpr double kIterationsMax = 1e15;
  for (std::size_t i = 0; i < times_ns.size(); ++i) {
    if (!(iterations[i] >= 1 && iterations[i] <= kIterationsMax)) sample.fail("iters", "counts above zero");
    benchmark.times_ns.push_back(times_ns[i] / iterations[i]);
    benchmark.iterations.push_back(static_cast<std::int64_t>(iterations[i]));
  }
  return benchmark;
}

}  // namespace

std::vector<fs::path> criterion_folders(const fs::path& folder) {
  std::vector<fs::path> roots;
  for (const auto& benchmark : benchmark_folders(folder))
    if (fs::path root = root_of(benchmark); std::find(roots.begin(), roots.end(), root) == roots.end())
      roots.push_back(std::move(root));
  return roots;
}

std::string criterion_text(const fs::path& folder) {
  std::string text;
  for (const auto& benchmark : benchmark_folders(folder))
    for (const char* name : {"benchmark.json", "sample.json"})
      text += read_file(benchmark / "new" / name, kFileBytesMax);
  return text;
}

BenchmarkFile read_criterion(const fs::path& folder) {
  ImportedFile imported(folder.string(), "criterion");
  for (const auto& benchmark : benchmark_folders(folder)) {
    const fs::path results = benchmark / "new";
    imported.add(parse_benchmark(read_file(results / "benchmark.json", kFileBytesMax),
                                 read_file(results / "sample.json", kFileBytesMax), results));
  }
  return imported.finish();
}

BenchmarkFile parse_criterion(std::string_view about, std::string_view measured, const fs::path& folder) {
  ImportedFile imported(folder.string(), "criterion");
  imported.add(parse_benchmark(about, measured, folder));
  return imported.finish();
}

}  // namespace tracker
