// The facts of both sides beside each other, group by group. Pure.
#pragma once

#include <vector>

#include "tracker/judge/explain/side_facts.hpp"
#include "tracker/judge/verdict/runs.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// What one side has to say of a benchmark; any of it may be nothing.
struct FactSide {
  Runs runs;
  SideFacts facts;
  const ProfiledBenchmark* profile = nullptr;
};

// Groups of which nothing is known on either side are left out.
std::vector<FactGroup> fact_table(const Comparison& comparison, const FactSide& base,
                                  const FactSide& candidate);

}  // namespace tracker
