// What other tools write: Criterion, hyperfine, nanobench and pytest-benchmark; and what their readers share.

#include <algorithm>
#include <cmath>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/stated_environment.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::formats {
namespace {

bool is_impossible(double time_ns) {
  return !(time_ns > 0) || !std::isfinite(time_ns);
}

}  // namespace

ImportedFile::ImportedFile(std::string source, std::string binary) {
  file_.source = std::move(source);
  file_.invocation.binary = std::move(binary);
}

void ImportedFile::add(ImportedBenchmark imported) {
  Benchmark benchmark;
  benchmark.name = imported.name;
  for (int& copies = names_[imported.name]; copies > 0 && names_.contains(benchmark.name);)
    benchmark.name = imported.name + "#" + std::to_string(++copies);
  ++names_[benchmark.name];
  samples_ += imported.times_ns.size();
  if (samples_ > kImportLimits.samples)
    throw Error(
        ExitCode::kUsage,
        in_quotes(file_.source) + ": it has more than " + std::to_string(kImportLimits.samples) + " samples",
        "measure fewer samples of each benchmark; docs/store.md says what is taken");
  benchmark.binary = file_.invocation.binary;
  benchmark.time_base = imported.time_base;
  const auto repetitions = imported.times_ns.size();
  const auto impossible = std::ranges::find_if(imported.times_ns, is_impossible);
  const bool has_cpu_time = imported.cpu_time_ns >= 0 && std::isfinite(imported.cpu_time_ns);
  if (imported.skipped) {
    skip(benchmark, *imported.skipped);
  } else if (repetitions == 0) {
    benchmark.error = "reported no times";
  } else if (impossible != imported.times_ns.end()) {
    benchmark.error = "reported a time of " + format_quantity(*impossible * 1e-9, "s");
  } else if (std::ranges::any_of(imported.iterations, [](std::int64_t count) { return count < 1; })) {
    benchmark.error = "reported a count of iterations below one";
  } else {
    Samples samples;
    samples.real_time_ns = std::move(imported.times_ns);
    samples.cpu_time_ns.assign(repetitions, has_cpu_time ? imported.cpu_time_ns : 0);
    samples.iterations = std::move(imported.iterations);
    samples.iterations.resize(repetitions, 1);
    if (imported.bytes_per_iteration)
      samples.counters[counter_name::kBytesPerIteration].assign(repetitions, *imported.bytes_per_iteration);
    if (imported.items_per_iteration)
      samples.counters["items_per_iteration"].assign(repetitions, *imported.items_per_iteration);
    if (imported.clocks_mhz.size() == repetitions)
      samples.counters[counter_name::kCoreClock] = std::move(imported.clocks_mhz);
    file_.invocation.samples.emplace(benchmark.name, std::move(samples));
  }
  file_.benchmarks.push_back(std::move(benchmark));
}

BenchmarkFile ImportedFile::finish() {
  if (file_.benchmarks.empty())
    throw Error(ExitCode::kUsage, in_quotes(file_.source) + ": it has no benchmarks that were measured");
  leave_out_forbidden(file_);
  return std::move(file_);
}

// What Criterion (Rust) leaves in target/criterion: <benchmark>/new/{benchmark,sample}.json.

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
      throw Error(ExitCode::kUsage,
                  in_quotes(folder.string()) + " has more than " + std::to_string(kFoldersMax) + " folders",
                  "name the folder target/criterion");
    if (entry.depth() >= kDepthMax) entry.disable_recursion_pending();
    if (entry->path().filename() != "new") continue;
    entry.disable_recursion_pending();
    if (is_file(entry->path() / "benchmark.json") && is_file(entry->path() / "sample.json"))
      found.push_back(entry->path().parent_path());
  }
  if (failure)
    throw Error(ExitCode::kUsage, "cannot list " + in_quotes(folder.string()) + ": " + failure.message());
  std::ranges::sort(found, natural_less, [](const fs::path& path) { return path.string(); });
  return found;
}

nlohmann::json read_json(const fs::path& path) {
  return parse_json(read_file(path, kFileBytesMax), path.string());
}

// The folder of the execution: without the part of the path that is the benchmark's own.
fs::path root_of(const fs::path& benchmark) {
  const fs::path path = benchmark / "new" / "benchmark.json";
  const auto document = read_json(path);
  const auto name = JsonFields(document, in_quotes(path.string())).required<std::string>("directory_name");
  fs::path root = benchmark;
  for (auto parts = split(name, '/'); !parts.empty(); parts.pop_back()) {
    if (root.filename() != parts.back())
      throw Error(ExitCode::kUsage,
                  in_quotes(path.string()) + ": it belongs into a folder " + in_quotes(name),
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
  const std::string place = in_quotes(about_path);
  benchmark.name = JsonFields(id, place).required<std::string>("full_id");
  if (benchmark.name.empty()) JsonFields(id, place).fail("full_id", "a name");
  read_throughput(id, place, benchmark);
  const auto document = parse_json(measured, measured_path);
  const JsonFields sample(document, in_quotes(measured_path));
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
    if (fs::path root = root_of(benchmark); std::ranges::find(roots, root) == roots.end())
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

// hyperfine's --export-json: whole commands, timed from outside.

BenchmarkFile parse_hyperfine(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto document = parse_json(text, source);
  ImportedFile imported(source, "hyperfine");
  for (const auto& result : JsonFields(document, in_quotes(source)).objects("results")) {
    ImportedBenchmark benchmark;
    benchmark.name = result.required<std::string>("command");
    if (benchmark.name.empty()) result.fail("command", "a command");
    for (const double time_s : result.required<std::vector<double>>("times"))
      benchmark.times_ns.push_back(time_s * 1e9);
    std::optional<double> user_s;
    std::optional<double> system_s;
    result("user", user_s);
    result("system", system_s);
    benchmark.cpu_time_ns = (user_s.value_or(0) + system_s.value_or(0)) * 1e9;
    imported.add(std::move(benchmark));
  }
  return imported.finish();
}

// What nanobench renders with templates::json(): epochs, each the mean of many iterations.

namespace {

constexpr char kTitleByDefault[] = "benchmark";

// "sort/512": the runs of one complexity share title and name.
std::string nanobench_name(const JsonFields& result) {
  const auto title = result.required<std::string>("title");
  auto name = result.required<std::string>("name");
  if (name.empty()) result.fail("name", "a name");
  if (!title.empty() && title != kTitleByDefault) name = title + "/" + name;
  double complexity_n = -1;
  result("complexityN", complexity_n);
  if (complexity_n > 0 && complexity_n < 1e15)
    name += "/" + std::to_string(static_cast<std::int64_t>(complexity_n));
  return name;
}

// batch() is the work of one iteration, in unit().
void add_work(const JsonFields& result, ImportedBenchmark& benchmark) {
  double batch = 1;
  std::string unit;
  result("batch", batch);
  result("unit", unit);
  if (!(batch > 0)) return;
  if (unit == "byte" || unit == "bytes" || unit == "B")
    benchmark.bytes_per_iteration = batch;
  else if (batch != 1)
    benchmark.items_per_iteration = batch;
}

}  // namespace

BenchmarkFile parse_nanobench(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto document = parse_json(text, source);
  ImportedFile imported(source, "nanobench");
  for (const auto& result : JsonFields(document, in_quotes(source)).objects("results")) {
    ImportedBenchmark benchmark;
    benchmark.name = nanobench_name(result);
    add_work(result, benchmark);
    for (const auto& epoch : result.objects("measurements")) {
      benchmark.times_ns.push_back(epoch.required<double>("elapsed") * 1e9);
      benchmark.iterations.push_back(epoch.required<std::int64_t>("iterations"));
    }
    imported.add(std::move(benchmark));
  }
  return imported.finish();
}

// pytest-benchmark's --benchmark-json and --benchmark-save.

namespace {

// "2026-11-22T08:41:00.402769", in UTC: without a zone, and with a fraction.
std::string start_of(const std::string& datetime) {
  constexpr std::size_t kWholeSeconds = std::string_view("2026-11-22T08:41:00").size();
  const auto time = parse_time(datetime.substr(0, kWholeSeconds) + "Z");
  return time ? format_utc(*time) : "";
}

// Of py-cpuinfo's facts, which name it differently from release to release.
void read_machine(const JsonFields& machine, BenchmarkFile& file) {
  machine("node", file.host.name);
  if (!machine.has("cpu")) return;
  const JsonFields cpu = machine.object("cpu");
  std::optional<std::string> model;
  for (const char* key : {"brand", "brand_raw"}) cpu(key, model);
  cpu("count", file.host.cpu_count);
  file.host.cpu = model;
  if (!model || model->empty()) return;
  file.device = Device{};
  file.device->model = *model;
  file.device->core_count = file.host.cpu_count;
}

ImportedBenchmark read_pytest_benchmark(const JsonFields& fields) {
  ImportedBenchmark benchmark;
  benchmark.name = fields.required<std::string>("fullname");
  if (benchmark.name.empty()) fields.fail("fullname", "a name");
  const JsonFields stats = fields.object("stats");
  // Without --benchmark-save-data the rounds are not there.
  const std::vector<double> times_s = stats.has("data")
                                          ? stats.required<std::vector<double>>("data")
                                          : std::vector<double>{stats.required<double>("median")};
  for (const double time_s : times_s) benchmark.times_ns.push_back(time_s * 1e9);
  std::int64_t iterations = 1;
  stats("iterations", iterations);
  if (iterations < 1) stats.fail("iterations", "a count above zero");
  benchmark.iterations.assign(benchmark.times_ns.size(), iterations);
  return benchmark;
}

}  // namespace

BenchmarkFile parse_pytest_benchmark(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto document = parse_json(text, source);
  const JsonFields fields(document, in_quotes(source));
  ImportedFile imported(source, "pytest");
  read_machine(fields.object("machine_info"), imported.file());
  if (const auto info = document.find("commit_info"); info != document.end())
    if (info->is_object() && info->contains("id"))
      imported.file().commit = stated_commit({{"commit", info->at("id")}});
  std::string datetime;
  fields("datetime", datetime);
  imported.file().invocation.started_at = start_of(datetime);
  for (const auto& benchmark : fields.objects("benchmarks")) imported.add(read_pytest_benchmark(benchmark));
  return imported.finish();
}

}  // namespace tracker::formats
