#include "tracker/judge/fact.hpp"

#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {

std::string whole_in_words(double value) {
  return format_plain(std::round(value));
}

std::string relative_change(const Value& was, const Value& is) {
  return was && is && *was != 0 && *was != *is ? format_percent(*is / *was - 1) : "";
}

Fact text_fact(const std::string& name, const std::string& was, const std::string& is) {
  Fact fact;
  fact.name = name;
  fact.base = was;
  fact.candidate = is;
  fact.differs = was != is;
  return fact;
}

Fact number_fact(const std::string& name, const Value& was, const Value& is, const Shown& shown) {
  const auto words = shown.words != nullptr ? shown.words : format_plain;
  const std::string unit = shown.unit.empty() ? "" : " " + shown.unit;
  Fact fact = text_fact(name, was ? words(*was) + unit : "", is ? words(*is) + unit : "");
  fact.base_value = was;
  fact.candidate_value = is;
  fact.unit = shown.unit;
  fact.change = relative_change(was, is);
  if (was && is) fact.differs = std::abs(*is - *was) > shown.tolerance * std::abs(*was);
  return fact;
}

void add_fact(FactGroup& group, Fact fact) {
  if (!fact.base.empty() || !fact.candidate.empty()) group.facts.push_back(std::move(fact));
}

}  // namespace tracker
