// In which order a job measures. Pure.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "tracker/measure/selection.hpp"

namespace tracker {

// One invocation to make.
struct Step {
  std::size_t part = 0;  // its place in the list of parts
  std::size_t target = 0;
  int round = 0;  // counted from 1
};

// One part in one round.
struct PartRound {
  std::size_t part = 0;
  int round = 0;
};

// The steps of these rounds, round after round in the order they come in. The targets of a part follow one
// another, so that each meets what the other does; of a part's rounds every two make a block, A B in one and
// B A in the other, which first is drawn. Parts change places within a round, but in round 1 they keep the
// order they are listed in, which is the one reports have.
std::vector<Step> plan_steps(const std::vector<JobPart>& parts, const std::vector<PartRound>& rounds,
                             std::mt19937_64& random);

// Every part in every one of so many rounds.
std::vector<PartRound> all_rounds(std::size_t parts, int first_round, int rounds);

}  // namespace tracker
