// What `tracker explain` says of a benchmark at two commits: the verdict, what differs, and the facts of both
// sides beside each other. Plain data, made by judge/, shown by report/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

struct Fact {
  std::string name;  // "registers"
  std::string base;  // in words: "32", "4 KiB"; empty where it is not known
  std::string candidate;
  std::optional<double> base_value;  // of a number, in `unit`
  std::optional<double> candidate_value;
  std::string unit;    // "bytes", "MHz", …; empty for what has none
  std::string change;  // "+100 %", with its interval where there is one; empty where that says nothing
  bool differs = false;
  bool unclear = false;  // the data shows neither a difference nor that there is none
};

struct FactGroup {
  std::string name;  // "launch"
  std::vector<Fact> facts;
};

struct Explanation {
  std::vector<std::string> causes;    // likeliest first
  std::vector<std::string> contrary;  // what differs, but would have had the opposite effect
  std::vector<FactGroup> groups;      // those that have any fact
  std::vector<std::string> unknown;   // what is not known, and how to get it
};

// All explained benchmarks of one device.
struct ExplanationReport {
  ComparisonReport judged;                // its comparisons are those that are explained
  std::vector<Explanation> explanations;  // one each, in their order
};

}  // namespace tracker
