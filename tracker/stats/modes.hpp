// What a few values cannot have shown: that a benchmark runs at two speeds.
#pragma once

namespace tracker::stats {

// The largest chance that a benchmark which takes one of two speeds in every invocation, with whatever
// shares, showed only one of them in `first` invocations and only the other in `second`: then it looks quiet,
// and changed. Both > 0, and may be fractions. 4^-n for n invocations a side.
double chance_of_a_mode_each(double first, double second);

}  // namespace tracker::stats
