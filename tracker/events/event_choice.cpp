#include "tracker/events/event_choice.hpp"

#include <algorithm>

namespace tracker {

std::vector<ChangeEvent> lasting_events(const std::vector<ChangeEvent>& events, const std::string& since) {
  std::vector<ChangeEvent> chosen;
  for (const auto& event : events) {
    const EventCommit& newest = event.shape == EventShape::kStep ? event.first_seen : event.last_possible;
    const bool is_settled = std::any_of(event.changes.begin(), event.changes.end(),
                                        [](const EventChange& change) { return change.settled; });
    if (is_settled && newest.date.substr(0, since.size()) >= since) chosen.push_back(event);
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const ChangeEvent& a, const ChangeEvent& b) { return weight_of(a) > weight_of(b); });
  return chosen;
}

}  // namespace tracker
