#include "tracker/judge/neighbours.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

struct DefaultDeviation {
  DeviceKind kind;
  double deviation;
  double of_order;
};

// Two benchmarks more before the others moved H200 kernels of a few µs by 1–7 %, and long ones by 0.4 % at
// most; the cause is not known, so that nothing says which ones will move. For a CPU there is no evidence
// yet.
// Of the order nothing is known but that a second process may be 1 % slower: chosen with caution.
constexpr DefaultDeviation kDefaults[] = {{DeviceKind::kGpu, 0.03, 0.01}, {DeviceKind::kCpu, 0.03, 0.01}};
constexpr double kDefaultDegrees = 30;  // meant as a bound, so it counts as well known
constexpr std::size_t kNamesMax = 2;

using Names = std::vector<std::string_view>;  // sorted

// The sets of benchmarks that shared a process, each once; one benchmark may be in several, as in the run of
// a filter, or in an invocation that broke off.
class Sets {
 public:
  // Those of one side, by benchmark.
  using Side = std::map<std::string_view, std::set<std::size_t>>;

  Side side(Runs runs) {
    Side side;
    for (const auto& run : runs) {
      std::map<std::string_view, std::size_t> last;  // of each binary: nearly always the same again
      for (const auto& invocation : run.invocations) {
        if (run.isolated) {
          for (const auto& [name, samples] : invocation.samples) side[name].insert(kAlone);
          continue;
        }
        const auto found = last.find(invocation.binary);
        if (found != last.end() && is_set(invocation, sets_[found->second])) continue;
        const std::size_t set = number_of(invocation);
        last.insert_or_assign(invocation.binary, set);
        for (const auto& name : sets_[set]) side[name].insert(set);
      }
    }
    return side;
  }

  // All that were in any of these sets.
  std::set<std::string_view> members(const std::set<std::size_t>& numbers) const {
    std::set<std::string_view> all;
    for (const std::size_t number : numbers) all.insert(sets_[number].begin(), sets_[number].end());
    return all;
  }

 private:
  static constexpr std::size_t kAlone = 0;

  static bool is_set(const Invocation& invocation, const Names& names) {
    return std::equal(invocation.samples.begin(), invocation.samples.end(), names.begin(), names.end(),
                      [](const auto& sample, const auto& name) { return sample.first == name; });
  }

  std::size_t number_of(const Invocation& invocation) {
    Names names;
    for (const auto& [name, samples] : invocation.samples) names.push_back(name);
    const auto [place, is_new] = numbers_.try_emplace(names, sets_.size());
    if (is_new) sets_.push_back(names);
    return place->second;
  }

  std::vector<Names> sets_{{}};  // the first: nothing
  std::map<Names, std::size_t> numbers_;
};

std::string some_of(const std::vector<std::string_view>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesMax); ++i)
    shown.push_back("'" + printable(std::string(names[i])) + "'");
  if (names.size() > kNamesMax)
    return join(shown, ", ") + " and " + std::to_string(names.size() - kNamesMax) + " more";
  return join(shown, " and ");
}

using Members = std::set<std::string_view>;

// Those of one side that began and did not come to an end: they were in the process all the same.
Members failed_in(Runs runs) {
  Members failed;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error) failed.insert(benchmark.name);
  return failed;
}

// What is only in `these`, or failed in the others.
std::vector<std::string_view> only_in(const Members& these, const Members& others, const Members& failed) {
  std::vector<std::string_view> only;
  for (const auto& name : these)
    if (!others.contains(name) && !failed.contains(name)) only.push_back(name);
  return only;
}

// Whether one of these is a further benchmark of the same name as one of the members.
bool has_copy(const std::vector<std::string_view>& names, const Members& members) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    const std::size_t hash = name.rfind('#');
    return hash != std::string_view::npos && members.contains(name.substr(0, hash));
  });
}

class Sides {
 public:
  Sides(Runs base, Runs candidate)
      : failed_in_base_(failed_in(base)), failed_in_candidate_(failed_in(candidate)) {}

  // What differs for a benchmark whose processes had these members; no words where nothing does. None at all:
  // it ran alone.
  ChangedNeighbours difference(const Members& base, const Members& candidate) const {
    if (base.empty() || candidate.empty()) return {alone(base, candidate)};
    const auto added = only_in(candidate, base, failed_in_base_);
    const auto removed = only_in(base, candidate, failed_in_candidate_);
    std::vector<std::string> parts;
    if (!added.empty()) parts.push_back(some_of(added) + " ran beside it only in the candidate");
    if (!removed.empty()) parts.push_back(some_of(removed) + " ran beside it only in the base");
    return {join(parts, ", "), has_copy(added, candidate) || has_copy(removed, base)};
  }

 private:
  static std::string alone(const Members& base, const Members& candidate) {
    const auto others = [](const Members& members) {  // itself not counted
      return std::to_string(members.size() - 1) + (members.size() == 2 ? " other" : " others");
    };
    if (candidate.size() > 1)
      return "it ran alone in the base, and beside " + others(candidate) + " in the candidate";
    if (base.size() > 1) return "it ran beside " + others(base) + " in the base, and alone in the candidate";
    return "";
  }

  Members failed_in_base_;
  Members failed_in_candidate_;
};

}  // namespace

std::map<std::string, ChangedNeighbours> changed_neighbours(Runs base, Runs candidate) {
  Sets sets;
  const auto of_base = sets.side(base);
  const auto of_candidate = sets.side(candidate);
  const Sides sides(base, candidate);
  // Most benchmarks of a binary are in the same sets: those are compared once.
  std::map<std::pair<std::set<std::size_t>, std::set<std::size_t>>, ChangedNeighbours> known;
  std::map<std::string, ChangedNeighbours> changed;
  for (const auto& [name, in_base] : of_base) {
    const auto found = of_candidate.find(name);
    if (found == of_candidate.end() || found->second == in_base) continue;
    const auto [place, is_new] = known.try_emplace({in_base, found->second});
    if (is_new) place->second = sides.difference(sets.members(in_base), sets.members(found->second));
    if (!place->second.words.empty()) changed[std::string(name)] = place->second;
  }
  return changed;
}

stats::Variance neighbour_variance(DeviceKind kind) {
  for (const auto& row : kDefaults)
    if (row.kind == kind) return {row.deviation * row.deviation, kDefaultDegrees};
  return {};
}

stats::Variance order_variance(DeviceKind kind) {
  for (const auto& row : kDefaults)
    if (row.kind == kind) return {row.of_order * row.of_order, kDefaultDegrees};
  return {};
}

}  // namespace tracker
