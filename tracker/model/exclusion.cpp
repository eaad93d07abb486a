#include "tracker/model/exclusion.hpp"

#include <string_view>

namespace tracker {
namespace {

struct ExclusionRow {
  ExclusionReason reason;
  std::string_view words;  // in documents for ever: a detail goes behind those that end with a blank
};

constexpr ExclusionRow kExclusions[] = {
    {ExclusionReason::kNone, ""},
    {ExclusionReason::kWarmUp, "warm-up"},
    {ExclusionReason::kOtherProcess, "another process was on the GPU"},
    {ExclusionReason::kThrottled, "throttled: "},
    {ExclusionReason::kLowClocks, "the clocks were low: "},
    {ExclusionReason::kPairDisturbed, "its pair was disturbed"},
    {ExclusionReason::kPairInterrupted, "its pair was interrupted"},
};

bool has_detail(const ExclusionRow& row) {
  return row.words.ends_with(' ');
}

}  // namespace

std::string exclusion_in_words(const Exclusion& exclusion) {
  for (const auto& row : kExclusions)
    if (row.reason == exclusion.reason)
      return std::string(row.words) + (has_detail(row) ? exclusion.detail : "");
  return exclusion.detail;
}

Exclusion exclusion_of(const std::string& words) {
  for (const auto& row : kExclusions) {
    if (words == row.words) return {row.reason, ""};
    if (has_detail(row) && words.starts_with(row.words)) return {row.reason, words.substr(row.words.size())};
  }
  return {ExclusionReason::kOther, words};
}

}  // namespace tracker
