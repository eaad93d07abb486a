#include "tracker/model/rename.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// What each '*' of the pattern stands for; empty where the text does not match.
std::optional<std::vector<std::string>> match_stars(const std::string& pattern, const std::string& text) {
  const auto literals = split(pattern, '*');
  if (!text.starts_with(literals.front())) return {};
  std::vector<std::string> stars;
  std::size_t from = literals.front().size();
  for (std::size_t i = 1; i < literals.size(); ++i) {
    const bool last = i + 1 == literals.size();
    const std::size_t size = literals[i].size();
    std::size_t at = text.find(literals[i], from);
    if (last) at = text.size() >= from + size && text.ends_with(literals[i]) ? text.size() - size : text.npos;
    if (at == std::string::npos) return {};
    stars.push_back(text.substr(from, at - from));
    from = at + size;
  }
  if (from != text.size()) return {};
  return stars;
}

std::optional<std::string> renamed_once(const std::string& name, const Rename& rename) {
  const auto stars = match_stars(rename.from, name);
  if (!stars) return {};
  const auto literals = split(rename.to, '*');
  std::string to = literals.front();
  for (std::size_t i = 1; i < literals.size(); ++i) to += (*stars)[i - 1] + literals[i];
  return to;
}

struct Step {
  std::size_t rename;
  std::string name;  // what it makes
};

// The first rename that matches the name.
std::optional<Step> next_step(const std::string& name, const std::vector<Rename>& renames,
                              const std::set<std::size_t>& without = {}) {
  for (std::size_t i = 0; i < renames.size(); ++i) {
    if (without.contains(i)) continue;
    if (auto to = renamed_once(name, renames[i])) return Step{i, std::move(*to)};
  }
  return {};
}

// The new names, each made once.
class NewNames {
 public:
  explicit NewNames(const std::vector<Rename>& renames) : renames_(renames) {}

  const std::string& of(const std::string& name) {
    const auto [place, is_new] = names_.try_emplace(name);
    if (is_new) place->second = renamed(name, renames_);
    return place->second;
  }

 private:
  const std::vector<Rename>& renames_;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace

std::string renamed(const std::string& name, const std::vector<Rename>& renames) {
  std::string result = name;
  std::set<std::size_t> used;
  while (const auto step = next_step(result, renames, used)) {
    used.insert(step->rename);
    result = step->name;
  }
  return result;
}

namespace {

// One whose new name the run has already keeps its own.
template <typename NameOf>
void take_to_new_names(Run& run, NameOf new_name_of) {
  std::set<std::string> taken;
  for (const auto& benchmark : run.benchmarks) taken.insert(benchmark.name);
  std::map<std::string, std::string> changed;
  for (auto& benchmark : run.benchmarks) {
    std::string to = new_name_of(benchmark);
    if (!taken.insert(to).second) continue;
    changed[benchmark.name] = to;
    benchmark.name = std::move(to);
  }
  for (auto& invocation : run.invocations)
    for (const auto& [from, to] : changed) {
      auto samples = invocation.samples.extract(from);
      if (samples.empty()) continue;
      samples.key() = to;
      invocation.samples.insert(std::move(samples));
    }
  if (!changed.empty()) index_benchmarks(run);
}

}  // namespace

void rename_benchmarks(Run& run, const std::vector<Rename>& renames) {
  if (!renames.empty())
    take_to_new_names(run, [&](const Benchmark& benchmark) { return renamed(benchmark.name, renames); });
}

void keep_names_apart(Run& run, const SharedNames& shared) {
  if (!shared.empty())
    take_to_new_names(run, [&](const Benchmark& benchmark) { return shared.name_of(benchmark); });
}

void keep_names_apart(NoiseHistory& history, const SharedNames& shared) {
  if (shared.empty()) return;
  for (auto& run : history.runs) keep_names_apart(run, shared);
  for (auto& times : history.times) times.benchmark.name = shared.name_of(times.benchmark);
}

bool keeps_names_apart(const NoiseHistory& history, const std::vector<Rename>& renames) {
  if (renames.empty()) return true;
  NewNames names(renames);
  std::set<std::string> targets;
  const auto add_target = [&](const std::string& name) {
    if (const auto& to = names.of(name); to != name) targets.insert(to);
  };
  for (const auto& run : history.runs)
    for (const auto& benchmark : run.benchmarks) add_target(benchmark.name);
  for (const auto& times : history.times) add_target(times.benchmark.name);
  std::set<std::pair<std::size_t, std::string>> taken;  // in which run
  const auto take = [&](std::size_t run, const std::string& name) {
    if (targets.contains(name) && !taken.emplace(run, name).second) return false;
    const auto& to = names.of(name);
    return to == name || taken.emplace(run, to).second;
  };
  for (std::size_t i = 0; i < history.runs.size(); ++i)
    for (const auto& benchmark : history.runs[i].benchmarks)
      if (!take(i, benchmark.name)) return false;
  for (const auto& times : history.times)
    for (const auto& one : times.in_runs)
      if (!take(one.run, times.benchmark.name)) return false;
  return true;
}

void rename_benchmarks(NoiseHistory& history, const std::vector<Rename>& renames) {
  if (renames.empty()) return;
  for (auto& run : history.runs) rename_benchmarks(run, renames);
  NewNames names(renames);
  for (auto& times : history.times) times.benchmark.name = names.of(times.benchmark.name);
}

void rename_benchmarks(NoiseModel& noise, const std::vector<Rename>& renames) {
  std::map<std::string, BenchmarkNoise> kept = noise.benchmarks;
  for (const auto& [name, own] : noise.benchmarks)
    if (const std::string to = renamed(name, renames); to != name && kept.emplace(to, own).second)
      kept.erase(name);
  noise.benchmarks = std::move(kept);
}

Policy without_renames(Policy policy) {
  policy.renames.clear();
  return policy;
}

std::optional<std::size_t> rename_in_a_circle(const std::vector<Rename>& renames) {
  // A pattern is followed as if it were a name: a '*' in it stands for itself.
  for (std::size_t i = 0; i < renames.size(); ++i) {
    std::set<std::size_t> used{i};
    std::string name = renames[i].to;
    while (const auto step = next_step(name, renames)) {
      if (!used.insert(step->rename).second) return i;
      name = step->name;
    }
  }
  return {};
}

}  // namespace tracker
