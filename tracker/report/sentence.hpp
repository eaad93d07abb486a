// What a comment says first: all reports in one sentence. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {

// A piece of a sentence. Names of benchmarks are marked, as Markdown sets them as code.
struct Words {
  std::string text;  // fit for one line of a terminal, and not yet escaped for anything else
  bool is_name = false;
  bool operator==(const Words&) const = default;
};

// "`smem_padded/4000` has 8.02 % less bandwidth on both GPUs", "6 benchmarks of transpose f32 are 2.1–9.3 %
// slower, worst `…`", "nothing regressed, and `…` is 4.8 % faster", "could not judge: …". Without a mark
// before it or a full stop behind it.
std::vector<Words> sentence_of(const Reports& reports, const Options& options = {});

std::string plain_text(const std::vector<Words>& sentence);

// Whether the sentence says all that headline_in_words() (report.hpp) counts.
bool says_all(const Reports& reports, const Options& options = {});

// The cause of what the sentence says, where it is about benchmarks that got slower.
struct LeadingCause {
  std::string cause;       // empty where none is known
  bool of_worst = false;   // others have other ones
  bool is_wanted = false;  // something got slower, so that readers ask for it
};
LeadingCause leading_cause(const Reports& reports);

// How whole families of benchmarks changed. Pure.

// The changes of a family's benchmarks on one device: those that were measured on both sides, and whose noise
// does not hide everything.
struct FamilyMean {
  double change = 0;  // their geometric mean: that of candidate / base, less 1
  Interval range;     // the least and the largest change
  int benchmarks = 0;
};

// A family that is judged by several metrics has a row for each, as their changes have no common direction.
struct FamilyMeans {
  std::string family;
  Metric metric;
  bool has_other_metrics = false;                // so that its metric needs to be named
  std::vector<std::optional<FamilyMean>> means;  // one for each report, in their order
};

// What changed most, in either direction, first.
std::vector<FamilyMeans> family_means(const Reports& reports);

// Inconclusive results, in as few words as will do: a hundred rows of them hide the evidence. Pure.

struct Undecided {
  std::size_t results = 0;                      // on all devices
  std::string summary;                          // "216 undecided; smallest detectable change 1.7–15 %"
  std::vector<const BenchmarkRow*> suspicious;  // likeliest to be slower first; ten at most
  std::size_t other_benchmarks = 0;             // that are not among them
  std::vector<std::string> reasons;  // "214: the noise hides changes below 1.7–15 %; …", most frequent first
};

// `rows` are those of the kind kInconclusive; counts and reasons are of all results of the reports.
Undecided undecided_of(const Reports& reports, const std::vector<const BenchmarkRow*>& rows);

}  // namespace tracker::report
