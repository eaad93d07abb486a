#include "tracker/model/wandering_words.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// The largest threshold in per cent, of those that people write, that these changes pass.
std::string threshold_to_show(double smallest) {
  for (double decade = 10; decade > 1e-4; decade /= 10)
    for (const double digit : {5.0, 2.0, 1.0})
      if (digit * decade <= smallest * 100) return format_plain(digit * decade) + "%";
  return format_plain(smallest * 100) + "%";
}

constexpr const char* kMovesByItself = "the level moves by itself, and no single ";

}  // namespace

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
  const auto [low, high] = std::minmax_element(thresholds.begin(), thresholds.end());
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
  std::stable_sort(wandering.begin(), wandering.end(),
                   [](const Series* a, const Series* b) { return a->wanders > b->wanders; });
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
