#include "tracker/judge/side_facts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

// What the compiler and the launch fix for good: where one of these differs, something of the code does.
constexpr const char* kCodeCounters[] = {"registers",   "shared_static_bytes", "shared_dynamic_bytes",
                                         "local_bytes", "threads_per_block",   "blocks_per_sm"};

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

// The runs without what they measured, with what the benchmark's binary states of its software.
std::vector<Run> with_own_software(const SideEvidence& side) {
  std::vector<Run> own;
  auto seen = side.seen.begin();
  for (const auto& run : side.runs) {
    Run& one = own.emplace_back();
    const bool has_it = seen != side.seen.end() && seen->run == &run;
    one.software = has_it ? software_of(run, *(seen++)->benchmark) : run.software;
    one.device = run.device;
    one.host = run.host;
  }
  return own;
}

bool tells_its_code(const Benchmark& benchmark) {
  return benchmark.code && !benchmark.code->hash.empty() && !benchmark.code->launches.empty();
}

bool is_same_work(const Benchmark& a, const Benchmark& b) {
  return a.bytes_per_iteration == b.bytes_per_iteration && a.flops_per_iteration == b.flops_per_iteration &&
         a.items_per_iteration == b.items_per_iteration;
}

const Program* program_of(const Run& run, const Benchmark& benchmark) {
  const auto found = run.programs.find(benchmark.binary);
  return found == run.programs.end() || found->second.whole.empty() ? nullptr : &found->second;
}

bool is_same_program(const RunEvidence& a, const RunEvidence& b) {
  const Program* of_base = program_of(*a.run, *a.benchmark);
  const Program* of_candidate = program_of(*b.run, *b.benchmark);
  return of_base != nullptr && of_candidate != nullptr && is_same_work(*a.benchmark, *b.benchmark) &&
         of_base->whole == of_candidate->whole;
}

bool is_same(const Benchmark& a, const Benchmark& b) {
  if (!is_same_code(*a.code, *b.code) || !is_same_work(a, b)) return false;
  return std::all_of(std::begin(kCodeCounters), std::end(kCodeCounters), [&](const char* name) {
    const auto of_base = a.counters.find(name);
    const auto of_candidate = b.counters.find(name);
    return of_base == a.counters.end() || of_candidate == b.counters.end() ||
           of_base->second == of_candidate->second;
  });
}

// Of every run that measured it; nothing where none of one side did.
std::vector<const RunEvidence*> measured_in(const SideEvidence& base, const SideEvidence& candidate) {
  std::vector<const RunEvidence*> all;
  for (const auto* side : {&base, &candidate}) {
    const std::size_t before = all.size();
    for (const auto& one : side->seen)
      if (!one.benchmark->error) all.push_back(&one);
    if (all.size() == before) return {};
  }
  return all;
}

}  // namespace

SeenConditions seen_conditions(const SideEvidence& side) {
  SeenConditions seen;
  std::vector<double> loads;
  const auto keep = [](std::vector<double>& values, const std::optional<double>& value) {
    if (value) values.push_back(*value);
  };
  each_counted(side, [&](const RunEvidence&, const Invocation& invocation, const Samples&) {
    const Conditions& conditions = invocation.conditions;
    ++seen.invocations;
    keep(seen.core_clocks_mhz, conditions.core_clock_mhz_min);
    keep(seen.memory_clocks_mhz, conditions.memory_clock_mhz);
    keep(loads, conditions.load_average);
    if (conditions.temperature_c_max)
      seen.temperature_c =
          std::max(seen.temperature_c.value_or(*conditions.temperature_c_max), *conditions.temperature_c_max);
    if (conditions.throttled_s) seen.throttled_s = seen.throttled_s.value_or(0) + *conditions.throttled_s;
    if (conditions.other_processes.value_or(0) > 0) ++seen.shared;
    if (conditions.other_processes)
      seen.other_processes = std::max(seen.other_processes.value_or(0), *conditions.other_processes);
    for (const auto& reason : conditions.throttle_reasons) ++seen.throttle_reasons[reason];
  });
  seen.core_clock_mhz = median_of(seen.core_clocks_mhz);
  seen.memory_clock_mhz = median_of(seen.memory_clocks_mhz);
  seen.load_average = median_of(loads);
  return seen;
}

SideFacts side_facts(const SideEvidence& side) {
  SideFacts facts;
  const auto measured = std::find_if(side.seen.rbegin(), side.seen.rend(),
                                     [](const RunEvidence& one) { return !one.benchmark->error; });
  if (measured != side.seen.rend()) facts.benchmark = *measured->benchmark;
  facts.conditions = seen_conditions(side);
  const auto own = with_own_software(side);
  for (const auto& fact : run_facts())
    if (const std::string values = values_of(own, fact, ""); !values.empty()) facts.facts[fact.name] = values;
  return facts;
}

std::optional<bool> has_same_code(const SideEvidence& base, const SideEvidence& candidate) {
  const auto all = measured_in(base, candidate);
  const auto tells = [](const RunEvidence* one) { return tells_its_code(*one->benchmark); };
  if (all.empty() || !std::all_of(all.begin(), all.end(), tells)) return {};
  return std::all_of(all.begin(), all.end(), [&](const RunEvidence* one) {
    return is_same(*all.front()->benchmark, *one->benchmark);
  });
}

bool has_same_program(const SideEvidence& base, const SideEvidence& candidate) {
  const auto all = measured_in(base, candidate);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const RunEvidence* one) {
    return is_same_program(*all.front(), *one);
  });
}

bool is_timed_by_events(const SideEvidence& side) {
  return std::all_of(side.seen.begin(), side.seen.end(),
                     [](const RunEvidence& one) { return one.benchmark->time_base == TimeBase::kManual; });
}

bool is_code_counter(const std::string& name) {
  return std::find(std::begin(kCodeCounters), std::end(kCodeCounters), name) != std::end(kCodeCounters);
}

std::optional<double> counter_of(const SideFacts& side, const std::string& counter) {
  if (!side.benchmark) return {};
  const auto found = side.benchmark->counters.find(counter);
  return found == side.benchmark->counters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> shared_bytes(const SideFacts& side) {
  const auto fixed = counter_of(side, "shared_static_bytes");
  auto dynamic = counter_of(side, "shared_dynamic_bytes");
  if (!dynamic && side.benchmark && side.benchmark->code && !side.benchmark->code->launches.empty()) {
    dynamic = 0;
    for (const auto& launch : side.benchmark->code->launches)
      dynamic = std::max(*dynamic, static_cast<double>(launch.shared_bytes));
  }
  if (!fixed && !dynamic) return {};
  return fixed.value_or(0) + dynamic.value_or(0);
}

namespace {

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// Whole numbers of a unit: "700 W".
std::optional<std::string> whole(const std::optional<double>& value, const char* unit) {
  if (!value) return {};
  return format_plain(std::round(*value)) + " " + unit;
}

std::optional<std::string> on_or_off(const std::optional<bool>& value) {
  if (!value) return {};
  return *value ? "on" : "off";
}

// What stands before the mark, or behind it.
std::optional<std::string> part_of_build(const Run& run, int part) {
  if (!run.software.build) return {};
  const std::string& build = *run.software.build;
  const auto mark = build.rfind(kBuildFilesMark);
  if (part == 0) return build.substr(0, mark);
  if (mark == std::string::npos) return {};
  return build.substr(mark + std::string_view(kBuildFilesMark).size());
}

}  // namespace

const std::vector<RunFact>& run_facts() {
  static const std::vector<RunFact> facts{
      {"driver", FactKind::kSoftware, [](const Run& run) { return run.software.driver; }},
      {"CUDA driver", FactKind::kSoftware, [](const Run& run) { return run.software.cuda_driver; }},
      {"CUDA runtime", FactKind::kSoftware, [](const Run& run) { return run.software.cuda_runtime; }},
      {"cuBLAS", FactKind::kSoftware, [](const Run& run) { return run.software.cublas; }},
      {"compiler", FactKind::kBuild, [](const Run& run) { return run.software.compiler; }},
      {"compiler flags", FactKind::kBuild, [](const Run& run) { return run.software.flags; }, true},
      {"build type", FactKind::kBuild, [](const Run& run) { return run.software.build_type; }},
      {"Google Benchmark", FactKind::kSoftware, [](const Run& run) { return run.software.library; }},
      {"build commands", FactKind::kBuild, [](const Run& run) { return part_of_build(run, 0); }, true},
      {"build files", FactKind::kBuild, [](const Run& run) { return part_of_build(run, 1); }, true},
      {"board", FactKind::kMachine,
       [](const Run& run) {
         const auto boards = boards_of(run);
         return boards.empty() ? std::optional<std::string>() : join(boards, ", ");
       }},
      {"power limit", FactKind::kMachine,
       [](const Run& run) { return whole(run.device.power_limit_w, "W"); }},
      {"ECC", FactKind::kMachine, [](const Run& run) { return on_or_off(run.device.ecc); }},
      {"host", FactKind::kMachine, [](const Run& run) { return if_any(run.host.name); }},
      {"CPU", FactKind::kMachine, [](const Run& run) { return run.host.cpu; }},
      {"caches", FactKind::kMachine, [](const Run& run) { return run.host.caches; }},
      {"operating system", FactKind::kMachine, [](const Run& run) { return run.host.os; }},
  };
  return facts;
}

const RunFact& run_fact(std::string_view name) {
  const auto& facts = run_facts();
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const RunFact& fact) { return fact.name == name; });
  if (found == facts.end()) throw std::out_of_range(std::string(name));
  return *found;
}

std::string values_of(Runs runs, const RunFact& fact, const std::string& unknown) {
  std::set<std::string> values;
  for (const auto& run : runs)
    if (const std::string value = fact.value(run).value_or(unknown); !value.empty()) values.insert(value);
  return join({values.begin(), values.end()}, ", ");
}

}  // namespace tracker
