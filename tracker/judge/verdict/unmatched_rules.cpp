#include "tracker/judge/verdict/unmatched_rules.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// Without what people write between words: "Real-Time" and "realtime" are "real_time".
std::string bare(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& metric : builtin_metrics()) names.push_back(metric.name);
  return names;
}

std::optional<std::string> meant_by(const std::string& name) {
  for (const auto& builtin : builtin_names())
    if (bare(builtin) == bare(name)) return builtin;
  return nearest(name, builtin_names());
}

bool has_counter(const Run& run, const std::string& name) {
  return std::any_of(run.benchmarks.begin(), run.benchmarks.end(),
                     [&](const Benchmark& benchmark) { return benchmark.counters.count(name) > 0; }) ||
         std::any_of(run.invocations.begin(), run.invocations.end(), [&](const Invocation& invocation) {
           return std::any_of(invocation.samples.begin(), invocation.samples.end(),
                              [&](const auto& one) { return one.second.counters.count(name) > 0; });
         });
}

}  // namespace

std::vector<std::string> unused_rules(const Policy& policy, const std::vector<const std::vector<Run>*>& runs,
                                      const std::vector<BenchmarkTimes>& times) {
  std::vector<std::string> sentences;
  if (policy.waivers.empty() && policy.renames.empty()) return sentences;
  std::set<std::string> names;
  const auto add = [&](const Benchmark& benchmark) {
    names.insert(benchmark.name);
    names.insert(renamed(benchmark.name, policy.renames));
  };
  for (const auto* some : runs)
    for (const auto& run : *some)
      for (const auto& benchmark : run.benchmarks) add(benchmark);
  for (const auto& one : times) add(one.benchmark);
  const auto any_matches = [&](const std::string& pattern) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return glob_match(pattern, name); });
  };
  for (const auto& waiver : policy.waivers)
    if (!any_matches(waiver.match))
      sentences.push_back("the waiver for '" + printable(waiver.match) + "' matches no benchmark");
  for (const auto& rename : policy.renames)
    if (!any_matches(rename.from) && !any_matches(rename.to))
      sentences.push_back("the rename of '" + printable(rename.from) + "' matches no benchmark");
  return sentences;
}

void require_metric_names(const Policy& policy, const std::vector<const std::vector<Run>*>& runs) {
  const auto builtins = builtin_names();
  for (const auto& rule : policy.rules) {
    if (!rule.metric || std::find(builtins.begin(), builtins.end(), *rule.metric) != builtins.end()) continue;
    const auto meant = meant_by(*rule.metric);
    if (!meant) continue;
    const bool is_counter = std::any_of(runs.begin(), runs.end(), [&](const std::vector<Run>* side) {
      return std::any_of(side->begin(), side->end(),
                         [&](const Run& run) { return has_counter(run, *rule.metric); });
    });
    if (is_counter) continue;
    throw Error(ExitCode::kUsage,
                "tracker.toml: the [[policy]] of '" + printable(rule.match) + "' names the metric '" +
                    printable(*rule.metric) +
                    "', which is not built in, and no benchmark has a counter of that name",
                "did you mean '" + *meant + "'? built in are " + join(builtins, ", "));
  }
}

}  // namespace tracker
