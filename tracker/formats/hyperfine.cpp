// hyperfine's --export-json: whole commands, timed from outside.
#include "tracker/base/error.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/imported_file.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {

BenchmarkFile parse_hyperfine(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto document = parse_json(text, source);
  ImportedFile imported(source, "hyperfine");
  for (const auto& result : JsonFields(document, quoted_source(source)).objects("results")) {
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

}  // namespace tracker
