#include "tracker/measure/invoke.hpp"

#include <chrono>

#include "tracker/base/error.hpp"
#include "tracker/base/interrupt.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

std::vector<std::string> arguments_for(const InvocationSpec& spec) {
  return {"--benchmark_out=" + spec.output.string(), "--benchmark_out_format=json",
          "--benchmark_repetitions=" + std::to_string(spec.repetitions),
          "--benchmark_enable_random_interleaving=true"};
}

// What the file leaves open comes from this machine.
void complete(BenchmarkFile& file, const InvocationSpec& spec, const LocalEnvironment& environment) {
  if (!file.device) file.device = environment.device_for(spec.binary.device);
  const Software known = environment.software();
  if (!file.software.driver) file.software.driver = known.driver;
  if (!file.software.cuda_driver) file.software.cuda_driver = known.cuda_driver;
  const std::string name = file.host.name;
  file.host = this_host();
  if (!name.empty()) file.host.name = name;
  const std::string label = std::filesystem::path(spec.binary.path).filename().string();
  file.invocation.binary = label;
  for (auto& benchmark : file.benchmarks) benchmark.binary = label;
}

}  // namespace

std::filesystem::path binary_path(const std::filesystem::path& root, const Binary& binary) {
  return root / binary.path;  // an absolute path stands for itself
}

ProcessSpec process_for(const InvocationSpec& spec, const std::vector<std::string>& arguments) {
  ProcessSpec process;
  process.argv = {binary_path(spec.root, spec.binary).string()};
  auto& argv = process.argv;
  argv.insert(argv.end(), spec.binary.arguments.begin(), spec.binary.arguments.end());
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  if (!spec.filter.empty()) argv.push_back("--benchmark_filter=" + spec.filter);
  process.directory = spec.root;
  process.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(spec.timeout_s * 1000));
  return process;
}

InvocationOutcome invoke(const InvocationSpec& spec, const LocalEnvironment& environment) {
  InvocationOutcome outcome;
  std::optional<std::string> uuid;
  if (environment.has_gpu() && spec.binary.device != RunsOn::kCpu)
    if (const auto uuids = environment.nvml()->uuids(); uuids.size() == 1) uuid = uuids.front();
  ConditionWatch watch(environment.nvml(), uuid);

  ProcessSpec process = process_for(spec, arguments_for(spec));
  process.output_bytes_max = 1 << 16;
  process.keep_going = [&] {
    watch.read();
    if (spec.tick) spec.tick();
    return !interrupted();
  };
  const auto wall = std::chrono::system_clock::now();
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_process(process);
  const double length_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  outcome.stopped = interrupted();
  outcome.last_output = last_lines(result, 10);
  if (!result.ok()) {
    outcome.failure = describe_end(result);
    return outcome;
  }
  try {
    BenchmarkFile file = read_google_benchmark(spec.output);
    complete(file, spec, environment);
    file.invocation.started_at = format_utc(wall);
    file.invocation.length_s = length_s;
    watch.finish(file.invocation.conditions);
    outcome.file = std::move(file);
  } catch (const Error& error) {
    outcome.failure = "ended well, but its results cannot be used: " + std::string(error.what());
  }
  return outcome;
}

}  // namespace tracker
