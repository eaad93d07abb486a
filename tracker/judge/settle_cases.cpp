#include "tracker/judge/settle_cases.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tracker/judge/companions.hpp"
#include "tracker/judge/lend.hpp"
#include "tracker/judge/settle.hpp"

namespace tracker {
namespace {

// What stands behind every verdict of one report.
struct Grounds {
  LentNoise lent;  // in the order of the cases
  JobNoise jobs;
  double confidence = 0;  // of one interval
};

std::vector<NoiseShown> noise_shown(const std::vector<Case>& cases, const NoiseModel& known, bool paired) {
  std::vector<NoiseShown> shown;
  for (const auto& c : cases) {
    const BenchmarkNoise& before = known.benchmarks.at(c.name);
    const NoiseVariance& alike = paired ? before.neighbours : before.invocation;
    shown.push_back({c.contrast.own, {alike.value, alike.degrees}});
  }
  return shown;
}

// Only what looks like a change can be two speeds instead of one.
std::optional<HiddenModes> hidden_in(const Case& c, std::size_t place, const Basis& basis,
                                     const Grounds& grounds, const Settling& settling) {
  const double change = basis.difference.estimate;
  const bool looks_real = stats::half_width(basis.difference, basis.confidence) < std::abs(change);
  if (!basis.noise_known || !looks_real) return {};
  return grounds.lent.hidden_modes(place, {change, settling.distance == Distance::kSameJob, c.base.values(),
                                           c.candidate.values(), settling.error});
}

Basis basis_of(const Case& c, std::size_t place, const Grounds& grounds, const Settling& settling) {
  const auto part = [](const stats::Variance& variance, double factor) {
    return stats::Variance{variance.value * factor, variance.degrees};
  };
  Basis basis;
  basis.sampling_factor = c.contrast.sampling_factor;
  basis.difference = {c.contrast.estimate, part(grounds.lent.of(place), c.contrast.sampling_factor),
                      part(grounds.jobs.variance.at(c.name), c.contrast.job_factor)};
  if (const auto changed = settling.companions.find(c.name); changed != settling.companions.end()) {
    basis.companions = changed->second;
    basis.difference.companions = companion_variance(settling.kind);
  }
  basis.confidence = grounds.confidence;
  // One invocation a side has shown nothing of its noise, whatever the others' noise is.
  basis.noise_known = c.contrast.own.degrees > 0;
  basis.repetitions = c.repetitions;
  basis.paired = c.paired;
  basis.hidden = hidden_in(c, place, basis, grounds, settling);
  return basis;
}

}  // namespace

Settled settle_cases(const std::vector<Case>& cases, const Settling& settling,
                     std::vector<Comparison>& settled) {
  // Bonferroni: each interval is so wide that all of them together hold with the stated confidence.
  const auto together =
      std::max({cases.size(), static_cast<std::size_t>(settling.comparisons_min), std::size_t{1}});
  const bool paired = settling.distance == Distance::kSameJob;
  const Grounds grounds{LentNoise(noise_shown(cases, settling.known, paired)),
                        job_noise(settling.known, settling.kind, settling.distance),
                        1 - settling.error / static_cast<double>(together)};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Comparison comparison = start(cases[i]);
    settle(comparison, basis_of(cases[i], i, grounds, settling));
    settled.push_back(comparison);
  }
  return {grounds.jobs, grounds.confidence};
}

}  // namespace tracker
