// Replays recordings of identical code as comparisons, with and without a slow-down put in, and counts what
// every rule calls them. The same seed gives the same counts.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/quality/recording.hpp"
#include "tests/quality/rules.hpp"
#include "tests/quality/share.hpp"

namespace tracker::quality {

enum class Scope { kWithinJob, kAcrossJobs };

// By how much one side's times are multiplied.
inline constexpr double kSlowdowns[] = {0.005, 0.01, 0.02, 0.05};
inline constexpr std::size_t kSlowdownCount = std::size(kSlowdowns);
// Kernels of so long and more are counted apart from shorter ones.
inline constexpr double kLongNs = 100e3;

// What one rule called the trials of one setting.
struct Tally {
  Share regressed;  // of comparisons of identical code
  Share reports;    // of reports on identical code: any "regressed"
  Share improved;   // of comparisons of identical code
  Share unchanged;  // likewise, and of the long kernels alone
  Share unchanged_long;
  Share open;
  Share found_long[kSlowdownCount];  // of comparisons where the candidate was made slower: "regressed"
  Share found_short[kSlowdownCount];

  void add(const Tally& other);
};

// So many invocations a side, of one job or of two.
struct Setting {
  Scope scope = Scope::kWithinJob;
  std::size_t invocations = 0;
  int sources = 0;                 // jobs, or ordered pairs of jobs, that it could be drawn from
  int drawn_with_replacement = 0;  // of these, those that have too few rounds for drawing without
  std::vector<Tally> tallies;      // of rules(), in their order; empty where there are no sources
  std::string why_none;            // then
};

struct ReplayOptions {
  int splits = 300;  // of each setting, and at least one of each source
  std::uint64_t seed = 1;
  std::vector<std::size_t> invocations = {1, 5, 10, 20};  // a side
};

// The settings, scope by scope, each by the number of invocations.
std::vector<Setting> replay(const Recording& recording, const ReplayOptions& options);

// Setting by setting: all were replayed with the same options.
std::vector<Setting> pooled(const std::vector<std::vector<Setting>>& recordings);

}  // namespace tracker::quality
