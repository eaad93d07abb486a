#include "tracker/site/event_text.hpp"

#include <algorithm>
#include <string>

namespace tracker {

std::string state_in_words(const ChangeEvent& event) {
  if (is_of_machine(event)) return "the machine changed";
  const std::string undone = event.changes.front().worse ? "mended" : "undone";
  if (event.state == EventState::kUndone) return undone + " by";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  if (event.accepted > 0 && event.accepted + event.undone >= event.slower.changes && is_mostly_slower(event))
    return "accepted";
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
