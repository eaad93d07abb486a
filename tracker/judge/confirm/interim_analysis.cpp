#include "tracker/judge/confirm/interim_analysis.hpp"

#include <algorithm>
#include <set>

#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

std::set<std::string> measured_after(const Run& run, int round) {
  std::set<std::string> names;
  for (const auto& invocation : run.invocations)
    if (invocation.round > round)
      for (const auto& [name, samples] : invocation.samples) names.insert(name);
  return names;
}

void keep_benchmarks(Run& run, const std::set<std::string>& names) {
  std::erase_if(run.benchmarks, [&](const Benchmark& one) { return names.count(one.name) == 0; });
  for (auto& invocation : run.invocations)
    std::erase_if(invocation.samples, [&](const auto& one) { return names.count(one.first) == 0; });
  index_benchmarks(run);
}

}  // namespace

double InterimAnalysis::error_share() const {
  return (1 - kFirstCheckShare) / (number * (number + 1.0));
}

double attempts_error_share(int attempts) {
  return 1 / (static_cast<double>(attempts) * attempts);
}

InterimAnalysis InterimAnalysis::next() const {
  return {number + 1, std::max(rounds + 3, rounds * 3 / 2), rounds};
}

InterimAnalysis InterimAnalysis::within(double left_s, double expected_s) const {
  if (expected_s <= left_s) return *this;
  InterimAnalysis shorter = *this;
  shorter.rounds = rounds_before + static_cast<int>(std::max(new_rounds() * left_s / expected_s, 0.0));
  return shorter;
}

void keep_for_analysis(const InterimAnalysis& analysis, const std::vector<Rename>& renames, Run& base,
                       Run& candidate) {
  for (Run* run : {&base, &candidate}) {
    std::erase_if(run->invocations, [&](const Invocation& one) { return one.round > analysis.rounds; });
    rename_benchmarks(*run, renames);
  }
  if (analysis.rounds_before == 0) return;
  const auto of_candidate = measured_after(candidate, analysis.rounds_before);
  std::set<std::string> both;
  for (const auto& name : measured_after(base, analysis.rounds_before))
    if (of_candidate.count(name) > 0) both.insert(name);
  for (Run* run : {&base, &candidate}) {
    keep_benchmarks(*run, both);
    run->selection = {"", static_cast<int>(both.size())};  // what it lacks was not asked for
  }
}

}  // namespace tracker
