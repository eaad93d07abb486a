// Making the facts that a table is made of.
#pragma once

#include <optional>
#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

using Value = std::optional<double>;

std::string whole_in_words(double value);

// "+100 %"; empty where that is no number, or there is no change.
std::string relative_change(const Value& base, const Value& candidate);

// What is not known is empty.
Fact text_fact(const std::string& name, const std::string& base, const std::string& candidate);

// How a number is shown, and from which share on it differs.
struct Shown {
  std::string (*words)(double value) = nullptr;
  std::string unit;  // after the words, where those have none
  double tolerance = 0;
};
Fact number_fact(const std::string& name, const Value& base, const Value& candidate, const Shown& shown = {});

// Adds what at least one side knows.
void add_fact(FactGroup& group, Fact fact);

}  // namespace tracker
