#include "tracker/formats/imported_file.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker {
namespace {

// The first time that is none.
std::optional<double> impossible_time(const std::vector<double>& times_ns) {
  for (const double time_ns : times_ns)
    if (!(time_ns > 0) || !std::isfinite(time_ns)) return time_ns;
  return {};
}

}  // namespace

std::string quoted_source(const std::string& source) {
  return "'" + printable(source) + "'";
}

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
    throw Error(ExitCode::kUsage,
                quoted_source(file_.source) + ": it has more than " + std::to_string(kImportLimits.samples) +
                    " samples",
                "measure fewer samples of each benchmark; docs/store.md says what is taken");
  benchmark.binary = file_.invocation.binary;
  benchmark.time_base = imported.time_base;
  const auto repetitions = imported.times_ns.size();
  const bool has_cpu_time = imported.cpu_time_ns >= 0 && std::isfinite(imported.cpu_time_ns);
  if (imported.skipped) {
    skip(benchmark, *imported.skipped);
  } else if (repetitions == 0) {
    benchmark.error = "reported no times";
  } else if (const auto time_ns = impossible_time(imported.times_ns)) {
    benchmark.error = "reported a time of " + format_quantity(*time_ns * 1e-9, "s");
  } else if (std::any_of(imported.iterations.begin(), imported.iterations.end(),
                         [](std::int64_t count) { return count < 1; })) {
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
    throw Error(ExitCode::kUsage, quoted_source(file_.source) + ": it has no benchmarks that were measured");
  leave_out_forbidden(file_);
  return std::move(file_);
}

}  // namespace tracker
