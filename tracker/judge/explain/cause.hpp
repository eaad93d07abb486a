// Why a benchmark may be as much slower or faster as it is: what differs between the two sides, likeliest
// first. Pure. docs/reasons.md says what each line means, and what none of them can know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/explain/side_facts.hpp"

namespace tracker {

enum class Effect { kSlower, kFaster, kEither };

struct Finding {
  std::string text;  // "blocks per SM 8 → 4: registers 32 → 64"
  Effect effect = Effect::kEither;
};

enum class About {
  kCode,   // machine code and launch
  kBuild,  // how the code was made: explains nothing where the machine code is the same
  kAround  // everything else
};

// One row a kind of cause; the likelier stands first.
struct CauseRule {
  const char* name;
  About about;
  std::optional<Finding> (*find)(const SideFacts& base, const SideFacts& candidate);
};
const std::vector<CauseRule>& cause_rules();

struct Cause {
  std::string rule;
  About about = About::kCode;
  Finding finding;
};

// All that differs. With the same code, what made it is left aside.
std::vector<Cause> find_causes(const SideFacts& base, const SideFacts& candidate,
                               std::optional<bool> same_code);

// Those that can have had this effect, as one line; the first few where there are many. Empty where there is
// none.
std::string cause_in_words(const std::vector<Cause>& causes, Effect effect);

}  // namespace tracker
