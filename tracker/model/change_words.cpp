#include "tracker/model/change_words.hpp"

#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// "9.2×", "94×"
std::string as_times(double ratio) {
  constexpr double kDecimalMax = 10;
  const std::string text = format_plain(std::round(ratio * 10) / 10);
  return (ratio < kDecimalMax ? text : format_plain(std::round(ratio))) + "×";
}

}  // namespace

std::string change_in_words(const Metric& metric, double change) {
  constexpr double kReadableMax = 1e6;
  const double ratio = change > 0 ? 1 + change : 1 / (1 + change);
  const bool up = change > 0;
  const bool is_time = metric.unit == "s";
  // Half the bandwidth reads well as a share, half the time as a factor.
  const bool as_factor = ratio >= 2 && (up || is_time);
  const std::string size = ratio >= kReadableMax ? "more than a million times"
                           : as_factor           ? as_times(ratio)
                                                 : format_share(change);
  if (is_time) return size + (up ? " slower" : " faster");
  if (metric.name == "bytes_per_second") {
    if (as_factor) return size + " the bandwidth";
    return size + (up ? " more" : " less") + " bandwidth";
  }
  return size + (as_factor ? " as high" : up ? " higher" : " lower");
}

}  // namespace tracker
