#include "tracker/model/policy.hpp"

#include "tracker/base/text.hpp"

namespace tracker {

Gate gate_for(const Policy& policy, const Benchmark& benchmark) {
  Gate gate;
  std::optional<std::string> metric;
  std::optional<Better> better;
  for (const auto& rule : policy.rules) {
    if (!glob_match(rule.match, benchmark.name)) continue;
    if (rule.metric) metric = rule.metric;
    if (rule.better) better = rule.better;
    gate.threshold = rule.threshold.value_or(gate.threshold);
    gate.report_only = rule.report_only.value_or(gate.report_only);
    gate.may_be_missing = rule.may_be_missing.value_or(gate.may_be_missing);
    if (rule.bound) gate.bound = fill_segments(*rule.bound, benchmark.name);
  }
  gate.metric = metric ? find_metric(*metric) : default_metric(benchmark);
  if (better) gate.metric.better = *better;
  return gate;
}

std::string fill_segments(const std::string& pattern, const std::string& name) {
  const auto segments = split(name, '/');
  std::string filled = pattern;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string mark = "{" + std::to_string(i + 1) + "}";
    for (std::size_t at = filled.find(mark); at != std::string::npos;
         at = filled.find(mark, at + segments[i].size()))
      filled.replace(at, mark.size(), segments[i]);
  }
  return filled;
}

}  // namespace tracker
