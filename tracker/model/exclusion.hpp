// Why an invocation's samples do not count. Plain data.
#pragma once

#include <string>

namespace tracker {

enum class ExclusionReason {
  kNone,  // they count
  kWarmUp,
  kOtherProcess,
  kThrottled,
  kLowClocks,
  kPairDisturbed,    // the other half of its pair is excluded
  kPairInterrupted,  // its pair has no other half
  kOther             // as a document says that another version of tracker wrote
};

struct Exclusion {
  ExclusionReason reason = ExclusionReason::kNone;
  std::string detail;  // throttled: "sw_thermal"; low clocks: which; other: all that the document says

  explicit operator bool() const { return reason != ExclusionReason::kNone; }
  bool operator==(const Exclusion&) const = default;
};

// As documents and people have it: "throttled: sw_thermal"; empty where nothing is excluded.
std::string exclusion_in_words(const Exclusion& exclusion);
// What such words mean.
Exclusion exclusion_of(const std::string& words);

}  // namespace tracker
