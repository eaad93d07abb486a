#include "tracker/history/backfill_order.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace tracker::history {
namespace {

// The width between two places that are measured, or will be by then, and these; nothing between them is.
// Wide ones are greater, and the newer of two.
using Gap = std::tuple<std::size_t, std::size_t, std::size_t>;

Gap gap_between(std::size_t from, std::size_t to) {
  return {to - from, from, to};
}

// The one nearest to the middle of those strictly between the two; empty where there is none. `sorted`:
// places.
std::optional<std::size_t> nearest_to_middle(const std::vector<std::size_t>& sorted, std::size_t from,
                                             std::size_t to) {
  const auto first = std::ranges::upper_bound(sorted, from);
  const auto last = std::ranges::lower_bound(sorted, to);
  if (first >= last) return {};
  const auto off_middle = [&](std::size_t place) {
    const std::size_t twice = 2 * place;
    const std::size_t middle = from + to;
    return twice > middle ? twice - middle : middle - twice;
  };
  const auto above = std::lower_bound(first, last, (from + to + 1) / 2);
  if (above == first) return *above;
  const auto below = above - 1;
  if (above == last) return *below;
  return off_middle(*below) < off_middle(*above) ? *below : *above;
}

}  // namespace

std::vector<std::size_t> spread_order(const std::vector<bool>& measured, std::size_t every) {
  std::vector<std::size_t> open;
  std::vector<std::size_t> fixed;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i])
      fixed.push_back(i);
    else if ((measured.size() - 1 - i) % std::max<std::size_t>(1, every) == 0)
      open.push_back(i);
  }
  std::vector<std::size_t> order;
  if (open.empty()) return order;
  if (fixed.empty() || open.back() > fixed.back()) {
    order.push_back(open.back());
    fixed.push_back(open.back());
  }
  if (open.front() < fixed.front()) {
    order.push_back(open.front());
    fixed.insert(fixed.begin(), open.front());
  }
  std::priority_queue<Gap> gaps;
  for (std::size_t i = 1; i < fixed.size(); ++i) gaps.push(gap_between(fixed[i - 1], fixed[i]));
  while (!gaps.empty()) {
    const auto [width, from, to] = gaps.top();
    gaps.pop();
    const auto middle = nearest_to_middle(open, from, to);
    if (!middle) continue;
    order.push_back(*middle);
    gaps.push(gap_between(from, *middle));
    gaps.push(gap_between(*middle, to));
  }
  return order;
}

std::optional<std::size_t> next_to_narrow(const std::vector<SeenChange>& changes,
                                          const std::vector<bool>& measured, const std::vector<bool>& tried) {
  std::optional<std::size_t> best;
  double most = 0;
  for (const auto& change : changes) {
    std::vector<std::size_t> open;
    for (std::size_t i = change.first_seen; i-- > 0 && !measured[i];)
      if (!tried[i]) open.push_back(i);
    const double worth = change.weight * static_cast<double>(open.size());
    if (open.empty() || worth <= most) continue;
    most = worth;
    best = open[open.size() / 2];
  }
  return best;
}

}  // namespace tracker::history
