#include "tracker/report/json_parts.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "tracker/base/invisible.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
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
          {"why_not", text_or_null(why_waiver_fails(comparison))}};
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

std::string verdict_json(Verdict verdict) {
  std::string name = verdict_name(verdict);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
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

}  // namespace tracker
