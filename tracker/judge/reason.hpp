// Why a verdict came about, and what the code of both sides has to do with it. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/judge/cause.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// For a comparison that was decided on this basis.
Reasons reasons_for(const Comparison& comparison, const Basis& basis);

// What the code of both sides has to do with a verdict. Pure. docs/reasons.md derives the rule.

// Says whether the code of a compared benchmark is the same, and makes what regressed with the same code
// kSameCode. That takes the same program (has_same_program()), or a time that the kernels alone have: manual
// time, of which all runs know machine code, launches and work. `in_turn`: one job measured both sides side
// by side.
void apply_same_code(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn);

// Fills in the cause, after the floors.
void add_cause(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn);

// What the code or the machine did to the time, by the verdict, or else by the change against the base: below
// a floor that may be none, or a gain.
Effect effect_of(const Comparison& comparison);

// Whether its row names a cause: where the code or the machine made it another speed.
bool wants_cause(const Comparison& comparison);

// Adds to them which hardware counters moved, of benchmarks that both commits' profiles have, under the names
// of the report.
void add_counter_causes(ComparisonReport& report, const Profile& base, const Profile& candidate);

// What a reader must know about both sides before believing a comparison: one sentence each. `learned`: the
// spread between jobs is from runs.
std::vector<std::string> notes_of(const ComparisonReport& report, OpenBenchmarks open, Runs base,
                                  Runs candidate, Distance distance, bool learned, const Policy& policy);

// What of a GPU's run is judged by the time of the host's processor, which does not hold what the GPU does
// after a launch; empty where nothing is, or nothing but benchmarks that the policy gives another metric.
std::string cpu_time_note(const Run& run, const Policy& policy);

}  // namespace tracker::judge
