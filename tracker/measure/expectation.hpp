// How long an invocation will take, from what the binaries list. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

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

constexpr int kShortenedRoundsMin = 3;

// What the samples of an invocation are the times of. 0 where that is not known: a program that says nothing
// of iterations has one each.
double measured_s(const Invocation& invocation);

struct JobTimes {
  double wall_s = 0;      // that invocations took
  double measured_s = 0;  // of it, what their samples are the times of; 0: not known
  double all_wall_s = 0;  // that all rounds would take
};

// How many of `rounds` are worth their time, at least kShortenedRoundsMin: all of them if the job is no
// longer than `long_s`, or measuring takes most of it; otherwise about as many as fit into the time that all
// of them would take if nothing but measuring took time.
int rounds_worth_it(int rounds, const JobTimes& times, double long_s);

// "measured 3 rounds instead of 5, as a round takes 2.4 times what it measures; -n 5 measures all"
std::string shortened_in_words(int rounds, int of, const JobTimes& times);

// What makes a job of so many repetitions shorter.
std::string how_to_shorten_in_words(int repetitions);

}  // namespace tracker
