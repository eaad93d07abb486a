// Which recorded rounds stand for the base, and which for the candidate. Places count from 0.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tests/support/random.hpp"

namespace tracker::quality {

struct Split {
  std::vector<std::size_t> base;
  std::vector<std::size_t> candidate;
};

// n pairs of neighbours of one job, as an interleaved measurement would have had them: a stretch of at most
// two rounds more than it takes, from which as many are left out at random, so that every split pairs others;
// who is the base in each pair is drawn. Needs 2n rounds.
Split split_in_pairs(std::size_t rounds, std::size_t n, test::Random& random);

// n pairs from a job that has fewer than 2n rounds: stretches of four neighbours, drawn with replacement
// (a moving-block bootstrap: Künsch 1989), two pairs each, and who is the base is drawn. Needs 4 rounds.
Split split_in_blocks(std::size_t rounds, std::size_t n, test::Random& random);

// n of one job's rounds, in their order. Needs n rounds.
std::vector<std::size_t> pick(std::size_t rounds, std::size_t n, test::Random& random);

// n rounds from a job that has fewer: pairs of neighbours, drawn with replacement. Needs 2 rounds.
std::vector<std::size_t> pick_in_blocks(std::size_t rounds, std::size_t n, test::Random& random);

}  // namespace tracker::quality
