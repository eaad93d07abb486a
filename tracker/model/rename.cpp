#include "tracker/model/rename.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
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

// Finds the rename that matches a name without going through all of them: there may be thousands, of
// thousands of names.
class RenameIndex {
 public:
  explicit RenameIndex(const std::vector<Rename>& renames) : renames_(renames) {
    for (std::size_t i = 0; i < renames_.size(); ++i) {
      const std::string& from = renames_[i].from;
      const std::size_t star = from.find('*');
      if (star == std::string::npos) {
        by_name_[from].push_back(i);
      } else {
        by_start_[from.substr(0, star)].push_back(i);
        start_lengths_.insert(star);
      }
    }
  }

  const std::vector<Rename>& renames() const { return renames_; }

  // The first rename that matches the name, but for those in `without`.
  std::optional<Step> next_step(const std::string& name, const std::set<std::size_t>& without = {}) const {
    std::optional<Step> first;
    const auto look_through = [&](const auto& lists, const std::string& key) {
      const auto list = lists.find(key);
      if (list == lists.end()) return;
      for (const std::size_t i : list->second) {
        if (first && first->rename < i) return;
        if (without.contains(i)) continue;
        if (auto to = renamed_once(name, renames_[i])) {
          first = Step{i, std::move(*to)};
          return;
        }
      }
    };
    look_through(by_name_, name);
    for (const std::size_t length : start_lengths_)
      if (length <= name.size()) look_through(by_start_, name.substr(0, length));
    return first;
  }

 private:
  using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

  std::vector<Rename> renames_;
  Places by_name_;   // those without a '*'
  Places by_start_;  // the others, by what stands before it
  std::set<std::size_t> start_lengths_;
};

// The new names, each made once.
class NewNames {
 public:
  explicit NewNames(const std::vector<Rename>& renames) : index_(renames) {}

  // Those of the renames that this thread asked for last: many ask for one name after the other.
  static NewNames& of_thread(const std::vector<Rename>& renames) {
    thread_local std::optional<NewNames> last;
    if (!last || last->index_.renames() != renames) last.emplace(renames);
    return *last;
  }

  const std::string& of(const std::string& name) {
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    if (names_.size() > kNamesMax) names_.clear();
    std::vector<std::string> path{name};
    std::set<std::size_t> used;
    while (const auto step = index_.next_step(path.back(), used)) {
      if (const auto known = names_.find(step->name); known != names_.end()) {
        path.push_back(known->second);
        break;
      }
      used.insert(step->rename);
      path.push_back(step->name);
    }
    // A name on the way leads to the same end, unless it comes back to a rename.
    const std::string end = path.back();
    if (!index_.next_step(end))
      for (const auto& passed : path) names_.try_emplace(passed, end);
    return names_.insert_or_assign(name, end).first->second;
  }

 private:
  static constexpr std::size_t kNamesMax = 1'000'000;

  RenameIndex index_;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace

std::string renamed(const std::string& name, const std::vector<Rename>& renames) {
  return renames.empty() ? name : NewNames::of_thread(renames).of(name);
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
  if (renames.empty()) return;
  NewNames& names = NewNames::of_thread(renames);
  take_to_new_names(run, [&](const Benchmark& benchmark) { return names.of(benchmark.name); });
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
  NewNames& names = NewNames::of_thread(renames);
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
  NewNames& names = NewNames::of_thread(renames);
  for (auto& times : history.times) times.benchmark.name = names.of(times.benchmark.name);
}

void rename_benchmarks(NoiseModel& noise, const std::vector<Rename>& renames) {
  if (renames.empty()) return;
  NewNames& names = NewNames::of_thread(renames);
  std::map<std::string, BenchmarkNoise> kept = noise.benchmarks;
  for (const auto& [name, own] : noise.benchmarks)
    if (const std::string& to = names.of(name); to != name && kept.emplace(to, own).second) kept.erase(name);
  noise.benchmarks = std::move(kept);
}

Policy without_renames(Policy policy) {
  policy.renames.clear();
  return policy;
}

std::optional<std::size_t> rename_in_a_circle(const std::vector<Rename>& renames) {
  // A pattern is followed as if it were a name: a '*' in it stands for itself.
  const RenameIndex index(renames);
  std::unordered_set<std::string> lead_out;  // names whose way was followed to its end
  for (std::size_t i = 0; i < renames.size(); ++i) {
    std::set<std::size_t> used{i};
    std::vector<std::string> path{renames[i].to};
    while (!lead_out.contains(path.back())) {
      const auto step = index.next_step(path.back());
      if (!step) break;
      if (!used.insert(step->rename).second) return i;
      path.push_back(step->name);
    }
    lead_out.insert(path.begin(), path.end());
  }
  return {};
}

}  // namespace tracker
