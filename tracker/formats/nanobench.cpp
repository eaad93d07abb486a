// What nanobench renders with templates::json(): epochs, each the mean of many iterations.
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/imported_file.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
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
  static const std::set<std::string> bytes{"byte", "bytes", "B"};
  double batch = 1;
  std::string unit;
  result("batch", batch);
  result("unit", unit);
  if (!(batch > 0)) return;
  if (bytes.count(unit) != 0)
    benchmark.bytes_per_iteration = batch;
  else if (batch != 1)
    benchmark.items_per_iteration = batch;
}

}  // namespace

BenchmarkFile parse_nanobench(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto document = parse_json(text, source);
  ImportedFile imported(source, "nanobench");
  for (const auto& result : JsonFields(document, quoted_source(source)).objects("results")) {
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

}  // namespace tracker
