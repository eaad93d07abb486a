// docs/formats.md says what the keys mean.
#include <utility>

#include "tracker/report/answer.hpp"
#include "tracker/report/formats.hpp"
#include "tracker/report/json_parts.hpp"

namespace tracker {
namespace {

constexpr const char* kReportSchema = "tracker.comparison/1";

Json effort_json(const std::optional<Effort>& effort) {
  if (!effort) return nullptr;
  return {{"benchmarks", effort->benchmarks},
          {"rounds", effort->rounds},
          {"measured_s", number_json(effort->measured_s)},
          {"saved_s", number_json(effort->saved_s)},
          {"out_of_budget", effort->out_of_budget}};
}

Json not_measured_json(const std::optional<NotMeasured>& not_measured) {
  if (!not_measured) return nullptr;
  return {{"benchmarks", not_measured->benchmarks}, {"saved_s", number_json(not_measured->saved_s)}};
}

Json counts_json(const ComparisonReport& report) {
  const auto counts = count_verdicts(report);
  Json json = Json::object();
  for (const Verdict verdict : all_verdicts()) {
    const auto found = counts.find(verdict);
    json[verdict_json(verdict)] = found == counts.end() ? 0 : found->second;
  }
  return json;
}

bool gate_failed(const ComparisonReport& report) {
  for (const auto& comparison : report.comparisons)
    if (fails_gate(comparison)) return true;
  return false;
}

Json renames_json(const std::vector<Rename>& renames) {
  Json all = Json::array();
  for (const auto& rename : renames) all.push_back({{"from", rename.from}, {"to", rename.to}});
  return all;
}

Json report_json(const ComparisonReport& report) {
  Json comparisons = Json::array();
  for (const auto& comparison : report.comparisons) comparisons.push_back(comparison_json(comparison));
  return {{"device", report.device},
          {"model", text_or_null(report.details.model)},
          {"gate_failed", gate_failed(report)},
          {"base", side_json(report.base)},
          {"candidate", side_json(report.candidate)},
          {"interleaved", report.interleaved},
          {"confidence", number_json(report.confidence)},
          {"notes", report.notes},
          {"likely_renames", renames_json(report.likely_renames)},
          {"counts", counts_json(report)},
          {"comparisons", std::move(comparisons)},
          {"effort", effort_json(report.effort)},
          {"not_measured", not_measured_json(report.not_measured)},
          {"driver", text_or_null(report.software.driver.value_or(""))},
          {"cuda_runtime", text_or_null(report.software.cuda_runtime.value_or(""))}};
}

Json unjudged_json(const ReportOptions& options) {
  Json all = Json::array();
  for (const auto& one : options.unjudged)
    all.push_back(
        {{"device", text_or_null(one.device)}, {"reason", one.reason}, {"hint", text_or_null(one.hint)}});
  return all;
}

Json next_json(const ReportOptions& options) {
  Json next = Json::array();
  for (const auto& [what, command] : {std::pair{"explain", &options.explain}, {"repeat", &options.reproduce}})
    if (!command->empty()) next.push_back({{"what", what}, {"command", *command}});
  return next;
}

const char* answer_json(Answer answer) {
  if (answer == Answer::kFailed) return "failed";
  if (answer == Answer::kUndecided) return "undecided";
  return answer == Answer::kPassed ? "passed" : "cannot_judge";
}

}  // namespace

std::string write_json(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  Json all = Json::array();
  bool failed = false;
  for (const auto& report : reports) {
    all.push_back(report_json(report));
    failed = failed || gate_failed(report);
  }
  const Json document = {{"schema", kReportSchema},
                         {"gate_failed", failed},
                         {"reports", std::move(all)},
                         {"unjudged", unjudged_json(options)},
                         {"answer", answer_json(answer_of(reports, options))},
                         {"next", next_json(options)}};
  return json_text(document);
}

}  // namespace tracker
