// What `tracker bisect` found: as text for a terminal, and as JSON (tracker.bisect/1). Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/run.hpp"

namespace tracker::report {

// One commit that was measured, or could not be.
struct BisectRow {
  Commit commit;
  int pairs = 0;                     // with the good end
  std::optional<double> change;      // against the good end, as a share, in the metric's own direction
  std::optional<Interval> interval;  // of that, with 95 %
  std::string same_program_as;       // a measured commit's id, where it was not measured for that
  std::string note;  // "the good end", "skipped: it does not build", "same program as 1a2b3c4"
  bool is_guilty = false;
};

// kNothing: the bad end is not worse; kUnclear: measuring more did not tell, or could not be done.
enum class BisectOutcome { kFound, kNothing, kUnclear, kOutOfTime };

// Another benchmark that is worse at the bad end, and what the same measurements say of it.
struct BisectOther {
  std::string benchmark;
  double change = 0;       // at the bad end, as a share
  double probability = 0;  // that it changed at the same place
};

// What separate jobs recorded of the range, and measuring the same code again does not give: the machine
// changed. Of the benchmark that moved most.
struct BisectMachineChange {
  std::string benchmark;
  std::string unit;
  double recorded = 0;  // of the good end, in the unit
  double now = 0;       // measured again, in the unit; of the bad end where that is the same program
  bool same_program = false;
  int others = 0;               // benchmarks that moved as well
  std::optional<Commit> first;  // the first commit whose stored runs are at the new level
};

struct BisectResult {
  BisectOutcome outcome = BisectOutcome::kNothing;
  Commit good;
  Commit bad;
  int commits = 0;        // after the good end, up to the bad one
  std::string benchmark;  // empty where none is worse
  std::string metric;
  std::string device;
  int benchmarks = 0;                // that were looked at
  bool faster = false;               // a speed-up was looked for
  double threshold = 0;              // the least change that was looked for, as a share
  double confidence = 0;             // that was asked for
  double probability = 0;            // of the answer
  std::vector<Commit> guilty;        // oldest first; several that cannot be told apart
  std::optional<double> change;      // there, as a share, in the metric's own direction
  std::optional<Interval> interval;  // of that, with 95 %
  std::vector<BisectRow> rows;       // oldest first
  std::vector<BisectOther> others;
  std::optional<BisectMachineChange> machine;  // where nothing was found
  int measurements = 0;
  int pairs = 0;
  int reused = 0;  // pairs that were recorded before
  int builds = 0;
  double seconds = 0;  // of building and measuring
  std::string why;     // it is unclear, or stopped
  std::vector<std::string> notes;
  std::string inside;  // of a search on the side of a merge: the merge's id
};

// What a search would take, by what is stored.
struct BisectPlan {
  Commit good;
  Commit bad;
  int commits = 0;            // after the good end, up to the bad one
  int merges = 0;             // of them
  int stored_pairs = 0;       // that can be used
  int measurements = 0;       // expected
  int measurements_high = 0;  // nine of ten searches need no more
  int pairs = 0;
  int pairs_high = 0;
  int builds = 0;
  double change = 0;  // that is assumed, as a share
  double noise = 0;   // of a pair, as a share
  bool noise_is_recorded = false;
  std::optional<double> measuring_s;  // without the builds; not known where no run is stored
};

// Facts, each behind its word: "good end", "1a2b3c4 Subject". An empty word continues the one before.
using FactLines = std::vector<std::pair<std::string, std::string>>;
FactLines bisect_plan_in_words(const BisectPlan& plan);

// The first is the search on the line; those behind it went into the side of a merge that was found. The
// last one has the answer. `columns` 0: no terminal.
std::string bisect_in_text(const std::vector<BisectResult>& results, int columns);
std::string bisect_in_json(const std::vector<BisectResult>& results);

// What `tracker backfill` plans, does and did, as lines for a terminal. Pure.

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
  // kSameProgram: not measured, as a measured commit has the same program.
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
FactLines backfill_plan_in_words(const BackfillPlan& plan, const BackfillWords& words);
// "measured", "1a2b3c4 Subject: 12 benchmarks, 3 s", a fact a device.
FactLines backfill_step_in_words(const BackfillStep& step);
// "2 measured, 0 the same program as another, …".
std::string backfill_result_in_words(const BackfillResult& result, const BackfillWords& words);
// What to know, and what to do next.
std::vector<std::string> backfill_notes(const BackfillResult& result, const BackfillWords& words);

}  // namespace tracker::report
