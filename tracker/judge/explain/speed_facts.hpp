// The times and rates of both sides.
#pragma once

#include "tracker/judge/explain/fact_table.hpp"

namespace tracker {

// The judged metric first. Those that are of the same time share its interval, and differ where it excludes
// "no change".
FactGroup speed_facts(const Comparison& judged, const FactSide& base, const FactSide& candidate);

}  // namespace tracker
