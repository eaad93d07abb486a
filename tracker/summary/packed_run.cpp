#include "tracker/summary/packed_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tracker/formats/run_fields.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker {
namespace {

// The least of them, the one or two in the middle, and where `greatest` is asked for, the greatest. All that
// fits into as many stays as it is.
std::vector<double> order_statistics(std::vector<double> values, bool greatest) {
  std::sort(values.begin(), values.end());
  const std::size_t size = values.size();
  if (size <= 2) return values;
  std::vector<double> kept{values.front()};
  if (size % 2 == 0) kept.push_back(values[size / 2 - 1]);
  kept.push_back(values[size / 2]);
  if (greatest) kept.push_back(values.back());
  return kept;
}

// Values whose least and middle ones are these: without the greatest, the middle stands for it.
std::vector<double> with_greatest(std::vector<double> kept, std::size_t repetitions) {
  if (repetitions > 2) kept.push_back(kept.back());
  return kept;
}

void pack_list(const std::vector<double>& values, Packer& packer) {
  for (const double value : values) packer.near(value);
}

std::vector<double> unpack_list(Unpacker& unpacker, std::size_t count) {
  std::vector<double> values;
  values.reserve(count + 1);
  for (std::size_t i = 0; i < count; ++i) values.push_back(unpacker.near());
  return values;
}

std::size_t kept_times(std::size_t repetitions) {
  if (repetitions <= 2) return repetitions;
  return repetitions % 2 == 0 ? 3 : 2;
}

// Those that are there; one NaN where none is.
std::vector<double> kept_counters(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN()};
  return order_statistics(std::move(values), true);
}

template <typename Fields>
std::string names_in(Fields fields) {
  std::string names;
  fields([&](const char* name, const auto&) { names.append(name).append(1, ','); });
  return names;
}

template <typename Visit>
void code_and_launches(Code& code, Visit& visit) {
  code_fields(code, visit);
  for (auto& launch : code.launches) launch_fields(launch, visit);
}

}  // namespace

bool can_be_packed(const Run& run) {
  const auto is_rate = [](const std::optional<double>& work) { return !work || *work >= 0; };
  return std::all_of(run.benchmarks.begin(), run.benchmarks.end(),
                     [&](const Benchmark& b) {
                       return is_rate(b.bytes_per_iteration) && is_rate(b.flops_per_iteration) &&
                              is_rate(b.items_per_iteration);
                     }) &&
         std::all_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& invocation) {
           return std::all_of(invocation.samples.begin(), invocation.samples.end(),
                              [](const auto& one) { return !one.second.real_time_ns.empty(); });
         });
}

std::string packed_format() {
  Run run;
  Benchmark benchmark;
  Code code;
  KernelLaunch launch;
  Invocation invocation;
  BinaryFailure failure;
  SameProgramAs same;
  const auto all = [&](auto&& visit) {
    run_fields(run, visit);
    device_fields(run.device, visit);
    software_fields(run.software, visit);
    host_fields(run.host, visit);
    benchmark_fields(benchmark, visit);
    code_fields(code, visit);
    launch_fields(launch, visit);
    invocation_fields(invocation, visit);
    conditions_fields(invocation.conditions, visit);
    failure_fields(failure, visit);
    same_program_fields(same, visit);
  };
  return "1," + names_in(all);
}

std::string pack_environment(const Run& run) {
  Packer packer;
  packer("kind", run.device.kind == DeviceKind::kGpu);
  device_fields(run.device, packer);
  software_fields(run.software, packer);
  host_fields(run.host, packer);
  return packer.bytes();
}

void unpack_environment(std::string_view bytes, Run& run) {
  Unpacker unpacker(bytes);
  bool is_gpu = false;
  unpacker("kind", is_gpu);
  run.device.kind = is_gpu ? DeviceKind::kGpu : DeviceKind::kCpu;
  device_fields(run.device, unpacker);
  software_fields(run.software, unpacker);
  host_fields(run.host, unpacker);
}

std::string pack_frame(const Run& run) {
  Packer packer;
  run_fields(run, packer);
  packer.whole(run.failures.size());
  for (const auto& failure : run.failures) failure_fields(failure, packer);
  packer.whole(run.same_program ? 1 : 0);
  if (run.same_program) same_program_fields(*run.same_program, packer);
  packer.whole(run.invocations.size());
  for (const auto& invocation : run.invocations) {
    invocation_fields(invocation, packer);
    conditions_fields(invocation.conditions, packer);
  }
  return packer.bytes();
}

void unpack_frame(std::string_view bytes, Run& run) {
  Unpacker unpacker(bytes);
  run_fields(run, unpacker);
  run.failures.resize(unpacker.count());
  for (auto& failure : run.failures) failure_fields(failure, unpacker);
  if (unpacker.whole() != 0) same_program_fields(run.same_program.emplace(), unpacker);
  run.invocations.resize(unpacker.count());
  for (auto& invocation : run.invocations) {
    invocation_fields(invocation, unpacker);
    conditions_fields(invocation.conditions, unpacker);
  }
}

BenchmarkText benchmark_text(const Run& run, const Benchmark& benchmark) {
  BenchmarkText text{benchmark, {}};
  for (auto& [name, value] : text.benchmark.counters) value = 0;
  std::set<std::string_view> names;
  for (const auto& invocation : run.invocations)
    if (const auto samples = invocation.samples.find(benchmark.name); samples != invocation.samples.end())
      for (const auto& [name, values] : samples->second.counters) names.insert(name);
  text.counters.assign(names.begin(), names.end());
  return text;
}

std::string pack_text(const BenchmarkText& text) {
  Packer packer;
  const Benchmark& benchmark = text.benchmark;
  packer.whole(static_cast<std::uint64_t>(benchmark.time_base));
  benchmark_fields(benchmark, packer);
  packer("counters", text.counters);
  packer.whole(benchmark.code ? 1 : 0);
  if (benchmark.code) {
    packer.whole(benchmark.code->launches.size());
    Code code = *benchmark.code;
    code_and_launches(code, packer);
  }
  return packer.bytes();
}

BenchmarkText unpack_text(std::string_view bytes) {
  Unpacker unpacker(bytes);
  BenchmarkText text;
  Benchmark& benchmark = text.benchmark;
  const std::uint64_t base = unpacker.whole();
  if (base > static_cast<std::uint64_t>(TimeBase::kCpu)) throw SummaryDamaged{"an unknown time base"};
  benchmark.time_base = static_cast<TimeBase>(base);
  benchmark_fields(benchmark, unpacker);
  unpacker("counters", text.counters);
  if (unpacker.whole() != 0) {
    benchmark.code.emplace().launches.resize(unpacker.count());
    code_and_launches(*benchmark.code, unpacker);
  }
  return text;
}

std::string pack_values(const Run& run, const Benchmark& benchmark, const BenchmarkText& text) {
  Packer packer;
  for (const auto& [name, value] : benchmark.counters) packer.near(value);
  std::vector<const Samples*> all;
  for (std::size_t i = 0; i < run.invocations.size(); ++i) {
    const auto found = run.invocations[i].samples.find(benchmark.name);
    if (found == run.invocations[i].samples.end()) continue;
    all.push_back(&found->second);
    packer.whole(i + 1);
    packer.whole(found->second.real_time_ns.size());
  }
  packer.whole(0);
  // What is alike lies together.
  for (const auto* samples : all) pack_list(order_statistics(samples->real_time_ns, false), packer);
  for (const auto* samples : all) pack_list(order_statistics(samples->cpu_time_ns, false), packer);
  for (const auto& name : text.counters) {
    Packer counter;
    for (const auto* samples : all) {
      const auto values = samples->counters.find(name);
      const auto kept =
          values == samples->counters.end() ? std::vector<double>() : kept_counters(values->second);
      counter.whole(kept.size());
      pack_list(kept, counter);
    }
    packer.bytes(counter.bytes());
  }
  return packer.bytes();
}

void unpack_values(std::string_view bytes, const BenchmarkText& text, const WantedCounters& wanted,
                   Benchmark& benchmark, Run& run) {
  Unpacker unpacker(bytes);
  for (auto& [name, value] : benchmark.counters) value = unpacker.near();
  std::vector<Samples*> all;
  while (const std::uint64_t at = unpacker.whole()) {
    if (at > run.invocations.size()) throw SummaryDamaged{"values of no invocation"};
    auto& samples = run.invocations[at - 1].samples;
    all.push_back(&samples.try_emplace(samples.end(), benchmark.name)->second);
    all.back()->repetitions = static_cast<std::size_t>(unpacker.whole());
  }
  const auto times = [&](std::size_t repetitions) {
    return with_greatest(unpack_list(unpacker, kept_times(repetitions)), repetitions);
  };
  for (auto* samples : all) samples->real_time_ns = times(samples->repetitions);
  for (auto* samples : all) samples->cpu_time_ns = times(samples->repetitions);
  for (const auto& name : text.counters) {
    Unpacker counter(unpacker.bytes());
    if (wanted && !wanted->contains(name)) continue;
    for (auto* samples : all)
      if (const std::size_t count = counter.count(); count > 0)
        samples->counters.try_emplace(samples->counters.end(), name, unpack_list(counter, count));
  }
}

}  // namespace tracker
