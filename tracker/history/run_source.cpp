#include "tracker/history/run_source.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/protocol/context_keys.hpp"
#include "tracker/summary/summary_path.hpp"

namespace tracker {
namespace {

// "a/{2}/c" as the glob "a/*/c".
std::string glob_of_bound(const std::string& bound) {
  std::string glob;
  for (std::size_t at = 0; at < bound.size(); ++at) {
    const std::size_t end = bound[at] == '{' ? bound.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      glob += bound[at];
      continue;
    }
    glob += '*';
    at = end;
  }
  return glob;
}

}  // namespace

std::unique_ptr<RunSummaries> open_summaries(const Store& store, const std::filesystem::path& folder,
                                             std::function<void(std::size_t done, std::size_t all)> progress,
                                             std::function<void(const std::string& text)> note) {
  SummaryHooks hooks;
  hooks.parse = parse_stored_run;
  hooks.why_refused = [](const StoredKey& key, std::string_view text) {
    const auto unusable = why_unusable(key, text);
    return unusable && !unusable->is_newer ? unusable->why : std::string();
  };
  hooks.read = [&store](const StoredKey& key) { return read_stored_run(store, key); };
  hooks.progress = std::move(progress);
  hooks.note = std::move(note);
  return std::make_unique<RunSummaries>(store, summary_path(store, folder), std::move(hooks));
}

WantedCounters judged_counters(const Policy& policy) {
  std::set<std::string> names{kStatedValue};
  for (const auto& metric : builtin_metrics()) names.insert(metric.name);
  for (const auto& rule : policy.rules) {
    if (rule.metric) names.insert(*rule.metric);
    if (rule.same_clock.value_or(false)) names.insert(counter_name::kCoreClock);
  }
  return names;
}

WantedNames wanted_names(const std::vector<std::string>& globs, const Policy& policy) {
  if (globs.empty()) return {};
  std::vector<std::string> wanted = globs;
  for (const auto& rule : policy.rules)
    if (rule.bound) wanted.push_back(glob_of_bound(*rule.bound));
  for (const auto& rename : policy.renames) wanted.push_back(rename.to);
  return [wanted = std::move(wanted), renames = policy.renames](const std::string& name) {
    // Whatever is renamed is wanted: whether it takes its new name depends on the others.
    return means_any(wanted, name) || renamed(name, renames) != name;
  };
}

}  // namespace tracker
