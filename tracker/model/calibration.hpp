// What one machine can resolve, benchmark by benchmark. Plain data: computed by judge/, printed by report/.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

inline constexpr std::array<int, 3> kCalibratedPairs{5, 10, 20};

struct CalibratedBenchmark {
  std::string name;
  double threshold = 0;  // of the policy, a share
  double noise = 0;      // the standard deviation of a pair's difference, a share
  // That is what is left of it at the same clock (same_clock of the policy), and so are the figures of as
  // many pairs as that needs; those of fewer pairs are as measured.
  bool at_same_clock = false;
  // The smallest change, a share, that so many pairs side by side can tell from none: kCalibratedPairs.
  std::array<double, kCalibratedPairs.size()> resolvable{};
  // The least of kCalibratedPairs at which the threshold holds: at twice what they resolve, or more.
  std::optional<int> pairs_needed;
};

struct Calibration {
  std::vector<CalibratedBenchmark> benchmarks;  // the noisiest first
  std::vector<std::string> unknown;             // names of those with too few invocations, or with an error
  int without_clock = 0;  // that the policy compares at the same clock, and that state none
  int invocations = 0;    // of the commit, that count
  int pairs = 0;          // of jobs that measured it against itself
  // Pairs of the same code, judged by the policy: how often a change was found.
  int reports = 0;
  int pairs_a_report = 0;
  int comparisons = 0;
  int false_alarms = 0;
  std::optional<double> pair_s;  // what one pair of all binaries takes
};

}  // namespace tracker
