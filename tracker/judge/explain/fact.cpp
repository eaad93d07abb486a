#include "tracker/judge/explain/fact.hpp"

#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {

std::string whole_in_words(double value) {
  return format_plain(std::round(value));
}

std::string relative_change(const Value& base, const Value& candidate) {
  return base && candidate && *base != 0 && *base != *candidate ? format_percent(*candidate / *base - 1) : "";
}

Fact text_fact(const std::string& name, const std::string& base, const std::string& candidate) {
  Fact fact;
  fact.name = name;
  fact.base = base;
  fact.candidate = candidate;
  fact.differs = base != candidate;
  return fact;
}

Fact number_fact(const std::string& name, const Value& base, const Value& candidate, const Shown& shown) {
  const auto words = shown.words != nullptr ? shown.words : format_plain;
  const std::string unit = shown.unit.empty() ? "" : " " + shown.unit;
  Fact fact = text_fact(name, base ? words(*base) + unit : "", candidate ? words(*candidate) + unit : "");
  fact.base_value = base;
  fact.candidate_value = candidate;
  fact.unit = shown.unit;
  fact.change = relative_change(base, candidate);
  if (base && candidate) fact.differs = std::abs(*candidate - *base) > shown.tolerance * std::abs(*base);
  return fact;
}

void add_fact(FactGroup& group, Fact fact) {
  if (!fact.base.empty() || !fact.candidate.empty()) group.facts.push_back(std::move(fact));
}

}  // namespace tracker
