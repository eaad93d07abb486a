#include "tracker/judge/verdict/unmatched_rules.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
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

namespace {

struct LikelyPair {
  const Comparison* from = nullptr;
  const Comparison* to = nullptr;
  std::size_t distance = 0;  // of the names
};

bool is_only_missing(const Comparison& row) {
  return row.verdict == Verdict::kMissing && row.base && *row.base > 0 && !row.reasons.empty() &&
         row.reasons.front().code == ReasonCode::kMissingInCandidate;
}

bool is_only_new(const Comparison& row) {
  return row.verdict == Verdict::kNew && row.candidate && *row.candidate > 0 && !row.reasons.empty() &&
         row.reasons.front().code == ReasonCode::kMissingInBase;
}

// The nearest names first; each in one pair.
std::vector<LikelyPair> likely_pairs(const std::vector<Comparison>& rows) {
  constexpr double kNearMin = 0.1;  // a share: jobs of one commit differ by less
  std::vector<LikelyPair> all;
  for (const auto& from : rows) {
    if (!is_only_missing(from)) continue;
    for (const auto& to : rows) {
      if (!is_only_new(to) || to.metric.name != from.metric.name) continue;
      const double near = std::log1p(std::max(kNearMin, 2 * from.threshold));
      const std::size_t distance = edit_distance(from.benchmark, to.benchmark);
      const std::size_t longer = std::max(from.benchmark.size(), to.benchmark.size());
      if (std::abs(std::log(*to.candidate / *from.base)) <= near && 3 * distance <= 2 * longer)
        all.push_back({&from, &to, distance});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  std::set<const Comparison*> taken;
  std::erase_if(all, [&](const LikelyPair& pair) {
    if (taken.count(pair.from) > 0 || taken.count(pair.to) > 0) return true;
    taken.insert({pair.from, pair.to});
    return false;
  });
  return all;
}

// Where the last '/' stands from which on both names are the same; both sizes where there is none.
std::pair<std::string, std::string> heads_of(const std::string& from, const std::string& to) {
  const auto same = std::mismatch(from.rbegin(), from.rend(), to.rbegin(), to.rend());
  const std::string tail(same.first.base(), from.end());
  const std::size_t slash = tail.find('/');
  if (slash == std::string::npos) return {from, to};
  const std::size_t length = tail.size() - slash;
  return {from.substr(0, from.size() - length), to.substr(0, to.size() - length)};
}

}  // namespace

std::vector<Rename> likely_renames(const std::vector<Comparison>& rows) {
  std::map<std::pair<std::string, std::string>, std::vector<LikelyPair>> folders;
  for (const auto& pair : likely_pairs(rows))
    folders[heads_of(pair.from->benchmark, pair.to->benchmark)].push_back(pair);
  std::vector<Rename> renames;
  for (const auto& [heads, pairs] : folders) {
    const std::string folder = heads.first + "/";
    const auto below = std::count_if(
        rows.begin(), rows.end(), [&](const Comparison& row) { return row.benchmark.starts_with(folder); });
    if (pairs.size() > 1 && static_cast<std::size_t>(below) == pairs.size()) {
      renames.push_back({folder + "*", heads.second + "/*"});
      continue;
    }
    for (const auto& pair : pairs) renames.push_back({pair.from->benchmark, pair.to->benchmark});
  }
  return renames;
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
