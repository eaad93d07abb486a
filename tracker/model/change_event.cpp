#include "tracker/model/change_event.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tracker/base/text.hpp"

namespace tracker {

double weight_of(const ChangeEvent& event) {
  double sum = 0;
  for (const auto& change : event.changes) sum += std::abs(std::log(change.after / change.before));
  return sum;
}

bool is_of_machine(const ChangeEvent& event) {
  return !event.changes.empty() && std::ranges::all_of(event.changes, &EventChange::machine);
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

namespace {

// "9.2×", "94×"
std::string as_times(double ratio) {
  constexpr double kDecimalMax = 10;
  const std::string text = format_plain(std::round(ratio * 10) / 10);
  return (ratio < kDecimalMax ? text : format_plain(std::round(ratio))) + "×";
}

// The largest threshold in per cent, of those that people write, that these changes pass.
std::string threshold_to_show(double smallest) {
  for (double decade = 10; decade > 1e-4; decade /= 10)
    for (const double digit : {5.0, 2.0, 1.0})
      if (digit * decade <= smallest * 100) return format_plain(digit * decade) + "%";
  return format_plain(smallest * 100) + "%";
}

constexpr const char* kMovesByItself = "the level moves by itself, and no single ";

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

std::string wandering_of(const Series& series) {
  if (!(series.wanders > 0)) return "";
  return "wanders by up to " + format_share(series.wanders) + ": " + kMovesByItself + "commit made it";
}

std::string wandering_at(const std::vector<std::string>& places) {
  if (places.empty()) return "";
  return std::string("wanders: ") + kMovesByItself + "value made what looks like a change at " +
         join(places, ", ");
}

std::string below_threshold_among(const std::vector<Series>& all, const std::string& since) {
  std::vector<const Series*> pointers;
  for (const auto& series : all) pointers.push_back(&series);
  return below_threshold_among(pointers, since);
}

std::string below_threshold_among(const std::vector<const Series*>& all, const std::string& since) {
  std::size_t count = 0;
  double smallest = 1;
  std::vector<double> thresholds;
  for (const Series* series : all)
    for (const auto& small : series->below) {
      if (series->points[small.point].date.str() < since) continue;
      ++count;
      smallest = std::min(smallest, std::expm1(std::abs(std::log1p(small.change))));
      thresholds.push_back(series->threshold);
    }
  if (count == 0) return "";
  const auto [low, high] = std::ranges::minmax_element(thresholds);
  return count_of(count, "certain change") + " below " +
         (*low == *high ? format_share(*low) : "their thresholds") + (count == 1 ? " is" : " are") +
         " not shown: --threshold " + threshold_to_show(smallest) +
         (count == 1 ? " shows it" : " shows them");
}

std::string wandering_among(const std::vector<Series>& all, std::size_t named_max) {
  std::vector<const Series*> wandering;
  for (const auto& series : all)
    if (series.wanders > 0) wandering.push_back(&series);
  if (wandering.empty()) return "";
  std::ranges::stable_sort(wandering, std::greater(), &Series::wanders);
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(named_max, wandering.size()); ++i)
    named.push_back(printable(wandering[i]->benchmark) + " by up to " + format_share(wandering[i]->wanders));
  if (wandering.size() > named_max) named.push_back(std::to_string(wandering.size() - named_max) + " more");
  const std::string who = wandering.size() == 1
                              ? "1 benchmark wanders by itself, moved by no single commit"
                              : count_of(wandering.size(), "benchmark") + " " + kWanderByThemselves;
  return who + ": " + join(named, ", ");
}

}  // namespace tracker
