#include "tracker/judge/noise/same_code_pairs.hpp"

#include <map>

#include "tracker/judge/verdict/evidence.hpp"

namespace tracker {
namespace {

std::map<int, double> values_of(const Run& run, const std::string& benchmark, const Metric& metric) {
  return logs_by_round(evidence_of(Runs(&run, 1), benchmark, metric));
}

// Of each round of `first` with the one `later` rounds behind it in `second`.
ClockedPairs pairs_of(const Run& first, const Run& second, int later, const std::string& benchmark,
                      const Metric& metric) {
  const auto second_values = values_of(second, benchmark, metric);
  const ClockByRound first_clocks = core_clocks_of(Runs(&first, 1), benchmark);
  const ClockByRound second_clocks = core_clocks_of(Runs(&second, 1), benchmark);
  ClockedPairs pairs;
  bool all_have_clocks = true;
  for (const auto& [round, value] : values_of(first, benchmark, metric)) {
    const auto partner = second_values.find(round + later);
    if (partner == second_values.end()) continue;
    pairs.values.push_back(partner->second - value);
    const auto first_clock = first_clocks.find(round);
    const auto second_clock = second_clocks.find(round + later);
    all_have_clocks &= first_clock != first_clocks.end() && second_clock != second_clocks.end();
    if (all_have_clocks) pairs.clocks.push_back(second_clock->second - first_clock->second);
  }
  if (!all_have_clocks) pairs.clocks.clear();
  return pairs;
}

}  // namespace

ClockedPairs pairs_of_job(const Run& base, const Run& candidate, const std::string& benchmark,
                          const Metric& metric) {
  return pairs_of(base, candidate, 0, benchmark, metric);
}

ClockedPairs pairs_in_turn(const Run& run, const std::string& benchmark, const Metric& metric) {
  return pairs_of(run, run, 1, benchmark, metric);
}

}  // namespace tracker
