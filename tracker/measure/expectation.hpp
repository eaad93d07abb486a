// How long an invocation will take, from what the binaries list. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracker {

struct Expectation {
  std::size_t benchmarks = 0;
  std::size_t open = 0;    // of them, with a number of iterations that says nothing of their time
  double seconds = 0;      // of one invocation, those that are open aside
  double min_time_s = 0;   // of one repetition, where the benchmark says nothing else
  std::size_t manual = 0;  // of them, those that measure their time themselves
};

// `lines`: benchmarks as --benchmark_list_tests prints them, with what they say of iterations, minimum time
// and repetitions. `arguments`: of the binary; --benchmark_min_time is looked for.
Expectation expect_time(const std::vector<std::string>& lines, const std::vector<std::string>& arguments,
                        int repetitions);

// "620 benchmarks × 5 repetitions of 0.5 s or more: about 38 min a round, 3 h 10 min for 5". A round is one
// invocation of every binary on each of the sides, and so is what the expectation is of.
std::string expectation_in_words(const Expectation& round, int repetitions, int rounds, int sides);

// "the first invocation took 1 min 29 s, not 51 s: about 7 min 23 s in all", where it took much longer than
// expected; empty where it did not. `all_s`: what was said of all of them.
std::string learned_in_words(double expected_s, double taken_s, double all_s);

// What makes a job of so many repetitions shorter.
std::string how_to_shorten_in_words(int repetitions);

}  // namespace tracker
