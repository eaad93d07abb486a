// docs/formats.md says what the keys mean.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tracker/report/formats.hpp"

namespace tracker {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "tracker.comparison/1";

// JSON has neither NaN nor infinity.
Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json side_json(const Side& side) {
  return {{"label", text_or_null(side.label)},
          {"commit", text_or_null(side.commit)},
          {"subject", text_or_null(side.subject)},
          {"dirty", side.dirty},
          {"jobs", side.jobs},
          {"runs", side.runs}};
}

// Verdicts as keys and values of programs have no spaces.
std::string verdict_json(Verdict verdict) {
  std::string name = verdict_name(verdict);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

Json floor_json(const std::optional<FloorCheck>& floor) {
  if (!floor) return nullptr;
  return {{"text", floor->text},
          {"reached", number(floor->reached)},
          {"low", number(floor->interval.low)},
          {"high", number(floor->interval.high)},
          {"broken", floor->broken},
          {"unclear", floor->unclear}};
}

Json waiver_json(const std::optional<WaiverCheck>& waiver) {
  if (!waiver) return nullptr;
  return {{"reason", waiver->reason},
          {"expires", waiver->expires},
          {"holds", waiver->holds},
          {"why_not", text_or_null(waiver->why_not)}};
}

Json effort_json(const std::optional<Effort>& effort) {
  if (!effort) return nullptr;
  return {{"benchmarks", effort->benchmarks},
          {"rounds", effort->rounds},
          {"measured_s", number(effort->measured_s)},
          {"saved_s", number(effort->saved_s)},
          {"out_of_budget", effort->out_of_budget}};
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
      {"better", comparison.metric.better == Better::kHigher ? "higher" : "lower"},
      {"base", number(comparison.base)},
      {"candidate", number(comparison.candidate)},
      {"change", number(comparison.change)},
      {"low", number(low)},
      {"high", number(high)},
      {"threshold", number(comparison.threshold)},
      {"resolvable", number(comparison.resolvable)},
      {"invocations", {comparison.base_invocations, comparison.candidate_invocations}},
      {"more_invocations", comparison.more_invocations ? Json(*comparison.more_invocations) : Json(nullptr)},
      {"verdict", verdict_json(comparison.verdict)},
      {"reason", comparison.reason},
      {"report_only", comparison.report_only},
      {"gate_failed", fails_gate(comparison)},
      {"confirmed", comparison.confirmed},
      {"floor", floor_json(comparison.floor)},
      {"waiver", waiver_json(comparison.waiver)},
      {"cause", text_or_null(comparison.cause)},
      {"same_code", comparison.same_code ? Json(*comparison.same_code) : Json(nullptr)}};
}

bool gate_failed(const ComparisonReport& report) {
  for (const auto& comparison : report.comparisons)
    if (fails_gate(comparison)) return true;
  return false;
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
          {"confidence", number(report.confidence)},
          {"notes", report.notes},
          {"counts", counts_json(report)},
          {"comparisons", comparisons},
          {"effort", effort_json(report.effort)}};
}

}  // namespace

std::string write_json(const std::vector<ComparisonReport>& reports, const ReportOptions&) {
  Json all = Json::array();
  bool failed = false;
  for (const auto& report : reports) {
    all.push_back(report_json(report));
    failed = failed || gate_failed(report);
  }
  const Json document = {{"schema", kSchema}, {"gate_failed", failed}, {"reports", all}};
  // Bytes that are not UTF-8 become U+FFFD.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tracker
