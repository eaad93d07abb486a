#include "tracker/judge/verdict/unused_rules.hpp"

#include <algorithm>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {

std::vector<std::string> unused_rules(const Policy& policy,
                                      const std::vector<const std::vector<Run>*>& runs) {
  std::vector<std::string> sentences;
  if (policy.waivers.empty() && policy.renames.empty()) return sentences;
  std::set<std::string> names;
  for (const auto* some : runs)
    for (const auto& run : *some)
      for (const auto& benchmark : run.benchmarks) {
        names.insert(benchmark.name);
        names.insert(renamed(benchmark.name, policy.renames));
      }
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

}  // namespace tracker
