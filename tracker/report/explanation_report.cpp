#include "tracker/report/explanation_report.hpp"

#include "tracker/base/text.hpp"
#include "tracker/report/explanation_formats.hpp"

namespace tracker {

const std::vector<ExplanationFormat>& explanation_formats() {
  static const std::vector<ExplanationFormat> formats{
      {"text", "both sides beside each other, for a terminal", explain_in_text},
      {"markdown", "tables, for a pull request", explain_in_markdown},
      {"json", "for programs: tracker.explanation/1", explain_in_json},
  };
  return formats;
}

FactState state_of(const Fact& fact) {
  if (fact.base.empty() != fact.candidate.empty()) return FactState::kHalfKnown;
  if (fact.differs) return FactState::kDiffers;
  return fact.unclear ? FactState::kUnclear : FactState::kSame;
}

std::string causes_heading(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::kRegressed:
    case Verdict::kBelowFloor:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return "likely cause";
    default:
      return "what differs";
  }
}

std::string same_in_words(const FactGroup& group, std::size_t facts_max) {
  std::vector<std::string> words;
  std::size_t more = 0;
  for (const auto& fact : group.facts) {
    if (state_of(fact) != FactState::kSame) continue;
    const bool alike = fact.base == fact.candidate;
    if (words.size() < facts_max)
      words.push_back(printable(fact.name) + " " + printable(fact.base) +
                      (alike ? "" : " ≈ " + printable(fact.candidate)));
    else
      ++more;
  }
  return join(words, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace tracker
