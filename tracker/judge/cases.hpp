// Which benchmarks of two sides can be compared, and what is said of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/clock.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/reason.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker {

// What one iteration does.
struct Work {
  double amount = 0;
  std::string unit;  // of a rate of it: "FLOP/s"
};

// A benchmark that both sides measured, on the way to its verdict.
struct Case {
  std::string name;
  std::string printed_name;
  Gate gate;
  Evidence base;
  Evidence candidate;
  std::optional<Work> base_work;  // done in the time that is judged
  std::optional<Work> candidate_work;
  Contrast contrast;
  std::optional<ClockEffect> clock;  // where the policy compares at the same clock, and it matters
  bool lacks_clock = false;          // the policy does, but an invocation states no clock
  double clock_step = 0;             // how far it may put the contrast off: tracker/judge/clock.hpp
  Repetitions repetitions;           // where a side has a single invocation
  int builds = 0;                    // from two on, so many builds of each side stand for its invocations
  bool paired = true;                // false: measured in one job, but in no round both
};

// Whether the candidate's runs were to measure everything.
bool was_asked_for(Runs candidate);

// The comparison of a case with what the two sides show; no verdict yet.
Comparison start(const Case& c);

// Every benchmark of either side: as a case, or in `decided`, with its verdict, where it cannot be compared.
std::vector<Case> gather_cases(Runs base, Runs candidate, const Policy& policy, Distance distance,
                               std::vector<Comparison>& decided);

// Counters that need other arithmetic than a time's: those that are equal in every invocation, those that may
// be zero or negative, and those that say whether the result was right.

// Whether every sample that these runs have of the counter is the same, two at least. False for times and
// rates.
bool is_exact(Runs runs, const std::string& benchmark, const Metric& metric);

// The verdict on a counter that is exact on both sides, or that has values of zero and below: by the
// difference, as a share of the base. Empty where the ratio tells, as for any time. `error`: how often its
// interval may miss.
std::optional<Comparison> judge_count(const Case& c, Runs base, Runs candidate, Distance distance,
                                      double error);

// Fails a candidate whose counter breaks the policy's requirement, or says under a usual name that the result
// is wrong
// ("Passed": 0). Empty where none does.
std::optional<Comparison> find_wrong_result(const Case& c, Runs base, Runs candidate);

}  // namespace tracker
