// Which commits of a line to measure next. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tracker::history {

// The places of a line, oldest first, in the order to measure them: the newest and the oldest, then the
// middle of the widest gap, and so on. So what is measured is spread evenly, whenever it ends. Places that
// are `measured` already are not among them, and bound gaps. With `every` above 1 only each `every`-th place,
// counted from the newest.
std::vector<std::size_t> spread_order(const std::vector<bool>& measured, std::size_t every);

// A change that was first seen at one place: any of the places up to it, down to the one before that is
// measured, may have made it.
struct SeenChange {
  std::size_t first_seen = 0;
  double weight = 0;  // the larger, the sooner it is narrowed
};

// The place that narrows these changes best, and is not `tried` yet: the middle of the gap before the change
// whose weight times open places is largest. Empty where no change has an open place. `measured` ones bound
// gaps; what was tried and could not be measured does not.
std::optional<std::size_t> next_to_narrow(const std::vector<SeenChange>& changes,
                                          const std::vector<bool>& measured, const std::vector<bool>& tried);

}  // namespace tracker::history
