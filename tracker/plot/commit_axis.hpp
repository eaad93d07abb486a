// Where a trend has its commits from left to right.
#pragma once

#include <cstddef>
#include <vector>

namespace tracker {

// More points than this are too many for a mark each.
inline constexpr std::size_t kMarkedPointsMax = 80;

// Straight, or in two pieces: where there are many commits, the newest have a fixed share of the width.
struct CommitAxis {
  double first = 0;  // of the line, with some room at both ends
  double last = 1;
  double knee = 0;         // the newest commits begin here; `first` where the axis has one piece
  double share = 0;        // of the width that lies before the knee
  std::size_t newest = 0;  // points behind the knee; 0 where the axis has one piece

  bool is_split() const { return newest > 0; }
  // A commit's place, on an axis from `first` to `last`: its position where the axis has one piece.
  double place(double position) const;
};

// For points at these positions, ascending and not empty.
CommitAxis commit_axis(const std::vector<int>& positions);

}  // namespace tracker
