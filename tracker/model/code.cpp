#include "tracker/model/code.hpp"

namespace tracker {

bool is_same_code(const Code& a, const Code& b) {
  return !a.hash.empty() && a.hash == b.hash && a.launches == b.launches;
}

std::optional<Code> common_code(const std::optional<Code>& a, const std::optional<Code>& b) {
  if (a == b) return a;
  Code common;
  common.why_no_hash = a && b ? "not the same in all invocations" : "not stated by all invocations";
  if (a && b && a->launches == b->launches) common.launches = a->launches;
  return common;
}

}  // namespace tracker
