// Explanations → text for people and programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/report/report.hpp"

namespace tracker {

// One row a format of `tracker explain`. With `all_rows`, facts that are the same have rows as well.
struct ExplanationFormat {
  std::string name;
  std::string summary;
  std::string (*write)(const std::vector<ExplanationReport>& reports, const ReportOptions& options);
};
const std::vector<ExplanationFormat>& explanation_formats();

// The writers behind explanation_formats(), one a file, and what they share.

// Text for a terminal, Markdown for a comment, JSON for programs (docs/outputs.md).
std::string explain_in_text(const std::vector<ExplanationReport>& reports, const ReportOptions& options);
std::string explain_in_markdown(const std::vector<ExplanationReport>& reports, const ReportOptions& options);
std::string explain_in_json(const std::vector<ExplanationReport>& reports, const ReportOptions& options);

// How one fact stands on the two sides.
enum class FactState { kSame, kDiffers, kUnclear, kHalfKnown };
FactState state_of(const Fact& fact);

// What the differences are, for this verdict: "likely cause" where there is something to explain.
std::string causes_heading(const Comparison& comparison);

// "registers 32, temperature 45 °C ≈ 46 °C": those that are the same or nearly so, at most so many.
std::string same_in_words(const FactGroup& group, std::size_t facts_max);

}  // namespace tracker
