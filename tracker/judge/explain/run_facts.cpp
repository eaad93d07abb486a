#include "tracker/judge/explain/run_facts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tracker/base/text.hpp"

namespace tracker {
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
