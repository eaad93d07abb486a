#include "tracker/history/backfill_order.hpp"

#include <algorithm>
#include <queue>

namespace tracker::history {
namespace {

// Two places that are measured, or will be by then, and nothing between them.
struct Gap {
  std::size_t from = 0;
  std::size_t to = 0;

  // Wide ones first, and the newer of two.
  bool operator<(const Gap& other) const {
    const std::size_t width = to - from;
    const std::size_t others = other.to - other.from;
    return width != others ? width < others : from < other.from;
  }
};

// The one nearest to the middle of those strictly inside of the gap; empty where there is none. `sorted`:
// places.
std::optional<std::size_t> nearest_to_middle(const std::vector<std::size_t>& sorted, const Gap& gap) {
  const auto first = std::upper_bound(sorted.begin(), sorted.end(), gap.from);
  const auto last = std::lower_bound(sorted.begin(), sorted.end(), gap.to);
  if (first >= last) return {};
  const auto off_middle = [&](std::size_t place) {
    const std::size_t twice = 2 * place;
    const std::size_t middle = gap.from + gap.to;
    return twice > middle ? twice - middle : middle - twice;
  };
  const auto above = std::lower_bound(first, last, (gap.from + gap.to + 1) / 2);
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
  for (std::size_t i = 1; i < fixed.size(); ++i) gaps.push({fixed[i - 1], fixed[i]});
  while (!gaps.empty()) {
    const Gap gap = gaps.top();
    gaps.pop();
    const auto middle = nearest_to_middle(open, gap);
    if (!middle) continue;
    order.push_back(*middle);
    gaps.push({gap.from, *middle});
    gaps.push({*middle, gap.to});
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
