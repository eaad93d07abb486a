// One commit's runs → the families' overviews. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// A family is what benchmarks named <family>/<variant>/<shape> share in their first segment. Between variant
// and shape may stand a type, which begins with a letter: types are different work, each a family of its own
// ("gemm bf16"). Names with fewer than three segments belong to none, and neither does a family with one
// variant alone. FLOP/s where they are known, else the policy's metric.
std::vector<FamilyOverview> make_overviews(const CommitRuns& commit, const std::string& device,
                                           const std::vector<std::string>& globs, const Policy& policy);

// What pictures that hold benchmarks side by side show of one: how well it uses the hardware, so that rates
// come before times.
Metric drawn_metric(const Benchmark& benchmark, const Policy& policy);

}  // namespace tracker
