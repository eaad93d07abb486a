#include "tracker/model/change_event.hpp"

#include <algorithm>
#include <cmath>

namespace tracker {

double weight_of(const ChangeEvent& event) {
  double sum = 0;
  for (const auto& change : event.changes) sum += std::abs(std::log(change.after / change.before));
  return sum;
}

bool is_of_machine(const ChangeEvent& event) {
  return !event.changes.empty() && std::all_of(event.changes.begin(), event.changes.end(),
                                               [](const EventChange& change) { return change.machine; });
}

bool is_mostly_slower(const ChangeEvent& event) {
  const auto weight = [](const EventSide& side) {
    return static_cast<double>(side.changes) * std::abs(std::log(side.ratio));
  };
  return weight(event.slower) >= weight(event.faster);
}

const EventSide& main_side(const ChangeEvent& event) {
  return is_mostly_slower(event) ? event.slower : event.faster;
}

}  // namespace tracker
