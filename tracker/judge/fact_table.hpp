// The facts of both sides beside each other, group by group. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/judge/side_facts.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// What one side has to say of a benchmark; any of it may be nothing.
struct FactSide {
  Runs runs;
  SideFacts facts;
  const ProfiledBenchmark* profile = nullptr;
};

// Groups of which nothing is known on either side are left out.
std::vector<FactGroup> fact_table(const Comparison& comparison, const FactSide& base,
                                  const FactSide& candidate);

// Making the facts that a table is made of.

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

// The times and rates of both sides.

// The judged metric first. Those that are of the same time share its interval, and differ where it excludes
// "no change".
FactGroup speed_facts(const Comparison& judged, const FactSide& base, const FactSide& candidate);

}  // namespace tracker
