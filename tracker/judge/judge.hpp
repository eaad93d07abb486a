// Runs × policy → verdicts. Pure. docs/lab/statistics.md derives the rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// One side of a comparison: what it is called, and its runs on one device (one at least).
struct SideRuns {
  Side side;
  std::vector<Run> runs;
  std::optional<NoiseModel> noise;  // that a baseline was promoted with
};

// How sides were measured, where a person says it instead of the runs.
enum class Pairing { kFromRuns, kInterleaved, kNone };

struct Options {
  std::string today;  // for the expiry of waivers: "2026-11-20"; empty: none has expired
  Pairing pairing = Pairing::kFromRuns;
  double error_share = 1;   // of 1 − confidence: what this analysis of the data may spend of it
  int comparisons_min = 0;  // the correction is for so many comparisons at least
};

// Judges every benchmark that either side has. `history` holds other runs on the same device, from which
// the spread between jobs is learned; it may be empty, and what it leaves open comes from the base's noise.
// Where both sides have a run of one and the same job, those two are compared pair by pair, and the other
// runs are left out. The policy's renames hold for all of these runs. kUsage where a floor's unit does not
// fit its benchmark's metric.
ComparisonReport judge(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                       const Policy& policy, const Options& options = {});

// What the process answers for these reports: kRegressed where any gate failed (fails_gate); otherwise
// kCannotJudge where there is no report, one has no benchmark that both sides measured, or `strict` and any
// is inconclusive, slower with the same code, has a floor that cannot be judged, or failed in the base as
// well; else kOk.
ExitCode exit_code_for(const std::vector<ComparisonReport>& reports, bool strict);

}  // namespace tracker::judge
