// What `tracker backfill` plans, does and did, as lines for a terminal. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// How the command was put, as far as its answers name it.
struct BackfillWords {
  std::string device;       // a pattern; empty: this machine's devices
  std::string time_budget;  // "10m"; empty: none
};

struct BackfillPlan {
  std::size_t commits = 0;   // of the range
  Commit before;             // the range begins after it
  Commit last;               // and ends with it
  std::size_t recorded = 0;  // of them
  bool narrow = false;
  std::vector<Commit> order;          // what would be measured; the next one alone with `narrow`
  std::optional<double> measuring_s;  // of all of it, without the builds; not known where no run is stored
};

// One device that a commit was measured on.
struct BackfillMeasured {
  std::size_t benchmarks = 0;
  std::vector<std::string> missing;  // benchmarks that `compared_with` has
  std::string compared_with;         // a commit's id
};

// A commit that is done with.
struct BackfillStep {
  enum class What { kMeasured, kSameProgram, kFailed };
  What what = What::kFailed;
  Commit commit;
  std::vector<BackfillMeasured> measured;  // a device each
  double length_s = 0;
  std::string same_as;       // a commit's id
  std::string why;           // it failed; several lines where a build said them
  std::string other_device;  // it was measured on this one, whose runs the request does not count
};

struct BackfillResult {
  std::size_t commits = 0;   // of the range
  std::size_t have_run = 0;  // of them, in the end
  std::size_t measured = 0;
  std::size_t same = 0;
  std::size_t failed = 0;
  bool again = false;
  bool narrow = false;
  bool out_of_time = false;
};

// A fact each: "recorded", "3 of them, by this machine". An empty word continues the one before.
std::vector<std::pair<std::string, std::string>> backfill_plan_in_words(const BackfillPlan& plan,
                                                                        const BackfillWords& words);
// "measured", "1a2b3c4 Subject: 12 benchmarks, 3 s", a fact a device.
std::vector<std::pair<std::string, std::string>> backfill_step_in_words(const BackfillStep& step);
// "2 measured, 0 the same program as another, …".
std::string backfill_result_in_words(const BackfillResult& result, const BackfillWords& words);
// What to know, and what to do next.
std::vector<std::string> backfill_notes(const BackfillResult& result, const BackfillWords& words);

}  // namespace tracker
