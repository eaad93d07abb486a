// Which benchmarks of two sides can be compared, and what is said of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/verdict/evidence.hpp"
#include "tracker/judge/verdict/reason.hpp"
#include "tracker/judge/verdict/same_clock.hpp"
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
  double clock_step = 0;    // how far it may put the contrast off: tracker/judge/noise/clock_step.hpp
  Repetitions repetitions;  // where a side has a single invocation
  int builds = 0;           // from two on, so many builds of each side stand for its invocations
  bool paired = true;       // false: measured in one job, but in no round both
};

// Whether the candidate's runs were to measure everything.
bool was_asked_for(Runs candidate);

// The comparison of a case with what the two sides show; no verdict yet.
Comparison start(const Case& c);

// Every benchmark of either side: as a case, or in `decided`, with its verdict, where it cannot be compared.
std::vector<Case> gather_cases(Runs base, Runs candidate, const Policy& policy, Distance distance,
                               std::vector<Comparison>& decided);

}  // namespace tracker
