#include "tracker/site/event_text.hpp"

#include <algorithm>
#include <vector>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

std::string cause_text(const EventCause& cause) {
  switch (cause.kind) {
    case EventCauseKind::kFact:
      return cause.fact + " " + cause.before + " → " + cause.after;
    case EventCauseKind::kConditions:
      return cause.text;
    case EventCauseKind::kSameCode:
      return "the machine code is the same";
    case EventCauseKind::kCode:
      break;
  }
  return cause.text.empty() ? "the machine code changed" : cause.text;
}

}  // namespace

std::string causes_in_words(const ChangeEvent& event) {
  std::vector<std::string> parts;
  for (const auto& cause : event.causes) parts.push_back(cause_text(cause));
  return join(parts, "; ");
}

std::string state_in_words(const ChangeEvent& event) {
  const std::string undone = event.changes.front().worse ? "mended" : "undone";
  if (event.state == EventState::kUndone) return undone + " by";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  const bool settled = std::any_of(event.changes.begin(), event.changes.end(),
                                   [](const EventChange& change) { return change.settled; });
  if (settled) return "still there";
  const bool same_conditions =
      std::any_of(event.changes.begin(), event.changes.end(),
                  [](const EventChange& change) { return change.other_conditions.empty(); });
  return same_conditions ? "not settled yet" : "measured under other conditions";
}

double largest_change(const ChangeEvent& event) {
  return event.changes.front().after / event.changes.front().before - 1;
}

}  // namespace tracker
