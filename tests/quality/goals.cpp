#include "tests/quality/goals.hpp"

#include <algorithm>
#include <functional>

#include "tracker/base/text.hpp"

namespace tracker::quality {
namespace {

// Tracker's tally at a threshold; null where the setting was not replayed.
const Tally* find_tally(const Findings& findings, Scope scope, std::size_t invocations, double threshold) {
  for (const auto& setting : findings.settings) {
    if (setting.scope != scope || setting.invocations != invocations || setting.tallies.empty()) continue;
    for (std::size_t r = 0; r < rules().size(); ++r)
      if (rules()[r].threshold == threshold) return &setting.tallies[r];
  }
  return nullptr;
}

// The largest share over all thresholds, and over these numbers of invocations.
Share worst(const Findings& findings, Scope scope, const std::vector<std::size_t>& invocations,
            Share Tally::*counted) {
  Share worst;
  for (const std::size_t n : invocations)
    for (const double threshold : kThresholds)
      if (const Tally* tally = find_tally(findings, scope, n, threshold))
        if (worst.of == 0 || (tally->*counted).value() > worst.value()) worst = tally->*counted;
  return worst;
}

constexpr std::size_t kGoalInvocations = 10;

Share within(const Findings& findings, double threshold, const std::function<Share(const Tally&)>& counted) {
  const Tally* tally = find_tally(findings, Scope::kWithinJob, kGoalInvocations, threshold);
  return tally == nullptr ? Share{} : counted(*tally);
}

std::size_t place_of(double slowdown) {
  return static_cast<std::size_t>(std::find(std::begin(kSlowdowns), std::end(kSlowdowns), slowdown) -
                                  std::begin(kSlowdowns));
}

Share found_long(const Findings& findings, double threshold, double slowdown) {
  return within(findings, threshold,
                [slowdown](const Tally& tally) { return tally.found_long[place_of(slowdown)]; });
}

// Of one invocation a side, all thresholds and both scopes together.
Share one_invocation_open(const Findings& findings) {
  Share open;
  for (const Scope scope : {Scope::kWithinJob, Scope::kAcrossJobs})
    for (const double threshold : kThresholds)
      if (const Tally* tally = find_tally(findings, scope, 1, threshold)) open.add(tally->open);
  return open;
}

enum class Bound { kAtMost, kAtLeast };

struct Goal {
  const char* text;
  Bound bound;
  double limit;
  Share (*reached)(const Findings&);
};

const Goal kGoals[] = {
    {"within a job, 10 a side: identical code called regressed, of comparisons, any threshold",
     Bound::kAtMost, 0.001,
     [](const Findings& f) { return worst(f, Scope::kWithinJob, {kGoalInvocations}, &Tally::regressed); }},
    {"the same, of whole reports", Bound::kAtMost, 0.01,
     [](const Findings& f) { return worst(f, Scope::kWithinJob, {kGoalInvocations}, &Tally::reports); }},
    {"kernels of 100 µs and more: 1 % slower found at a threshold of 0.5 %", Bound::kAtLeast, 0.99,
     [](const Findings& f) { return found_long(f, 0.005, 0.01); }},
    {"the same: 0.5 % slower found at a threshold of 0.25 %", Bound::kAtLeast, 0.90,
     [](const Findings& f) { return found_long(f, 0.0025, 0.005); }},
    {"the same: identical code called unchanged at a threshold of 1 %", Bound::kAtLeast, 0.95,
     [](const Findings& f) {
       return within(f, 0.01, [](const Tally& tally) { return tally.unchanged_long; });
     }},
    {"one invocation a side, no history: inconclusive at any threshold", Bound::kAtLeast, 1,
     one_invocation_open},
    {"across jobs: identical code called regressed, of comparisons, any threshold", Bound::kAtMost, 0.005,
     [](const Findings& f) {
       return worst(f, Scope::kAcrossJobs, {5, 10, 20}, &Tally::regressed);
     }},
};

Outcome outcome_of(Bound bound, double limit, const Share& reached) {
  if (reached.of == 0) return Outcome::kNotShown;
  const Interval interval = wilson(reached);
  const bool at_most = bound == Bound::kAtMost;
  if (at_most ? reached.value() <= limit : reached.value() >= limit) return Outcome::kMet;
  return (at_most ? interval.low <= limit : interval.high >= limit) ? Outcome::kUnclear : Outcome::kMissed;
}

Checked check(const std::string& text, Bound bound, double limit, const Share& reached) {
  const std::string words = (bound == Bound::kAtMost ? "≤ " : "≥ ") + format_share(limit);
  return {text, limit == 1 ? "all" : words, reached, outcome_of(bound, limit, reached)};
}

}  // namespace

std::string outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kMet:
      return "met";
    case Outcome::kUnclear:
      return "unclear";
    case Outcome::kMissed:
      return "MISSED";
    default:
      return "not shown";
  }
}

Checked check_at_most(const std::string& goal, double limit, const Share& reached) {
  return check(goal, Bound::kAtMost, limit, reached);
}

Checked check_at_least(const std::string& goal, double limit, const Share& reached) {
  return check(goal, Bound::kAtLeast, limit, reached);
}

std::vector<Checked> check_goals(const Findings& findings) {
  std::vector<Checked> checked;
  for (const auto& goal : kGoals)
    checked.push_back(check(goal.text, goal.bound, goal.limit, goal.reached(findings)));
  return checked;
}

bool all_met(const std::vector<Checked>& checked, bool unclear_counts) {
  return std::all_of(checked.begin(), checked.end(), [&](const Checked& one) {
    return one.outcome != Outcome::kMissed && !(unclear_counts && one.outcome == Outcome::kUnclear);
  });
}

}  // namespace tracker::quality
