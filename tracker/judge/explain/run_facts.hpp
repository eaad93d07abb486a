// What a run says of its software and its machine, fact by fact: for notes, causes and `tracker explain`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/judge/verdict/runs.hpp"

namespace tracker {

enum class FactKind {
  kBuild,     // of how the code under test was made: of no account where the machine code is the same
  kSoftware,  // around the code
  kMachine
};

struct RunFact {
  const char* name;  // "driver"
  FactKind kind;
  std::optional<std::string> (*value)(const Run& run);
  // Long: of two values what differs is said, and one that is not known is no other one.
  bool is_long = false;
};

// One row a fact. Throws std::out_of_range for a name that is none.
const std::vector<RunFact>& run_facts();
const RunFact& run_fact(std::string_view name);

// The values that the runs have, each once: "580.1, 590.2"; `unknown` stands for those that have none.
std::string values_of(Runs runs, const RunFact& fact, const std::string& unknown);

}  // namespace tracker
