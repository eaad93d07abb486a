// The difference of both sides of a benchmark, and what its noise is made of.
#pragma once

#include "tracker/judge/clock.hpp"
#include "tracker/judge/evidence.hpp"

namespace tracker::judge {

// Finds the difference of two sides that both have values: pair by pair where one job measured them, or of
// all of their values. Leaves out outliers, and what has no partner.
void find_difference(BenchmarkEvidence& evidence, Distance distance, const ClockTicks& ticks);

// Leaves only what one job measured of both sides in the same round, pair by pair in the order of rounds: a
// lost invocation shifts nothing. What has no partner is not used, as it would bring the drift of the job in.
// False where there is no pair; both sides are left alone then.
bool keep_pairs(SideValues& base, SideValues& candidate);

// Of sides that keep_pairs() left as pairs; two pairs at least show their noise. Removes outliers from both.
// `step`: of the clock that the values were read from, as a logarithm, where it is known. `order`: which
// side of a pair ran first, 0.5 where the base did and −0.5 where the candidate did, without rounds that do
// not say it. What the second of a pair differs by, more than chance would (t, 99 %), is taken out of the
// candidate.
Contrast paired_contrast(SideValues& base, SideValues& candidate, double step = 0, const ByRound& order = {});

// The same at the clock that both sides had on average: take_out_clock(). Sets the contrast and the clock.
void find_contrast_at_same_clock(BenchmarkEvidence& evidence, const ByRound& base_clock,
                                 const ByRound& candidate_clock, double step, const ByRound& order = {});

// Of sides measured apart from one another. Both have one value at least. Removes outliers. `step` as a
// logarithm.
Contrast contrast(SideValues& base, SideValues& candidate, Distance distance, double step = 0);

}  // namespace tracker::judge
