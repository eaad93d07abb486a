#include "tracker/judge/verdict/unmatched_rules.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/method_suffix.hpp"
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

// The counters of the benchmarks that a rule is for, and whether it is for any that was measured.
void add_counters_of(const Run& run, const PolicyRule& rule, const Policy& policy, bool& matches,
                     std::set<std::string>& counters) {
  std::set<std::string> names;
  for (const auto& benchmark : run.benchmarks) {
    if (benchmark.error) continue;
    Benchmark now = benchmark;
    now.name = renamed(benchmark.name, policy.renames);
    if (!means_benchmark(rule.match, benchmark) && !means_benchmark(rule.match, now)) continue;
    names.insert(benchmark.name);
    for (const auto& [counter, value] : benchmark.counters) counters.insert(counter);
  }
  matches = matches || !names.empty();
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples)
      if (names.count(name) > 0)
        for (const auto& [counter, values] : samples.counters) counters.insert(counter);
}

}  // namespace

std::vector<std::string> unused_rules(const Policy& policy, const std::vector<const std::vector<Run>*>& runs,
                                      const std::vector<BenchmarkTimes>& times) {
  std::vector<std::string> sentences;
  if (policy.waivers.empty() && policy.renames.empty() && policy.rules.empty()) return sentences;
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
                       [&](const std::string& name) { return means_benchmark(pattern, name); });
  };
  std::set<std::string> unused;
  for (const auto& rule : policy.rules)
    if (!any_matches(rule.match)) unused.insert("'" + printable(rule.match) + "'");
  if (!unused.empty())
    sentences.push_back("no benchmark matches the policy for " + join({unused.begin(), unused.end()}, ", "));
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
    bool matches = false;
    std::set<std::string> counters;
    for (const auto* side : runs)
      for (const auto& run : *side) add_counters_of(run, rule, policy, matches, counters);
    const auto meant = meant_by(*rule.metric);
    if (counters.count(*rule.metric) > 0 || (!matches && !meant)) continue;
    const auto near = nearest(*rule.metric, {counters.begin(), counters.end()});
    if (!meant && !near) continue;  // it may not have been measured here
    throw Error(ExitCode::kUsage,
                "tracker.toml: the [[policy]] of '" + printable(rule.match) + "' names the metric '" +
                    printable(*rule.metric) +
                    "', which is not built in, and no benchmark has a counter of that name",
                "did you mean '" + printable(meant ? *meant : *near) + "'? " + "built in are " +
                    join(builtins, ", "));
  }
}

}  // namespace tracker
