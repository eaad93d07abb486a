// What a comment says first: all reports in one sentence. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/report/report.hpp"

namespace tracker {

// A piece of a sentence. Names of benchmarks are marked, as Markdown sets them as code.
struct Words {
  std::string text;  // fit for one line of a terminal, and not yet escaped for anything else
  bool is_name = false;
  bool operator==(const Words&) const = default;
};

// "`smem_padded/4000` has 8.02 % less bandwidth on both GPUs", "6 benchmarks of transpose f32 are 2.1–9.3 %
// slower, worst `…`", "nothing regressed, and `…` is 4.8 % faster", "could not judge: …". Without a mark
// before it or a full stop behind it.
std::vector<Words> sentence_of(const std::vector<ComparisonReport>& reports,
                               const ReportOptions& options = {});

std::string plain_text(const std::vector<Words>& sentence);

// Whether the sentence says all that headline_in_words() (answer.hpp) counts.
bool says_all(const std::vector<ComparisonReport>& reports, const ReportOptions& options = {});

// The cause of what the sentence says, where it is about benchmarks that got slower.
struct LeadingCause {
  std::string cause;       // empty where none is known
  bool of_worst = false;   // others have other ones
  bool is_wanted = false;  // something got slower, so that readers ask for it
};
LeadingCause leading_cause(const std::vector<ComparisonReport>& reports);

}  // namespace tracker
