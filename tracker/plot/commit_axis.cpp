#include "tracker/plot/commit_axis.hpp"

#include <algorithm>

namespace tracker {
namespace {

constexpr std::size_t kNewestPoints = 30;
constexpr double kNewestShare = 0.36;  // of the width: twelve pixels a commit in a picture

}  // namespace

double CommitAxis::place(double position) const {
  if (!is_split()) return position;
  const double width = last - first;
  if (position < knee) return first + (position - first) / (knee - first) * share * width;
  return first + (share + (position - knee) / (last - knee) * (1 - share)) * width;
}

CommitAxis commit_axis(const std::vector<int>& positions) {
  CommitAxis axis;
  const double oldest = positions.front();
  const double newest = positions.back();
  const double room = newest > oldest ? std::max((newest - oldest) * 0.03, 0.5) : 1;
  axis.first = oldest - room;
  axis.last = newest + room;
  axis.knee = axis.first;
  if (positions.size() <= kMarkedPointsMax) return axis;
  const auto behind = positions.end() - static_cast<std::ptrdiff_t>(kNewestPoints);
  const double knee = (*behind + *(behind - 1)) / 2.0;
  const double spacing = (newest - knee) / static_cast<double>(kNewestPoints);
  const double share = (axis.last - knee) / (axis.last - axis.first);
  if (share >= kNewestShare) return axis;
  axis.first = oldest - std::max((newest - oldest) * 0.01, 0.5);
  axis.last = newest + 1.5 * spacing;
  axis.knee = knee;
  axis.share = 1 - kNewestShare;
  axis.newest = kNewestPoints;
  return axis;
}

}  // namespace tracker
