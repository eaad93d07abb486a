// docs/formats.md says what the keys mean.
#include "tracker/report/explanation_formats.hpp"
#include "tracker/report/json_parts.hpp"

namespace tracker {
namespace {

constexpr const char* kSchema = "tracker.explanation/1";

Json fact_json(const Fact& fact) {
  return {{"name", fact.name},
          {"base", text_or_null(fact.base)},
          {"candidate", text_or_null(fact.candidate)},
          {"base_value", number_json(fact.base_value)},
          {"candidate_value", number_json(fact.candidate_value)},
          {"unit", fact.unit},
          {"differs", state_of(fact) == FactState::kUnclear ? Json(nullptr)
                                                            : Json(state_of(fact) == FactState::kDiffers)}};
}

Json group_json(const FactGroup& group) {
  Json facts = Json::array();
  for (const auto& fact : group.facts) facts.push_back(fact_json(fact));
  return {{"name", group.name}, {"facts", facts}};
}

Json explanation_json(const Comparison& comparison, const Explanation& explanation) {
  Json groups = Json::array();
  for (const auto& group : explanation.groups) groups.push_back(group_json(group));
  return {{"comparison", comparison_json(comparison)},
          {"causes", explanation.causes},
          {"contrary", explanation.contrary},
          {"groups", groups},
          {"unknown", explanation.unknown}};
}

}  // namespace

std::string explain_in_json(const std::vector<ExplanationReport>& reports, const ReportOptions&) {
  Json all = Json::array();
  for (const auto& report : reports) {
    const ComparisonReport& judged = report.judged;
    Json explanations = Json::array();
    for (std::size_t i = 0; i < report.explanations.size(); ++i)
      explanations.push_back(explanation_json(judged.comparisons[i], report.explanations[i]));
    all.push_back({{"device", judged.device},
                   {"model", text_or_null(judged.details.model)},
                   {"base", side_json(judged.base)},
                   {"candidate", side_json(judged.candidate)},
                   {"interleaved", judged.interleaved},
                   {"notes", judged.notes},
                   {"explanations", explanations}});
  }
  return json_text({{"schema", kSchema}, {"reports", all}});
}

}  // namespace tracker
