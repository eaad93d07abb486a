// What `tracker bisect` found: as text for a terminal, and as JSON (tracker.bisect/1). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// A commit, as it is shown.
struct BisectCommit {
  std::string id;
  std::string subject;
  std::string author;
  std::string date;  // UTC, ISO 8601
};

// One commit that was measured, or could not be.
struct BisectRow {
  BisectCommit commit;
  int pairs = 0;                     // with the good end
  std::optional<double> change;      // against the good end, as a share, in the metric's own direction
  std::optional<Interval> interval;  // of that, with 95 %
  std::string note;  // "the good end", "skipped: it does not build", "same program as 1a2b3c4"
  bool is_guilty = false;
};

enum class BisectOutcome { kFound, kNothing, kUnclear, kOutOfTime };

// Another benchmark that is worse at the bad end, and what the same measurements say of it.
struct BisectCompanion {
  std::string benchmark;
  double change = 0;       // at the bad end, as a share
  double probability = 0;  // that it changed at the same place
};

struct BisectResult {
  BisectOutcome outcome = BisectOutcome::kNothing;
  BisectCommit good;
  BisectCommit bad;
  int commits = 0;        // after the good end, up to the bad one
  std::string benchmark;  // empty where none is worse
  std::string metric;
  std::string device;
  int benchmarks = 0;                // that were looked at
  bool faster = false;               // a speed-up was looked for
  double threshold = 0;              // the least change that was looked for, as a share
  double confidence = 0;             // that was asked for
  double probability = 0;            // of the answer
  std::vector<BisectCommit> guilty;  // oldest first; several that cannot be told apart
  std::optional<double> change;      // there, as a share, in the metric's own direction
  std::optional<Interval> interval;  // of that, with 95 %
  std::vector<BisectRow> rows;       // oldest first
  std::vector<BisectCompanion> companions;
  int measurements = 0;
  int pairs = 0;
  int reused = 0;  // pairs that were recorded before
  int builds = 0;
  double seconds = 0;  // of building and measuring
  std::string why;     // it is unclear, or stopped
  std::vector<std::string> notes;
  std::string inside;  // of a search on the side of a merge: the merge's id
};

// The first is the search on the line; those behind it went into the side of a merge that was found. The
// last one has the answer. `columns` 0: no terminal.
std::string bisect_in_text(const std::vector<BisectResult>& results, int columns);
std::string bisect_in_json(const std::vector<BisectResult>& results);

}  // namespace tracker
