// pytest-benchmark's --benchmark-json and --benchmark-save.
#include "tracker/base/error.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/imported_file.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/stated_environment.hpp"

namespace tracker {
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
  const JsonFields fields(document, quoted_source(source));
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

}  // namespace tracker
