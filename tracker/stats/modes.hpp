// What a few values cannot have shown: that a benchmark runs at two speeds.
#pragma once

namespace tracker::stats {

// The largest chance that a benchmark which takes one of two speeds in every invocation, with whatever
// shares, showed only one of them in `first` invocations and only the other in `second`: then it looks quiet,
// and changed. Both > 0, and may be fractions. 4^-n for n invocations a side.
double chance_of_a_mode_each(double first, double second);

// Likewise, that `first` invocations showed only one of the speeds, and at least `seen` of `second` (1 to
// all) the other.
double chance_of_unseen_mode(double first, int second, int seen);

// The share of invocations that have the other speed, where `seen` of `all` (1 to all − 1) have it: between
// these two with this confidence (Clopper and Pearson 1934).
struct Shares {
  double low = 0;
  double high = 1;
};
Shares share_of_mode(int seen, int all, double confidence);

}  // namespace tracker::stats
