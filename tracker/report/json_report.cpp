// docs/outputs.md says what the keys mean.

#include "tracker/report/json_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

constexpr const char* kReportSchema = "tracker.comparison/1";

// Verdicts as keys and values of programs have no spaces.
std::string verdict_json(Verdict verdict) {
  std::string name = verdict_name(verdict);
  std::ranges::replace(name, ' ', '_');
  return name;
}

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
  auto counts = count_verdicts(report);
  Json json = Json::object();
  for (const Verdict verdict : all_verdicts()) json[verdict_json(verdict)] = counts[verdict];
  return json;
}

bool gate_failed(const ComparisonReport& report) {
  return std::ranges::any_of(report.comparisons, fails_gate);
}

Json report_json(const ComparisonReport& report) {
  return {{"device", report.device},
          {"model", text_or_null(report.details.model)},
          {"gate_failed", gate_failed(report)},
          {"base", side_json(report.base)},
          {"candidate", side_json(report.candidate)},
          {"interleaved", report.interleaved},
          {"confidence", number_json(report.confidence)},
          {"notes", report.notes},
          {"likely_renames", list_json(report.likely_renames,
                                       [](const Rename& rename) -> Json {
                                         return {{"from", rename.from}, {"to", rename.to}};
                                       })},
          {"counts", counts_json(report)},
          {"comparisons", list_json(report.comparisons, comparison_json)},
          {"effort", effort_json(report.effort)},
          {"not_measured", not_measured_json(report.not_measured)},
          {"driver", text_or_null(report.software.driver.value_or(""))},
          {"cuda_runtime", text_or_null(report.software.cuda_runtime.value_or(""))}};
}

Json unjudged_json(const Unjudged& one) {
  return {{"device", text_or_null(one.device)}, {"reason", one.reason}, {"hint", text_or_null(one.hint)}};
}

Json next_json(const Options& options) {
  Json next = Json::array();
  for (const auto& [what, command] : {std::pair{"explain", &options.explain}, {"repeat", &options.reproduce}})
    if (!command->empty()) next.push_back({{"what", what}, {"command", *command}});
  return next;
}

}  // namespace

std::string write_json(const Reports& reports, const Options& options) {
  const Json document = {{"schema", kReportSchema},
                         {"gate_failed", std::ranges::any_of(reports, gate_failed)},
                         {"reports", list_json(reports, report_json)},
                         {"unjudged", list_json(options.unjudged, unjudged_json)},
                         {"answer", answer_name(answer_of(reports, options), '_')},
                         {"next", next_json(options)}};
  return json_text(document);
}

namespace {

Json floor_json(const std::optional<FloorCheck>& floor) {
  if (!floor) return nullptr;
  return {{"text", floor->text},
          {"reached", number_json(floor->reached)},
          {"low", number_json(floor->interval.low)},
          {"high", number_json(floor->interval.high)},
          {"broken", floor->broken},
          {"unclear", floor->unclear}};
}

Json waiver_json(const Comparison& comparison) {
  const auto& waiver = comparison.waiver;
  if (!waiver) return nullptr;
  return {{"reason", waiver->reason},
          {"expires", text_or_null(waiver->expires)},
          {"holds", waiver->holds},
          {"why_not", text_or_null(report::why_waiver_fails(comparison))}};
}

Json range_json(const std::optional<Interval>& range) {
  if (!range) return nullptr;
  return {number_json(range->low), number_json(range->high)};
}

Json rate_json(const std::optional<Rate>& rate) {
  if (!rate) return nullptr;
  return {
      {"unit", rate->unit}, {"base", number_json(rate->base)}, {"candidate", number_json(rate->candidate)}};
}

}  // namespace

Json number_json(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json side_json(const Side& side) {
  return {
      {"label", text_or_null(side.label)},
      {"commit", text_or_null(side.commit)},
      {"subject", text_or_null(side.subject)},
      {"dirty", side.dirty},
      {"jobs", side.jobs},
      {"runs", side.runs},
      {"clocks",
       {{"core_mhz", range_json(side.clocks.core_mhz)}, {"memory_mhz", range_json(side.clocks.memory_mhz)}}}};
}

Json reasons_json(const Reasons& reasons) {
  Json all = Json::array();
  for (const auto& reason : reasons) {
    Json one = {{"code", reason_name(reason.code)}};
    for (const auto& argument : reason.arguments)
      one[std::string(argument.name)] =
          std::visit([](const auto& value) { return Json(value); }, argument.value);
    all.push_back(std::move(one));
  }
  return all;
}

Json comparison_json(const Comparison& comparison) {
  // An interval that is open on one side says nothing on the other: the noise is not known.
  std::optional<double> low;
  std::optional<double> high;
  if (comparison.interval && std::isfinite(comparison.interval->low) &&
      std::isfinite(comparison.interval->high)) {
    low = comparison.interval->low;
    high = comparison.interval->high;
  }
  return {
      {"benchmark", comparison.benchmark},
      {"metric", comparison.metric.name},
      {"unit", comparison.metric.unit},
      {"statistic", row_of(comparison.metric.statistic).name},
      {"better", comparison.metric.better == Better::kHigher ? "higher" : "lower"},
      {"base", number_json(comparison.base)},
      {"candidate", number_json(comparison.candidate)},
      {"change", number_json(comparison.change)},
      {"low", number_json(low)},
      {"high", number_json(high)},
      {"threshold", number_json(comparison.threshold)},
      {"resolvable", number_json(comparison.resolvable)},
      {"invocations", {comparison.base_invocations, comparison.candidate_invocations}},
      {"more_invocations", comparison.more_invocations ? Json(*comparison.more_invocations) : Json(nullptr)},
      {"verdict", verdict_json(comparison.verdict)},
      {"reason", reason_in_words(comparison)},
      {"reasons", reasons_json(comparison.reasons)},
      {"report_only", comparison.report_only},
      {"gate_failed", fails_gate(comparison)},
      {"confirmed", comparison.confirmed},
      {"failed_before", comparison.failed_before},
      {"floor", floor_json(comparison.floor)},
      {"waiver", waiver_json(comparison)},
      {"cause", text_or_null(comparison.cause)},
      {"same_code", comparison.same_code ? Json(*comparison.same_code) : Json(nullptr)},
      {"measured", !comparison.not_measured},
      {"source", text_or_null(comparison.source)},
      {"rate", rate_json(comparison.rate)}};
}

std::string json_text(const Json& document) {
  return escape_invisible(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tracker::report
